"""The record's commands for those who look after it: rebuild, backup, restore, in a file and on a server."""

import asyncio
import json
from pathlib import Path
from threading import Thread

import pytest

from taisai.adapters.clock import ManualClock
from taisai.adapters.postgres.store import PostgresStore
from taisai.adapters.signing.keys import SigningKey, generate_key, public_path
from taisai.adapters.sqlite.store import SqliteStore
from tests.record import START
from tests.unit.command import run
from tests.unit.record_cli import fails, kept, ok, play, record, spoil, store

__all__ = ["kept", "store"]  # fixtures


def test_a_rebuild_makes_the_same_again(store: str) -> None:
    """Twice, and after a view was spoiled or lost, the canonical dump has the same digest."""
    first = ok("rebuild", store)
    assert first.startswith("rebuilt; canonical dump ")
    assert ok("rebuild", store) == first
    spoil(store, "DELETE FROM view_rows WHERE key LIKE 'T1%'", "UPDATE view_rows SET value = x'5b5d'")
    fails(1, "expected", "audit", "verify", store)
    assert ok("rebuild", store) == first
    ok("audit", "verify", store)


def test_a_rebuild_needs_no_key_and_makes_none(store: str) -> None:
    """The key may lie on another machine; the public one stays what it was."""
    Path(f"{store}.key").unlink()
    public = Path(f"{store}.key.pub").read_bytes()
    ok("rebuild", store)
    assert Path(f"{store}.key.pub").read_bytes() == public
    assert not Path(f"{store}.key").exists()


def test_a_record_is_backed_up_while_it_is_written(tmp_path: Path) -> None:
    """Copies made in the middle of an evening are whole: each verifies, and has no half of an act."""
    path = tmp_path / "busy.db"
    key = generate_key(tmp_path / "busy.db.key")
    house = Thread(target=lambda: asyncio.run(record(path, key, rounds=12)))
    house.start()
    while not path.exists() or path.stat().st_size < 4096:
        house.join(0.001)
    copies: list[Path] = []
    while house.is_alive() and len(copies) < 8:
        copies.append(tmp_path / f"copy-{len(copies)}.db")
        result = run("backup", str(path), "--out", str(copies[-1]))
        if result.exit_code == 5:  # there is no schema in it yet
            copies.pop()
    house.join()
    assert copies
    for copy in copies:
        ok("audit", "verify", str(copy), "--key", f"{path}.key.pub")
    fails(2, "already there", "backup", str(path), "--out", str(copies[0]))


def test_nobody_else_writes_to_a_house_that_runs(store: str) -> None:
    """A rebuild must wait until the house is closed."""

    async def while_open() -> None:
        key = SigningKey.__new__(SigningKey)
        key._id = "unused"
        opened = await SqliteStore.open(Path(store), writer="main", signer=key, clock=ManualClock(START))
        result = await asyncio.to_thread(run, "rebuild", store)
        assert result.exit_code == 5
        assert "already being written" in result.stderr
        await opened.close()

    asyncio.run(while_open())


def test_a_copy_is_restored_and_verified(store: str, tmp_path: Path) -> None:
    """From a copy and from an export; the restored read models are the same."""
    copy, export = tmp_path / "copy.db", tmp_path / "house.jsonl"
    ok("backup", store, "--out", str(copy))
    ok("audit", "export", store, "--out", str(export))
    digest = ok("rebuild", store)
    for source in (copy, export):
        target = tmp_path / f"restored-{source.name}.db"
        result = run("restore", str(source), str(target), "--key", f"{store}.key.pub")
        assert result.exit_code == 0
        assert "sound: " in result.stderr
        assert ok("rebuild", str(target)) == digest
        fails(2, "already there", "restore", str(source), str(target))
    assert "it was not verified" in run("restore", str(copy), str(tmp_path / "third.db")).stderr
    fails(2, "cannot read the backup", "restore", str(tmp_path / "none"), str(tmp_path / "x.db"))


def test_a_backup_that_was_cut_short_or_altered_is_not_taken(store: str, tmp_path: Path) -> None:
    """Nothing is left behind of the first; the second is restored, and its fault is said."""
    export, target = tmp_path / "house.jsonl", tmp_path / "restored.db"
    ok("audit", "export", store, "--out", str(export))
    lines = export.read_bytes().splitlines(keepends=True)
    export.write_bytes(b"".join(lines[:-3]))
    before = sorted(tmp_path.iterdir())
    fails(2, "cut short", "restore", str(export), str(target))
    assert sorted(tmp_path.iterdir()) == before
    altered = [line.replace(b"20000", b"90000") for line in lines]
    export.write_bytes(b"".join(altered))
    fails(1, "fault: ", "restore", str(export), str(target), "--key", f"{store}.key.pub")
    assert target.exists()


# --- PostgreSQL ------------------------------------------------------------------------------------------


@pytest.fixture
def postgres_record(postgres_url: str, tmp_path: Path) -> tuple[str, str]:
    """The evening in PostgreSQL, and the public key."""
    key = generate_key(tmp_path / "pg.key")

    async def played() -> None:
        clock = ManualClock(START)
        await play(await PostgresStore.open(postgres_url, writer="main", signer=key, clock=clock))

    asyncio.run(played())
    return postgres_url, str(public_path(tmp_path / "pg.key"))


def test_a_database_is_verified_exported_and_restored(
    postgres_record: tuple[str, str], store: str, tmp_path: Path
) -> None:
    """The same commands; a backup is an export, and goes back into either kind of store."""
    url, key = postgres_record
    fails(2, "give its public half with --key", "audit", "verify", url)
    report = json.loads(ok("audit", "verify", url, "--key", key, "-f", "json"))
    assert report["rounds"]["bets"] == 48
    ok("audit", "export", url, "--key", key, "--out", str(tmp_path / "one.jsonl"))
    ok("backup", url, "--key", key, "--out", str(tmp_path / "two.jsonl"))
    one, two = ((tmp_path / f"{name}.jsonl").read_bytes().splitlines() for name in ("one", "two"))
    assert one[1:] == two[1:]
    target = str(tmp_path / "restored.db")
    ok("restore", str(tmp_path / "two.jsonl"), target, "--key", key)
    assert ok("rebuild", target) == ok("rebuild", url) == ok("rebuild", store)
    assert ok("replay", url, "--round", "T1/1") == ok("replay", target, "--round", "T1/1")
    assert ok("ledger", "balance", url) == ok("ledger", "balance", store)
    fails(2, "expected an empty store", "restore", str(tmp_path / "one.jsonl"), url)
    fails(2, "is a SQLite file", "restore", target, url)


def test_an_export_is_restored_into_a_database(postgres_url: str, store: str, tmp_path: Path) -> None:
    """A house can move from a file to a server, signatures and all."""
    export = tmp_path / "house.jsonl"
    ok("audit", "export", store, "--out", str(export))
    assert "sound: " in run("restore", str(export), postgres_url, "--key", f"{store}.key.pub").stderr
    assert ok("rebuild", postgres_url) == ok("rebuild", store)


def test_a_server_that_is_not_there_is_said(tmp_path: Path, store: str) -> None:
    """Exit code 5, one line."""
    url = f"postgresql://nobody@/none?host={tmp_path}"
    fails(5, "postgresql://", "audit", "verify", url, "--key", f"{store}.key.pub")
    fails(5, "postgresql://", "ledger", "balance", url)
