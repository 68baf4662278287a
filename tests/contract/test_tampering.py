"""Somebody with the store but without the key: whatever is altered, verification names it."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import apsw
import asyncpg
import msgspec
import pytest

from taisai.adapters.postgres.store import PostgresReader
from taisai.adapters.sql_reads import SqlReads
from taisai.record.faults import RecordFault
from taisai.record.journal import event_digest
from taisai.record.verify import verify
from taisai.record.views import VIEWS
from tests.contract.victim import SQLITE_TABLES, TABLES, Victim, altered, commits_of, forge, rechained, record
from tests.record import KEYS, OTHER_SIGNER, Place


@pytest.fixture
async def victim(tmp_path: Path) -> Victim:
    at = Place(tmp_path / "record.db")
    store = await at.open()
    await record(store)
    tips = list((await store.tips()).values())
    await at.close()
    db = apsw.Connection(":memory:")
    with db.backup("main", apsw.Connection(str(tmp_path / "record.db")), "main") as steps:
        steps.step(-1)
    for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    victim = Victim(db, tips)
    assert (await verify(victim.reads, KEYS, views=VIEWS, witnessed=tips)).witnessed == 1
    return victim


async def test_every_byte_of_every_row_counts(victim: Victim) -> None:
    """Each byte of each event, and each column of each other row, altered one at a time."""
    missed = []
    for table in SQLITE_TABLES:
        for row in victim.rows(table):
            for column, value in row.items():
                ways = list(altered(value))
                # Digests and signatures: a few bytes each, since every one of them is compared whole.
                for other in ways if column in ("body", "answer", "said") else ways[:3]:
                    missed += await _missed(victim, table, row, column, other)
    assert missed == []
    assert await victim.fault(lambda: None) is None
    assert victim.mutations >= 1_000


async def _missed(victim: Victim, table: str, row: dict[str, Any], column: str, value: object) -> list[str]:
    try:
        fault = await victim.fault(lambda: victim.update(table, row, column, value))
    except apsw.ConstraintError:
        return []  # the schema itself refuses it
    return [] if fault else [f"{table} {row} {column} -> {value!r}"]


async def test_a_flipped_byte_names_its_event(victim: Victim) -> None:
    """The fault says which stream and version."""
    row = victim.rows("events")[4]
    fault = await victim.found("flip", lambda: victim.update("events", row, "body", b'{"n":2}'))
    assert fault.where == f"{row['stream']} version {row['version']}"


async def test_every_missing_row_is_found(victim: Victim) -> None:
    """Dropped events, spans, commits, transfers, answers and balances."""
    for table in SQLITE_TABLES:
        for row in victim.rows(table):
            await victim.found(f"drop {row}", lambda table=table, row=row: victim.delete(table, row))


async def test_swapped_events_are_found(victim: Victim) -> None:
    """Neighbours exchange their places, with their digests or without."""
    rows = [row for row in victim.rows("events") if row["stream"] == "table:T1"]
    for first, second in pairwise(rows):
        for columns in (("at", "type", "body"), ("at", "type", "body", "digest")):

            def swap(
                a: dict[str, Any] = first, b: dict[str, Any] = second, cs: tuple[str, ...] = columns
            ) -> None:
                for column in cs:
                    victim.update("events", a, column, b[column])
                    victim.update("events", b, column, a[column])

            await victim.found(f"swap {first['version']}", swap)


async def test_rows_that_were_added_are_found(victim: Victim) -> None:
    """An event with a correct digest, a transfer, an answer, a span or a balance that no commit holds."""
    last = [row for row in victim.rows("events") if row["stream"] == "table:T1"][-1]
    digest = event_digest(last["digest"], last["version"] + 1, last["at"], "BetsPlaced", b"{}")
    added = {
        "events": ("table:T1", last["version"] + 1, last["at"], "BetsPlaced", b"{}", digest),
        "spans": ("main", 99, "table:T1", last["version"] + 1, last["version"] + 1, digest),
        "transfers": ("main", 99, 0, "forged", "house:T1", "credit:p1", 5, "winnings", 0, "", None),
        "answers": ("main", 99, 0, "t1", "forged", b"\0" * 32, b"{}"),
        "view_rows": ("balances", "credit:zz", b"[0,5]"),
    }
    for table, row in added.items():
        await victim.found(f"add {table}", lambda table=table, row=row: victim.add(table, row))
    inside = ("main", 3, 1, "forged", "house:T1", "credit:p1", 5, "winnings", 0, "", None)
    fault = await victim.found("add inside", lambda: victim.add("transfers", inside))
    assert fault.where == "commit main/3"


async def test_an_edited_balance_is_found(victim: Victim) -> None:
    """The view is compared with what the transfers make it."""
    for row in victim.rows("view_rows"):
        fault = await victim.found(
            "balance", lambda row=row: victim.update("view_rows", row, "value", b"[0,1]")
        )
        assert fault.where == f"balances of {row['key']}"
    await victim.found("position", lambda: victim.db.execute("UPDATE view_positions SET number = 99"))


@pytest.mark.parametrize("change", ["body", "date", "amount", "answer", "time"])
async def test_a_recomputed_chain_needs_the_key(victim: Victim, change: str) -> None:
    """Everything made consistent again after a forgery, except for the signatures."""
    commits = await commits_of(victim)
    for place in range(len(commits)):
        forged = [*commits[:place], forge(commits[place], change), *commits[place + 1 :]]
        for how in (
            {},
            {"sign": OTHER_SIGNER.sign},
            {"sign": OTHER_SIGNER.sign, "key": OTHER_SIGNER.key_id},
        ):
            again = rechained(forged, **how)
            fault = await victim.found(f"{change} in {place}", lambda again=again: victim.replace_all(again))
            if "sign" in how:
                assert "signature" in fault.what or "back-dated" in fault.what or "below" in fault.what


async def test_truncation_is_found_against_the_witness(victim: Victim) -> None:
    """A record cut back to an earlier moment is whole in itself; the witness knows better."""
    commits = await commits_of(victim)
    victim.db.execute("DELETE FROM view_rows")
    victim.db.execute("DELETE FROM view_positions")
    for kept in range(len(commits)):
        cut = commits[:kept]
        assert await victim.fault(lambda cut=cut: victim.replace_all(cut)) is None
        fault = await victim.found("cut", lambda cut=cut: victim.replace_all(cut), witnessed=True)
        assert fault.where == "commit main/20"
        assert "witness" in fault.what


async def test_another_history_is_found_against_the_witness(victim: Victim) -> None:
    """The same number of commits, but not those that the witness saw."""
    commits = await commits_of(victim)
    again = rechained([*commits[:-1], forge(commits[-1], "amount")])
    await victim.found("other", lambda: victim.replace_all(again), witnessed=True)


async def test_a_forged_witness_is_named_as_such(victim: Victim) -> None:
    """Its own signatures are checked."""
    tip = victim.witnessed[0]
    for forged in (
        msgspec.structs.replace(tip, signature=bytes(64)),
        msgspec.structs.replace(tip, number=77, signature=bytes(64)),
    ):
        victim.witnessed = [forged]
        fault = await victim.found("witness", lambda: None, witnessed=True)
        assert fault.where.startswith("witness of")


POSTGRES_EDITS = [
    "UPDATE events SET body = body || '\\x00' WHERE stream = 'table:T1' AND version = 3",
    "UPDATE events SET at = at - 5 WHERE stream = 'table:T1' AND version = 3",
    "UPDATE events SET type = 'BetsVoided' WHERE stream = 'table:T1' AND version = 3",
    "DELETE FROM events WHERE stream = 'table:T1' AND version = 3",
    "DELETE FROM events WHERE stream = 'ticket:ab12' AND version = 3",
    "DELETE FROM spans WHERE stream = 'table:T2' AND last_version = 2",
    "DELETE FROM commits WHERE number = 5",
    "INSERT INTO events SELECT 'table:T3', 1, at, type, body, digest FROM events LIMIT 1",
    "UPDATE transfers SET amount_minor = amount_minor + 1 WHERE id = 'bet.1'",
    "UPDATE transfers SET credit = 'credit:p3' WHERE id = 'x.1'",
    "UPDATE transfers SET n = 4 WHERE id = 'x.1'",
    "DELETE FROM transfers WHERE id = 'x.1'",
    "INSERT INTO transfers SELECT writer, 99, n, 'y', debit, credit, 1, 'x', at, '' FROM transfers LIMIT 1",
    "UPDATE answers SET answer = '\\x6e6f' WHERE id = 'refused'",
    "UPDATE answers SET sender = 't2' WHERE id = 'refused'",
    "UPDATE commits SET at = at + 1 WHERE number = 7",
    "UPDATE commits SET follows = 'x=1' WHERE number = 7",
    "UPDATE commits SET signature = '\\x00' WHERE number = 7",
    "UPDATE view_rows SET value = '[0,1]' WHERE key = 'credit:p1'",
    "DELETE FROM view_rows WHERE key = 'cash'",
]


async def test_edits_in_postgresql_are_found(postgres_url: str) -> None:
    """One of each kind, by somebody with a SQL prompt."""
    at = Place(postgres_url)
    store = await at.open()
    await record(store)
    await at.close()
    connection = await asyncpg.connect(postgres_url)
    try:
        for table in TABLES[:5]:
            with pytest.raises(asyncpg.RaiseError, match="append-only"):
                await connection.execute(f"DELETE FROM {table}")
            await connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        reads = SqlReads(PostgresReader(connection, "postgres"))
        assert (await verify(reads, KEYS, views=VIEWS)).commits == 20
        for edit in POSTGRES_EDITS:
            transaction = connection.transaction()
            await transaction.start()
            assert await connection.execute(edit) != "UPDATE 0", edit
            with pytest.raises(RecordFault):
                await verify(reads, KEYS, views=VIEWS)
            await transaction.rollback()
    finally:
        await connection.close()
