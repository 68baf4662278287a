"""The pit's figures of one table for its gaming day, kept up with the desk."""

from typing import Any

import pytest

from taisai.dice import Roll
from taisai.errors import StoreUnavailable
from taisai.floor.house import House
from taisai.floor.reading.house import HouseReading
from taisai.floor.views.rounds import ROUNDS
from taisai.record.views import catch_up
from taisai.server.live.day_watch import DayWatch
from tests.floor.houses import SmallHouse, bet, cluster, deal, seat, start_round
from tests.unit.server.live.listening import hub_of


async def one_round(house: House, session: str, roll: Roll) -> None:
    """A round with ten on Big, dealt to its end."""
    await start_round(house, "C1")
    await bet(house, "C1", session, {"big": 1_000})
    await deal(house, "C1", roll)


async def begun_anew(house: House) -> DayWatch:
    """A watch as after a restart, when the view of rounds is up to date."""
    await catch_up(house.store, ROUNDS)
    watch = DayWatch(house, "C1")
    await watch.start(house.read.table("C1"))
    return watch


async def test_figures_followed_are_figures_begun_anew() -> None:
    """Whoever watched the round and whoever looks at the record after it tell the same of the day."""
    small = SmallHouse(cluster())
    async with hub_of(small) as hub:
        house, watch = hub.house, hub.feed("C1").watch
        session = await seat(house, "C1", "C1-1", 10_000)
        await one_round(house, session, Roll(1, 2, 3))
        followed = watch.now().figures()
        assert (followed.rounds, followed.handle, followed.win) == (1, 1_000, 1_000)
        fresh = await begun_anew(house)
        assert (await fresh.whole()).figures() == followed
        watch.start_over(house.read.table("C1"))
        assert (await watch.whole()).figures() == followed
        assert (await watch.whole()).figures() == followed


async def test_bets_on_the_felt_are_exposure_and_no_win_yet() -> None:
    """A slip that is changed counts as it stands now."""
    async with hub_of(SmallHouse(cluster())) as hub:
        house, watch = hub.house, hub.feed("C1").watch
        assert watch.now().figures().staked == 0
        session = await seat(house, "C1", "C1-1", 10_000)
        await start_round(house, "C1")
        await bet(house, "C1", session, {"big": 1_000})
        await bet(house, "C1", session, {"big": 2_000}, 2)
        figures = watch.now().figures()
        assert (figures.staked, figures.players, figures.rounds, figures.win) == (2_000, 1, 0, 0)
        assert figures.worst == -2_000


async def test_a_new_gaming_day_begins_at_nothing() -> None:
    """The rounds of the day before are no part of its figures, whether followed or read again."""
    small = SmallHouse(cluster())
    async with hub_of(small) as hub:
        house, watch = hub.house, hub.feed("C1").watch
        session = await seat(house, "C1", "C1-1", 10_000)
        await one_round(house, session, Roll(4, 5, 6))
        assert watch.now().figures().win == -1_000
        await small.pass_time(86_400)
        assert (watch.now().figures().rounds, watch.now().figures().win) == (0, 0)
        fresh = await begun_anew(house)
        assert (await fresh.whole()).figures().rounds == 0


@pytest.mark.parametrize("anew", [False, True])
async def test_a_round_is_counted_after_the_pits_desk_has_come_back(
    anew: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """While it is being rebuilt nobody can say who dealt; whoever follows the table hears all the same."""

    def being_rebuilt(*asked: Any) -> str:
        raise StoreUnavailable("desk pit is being rebuilt")

    async with hub_of(SmallHouse(cluster())) as hub:
        house, watch = hub.house, hub.feed("C1").watch
        session = await seat(house, "C1", "C1-1", 10_000)
        with monkeypatch.context() as away:
            away.setattr(HouseReading, "dealer_at", being_rebuilt)
            away.setattr(HouseReading, "has_pit", property(lambda self: False))
            await one_round(house, session, Roll(1, 2, 3))
            if anew:
                watch.start_over(house.read.table("C1"))
            assert watch.now().figures().rounds == 0
        assert watch.now().figures().rounds == 1
        assert [record for record in caplog.records if record.levelname == "ERROR"] == []


async def test_a_round_of_many_slips_is_followed_by_the_last_of_each_player() -> None:
    """However often slips change while nobody looks, no more of them is held; the figures are the same."""
    async with hub_of(SmallHouse(cluster())) as hub:
        house = hub.house
        sessions = [await seat(house, "C1", f"C1-{number}", 100_000) for number in (1, 2)]
        told: list[list[Any]] = []
        house.follow(lambda table, events, version: told.append(events))
        await start_round(house, "C1")
        late, early = DayWatch(house, "C1"), DayWatch(house, "C1")
        for watch in (late, early):
            await watch.start(house.read.table("C1"))
        for version in range(1, 20):
            for session in sessions:
                await bet(house, "C1", session, {"big": 1_000 * (1 + version % 3)}, version)
                late.published(told[-1])
                early.published(told[-1])
                early.now()
        held = [each for kept in vars(late).values() if isinstance(kept, list | dict) for each in kept]
        assert len(held) == len(sessions)
        assert late.now().figures() == early.now().figures()
        assert late.now().figures().staked == 4_000
