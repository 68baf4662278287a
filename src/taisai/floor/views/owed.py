"""The register of what players owe and of what waits for them, read from the journal for cashier and pit.

An entry is a debt or an amount that waits, with the round, the act and the clause that it comes from. What is
paid, waived or handed over ends the oldest entries of that player first. Every movement is kept as well, in
the order of time, for the reports of a day.
"""

from collections.abc import AsyncIterator, Iterable, Iterator
from datetime import datetime
from typing import Any, Final, Literal

import msgspec

from taisai.floor.table.messages import OwedSettled, RoundEvent, UnclaimedPaid
from taisai.floor.views.rounds import TableEvents, table_events
from taisai.game import events as ev
from taisai.ledger import Transfer
from taisai.record.journal import Commit, micros
from taisai.record.ports import Store
from taisai.record.views import Rows, catch_up, moved_in
from taisai.rulebooks.model import HOUSE

Kind = Literal["receivable", "unclaimed"]
KINDS: Final[tuple[Kind, ...]] = ("receivable", "unclaimed")
_OWED: Final = ("receivable:", "unclaimed:")

_encode = msgspec.json.Encoder(order="deterministic").encode
# What a debt or a waiting amount may follow from: the first of these that its act brought about.
_CAUSES: Final = (
    ev.ResultCorrected,
    ev.BetsCorrected,
    ev.DamagedDiceReported,
    ev.RulingMade,
    ev.RoundVoided,
    ev.BetsReturned,
    ev.PayoutsMade,
)


class OwedEntry(msgspec.Struct, kw_only=True):
    """What is left of one debt, or of one amount that waits. `at` is in microseconds since 1970 (UTC)."""

    at: int
    table: str
    round: int | None
    cause: str
    clause: str
    amount: int
    left: int


class OwedRow(msgspec.Struct, kw_only=True):
    """All that one player or session owes, or all that waits for them, at one table."""

    kind: Kind
    who: str
    table: str
    entries: list[OwedEntry] = []

    @property
    def total(self) -> int:
        return sum(entry.left for entry in self.entries)

    @property
    def since(self) -> int:
        """Since when: the age of the oldest entry."""
        return min((entry.at for entry in self.entries), default=0)


class OwedMovement(msgspec.Struct, frozen=True, kw_only=True):
    """One change of what is owed or waits: above zero when it grew. Decisions say who made them, and why."""

    at: int
    kind: Kind
    who: str
    table: str
    round: int | None
    amount: int
    what: str
    cause: str
    clause: str
    by: str = ""
    second: str = ""
    reason: str = ""


class OwedRegister:
    """Open entries by kind and player (`receivable/WHO`), and every movement by its time (`moved/…`)."""

    name = "owed"

    def keys(self, commit: Commit) -> Iterable[str]:
        for transfer, kind, who, _ in _touched(commit):
            yield f"{kind}/{who}"
            yield _movement_key(transfer, kind)

    def apply(self, commit: Commit, rows: Rows) -> None:
        events: TableEvents | None = None
        for transfer, kind, who, change in _touched(commit):
            events = table_events(commit) if events is None else events
            cause = _cause(events, transfer)
            key = f"{kind}/{who}"
            held = rows.get(key)
            table = transfer.ref.partition("/")[0]
            row = (
                msgspec.json.decode(held, type=OwedRow) if held else OwedRow(kind=kind, who=who, table=table)
            )
            _change(row, transfer, change, cause)
            rows[key] = _encode(row) if row.entries else None
            rows[_movement_key(transfer, kind)] = _encode(_movement(transfer, kind, who, change, cause))


OWED = OwedRegister()


def _touched(commit: Commit) -> Iterator[tuple[Transfer, Kind, str, int]]:
    """The transfers that change what is owed or waits, and by how much: a debt grows by its debits."""
    if not any(account.startswith(_OWED) for account in moved_in(commit)):
        return
    for transfer in commit.transfers:
        for account, is_debit in ((transfer.debit, True), (transfer.credit, False)):
            name, _, who = account.partition(":")
            if name in KINDS:
                kind: Kind = "receivable" if name == "receivable" else "unclaimed"
                grows = is_debit is (kind == "receivable")
                yield transfer, kind, who, transfer.amount_minor if grows else -transfer.amount_minor


