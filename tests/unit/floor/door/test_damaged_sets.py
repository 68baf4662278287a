"""One report of a damaged set for the rounds of several tables."""

from typing import Any

import pytest

from taisai.errors import UnknownName
from taisai.floor.approvals.asked import PitAct, TableAct
from taisai.floor.approvals.messages import RequestApproval
from taisai.floor.door.damaged_sets import at_all_tables, report_of, void_elsewhere
from taisai.floor.house import House
from taisai.floor.pit.messages import PutInDice
from taisai.floor.table.messages import Accepted, InRound, RoundsElsewhere
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.refusals import Refusal, RefusalCode, by_house
from tests.floor.houses import DEALER, START, SUPERVISOR, TESTS, SmallHouse, live, start_round


def report(rounds: list[int], elsewhere: dict[str, list[int]], table: str = "T1") -> TableAct:
    damaged = cmd.ReportDamagedDice(
        by=DEALER, at=START, rounds=rounds, elsewhere=elsewhere, second=SUPERVISOR, reason="a chipped edge"
    )
    return TableAct(table, InRound(by=DEALER, at=START, command=damaged))


def asked(rounds: list[int], elsewhere: dict[str, list[int]]) -> RequestApproval:
    act = report(rounds, elsewhere)
    return RequestApproval(by=DEALER, at=START, asked=act, reason="a chipped edge")


async def playing(house: House, *tables: str) -> None:
    for table in tables:
        assert isinstance(await start_round(house, table), Accepted)


def three_tables() -> SmallHouse:
    return SmallHouse(live("T1"), live("T2"), live("T3"))


def phase(house: House, table: str) -> Any:
    current = house.read.table(table).current
    return current.phase if current else None


def test_only_a_report_of_damage_is_one() -> None:
    """Neither another act of a round nor one of the pit."""
    found = report_of(report([1], {"T2": [1]}))
    assert found is not None
    assert (found.rounds, found.elsewhere) == ([1], {"T2": [1]})
    closing = InRound(by=DEALER, at=START, command=cmd.CloseBetting(by=DEALER, at=START))
    assert report_of(TableAct("T1", closing)) is None
    assert report_of(PitAct(PutInDice(by=SUPERVISOR, at=START, table="T1", dice_set="red"))) is None


@pytest.mark.parametrize(
    "elsewhere", [{"T2": [2]}, {"T2": [0]}, {"T2": []}, {"T1": [1]}, {"T2": [1], "T3": [1]}]
)
async def test_rounds_that_are_not_there_are_refused_before_anyone_agrees(
    elsewhere: dict[str, list[int]],
) -> None:
    """One that is yet to come, none at all, the table's own, or a table that has not played."""
    async with three_tables().open(dealing=False) as house:
        await playing(house, "T1", "T2")
        refusal = at_all_tables(house, asked([1], elsewhere))
        assert isinstance(refusal, Refusal)
        assert refusal.code is RefusalCode.ROUND_UNKNOWN
        assert refusal.facts["table"] == list(elsewhere)[-1]
        assert at_all_tables(house, asked([1], {"T2": [1]})) is None
        with pytest.raises(UnknownName):
            at_all_tables(house, asked([1], {"T9": [1]}))


async def test_a_report_about_other_tables_alone_is_asked_at_the_first_of_them() -> None:
    """The others stay elsewhere."""
    async with three_tables().open(dealing=False) as house:
        await playing(house, "T2", "T3")
        moved = at_all_tables(house, asked([], {"T2": [1], "T3": [1]}))
        assert isinstance(moved, RequestApproval)
        assert isinstance(moved.asked, TableAct)
        assert moved.asked.table == "T2"
        found = report_of(moved.asked)
        assert found is not None
        assert (found.rounds, found.elsewhere) == ([1], {"T3": [1]})
        assert moved.reason == "a chipped edge"


async def test_the_rounds_of_other_tables_are_void_with_it_and_each_table_answers() -> None:
    """Once, however often it is sent; what one of them refuses is told beside what the others did."""
    async with three_tables().open(dealing=False) as house:
        await playing(house, "T2")
        act = report([1], {"T2": [1], "T3": [1]})
        done = Accepted(happened=["RoundVoided"], rounds=[1])
        for _ in range(2):
            answer = await void_elsewhere(house, act, done, TESTS, "request-1")
            assert isinstance(answer, Accepted)
            assert answer.rounds == [1]
            assert answer.elsewhere == {
                "T2": RoundsElsewhere(rounds=[1]),
                "T3": RoundsElsewhere(refused="round_unknown"),
            }
        assert (phase(house, "T1"), phase(house, "T2")) == (None, Phase.VOID)


async def test_nothing_happens_elsewhere_when_the_report_itself_was_refused() -> None:
    """Nor after any other act; the answer stays what it was."""
    async with three_tables().open(dealing=False) as house:
        await playing(house, "T2")
        refusal = by_house(RefusalCode.ROUND_UNKNOWN, round=1)
        assert await void_elsewhere(house, report([1], {"T2": [1]}), refusal, TESTS, "r") is refusal
        done = Accepted(happened=["RoundVoided"])
        assert await void_elsewhere(house, report([1], {}), done, TESTS, "r") is done
        assert phase(house, "T2") is Phase.BETTING
