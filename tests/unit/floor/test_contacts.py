"""Which terminals are there, as the owner of their tables decides it."""

import msgspec
import pytest

from taisai.errors import StoreUnavailable
from taisai.floor.ports import Contact
from taisai.record.journal import Batch, Committed
from tests.floor.houses import SmallHouse, bet, cluster, events, live, seat, settle_down, start_round

HERE = Contact("C1", "C1-1", "g1", 1, 1)


def quick() -> SmallHouse:
    """A house that waits for nobody who lost contact."""
    small = SmallHouse(live(), cluster())
    small.plan = msgspec.structs.replace(small.plan, cut_off_seconds=0.0)
    return small


def absences(small: SmallHouse) -> int:
    return events(small.disk, "C1").count("PlayerAbsent")


@pytest.mark.clause("sic-bo-etg-v8", "5.2.1")
async def test_only_bets_in_play_make_a_loss_of_contact_one_for_the_record() -> None:
    """Nobody has a session, nothing is bet, or the slip was taken back: then nothing is recorded."""
    small = quick()
    async with small.open(dealing=False) as house:
        house.presence.joined(HERE)
        house.presence.left(HERE)
        session = await seat(house, "C1", "C1-1", 10_000)
        await start_round(house, "C1")
        house.presence.joined(HERE)
        house.presence.left(HERE)
        await settle_down()
        await bet(house, "C1", session, {"small": 1_000})
        await bet(house, "C1", session, {}, 2)
        house.presence.joined(HERE)
        house.presence.left(HERE)
        await settle_down()
        assert absences(small) == 0
        await bet(house, "C1", session, {"small": 1_000}, 3)
        house.presence.joined(HERE)
        house.presence.left(HERE)
        await settle_down()
        assert absences(small) == 1


async def test_whoever_comes_back_by_another_gateway_in_time_was_never_away() -> None:
    """The wait is the house's, not the gateway's."""
    small = quick()
    async with small.open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        await start_round(house, "C1")
        await bet(house, "C1", session, {"small": 1_000})
        house.presence.joined(HERE)
        house.presence.left(HERE)
        house.presence.joined(Contact("C1", "C1-1", "g2", 1, 1))
        await settle_down()
        assert absences(small) == 0
        house.presence.gateway_gone("g1")
        await settle_down()
        assert absences(small) == 0
        house.presence.gateway_gone("g2")
        await settle_down()
        assert absences(small) == 1


@pytest.mark.clause("sic-bo-etg-v8", "5.2.1")
async def test_a_restart_looks_for_terminals_that_never_come_back_and_records_each_once() -> None:
    """One that is there again by then is let be."""
    small = quick()
    async with small.open(dealing=False) as house:
        sessions = [await seat(house, "C1", f"C1-{number}", 10_000) for number in (1, 2)]
        await start_round(house, "C1")
        for session in sessions:
            await bet(house, "C1", session, {"small": 1_000})
    for _ in range(2):
        async with small.open(dealing=False) as house:
            house.presence.joined(HERE)
            await house.resume()
            await settle_down()
            assert absences(small) == 1
            slips = house.table("C1").state.current.slips
            assert [slips[session].absent for session in sessions] == ["", "cut-off"]


async def test_a_loss_of_contact_waits_for_a_store_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is tried again for as long as the bets are in play."""
    monkeypatch.setattr("taisai.floor.contacts.pauses", lambda: iter([0.0] * 50))
    small = quick()
    async with small.open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        await start_round(house, "C1")
        await bet(house, "C1", session, {"small": 1_000})
        appending, tries = house.store.append, []

        async def full(batch: Batch) -> Committed:
            tries.append(batch)
            if len(tries) > 2:
                house.store.append = appending
            raise StoreUnavailable("the disk is full")

        house.store.append = full
        house.presence.joined(HERE)
        house.presence.left(HERE)
        await settle_down()
        assert len(tries) == 3
        assert absences(small) == 1


async def test_a_house_that_stops_waits_for_nobody() -> None:
    """What was waiting is given up; the next start looks again."""
    small = quick()
    small.plan = msgspec.structs.replace(small.plan, cut_off_seconds=1_000.0)
    async with small.open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        await start_round(house, "C1")
        await bet(house, "C1", session, {"small": 1_000})
        house.presence.joined(HERE)
        house.presence.left(HERE)
        assert house.presence._waiting
        await house.presence.stop()
        assert not house.presence._waiting
