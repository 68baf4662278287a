"""Simulated players sit and bet at terminals and at live tables, for play money alone."""

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from taisai.adapters.clock import ManualClock
from taisai.bootstrap import open_parts
from taisai.errors import InputError
from taisai.game.acts import Phase
from taisai.game.state import RoundState
from taisai.rulebooks.catalogue import rulebook, shipped_rulebooks
from taisai.server.robots import NAMES, Robots
from taisai.server.robots.dealer import BETTING, RobotDealer
from taisai.server.robots.habits import HABITS, slip_by
from taisai.server.robots.history import LENGTH, play_history
from taisai.server.robots.terminals import TERMINALS
from tests.server.houses import CHEAP, CLUSTER, LIVE, serving, settings

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize("money", ["credits", "chips"])
async def test_simulated_players_bet_at_every_table_and_the_books_are_sound(
    tmp_path: Path, money: str
) -> None:
    """Two rounds at a live table and a cluster, with seats taken and money given by the house alone."""
    tables = [{**each, "betting_seconds": 5} for each in ({**LIVE, "money": money}, CLUSTER)]
    async with serving(settings(tmp_path, *tables)) as house:
        live, cluster = await house.console("T1"), await house.console("C1")
        house.hub.spawn(Robots(house.hub, seed=1).run())
        await live.wait_until(lambda: live.view is not None and len(live.view.seats) == len(NAMES))
        await cluster.wait_until(lambda: cluster.view is not None and len(cluster.view.terminals) > 0)
        for console in (live, cluster):
            await console.act("StartRound")
        for console in (live, cluster):
            await console.phase("closed")
        state = house.parts.house.table("T1").state
        assert sum(slip.total() > 0 for slip in state.current.slips.values()) >= 2
        assert house.parts.house.table("C1").state.current.staked() > 0
        for console in (live, cluster):
            for act, fields in (
                ("CoverTumbler", {}),
                ("ActivateTumbler", {"tumbles": 3}),
                ("ExposeDice", {}),
                ("DeclareRoll", {"roll": [1, 2, 3]}),
                ("SettleBets", {}),
                ("ConcludeRound", {}),
            ):
                await console.act(act, **fields)
        report = await (await house.person("auditor")).post("/audit/verify")
        assert report["sound"], report


async def test_a_history_is_played_by_the_one_door_before_the_start(tmp_path: Path) -> None:
    """On a clock of its own: rounds at live and at automatic tables, bets, a correction; nothing in play."""
    opened = {**LIVE, "name": "T2", "pay_table": "tai-sai-open-cover/1"}
    deals = {**CLUSTER, "automatic": True, "betting_seconds": 20}
    alone = {**CLUSTER, "name": "C2", "automatic": True}  # waits for its players' word, not for a clock
    config = settings(tmp_path, LIVE, opened, deals, alone)
    clock = ManualClock(NOON - LENGTH)
    async with open_parts(config, clock, hasher=CHEAP) as parts:
        assert await play_history(parts.house, clock, NOON, seed=3) > 20
        for name in ("T1", "T2", "C1"):
            assert parts.house.table(name).state.current.phase is Phase.CONCLUDED
        assert parts.house.table("C2").state.number == 0
        played = parts.house.table("C1").state
        assert played.number > 10
        assert all(len(each.slips) == TERMINALS for each in played.rounds.values())
        assert parts.house.read.at_pit("T1").dealer == "robot-dealer"
        players = {name for each in parts.house.table("T1").state.rounds.values() for name in each.slips}
        assert players == {f"{name}-robot@T1" for name in NAMES}
        assert (await parts.audit()).rounds.corrected == 1


async def test_a_demonstration_deals_and_calls_until_a_person_deals(tmp_path: Path) -> None:
    """The live table is dealt and one terminal calls; a dealer's first act takes the table."""
    timed = {**CLUSTER, "betting_seconds": 30}
    async with serving(settings(tmp_path, LIVE, timed, {**timed, "name": "C2"})) as house:
        dealer = RobotDealer(house.parts.house, "T1", random.Random(1))
        house.hub.spawn(Robots(house.hub, seed=1, lively=True).run())
        console = await house.console("T1")
        await console.wait_until(lambda: console.view is not None and console.view.dealer == "robot-dealer")
        await console.phase("betting")
        assert sum(len(feed.gathered.attendants) for feed in house.hub.feeds.values()) == 1
        await console.act("CloseBetting", excess="reject")
        assert house.parts.house.read.at_pit("T1").dealer == "dealer"
        assert await dealer.step() is None


async def test_a_demonstration_that_starts_again_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """A start holds the round; the simulated dealer resumes it."""
    config, clock = settings(tmp_path, LIVE), ManualClock(NOON)
    async with open_parts(config, clock, hasher=CHEAP) as parts:
        dealer = RobotDealer(parts.house, "T1", random.Random(1))
        await dealer.sit_down()
        assert await dealer.step() == "StartRound"
    async with open_parts(config, clock, hasher=CHEAP) as parts:
        table = parts.house.table("T1")
        assert table.state.current.held == "suspended"
        dealer = RobotDealer(parts.house, "T1", random.Random(1))
        assert await dealer.step() is None
        await dealer.take_up()
        assert table.state.current.held == ""
        assert await dealer.step() is None  # the betting has its time
        clock.move(NOON + BETTING)
        assert await dealer.step() == "CloseBetting"


@pytest.mark.parametrize("name", NAMES)
def test_everybody_bets_by_their_habit(name: str) -> None:
    """On every layout: boxes that they like where it has some, and at least its minimum."""
    whim = random.Random(2)
    for rulebook_id in shipped_rulebooks():
        for table in rulebook(rulebook_id).pay_tables:
            round_ = RoundState(rulebook(rulebook_id), table)
            slip = slip_by(HABITS[name], round_, whim)
            liked = [box.id for box in table.boxes if box.kind in HABITS[name].kinds]
            assert slip
            assert not liked or set(slip) <= set(liked)
            assert all(stake >= round_.limits.of(table.by_id[box]).minimum for box, stake in slip.items())


async def test_where_money_is_real_nobody_is_simulated(tmp_path: Path) -> None:
    """They refuse to begin."""
    config = settings(tmp_path, CLUSTER, house={"play_money": False})
    async with serving(config, people={}) as house:
        with pytest.raises(InputError, match="play money alone"):
            await Robots(house.hub).run()
