"""Sets of dice and their rounds: none leaves in mid-round, and a damaged one is set aside."""

import asyncio
from typing import Any

import pytest

from taisai.dice import Roll
from taisai.floor.approvals.asked import PitAct, TableAct
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.desks.desk import Desk
from taisai.floor.door.dice_in_play import dice_in_play, set_aside
from taisai.floor.house import House
from taisai.floor.pit.messages import ClaimDice, InspectDice, PutInDice, TakeOutDice
from taisai.floor.table.messages import InRound, StartRound
from taisai.game import commands as cmd
from taisai.game.refusals import Refusal, RefusalCode
from tests.floor.houses import (
    DEALER,
    START,
    SUPERVISOR,
    SmallHouse,
    act,
    deal,
    live,
    settle_down,
    start_round,
)
from tests.floor.split import split_house


def taking_out(dice_set: str = "red", table: str = "T1", **more: Any) -> TakeOutDice:
    said = {"by": SUPERVISOR, "at": START, "why": "rotation", **more}
    return TakeOutDice(table=table, dice_set=dice_set, **said)


def report(dice_set: str | None = "red") -> cmd.ReportDamagedDice:
    return cmd.ReportDamagedDice(
        by=DEALER, at=START, second=SUPERVISOR, reason="chipped", rounds=[1], dice_set=dice_set
    )


def reported(said: cmd.AnyCommand) -> TableAct:
    return TableAct("T1", InRound(by=DEALER, at=START, command=said))


async def with_dice(house: House) -> None:
    put_in = PutInDice(by=SUPERVISOR, at=house.now(), table="T1", dice_set="red")
    await house.do(PitAct(put_in), SUPERVISOR, "in")


async def test_a_set_stays_in_its_tumbler_from_the_start_of_a_round_to_its_end() -> None:
    """Before and after the round it may go; in it, it is neither taken out nor looked at."""
    async with SmallHouse(live()).open() as house:
        await with_dice(house)
        inspecting = InspectDice(by=SUPERVISOR, at=START, table="T1", dice_set="red", passed=True)
        assert dice_in_play(house, taking_out()) is None
        await start_round(house, "T1")
        for command in (taking_out(), inspecting):
            refusal = dice_in_play(house, command)
            assert refusal is not None
            assert refusal.code is RefusalCode.DICE_IN_PLAY
            assert refusal.facts == {"dice_set": "red", "table": "T1", "round": 1}
        await act(house, "T1", report())
        assert dice_in_play(house, taking_out()) is None


async def test_a_round_holds_no_other_dice_and_no_other_act() -> None:
    """Another set, a table that is not there, the house itself, and putting in are not held up."""
    async with SmallHouse(live()).open() as house:
        await with_dice(house)
        await start_round(house, "T1")
        for command in (
            taking_out("blue"),
            taking_out(table="T9"),
            taking_out(by=SYSTEM),
            PutInDice(by=SUPERVISOR, at=START, table="T1", dice_set="red"),
        ):
            assert dice_in_play(house, command) is None


async def test_a_damaged_set_is_failed_where_it_is() -> None:
    """By the house, at the time and for the reason of the report."""
    async with SmallHouse(live()).open() as house:
        await with_dice(house)
        failed = set_aside(house, reported(report()))
        assert failed == InspectDice(
            by=SYSTEM, at=START, table="T1", dice_set="red", passed=False, note="chipped"
        )


async def test_nothing_is_set_aside_without_a_report_of_a_set_that_is_in_use() -> None:
    """A set that is not in this tumbler, one that nobody named, and every other act leave the dice alone."""
    async with SmallHouse(live()).open() as house:
        assert set_aside(house, reported(report())) is None
        await with_dice(house)
        for asked in (
            reported(report("blue")),
            reported(report(None)),
            reported(cmd.CloseBetting(by=DEALER, at=START)),
            TableAct("T1", StartRound(by=DEALER, at=START)),
            PitAct(taking_out()),
        ):
            assert set_aside(house, asked) is None


class Paused:
    """A desk whose next commit waits until a test lets it go."""

    def __init__(self, desk: Desk[Any], monkeypatch: pytest.MonkeyPatch) -> None:
        self.waits, self.goes = asyncio.Event(), asyncio.Event()
        append = desk._append

        async def later(draft: Any) -> Any:
            self.waits.set()
            await self.goes.wait()
            return await append(draft)

        monkeypatch.setattr(desk, "_append", later)


OFFICE, T1 = ["office"], ["table:T1"]


async def test_no_set_leaves_while_another_process_begins_a_round_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The round is decided and not on the record yet: the pit knows of it all the same."""
    async with split_house(SmallHouse(live()), OFFICE, T1) as (_, (office, table)):
        await with_dice(office)
        beginning = Paused(table.table("T1"), monkeypatch)
        begins = asyncio.create_task(start_round(table, "T1"))
        await beginning.waits.wait()
        refusal = await office.do(PitAct(taking_out()), SUPERVISOR, "out")
        assert (refusal.code, refusal.facts["round"]) == (RefusalCode.DICE_IN_PLAY, 1)
        beginning.goes.set()
        await begins
        assert table.table("T1").state.current.dice_set == "red"
        await deal(table, "T1", Roll(1, 2, 3))
        assert (await office.do(PitAct(taking_out()), SUPERVISOR, "later")).happened == ["DiceTakenOut"]


async def test_no_round_of_another_process_begins_with_a_set_that_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It waits until the pit has decided, and begins with what is in the tumbler then."""
    async with split_house(SmallHouse(live()), OFFICE, T1) as (_, (office, table)):
        await with_dice(office)
        leaving = Paused(office.pit, monkeypatch)
        leaves = asyncio.create_task(office.do(PitAct(taking_out()), SUPERVISOR, "out"))
        await leaving.waits.wait()
        begins = asyncio.create_task(start_round(table, "T1"))
        await settle_down()
        leaving.goes.set()
        assert (await leaves).happened == ["DiceTakenOut"]
        await begins
        assert table.table("T1").state.current.dice_set is None


async def test_a_round_that_did_not_begin_keeps_no_dice() -> None:
    """Refused, asked again, or of a process that died before it wrote: the set is free again."""
    async with split_house(SmallHouse(live()), OFFICE, T1, []) as (split, (office, table, third)):
        await with_dice(office)
        await start_round(table, "T1")
        assert isinstance(await start_round(table, "T1"), Refusal)
        await deal(table, "T1", Roll(1, 2, 3))
        await settle_down()
        assert office.pit.state.claimed_dice["T1"].round == 1
        claim = ClaimDice(by=SYSTEM, at=office.now(), table="T1", epoch=1, round=2)
        await table.do(PitAct(claim), SYSTEM, "claimed")
        assert (await office.do(PitAct(taking_out()), SUPERVISOR, "1")).code is RefusalCode.DICE_IN_PLAY
        await split.kill("p2")
        await third.take("table:T1")
        assert (await office.do(PitAct(taking_out()), SUPERVISOR, "2")).happened == ["DiceTakenOut"]
        late = await office.do(PitAct(claim), SYSTEM, "late")
        assert late.code is RefusalCode.NOTHING_CHANGES
