"""A process begins with a unit and gives it up while it lives: a round goes on, or comes back suspended."""

import asyncio

import pytest

from taisai.dice import Roll
from taisai.floor.approvals.asked import PitAct
from taisai.floor.desks.copy import DeskCopy
from taisai.floor.desks.desk import Desk
from taisai.floor.desks.endings import Fenced
from taisai.floor.house import House
from taisai.floor.owners.taking import HANDED_MAX
from taisai.floor.pit.messages import PutInDice, TakeOutDice
from taisai.floor.table.messages import Accepted
from taisai.game.acts import Phase
from taisai.game.refusals import RefusalCode
from tests.floor.houses import (
    SUPERVISOR,
    SmallHouse,
    bet,
    cluster,
    deal,
    events,
    live,
    seat,
    settle_down,
    start_round,
)
from tests.floor.split import SplitHouse, split_house

OFFICE, C1, T1 = "office", "table:C1", "table:T1"


def types(split: SplitHouse, stream: str) -> list[str]:
    return [event.type for event in split.small.disk.streams[stream]]


async def betting(house: House) -> str:
    """A terminal with a bet in play; its session."""
    session = await seat(house, "C1", "C1-1", 10_000)
    await start_round(house, "C1")
    await bet(house, "C1", session, {"small": 1_000})
    return session


async def test_each_process_runs_its_own_desks_and_has_copies_of_the_others() -> None:
    """Whoever is asked, the act is done by the one who runs its desk, and all see it."""
    async with split_house(SmallHouse(live(), cluster()), [OFFICE, T1], [C1]) as (_, (one, two)):
        assert isinstance(one.table("C1"), DeskCopy)
        assert isinstance(two.table("C1"), Desk)
        assert isinstance(two.cage, DeskCopy)
        session = await betting(one)
        assert two.read.table("C1").money(session).credit == 9_000
        await settle_down()
        assert one.read.table("C1").money(session).credit == 9_000
        await start_round(two, "T1")
        assert one.table("T1").state.number == 1


async def test_a_round_goes_on_where_its_table_was_handed_over() -> None:
    """Nothing is suspended, the deadline stands, and the stream says who went and who came."""
    async with split_house(SmallHouse(live(), cluster()), [OFFICE, T1], [C1], dealing=True) as (split, both):
        one, two = both
        session = await betting(one)
        closes = two.table("C1").state.window.closes_at
        await two.give_up(C1, "p1")
        await one.take(C1)
        assert types(split, C1)[-2:] == ["DeskHanded", "DeskTaken"]
        state = one.table("C1").state
        assert (state.current.phase, state.current.held) == (Phase.BETTING, "")
        assert state.window.closes_at == closes
        answer = await bet(two, "C1", session, {"small": 2_000}, version=2)
        assert isinstance(answer, Accepted)
        await split.small.pass_time(30)
        assert one.table("C1").state.current.phase is Phase.CLOSED
        assert "RoundSuspended" not in types(split, C1)


async def test_a_round_comes_back_suspended_after_its_process_died() -> None:
    """An automatic table goes on by itself; nothing of the old process comes after the new one took it."""
    small = SmallHouse(cluster(automatic=True))
    async with split_house(small, [OFFICE], [C1], dealing=True) as (split, (one, _)):
        await small.pass_time(1)
        assert one.table("C1").state.current.phase is Phase.BETTING
        dead = await split.kill("p2")
        await one.take(C1)
        await settle_down()
        assert types(split, C1)[-3:] == ["DeskTaken", "RoundSuspended", "RoundResumed"]
        with pytest.raises(Fenced):
            await seat(dead, "C1", "C1-1", 1_000)
        assert dead.table("C1").stopped
        assert types(split, C1)[-1] == "RoundResumed"


async def test_what_nobody_went_on_with_for_long_was_interrupted() -> None:
    """However well it was handed over."""
    async with split_house(SmallHouse(cluster()), [OFFICE], [C1]) as (split, (one, two)):
        await betting(one)
        await two.give_up(C1, "p9")
        await split.small.pass_time(HANDED_MAX.total_seconds() + 1)
        await one.take(C1)
        assert one.table("C1").state.current.held == "suspended"


