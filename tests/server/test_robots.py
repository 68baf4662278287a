"""Simulated players sit and bet at terminals and at live tables, for play money alone."""

from pathlib import Path

import pytest

from taisai.errors import InputError
from taisai.server.robots import NAMES, Robots
from tests.server.houses import CLUSTER, LIVE, serving, settings


@pytest.mark.parametrize("money", ["credits", "chips"])
async def test_simulated_players_bet_at_every_table_and_the_books_are_sound(
    tmp_path: Path, money: str
) -> None:
    """Two rounds at a live table and a cluster, with seats taken and money given by the house alone."""
    tables = [{**each, "betting_seconds": 3} for each in ({**LIVE, "money": money}, CLUSTER)]
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


async def test_where_money_is_real_nobody_is_simulated(tmp_path: Path) -> None:
    """They refuse to begin."""
    config = settings(tmp_path, CLUSTER, house={"play_money": False})
    async with serving(config, people={}) as house:
        with pytest.raises(InputError, match="play money alone"):
            await Robots(house.hub).run()
