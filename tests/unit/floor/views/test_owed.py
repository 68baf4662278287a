"""The register of debts: what is open, how it came about, and a day's sums."""

from datetime import timedelta

from taisai.floor.views.owed import OWED, OwedRow, owed_day, owed_movements, owed_rows
from taisai.ledger import Transfer
from taisai.ledger.accounts import CASH, receivable
from taisai.ledger.transfers import Reason
from taisai.record.journal import Batch, micros
from taisai.record.views import catch_up
from tests.record import START, START_AT, on
from tests.unit.floor.kept_evening import empty_store, kept_evening

DAY = timedelta(days=1)


async def test_a_debt_names_its_round_its_cause_and_what_is_left_of_it() -> None:
    """Ann owed 600 after a correction and has paid 5 of it."""
    store = await kept_evening()
    (row,) = [row async for row in owed_rows(store)]
    (entry,) = row.entries
    assert (row.kind, row.who, row.table, row.total, row.since) == ("receivable", "ann", "T1", 595, entry.at)
    assert (entry.round, entry.cause, entry.clause, entry.amount) == (1, "ResultCorrected", "3.8", 600)
    assert [row.who async for row in owed_rows(store, who="ann")] == ["ann"]
    assert [row.who async for row in owed_rows(store, who="an")] == []


async def test_a_days_sums_are_those_of_its_movements_and_of_no_other_day() -> None:
    """A movement belongs to the span that begins with it, not to the one that ends with it."""
    store = await kept_evening()
    (day,) = await owed_day(store, START, START + DAY)
    assert (day.table, day.kind, day.arose, day.paid, day.waived, day.open) == (
        "T1", "receivable", 600, 5, 0, 595,
    )  # fmt: skip
    (later,) = await owed_day(store, START + DAY, START + 2 * DAY)
    assert (later.arose, later.paid, later.open) == (0, 0, 595)
    moved = [each async for each in owed_movements(store, START, START + DAY)]
    assert [(each.amount, each.by, each.second, each.reason) for each in moved] == [
        (600, "Mei", "Sun", ""),
        (-5, "Low", "Sun", "paid"),
    ]
    second = START + timedelta(microseconds=moved[1].at - micros(START))
    assert [each.amount async for each in owed_movements(store, START, second)] == [600]
    assert [each.amount async for each in owed_movements(store, second, START + DAY)] == [-5]


async def test_what_is_paid_ends_the_oldest_debts_first() -> None:
    """Of 300 and 200, a payment of 350 leaves 150 of the second; the rest leaves no row."""
    store = empty_store()
    debt = receivable("bob")

    async def moved(version: int, debit: str, to: str, amount: int, reason: Reason) -> list[OwedRow]:
        transfer = Transfer(f"T1.{version}.1", debit, to, amount, reason, START_AT + version, "T1")
        await store.append(Batch((on("note", version, at=START_AT + version),), (transfer,)))
        return [row async for row in owed_rows(store)]

    await moved(0, debt, CASH, 300, Reason.RECLAIMED)
    await moved(1, debt, CASH, 200, Reason.RECLAIMED)
    (row,) = await moved(2, CASH, debt, 350, Reason.COLLECTED)
    assert [(entry.amount, entry.left, entry.at) for entry in row.entries] == [(200, 150, START_AT + 1)]
    assert await moved(3, CASH, debt, 150, Reason.WAIVED) == []


async def test_an_empty_record_owes_nothing() -> None:
    """No rows, no sums."""
    store = empty_store()
    await catch_up(store, OWED)
    assert await owed_day(store, START, START + DAY) == []