def _movement_key(transfer: Transfer, kind: Kind) -> str:
    return f"moved/{transfer.at:020d}/{transfer.id}/{kind}"


def _round_of(transfer: Transfer) -> int | None:
    _, _, number = transfer.ref.partition("/")
    return int(number) if number else None


def _cause(events: TableEvents, transfer: Transfer) -> Any:
    """The event that a transfer follows from: its id names the first version that its act wrote."""
    table, number = transfer.ref.partition("/")[0], _round_of(transfer)
    first = transfer.id.split(".")[-2]
    found = [event for name, stored, event in events if name == table and stored.version >= int(first)]
    if number is None:
        return found[0] if found else None
    inner = [event.event for event in found if isinstance(event, RoundEvent) and event.round == number]
    return next((event for event in inner if isinstance(event, _CAUSES)), None)


def _change(row: OwedRow, transfer: Transfer, change: int, cause: Any) -> None:
    """A new entry, or the oldest ones less."""
    if change > 0:
        row.entries.append(
            OwedEntry(
                at=transfer.at,
                table=transfer.ref.partition("/")[0],
                round=_round_of(transfer),
                cause=type(cause).__name__ if cause else "",
                clause=getattr(cause, "clause", HOUSE),
                amount=change,
                left=change,
            )
        )
        return
    paid = -change
    for entry in row.entries:
        part = min(paid, entry.left)
        entry.left -= part
        paid -= part
    row.entries = [entry for entry in row.entries if entry.left]


def _movement(transfer: Transfer, kind: Kind, who: str, change: int, cause: Any) -> OwedMovement:
    decided = isinstance(cause, OwedSettled | UnclaimedPaid)
    second = getattr(cause, "second", None)
    return OwedMovement(
        at=transfer.at,
        kind=kind,
        who=who,
        table=transfer.ref.partition("/")[0],
        round=_round_of(transfer),
        amount=change,
        what=str(transfer.reason),
        cause=type(cause).__name__ if cause else "",
        clause=getattr(cause, "clause", HOUSE),
        by=cause.by.name if cause else "",
        second=second.name if second else "",
        reason=cause.reason if decided else "",
    )


async def owed_rows(store: Store, *, who: str | None = None) -> AsyncIterator[OwedRow]:
    """Everything that is open now, debts first; of one player or session, or of all."""
    await catch_up(store, OWED)
    for kind in KINDS:
        async for key, row in store.view_rows(OWED.name, f"{kind}/"):
            if who is None or key == f"{kind}/{who}":
                yield msgspec.json.decode(row, type=OwedRow)


async def owed_movements(store: Store, since: datetime, until: datetime) -> AsyncIterator[OwedMovement]:
    """What changed from one moment until before another, in the order of time."""
    await catch_up(store, OWED)
    last = f"moved/{micros(until):020d}"
    async for key, row in store.view_rows(OWED.name, "moved/", after=f"moved/{micros(since):020d}"):
        if key >= last:
            return
        yield msgspec.json.decode(row, type=OwedMovement)


class OwedDay(msgspec.Struct, kw_only=True):
    """A day's sums for one table: what arose, how it ended, and what is open now."""

    table: str
    kind: Kind
    arose: int = 0
    paid: int = 0
    waived: int = 0
    open: int = 0


async def owed_day(store: Store, since: datetime, until: datetime) -> list[OwedDay]:
    """Debts and waiting money of a day, by table and kind; each movement falls under one of the sums."""
    days: dict[tuple[str, Kind], OwedDay] = {}

    def of(table: str, kind: Kind) -> OwedDay:
        return days.setdefault((table, kind), OwedDay(table=table, kind=kind))

    async for moved in owed_movements(store, since, until):
        day = of(moved.table, moved.kind)
        if moved.amount > 0:
            day.arose += moved.amount
        elif moved.what == "waived":
            day.waived -= moved.amount
        else:
            day.paid -= moved.amount
    async for row in owed_rows(store):
        of(row.table, row.kind).open += row.total
    return [days[key] for key in sorted(days)]
