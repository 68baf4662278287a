"""Sets of dice and their rounds: none leaves in mid-round, and a damaged one is set aside."""

from typing import Any

from taisai.floor.approvals.asked import PitAct, TableAct
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.door.dice_in_play import dice_in_play, set_aside
from taisai.floor.house import House
from taisai.floor.pit.messages import InspectDice, PutInDice, TakeOutDice
from taisai.floor.table.messages import InRound, StartRound
from taisai.game import commands as cmd
from taisai.game.refusals import RefusalCode
from tests.floor.houses import DEALER, START, SUPERVISOR, SmallHouse, act, live, start_round


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
