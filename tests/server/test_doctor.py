"""`taisai doctor` on installations that are whole, and on those that are broken in one place each."""

import asyncio
import json
import os
import shutil
import socket
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

import taisai.adapters
from taisai.bootstrap import open_parts
from taisai.cli.output import Exit
from taisai.server.config import load_config
from tests.server.houses import serving
from tests.unit.command import run

TABLE = {"name": "T1", "kind": "live", "pay_table": "tai-sai-v6/2"}


def certificate(folder: Path, *, days: int = 365, name: str = "tls") -> tuple[Path, Path]:
    """A certificate for localhost and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    built = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=400))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    chain, private = folder / f"{name}.pem", folder / f"{name}.key"
    chain.write_bytes(built.public_bytes(Encoding.PEM))
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    private.chmod(0o600)
    return chain, private


def written(folder: Path, **server: Any) -> Path:
    """The settings of a house of real money whose data lie in a folder, as a file."""
    chain, private = folder / "tls.pem", folder / "tls.key"
    values = {
        "port": 0,
        "database": f"sqlite:///{folder / 'data' / 'house.db'}",
        "keys": str(folder / "keys"),
        "witness": str(folder / "elsewhere" / "witness.jsonl"),
        "certificate": str(chain),
        "certificate_key": str(private),
        **server,
    }
    lines = ["[house]", 'name = "Corner"', "[server]"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    lines += ["[[table]]", *(f"{key} = {json.dumps(value)}" for key, value in TABLE.items())]
    path = folder / "house.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house that was opened and closed once."""
    folder = tmp_path_factory.mktemp("installed")
    (folder / "data").mkdir()
    (folder / "elsewhere").mkdir()
    certificate(folder)
    config = load_config(written(folder), {})

    async def once() -> None:
        async with open_parts(config):
            pass

    asyncio.run(once())
    return folder


