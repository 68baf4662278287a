"""Cash chips: no two tables take the same ones, and nobody bets more than the house has given out."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest

from taisai.floor.desks.endings import DeskStopped
from taisai.floor.door.cash_chips import chips_needed
from taisai.floor.house import House
from taisai.floor.plan import TablePlan
from taisai.floor.table.messages import Accepted, BuyIn, CashOut, InRound, StartRound
from taisai.game import commands as cmd
from taisai.game.refusals import Refusal, RefusalCode
from taisai.record.journal import Batch, Committed
from tests.floor.houses import DEALER, SmallHouse, ask, live, settle_down, start_round


def of_chips(name: str) -> TablePlan:
    plan = live(name)
    return msgspec.structs.replace(plan, settings=msgspec.structs.replace(plan.settings, money="chips"))


async def buy(house: House, table: str, amount: int) -> None:
    answer = await ask(house, table, BuyIn(by=DEALER, at=house.now(), player="ann", amount=amount))
    assert isinstance(answer, Accepted)


async def cash_out(house: House, table: str, chips: int) -> Accepted | Refusal:
    answer: Accepted | Refusal = await ask(
        house, table, CashOut(by=DEALER, at=house.now(), player="ann", chips=chips)
    )
    return answer


def placing(house: House, amount: int, version: int = 1) -> InRound:
    at = house.now()
    bets = cmd.PlaceBets(by=DEALER, at=at, player="ann", slip={"big": amount}, version=version)
    return InRound(by=DEALER, at=at, command=bets)


async def test_chips_of_one_table_are_good_at_another_to_the_last_and_not_beyond() -> None:
    """The refusal says what was asked for and what is out."""
    async with SmallHouse(of_chips("T1"), of_chips("T2")).open(dealing=False) as house:
        await buy(house, "T1", 500)
        refused = await cash_out(house, "T2", 501)
        assert isinstance(refused, Refusal)
        assert refused.code is RefusalCode.FUNDS_INSUFFICIENT
        assert refused.facts == {"needed": 501, "available": 500}
        assert isinstance(await cash_out(house, "T2", 500), Accepted)
        assert isinstance(await cash_out(house, "T1", 1), Refusal)


async def test_two_tables_at_once_do_not_take_the_same_chips() -> None:
    """One is paid, and the other hears that nothing is left."""
    async with SmallHouse(of_chips("T1"), of_chips("T2")).open(dealing=False) as house:
        await buy(house, "T1", 500)
        answers = await asyncio.gather(cash_out(house, "T1", 500), cash_out(house, "T2", 500))
        assert sorted(type(answer).__name__ for answer in answers) == ["Accepted", "Refusal"]


@contextmanager
def slowly(house: House, table: str) -> Iterator[asyncio.Event]:
    """A store that writes one table's commits when it is let go, and all others at once."""
    append, free = house.store.append, asyncio.Event()

    async def slow(batch: Batch) -> Committed:
        if f"table:{table}" in [each.stream for each in batch.streams]:
            await free.wait()
        return await append(batch)

    house.store.append = slow
    try:
        yield free
    finally:
        free.set()


async def test_chips_that_another_table_gives_out_are_there_once_that_is_durable() -> None:
    """Until then nobody can bet them: that commit may fail, or come second."""
    async with SmallHouse(of_chips("T1"), of_chips("T2")).open(dealing=False) as house:
        assert isinstance(await cash_out(house, "T2", 1), Refusal)
        with slowly(house, "T1") as free:
            buying = asyncio.ensure_future(buy(house, "T1", 500))
            await settle_down()
            assert isinstance(await cash_out(house, "T2", 500), Refusal)
            free.set()
            await buying
            assert isinstance(await cash_out(house, "T2", 500), Accepted)


async def test_what_is_out_is_counted_while_no_table_is_writing() -> None:
    """A first look in the midst of a commit waits for it, and counts it once."""
    async with SmallHouse(of_chips("T1"), of_chips("T2")).open(dealing=False) as house:
        with slowly(house, "T1") as free:
            buying = asyncio.ensure_future(buy(house, "T1", 500))
            await settle_down()
            cashing = asyncio.ensure_future(cash_out(house, "T2", 400))
            await settle_down()
            assert not cashing.done()
            free.set()
            await buying
            assert isinstance(await cashing, Accepted)
            assert isinstance(await cash_out(house, "T2", 101), Refusal)
            assert isinstance(await cash_out(house, "T1", 100), Accepted)


async def test_what_is_out_is_found_again_after_a_restart() -> None:
    """From the record, whatever the desks' own books begin with."""
    small = SmallHouse(of_chips("T1"), of_chips("T2"))
    async with small.open(dealing=False) as house:
        await buy(house, "T1", 500)
        await cash_out(house, "T2", 200)
    async with small.open(dealing=False) as house:
        assert isinstance(await cash_out(house, "T2", 301), Refusal)
        assert isinstance(await cash_out(house, "T1", 300), Accepted)


async def test_a_slip_needs_only_what_is_not_on_the_felt_yet() -> None:
    """Less than before needs less than nothing; an act that moves no chips needs none."""
    async with SmallHouse(of_chips("T1")).open(dealing=False) as house:
        await buy(house, "T1", 500)
        await start_round(house, "T1")
        assert isinstance(await ask(house, "T1", placing(house, 300)), Accepted)
        state = house.table("T1").state
        needed = [chips_needed(state, placing(house, amount, 2)) for amount in (500, 300, 100)]
        assert needed == [200, 0, -200]
        assert chips_needed(state, StartRound(by=DEALER, at=house.now())) == 0
        assert isinstance(await ask(house, "T1", placing(house, 510, 2)), Refusal)
        assert isinstance(await ask(house, "T1", placing(house, 500, 3)), Accepted)


async def test_a_desk_that_stops_while_the_chips_are_counted_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house that is stopped just then must not fail by itself: whoever asked hears that it is closed."""
    async with SmallHouse(of_chips("T1"), of_chips("T2")).open(dealing=False) as house:
        await buy(house, "T1", 500)

        async def stop_meanwhile() -> int:
            await house.tables["T1"].stop()
            return 0

        house.cash_chips.forget()
        monkeypatch.setattr(house.cash_chips, "_count", stop_meanwhile)
        with pytest.raises(DeskStopped):
            await cash_out(house, "T1", 100)
