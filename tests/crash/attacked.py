"""A store in the hands of somebody who does what its own triggers and constraints would not let them."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import apsw

from taisai.adapters.sql import SaidBy
from taisai.adapters.sql_reads import SqlReads
from taisai.adapters.sqlite.file import PACKS_SINCE
from taisai.adapters.sqlite.packs import rows, said
from taisai.floor.audit.whole import Report, audit
from taisai.record.faults import RecordFault
from taisai.record.journal import Tip
from tests.audits import in_shares
from tests.record import KEYS

COLUMNS = {
    "commits": "writer number at follows key_id digest signature",
    "spans": "writer number stream first_version last_version digest",
    "events": "stream version at type body digest",
    "transfers": "writer number n id debit credit amount_minor reason at ref reverses",
    "answers": "writer number n sender id request answer",
    "commands": "key writer number n",
    "packs": "writer number events answers said digests requests",
    "view_rows": "view key value",
    "view_positions": "view writer number",
}
JOURNAL = [table for table in COLUMNS if not table.startswith("view")]


class Attacked:
    """The store in the hands of somebody who has dropped its triggers and its constraints."""

    def __init__(self, path: Path) -> None:
        self.db = apsw.Connection(":memory:")
        self.db.execute("ATTACH ? AS kept", (str(path),))
        for table, columns in COLUMNS.items():
            names = ", ".join(columns.split())
            self.db.execute(
                f"CREATE TABLE {table} ({names}); INSERT INTO {table} SELECT {names} FROM kept.{table}"
            )
        self.db.execute("DETACH kept")
        self.db.pragma("user_version", PACKS_SINCE)
        self.db.execute("CREATE INDEX by_stream ON events (stream, version)")
        self.db.execute("CREATE INDEX by_commit ON transfers (writer, number, n)")

    async def query(self, text: str, *arguments: object) -> list[tuple[Any, ...]]:
        return rows(self.db, text, *arguments)

    async def said(self, writer: str, after: int, upto: int) -> SaidBy:
        return said(self.db, writer, after, upto)

    async def answer_rows(self, commands: list[tuple[str, str]]) -> list[tuple[Any, ...]]:
        raise AssertionError("verify asks for no single answer")

    async def view_values(self, view: str, keys: list[str]) -> list[tuple[Any, ...]]:
        raise AssertionError("verify asks for no single row")

    async def keeps_cuts(self) -> bool:
        return False  # nothing of the evening has left for an archive

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        return self.db.execute(f"SELECT rowid, * FROM {table} ORDER BY rowid").fetchall()

    def set(self, table: str, row: int, column: str, value: object) -> None:
        self.db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, row))

    def fault(self, witnessed: list[Tip]) -> RecordFault | None:
        """What verify says."""
        return asyncio.run(self._fault(audit(SqlReads(self), KEYS, witnessed=witnessed)))

    def fault_in_shares(self, witnessed: list[Tip]) -> RecordFault | None:
        """What two processes say that share the work."""
        return asyncio.run(self._fault(in_shares(SqlReads(self), 2, KEYS, witnessed=witnessed)))

    async def _fault(self, verified: Awaitable[Report]) -> RecordFault | None:
        try:
            await verified
        except RecordFault as fault:
            return fault
        return None
