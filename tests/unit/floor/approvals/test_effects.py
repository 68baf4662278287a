"""What an act that waits would do to a round: its dice, bets and money before and after, and nothing done."""

from datetime import timedelta
from typing import Any

import msgspec

from taisai.dice import Roll
from taisai.floor.approvals.acts import Request
from taisai.floor.approvals.asked import AskedAct, PitAct, TableAct
from taisai.floor.approvals.effects import RoundEffect, effects_of
from taisai.floor.pit.messages import FillTable
from taisai.floor.table.messages import InRound, OpenTable
from taisai.floor.views.pay_list import net_of
from taisai.floor.views.round_reading import load_round
from taisai.game import commands as cmd
from tests.evening import DEALER, LIVE, SUPERVISOR
from tests.record import START
from tests.unit.floor.kept_evening import kept_evening


def request(asked: AskedAct) -> Request:
    return Request(
        id="r1",
        by=DEALER,
        at=START,
        target="T1",
        act="any",
        reason="seen on the film",
        expires_at=START + timedelta(hours=1),
        asked=asked,
    )


def at_table(kind: type, number: int | None = 1, table: str = "T1", **facts: Any) -> Request:
    inner = kind(by=DEALER, at=START, **facts)
    return request(TableAct(table, InRound(by=DEALER, at=START, command=inner, round=number)))


async def effects(asked: Request) -> list[RoundEffect]:
    return await effects_of(asked, await kept_evening(), START)


async def test_a_corrected_result_says_whose_money_changes_and_leaves_the_record_alone() -> None:
    """Every difference is what the round would have brought less what it has."""
    store = await kept_evening()
    before, tips = await load_round(store, "T1", 1), await store.tips()
    (found,) = await effects_of(at_table(cmd.CorrectResult, roll=Roll(4, 4, 3)), store, START)
    assert (found.table, found.round, found.refusal) == ("T1", 1, None)
    assert (found.dice_before, found.dice_after) == ([1, 2, 3], [4, 4, 3])
    assert found.bets == []
    assert {change.player: change.before for change in found.money} == net_of(before)
    assert {change.player: change.difference for change in found.money} == {
        "ann": 600,
        "bob": -300,
        "cat": 1_000,
        "dan": -1_000,
    }
    assert await store.tips() == tips
    assert net_of(await load_round(store, "T1", 1)) == net_of(before)


async def test_corrected_bets_are_shown_as_they_are_and_as_they_would_be() -> None:
    """Of the one player alone."""
    (found,) = await effects(at_table(cmd.CorrectBets, player="dan", slip={"small": 300}))
    (bets,) = found.bets
    assert (bets.player, bets.before, bets.after) == ("dan", {"small": 500}, {"small": 300})
    assert [(change.player, change.difference) for change in found.money] == [("dan", -200)]
    assert (found.state_before, found.state_after) == ("concluded", "concluded")


async def test_damaged_dice_are_foreseen_at_every_table_that_is_named() -> None:
    """Round by round; one that is void already says that it would be refused, and changes nothing."""
    found = await effects(
        at_table(cmd.ReportDamagedDice, None, rounds=[2, 1], elsewhere={"C1": [2]}, dice_set=None)
    )
    assert [(each.table, each.round) for each in found] == [("T1", 1), ("T1", 2), ("C1", 2)]
    first, void, other = found
    assert [each.state_after for each in found] == ["void", "void", "void"]
    assert {change.after for change in first.money + other.money} == {0}
    assert void.refusal is not None
    assert (void.state_before, void.money, void.bets) == ("void", [], [])
    assert (first.refusal, other.refusal) == (None, None)


async def test_an_act_that_is_about_no_round_has_no_effects_to_show() -> None:
    """Neither money for a table nor its settings."""
    fill = PitAct(FillTable(by=SUPERVISOR, at=START, table="T1", amount=100))
    settings = msgspec.structs.replace(LIVE, seats=3)
    opening = TableAct("T1", OpenTable(by=SUPERVISOR, at=START, settings=settings))
    assert await effects(request(fill)) == []
    assert await effects(request(opening)) == []
