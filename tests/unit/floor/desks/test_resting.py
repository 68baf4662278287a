"""A stream is cut behind a moment at rest, from which the desk comes back as from everything."""

from taisai.dice import Roll
from taisai.floor.desks.resting import cut_before
from taisai.floor.house import House
from tests.floor.houses import SmallHouse, bet, cluster, deal, seat, start_round
from tests.unit.floor.desks.test_checkpoints import rebuilt, same, taken


def _is_opening(name: str) -> bool:
    return name == "BettingOpened"


async def _rounds(house: House, count: int) -> list[int]:
    """Some rounds; the versions of their openings."""
    openings, session = [], await seat(house, "C1", "C1-1", 10_000)
    for _ in range(count):
        await start_round(house, "C1")
        stored = [event async for event in house.store.events("table:C1")]
        openings.append(next(event.version for event in reversed(stored) if _is_opening(event.type)))
        await bet(house, "C1", session, {"big": 100})
        await deal(house, "C1", Roll(1, 2, 4))
    return openings


async def test_a_stream_is_cut_before_its_last_round() -> None:
    """The checkpoint that is taken there leads to the state that all events lead to."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        *_, last = await _rounds(house, 3)
        desk = house.table("C1")
        assert await cut_before(desk.kind, house.store, desk.version, _is_opening) == last - 2
        assert len(taken(small, "C1")) == 2
        one, all_of_it = [await rebuilt(house, "C1", whole=whole) for whole in (False, True)]
        same(one, all_of_it)
        assert list(one.rounds) == [3], "it read nothing before the cut"


async def test_checkpoints_that_reach_further_are_enough() -> None:
    """Where a start reads only what came later, all up to the end of a month may go."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        first, *_ = await _rounds(house, 3)
        desk = house.table("C1")
        await cut_before(desk.kind, house.store, desk.version, _is_opening)
        assert await cut_before(desk.kind, house.store, first, _is_opening) == first
        assert len(taken(small, "C1")) == 2


async def test_a_table_in_its_first_round_is_not_cut() -> None:
    """There is no moment at rest to come back to."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        await _rounds(house, 1)
        desk = house.table("C1")
        assert await cut_before(desk.kind, house.store, desk.version, _is_opening) == 0
        assert taken(small, "C1") == []