async def test_the_office_is_handed_over_with_all_of_its_desks() -> None:
    """Cage, staff, approvals, players and pit; acts for them find the new one."""
    async with split_house(SmallHouse(live(), cluster()), [OFFICE, T1], [C1]) as (split, (one, two)):
        await one.give_up(OFFICE, "p2")
        await two.take(OFFICE)
        for stream in ("cage", "staff", "approvals", "players", "pit"):
            assert types(split, stream)[-2:] == ["DeskHanded", "DeskTaken"]
            assert isinstance(two.desks_here.by_stream[stream], Desk)
            assert isinstance(one.desks_here.by_stream[stream], DeskCopy)
        assert await one.seated_player("C1-1.1") == "C1-1.1"
        assert two.players.state.find("C1-1.1") is not None


async def test_an_act_that_comes_while_its_table_changes_hands_is_done_once() -> None:
    """Whoever is asked passes it on, under the same id."""
    async with split_house(SmallHouse(live(), cluster()), [OFFICE, T1], [C1]) as (split, (one, two)):
        session = await betting(one)
        handing = asyncio.create_task(two.give_up(C1, "p1"))
        asked = asyncio.gather(*(bet(two, "C1", session, {"small": 1_000 * n}, version=n) for n in (2, 3, 4)))
        await handing
        await one.take(C1)
        assert [answer.slip for answer in await asked] == [{"small": 1_000 * n} for n in (2, 3, 4)]
        assert one.table("C1").state.current.slips[session].total() == 4_000
        assert types(split, C1).count("BetsPlaced") == 4


async def test_those_who_follow_hear_every_event_once_across_a_hand_over() -> None:
    """In the process that gives up, and in the one that takes."""
    async with split_house(SmallHouse(live(), cluster()), [OFFICE, T1], [C1]) as (split, (one, two)):
        heard: dict[str, list[str]] = {"one": [], "two": []}
        one.follow(lambda table, happened, version: heard["one"].extend(type(e).__name__ for e in happened))
        two.follow(lambda table, happened, version: heard["two"].extend(type(e).__name__ for e in happened))
        session = await betting(one)
        split.deaf = True
        await bet(one, "C1", session, {"small": 3_000}, version=2)
        split.deaf = False
        await two.give_up(C1, "p1")
        await one.take(C1)
        await bet(one, "C1", session, {"small": 4_000}, version=3)
        await settle_down()
        assert heard["one"] == heard["two"]
        told = [name for name in events(split.small.disk, "C1") if name not in ("DeskTaken", "DeskHanded")]
        assert len(heard["one"]) == len(told) - 1  # the table was opened before anybody followed


async def test_a_unit_that_was_lost_is_followed_from_there() -> None:
    """It writes nothing more, and shows what the new owner does."""
    async with split_house(SmallHouse(live(), cluster()), [OFFICE, T1], [C1]) as (_, (one, two)):
        session = await betting(one)
        await one.take(C1)  # nobody asked the old one
        await two.give_up(C1, lost=True)
        await settle_down()
        assert isinstance(two.table("C1"), DeskCopy)
        await bet(two, "C1", session, {"small": 5_000}, version=2)
        await settle_down()
        assert two.read.table("C1").version == one.read.table("C1").version


async def test_a_whole_round_across_processes_is_settled_and_counted() -> None:
    """What was played is counted by the registry of players, though another process runs the table."""
    async with split_house(SmallHouse(live(), cluster()), [OFFICE, T1], [C1]) as (_, (one, two)):
        session = await seat(one, "C1", "C1-1", 10_000)
        await one.seated_player(session)
        await start_round(one, "C1")
        await bet(one, "C1", session, {"small": 1_000})
        await settle_down()
        await deal(one, "C1", Roll(1, 2, 3))
        await settle_down()
        assert one.players.state.find(session).session.wagered == 1_000
        assert two.players.state.find(session).session.wagered == 1_000


async def test_a_round_begins_with_the_dice_that_are_in_the_tumbler_now() -> None:
    """Though its table's process heard nothing of the pit, and the pit nothing of the round."""
    async with split_house(SmallHouse(live()), [OFFICE], [T1]) as (split, (one, two)):
        split.deaf = True
        put_in = PutInDice(by=SUPERVISOR, at=one.now(), table="T1", dice_set="D1")
        await one.do(PitAct(put_in), SUPERVISOR, "in")
        await start_round(two, "T1")
        assert two.table("T1").state.current.dice_set == "D1"
        out = TakeOutDice(by=SUPERVISOR, at=one.now(), table="T1", dice_set="D1", why="rotation")
        refusal = await one.do(PitAct(out), SUPERVISOR, "out")
        assert refusal.code is RefusalCode.DICE_IN_PLAY