@pytest.fixture
def installed(model: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may break."""
    shutil.copytree(model, tmp_path, dirs_exist_ok=True)
    written(tmp_path)
    return tmp_path


def looked(folder: Path, *options: str, code: Exit = Exit.OK) -> dict[str, dict[str, str]]:
    """The findings by their check."""
    done = run("doctor", "--config", str(folder / "house.toml"), "--format", "json", *options)
    assert done.exit_code == code, (done.stdout, done.stderr)
    document = json.loads(done.stdout)
    for finding in document["findings"]:
        assert bool(finding["expected"]) == bool(finding["advice"]) == (finding["level"] != "ok"), finding
    return {finding["check"]: finding for finding in document["findings"]}


def names(folder: Path) -> dict[str, tuple[float, int]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime, path.stat().st_size)
        for path in folder.rglob("*")
    }


def test_an_installation_that_is_whole_has_nothing_to_mend(installed: Path) -> None:
    """Every line is fine, and looking has changed and made nothing."""
    before = names(installed)
    found = looked(installed)
    assert [finding for finding in found.values() if finding["level"] != "ok"] == []
    assert set(found) >= {
        *("python", "platform", "extra server", "program", "pages", "random source", "settings"),
        *("database", "schema", "durability", "integrity", "rulebooks", "data folder", "disk"),
        *("keys", "tickets.key", "sealing.key", "signing key", "clock", "tls", "port", "witness"),
    }
    assert names(installed) == before


def test_before_the_first_start_it_only_warns_and_makes_nothing(tmp_path: Path) -> None:
    """There is no record and there are no keys; both are made by the first start."""
    (tmp_path / "data").mkdir()
    (tmp_path / "elsewhere").mkdir()
    certificate(tmp_path)
    written(tmp_path)
    before = names(tmp_path)
    found = looked(tmp_path)
    assert {check for check, finding in found.items() if finding["level"] == "warning"} == {
        *("database", "keys", "witness"),
    }
    assert names(tmp_path) == before


def test_a_table_of_findings_says_what_to_do(installed: Path) -> None:
    """For people: one line each, and below it what was expected and what to do."""
    (installed / "keys" / "signing.pem").chmod(0o644)
    done = run("doctor", "--config", str(installed / "house.toml"))
    assert done.exit_code == Exit.CHECK_FAILED
    lines = done.stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("failed   signing key"))
    assert "can be read by others (mode 644)" in lines[at]
    assert lines[at + 1].strip().startswith("expected: ")
    assert lines[at + 2].strip().startswith("do: chmod 600 it")
    assert lines[-1].endswith("1 failed")


def test_without_a_file_it_looks_at_the_house_of_a_bare_serve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Play money needs neither certificate nor witness."""
    monkeypatch.chdir(tmp_path)
    done = run("doctor", "--format", "csv")
    assert done.exit_code == Exit.OK, done.stdout
    assert "tls,ok,no certificate; play money needs none" in done.stdout
    assert list(tmp_path.iterdir()) == []


# --- Each thing broken on its own ------------------------------------------------------------------------


def other_key(folder: Path) -> None:
    """Somebody made new keys instead of bringing the old ones."""
    from taisai.adapters.signing.keys import generate_key

    for name in ("signing.pem", "signing.pem.pub"):
        (folder / "keys" / name).unlink()
    generate_key(folder / "keys" / "signing.pem")


def damaged(folder: Path) -> None:
    """The bytes of a page of the journal are not what was written."""
    path = folder / "data" / "house.db"
    db = apsw.Connection(str(path))
    page = db.execute("SELECT max(pageno) FROM dbstat WHERE name = 'events' AND pagetype = 'leaf'").get
    db.close()
    raw = bytearray(path.read_bytes())
    raw[(page - 1) * 4096 : page * 4096] = b"\xa5" * 4096
    path.write_bytes(raw)


def with_sql(*statements: str) -> Callable[[Path], None]:
    """Somebody with a SQL prompt."""

    def act(folder: Path) -> None:
        db = apsw.Connection(str(folder / "data" / "house.db"))
        for (name,) in list(db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")):
            db.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            db.execute(statement)
        db.close()

    return act


def truncated_record(folder: Path) -> None:
    """The end was cut off after a witness had seen it."""
    witness = folder / "elsewhere" / "witness.jsonl"
    last = json.loads(witness.read_text(encoding="utf-8").splitlines()[-1])
    witness.write_text(json.dumps({**last, "number": last["number"] + 5}) + "\n", encoding="utf-8")


def mismatched(folder: Path) -> None:
    certificate(folder, name="other")
    (folder / "tls.key").write_bytes((folder / "other.key").read_bytes())


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def chmod(name: str, mode: int) -> Callable[[Path], None]:
    return lambda folder: (folder / name).chmod(mode)


def settings(**server: Any) -> Callable[[Path], None]:
    return lambda folder: written(folder, **server) and None


FUTURE = int((datetime.now(UTC) + timedelta(days=365)).timestamp() * 1_000_000)
BROKEN: list[tuple[str, Callable[[Path], Any], str, str, str]] = [
    ("no database folder", settings(database="nowhere/house.db"), "data folder", "failed", "is not there"),
    (
        "not a database",
        lambda f: (f / "data/house.db").write_bytes(b"x" * 8192),
        "database",
        "failed",
        "not a",
    ),
    (
        "not ours",
        lambda f: ((f / "data/house.db").unlink(), with_sql("CREATE TABLE x (y)")(f)),
        "database",
        "failed",
        "not one of taisai's",
    ),
    ("damaged", damaged, "integrity", "failed", "page"),
    ("newer schema", with_sql("PRAGMA user_version = 99"), "schema", "failed", "version 99"),
    ("no log", with_sql("PRAGMA journal_mode = delete"), "durability", "warning", "rollback"),
    (
        "other rules",
        with_sql(
            "UPDATE events SET body = "
            "CAST(replace(CAST(body AS TEXT), '_digest\":\"', '_digest\":\"0') AS BLOB)"
        ),
        "rulebooks",
        "failed",
        "T1 plays tai-sai-v6/2",
    ),
    ("clock behind", with_sql(f"UPDATE commits SET at = {FUTURE}"), "clock", "failed", "behind the record"),
    ("key readable", chmod("keys/signing.pem", 0o640), "signing key", "failed", "read by others"),
    ("no key", remove("keys/signing.pem"), "signing key", "failed", "it is not there"),
    ("other key", other_key, "signing key", "failed", "which is not trusted here"),
    ("no ticket key", remove("keys/tickets.key"), "tickets.key", "failed", "not there"),
    ("no sealing key", remove("keys/sealing.key"), "sealing.key", "failed", "not there"),
    ("secret readable", chmod("keys/tickets.key", 0o644), "tickets.key", "failed", "mode 644"),
    ("no keys at all", lambda f: shutil.rmtree(f / "keys"), "keys", "failed", "is not there"),
    ("keys open", chmod("keys", 0o755), "keys", "failed", "mode 755"),
    ("folder for anyone", chmod("data", 0o777), "data folder", "failed", "anyone can write"),
    ("certificate of another key", mismatched, "tls", "failed", "tls.pem"),
    ("no certificate file", remove("tls.pem"), "tls", "failed", "No such file"),
    ("certificate ended", lambda f: certificate(f, days=-1), "tls", "failed", "good until"),
    ("certificate ends soon", lambda f: certificate(f, days=20), "tls", "warning", "days left"),
    ("tls key readable", chmod("tls.key", 0o644), "tls key", "failed", "anyone can read it"),
    ("plain", settings(certificate="", certificate_key=""), "tls", "warning", "no certificate"),
    (
        "plain and open to others",
        settings(certificate="", certificate_key="", host="0.0.0.0"),
        "tls",
        "failed",
        "open to others",
    ),
    ("no witness", settings(witness=""), "witness", "warning", "goes unseen"),
    ("witness unreachable", settings(witness="nowhere/w.jsonl"), "witness", "failed", "cannot be written"),
    (
        "witness unreadable",
        lambda f: (f / "elsewhere/witness.jsonl").write_text("x\n"),
        "witness",
        "failed",
        "line 1",
    ),
    ("record cut short", truncated_record, "witness", "failed", "not in the record, which ends at"),
    ("address of another machine", settings(host="192.0.2.1", port=8400), "port", "failed", "192.0.2.1"),
]


@pytest.mark.parametrize(
    ("broken", "check", "level", "said"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN]
)
def test_what_is_broken_is_found(
    installed: Path,
    monkeypatch: pytest.MonkeyPatch,
    broken: Callable[[Path], Any],
    check: str,
    level: str,
    said: str,
) -> None:
    """With what was found, what was expected and what to do; and nothing is mended behind one's back."""
    monkeypatch.chdir(installed)
    broken(installed)
    before = names(installed)
    found = looked(installed, code=Exit.CHECK_FAILED if level == "failed" else Exit.OK)
    assert (found[check]["level"], said in found[check]["found"]) == (level, True), found[check]
    assert names(installed) == before


def test_settings_that_cannot_be_read_are_a_finding(installed: Path) -> None:
    """The key that was meant is named, and the machine is looked at all the same."""
    path = installed / "house.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("port", "prot"), encoding="utf-8")
    found = looked(installed, code=Exit.CHECK_FAILED)
    assert "server.prot: unknown key, did you mean 'port'?" in found["settings"]["found"]
    assert "database" not in found
    assert found["python"]["level"] == "ok"


def test_a_witness_beside_the_record_is_none(installed: Path) -> None:
    """Who can cut the record short can cut it, too."""
    shutil.copy(installed / "elsewhere" / "witness.jsonl", installed / "data" / "witness.jsonl")
    written(installed, witness=str(installed / "data" / "witness.jsonl"))
    assert looked(installed)["witness"]["found"] == "it is kept beside the record"


@pytest.mark.parametrize(("missing", "check"), [("apsw", "database"), ("cryptography", "signing key")])
def test_without_an_extra_the_rest_is_looked_at_all_the_same(
    installed: Path, monkeypatch: pytest.MonkeyPatch, missing: str, check: str
) -> None:
    """What cannot be looked at is said, with what to install."""
    for name in [name for name in sys.modules if name.startswith(("taisai.adapters", missing))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(taisai, "adapters", taisai.adapters)  # what is imported anew puts itself there, too
    monkeypatch.setitem(sys.modules, missing, None)
    found = looked(installed, code=Exit.CHECK_FAILED)
    assert found[check]["found"] == f"not looked at: {missing} is missing"
    assert found["port"]["level"] == "ok"


def test_a_quick_look_does_not_read_the_whole_record(installed: Path) -> None:
    """For large records, and for those who look often."""
    assert "integrity" not in looked(installed, "--quick")


def test_a_house_that_was_killed_leaves_a_log_that_is_read_and_not_touched(installed: Path) -> None:
    """What is in the write-ahead log counts; the files stay as the crash left them."""
    database, crashed = installed / "data" / "house.db", installed / "crashed"
    crashed.mkdir()
    db = apsw.Connection(str(database))
    db.pragma("journal_mode", "wal")
    db.execute("INSERT INTO view_rows VALUES ('x', 'y', x'00')")
    for suffix in ("", "-wal", "-shm"):
        shutil.copy(f"{database}{suffix}", crashed / f"house.db{suffix}")
    db.close()
    written(installed, database=str(crashed / "house.db"))
    before = names(crashed)
    assert (crashed / "house.db-wal").stat().st_size
    found = looked(installed)
    assert found["database"]["level"] == found["integrity"]["level"] == "ok"
    assert names(crashed) == before
    (crashed / "house.db-shm").unlink()
    found = looked(installed)
    assert (found["database"]["level"], "was not taken in" in found["database"]["found"]) == ("warning", True)


# --- The port --------------------------------------------------------------------------------------------


def test_a_port_that_is_free_is_free(installed: Path) -> None:
    """And is so afterwards."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    written(installed, port=port)
    assert looked(installed)["port"]["found"] == f"127.0.0.1:{port} is free"


def test_a_port_taken_by_something_else_is_found(installed: Path) -> None:
    """Whatever it is, it is not this house."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        other.settimeout(0)
        written(installed, port=other.getsockname()[1])
        assert "taken by something else" in looked(installed, code=Exit.CHECK_FAILED)["port"]["found"]


async def test_a_house_that_runs_is_known_and_asked_whether_it_is_ready(installed: Path) -> None:
    """Its own port counts as its own; another name there does not; a desk that stopped is said."""
    written(installed, certificate="", certificate_key="", secure_cookies=False)
    async with serving(load_config(installed / "house.toml", {}), people={}) as house:
        port = int(house.address.rpartition(":")[2])
        written(installed, certificate="", certificate_key="", port=port)
        found = await asyncio.to_thread(looked, installed)
        assert "answers" in found["port"]["found"]
        assert f"being written by process {os.getpid()}" in found["database"]["found"]
        await house.parts.house.tables["T1"].stop()
        found = await asyncio.to_thread(looked, installed, code=Exit.CHECK_FAILED)
        assert "the desk of T1 has stopped" in found["port"]["found"]
        path = installed / "house.toml"
        path.write_text(path.read_text(encoding="utf-8").replace("Corner", "Other"), encoding="utf-8")
        found = await asyncio.to_thread(looked, installed, code=Exit.CHECK_FAILED)
        assert "another house: Corner" in found["port"]["found"]
