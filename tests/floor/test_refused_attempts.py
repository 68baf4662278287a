"""Refused bets are counted by player and round, also over a restart in mid-round."""

import pytest

from taisai.floor.views.attempts import refused_in_store
from taisai.game.refusals import Refusal
from tests.floor.houses import SmallHouse, bet, cluster, seat, start_round


@pytest.mark.clause("sic-bo-etg-v8", "3.5")
async def test_the_count_of_refused_bets_goes_on_after_a_restart() -> None:
    """Answers are no events: a desk that is made again reads from the record how often somebody tried."""
    small = SmallHouse(cluster())
    async with small.open() as house:
        session = await seat(house, "C1", "C1-1", 5_000)
        other = await seat(house, "C1", "C1-2", 5_000)
        await start_round(house, "C1")
        for version in (1, 2, 3):
            assert isinstance(await bet(house, "C1", session, {"big": 7}, version), Refusal)
        await bet(house, "C1", other, {"big": 7})
    async with small.open() as house:
        await bet(house, "C1", session, {"big": 7}, 4)
        await bet(house, "C1", other, {"big": 7}, 2)
        found = await refused_in_store(house.store, "C1", 1)
    tried = [(each.attempt.player, each.attempt.nth) for each in found]
    assert sorted(tried) == [*((session, nth) for nth in (1, 2, 3, 4)), (other, 1), (other, 2)]


async def test_a_new_round_counts_anew() -> None:
    """Nothing of an earlier round is recalled."""
    small = SmallHouse(cluster(automatic=True))
    async with small.open() as house:
        session = await seat(house, "C1", "C1-1", 5_000)
        await small.pass_time(6)
        await bet(house, "C1", session, {"big": 7})
        await small.pass_time(30)
        number = house.read.table("C1").number
        assert number > 1
    async with small.open() as house:
        await bet(house, "C1", session, {"big": 7}, 2)
        (again,) = await refused_in_store(house.store, "C1", house.read.table("C1").number)
        assert again.attempt.nth == 1
