"""What is played is counted once, however many processes follow it."""

from typing import Any

import pytest

from taisai.dice import Roll
from taisai.server.ops import play_figures
from taisai.server.ops.metrics import Metrics
from taisai.server.ops.play_figures import count_play
from tests.floor.houses import SmallHouse, bet, cluster, deal, seat, settle_down, start_round
from tests.floor.split import split_house


async def test_the_process_that_runs_a_table_counts_its_play_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two desks hear of every slip; when the table is handed over the other one goes on counting."""
    figures = {name: Metrics() for name in ("p1", "p2")}
    async with split_house(SmallHouse(cluster()), ["office"], ["table:C1"]) as (_, (one, two)):
        for name, house in (("p1", one), ("p2", two)):
            count_play(house)
            house.subscribers[-1] = counting_in(figures[name], house.subscribers[-1], monkeypatch)
        session = await seat(two, "C1", "C1-1", 10_000)
        for roll in (Roll(1, 2, 3), Roll(4, 5, 6)):
            await start_round(one, "C1")
            await bet(one, "C1", session, {"small": 1_000})
            await deal(one, "C1", roll)
            await settle_down()
            if roll == Roll(1, 2, 3):
                await two.give_up("table:C1", "p1")
                await one.take("table:C1")
    for metrics in figures.values():
        text = metrics.text().decode()
        assert 'taisai_slips_total{table="C1"} 1.0' in text
        assert 'taisai_rounds_total{how="concluded",table="C1"} 1.0' in text
        assert 'taisai_handle_minor_units_total{table="C1"} 1000.0' in text


def counting_in(metrics: Metrics, count: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Two processes in one have figures of their own."""

    def counted(table: str, happened: list[Any], version: int) -> None:
        monkeypatch.setattr(play_figures, "METRICS", metrics)
        count(table, happened, version)

    return counted
