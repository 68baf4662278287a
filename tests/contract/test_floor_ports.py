"""The ports between interfaces and the floor: what every implementation of them must keep to."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from taisai.adapters.postgres.leases import RecordLease
from taisai.errors import InputError, StoreUnavailable, UnknownName
from taisai.floor.approvals.asked import TableAct
from taisai.floor.cluster.messages import EnrolTerminal
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.house import House
from taisai.floor.ports import Asked, Asking, Contact, Following, Ownership, Presence, Undisputed
from taisai.floor.table.messages import Accepted, InRound, StartRound
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.record.journal import Batch, Committed
from taisai.record.ports import CommandAltered, RecordInUse
from tests.bus_house import house_on_bus
from tests.floor.houses import DEALER, TESTS, SmallHouse, bet, cluster, events, live, seat, start_round
from tests.nats import nats_server


@dataclass
class Seam:
    """A house, and its ports as an interface has them."""

    house: House
    asking: Asking
    following: Following
    presence: Presence
    small: SmallHouse

    async def until(self, holds: Callable[[], Any]) -> None:
        """Wait for what must come to hold."""
        async with asyncio.timeout(30):
            while not holds():
                await asyncio.sleep(0.001)

    async def followed(self, table: str) -> None:
        """Wait until whoever follows a table knows all that has happened there."""
        version = self.house.table(table).version
        await self.until(lambda: self.following.read.table(table).version == version)


@asynccontextmanager
async def in_process(small: SmallHouse) -> AsyncIterator[Seam]:
    """The house is its own ports."""
    async with small.open(dealing=False) as house:
        yield Seam(house, house, house, house.presence, small)


@asynccontextmanager
async def by_bus(small: SmallHouse) -> AsyncIterator[Seam]:
    """The house is in another process, as far as anybody can tell: every message goes over a real bus."""
    with nats_server() as server:
        async with house_on_bus(small, server.url) as on_bus:
            gateway = on_bus.gateway
            yield Seam(on_bus.house, gateway.asking, gateway.following, gateway.presence, small)


WAYS = {"in process": in_process, "by bus": by_bus}


@pytest.fixture(params=WAYS)
async def seam(request: pytest.FixtureRequest) -> AsyncIterator[Seam]:
    """A live table and a cluster, by each way to them."""
    small = SmallHouse(live(), cluster())
    small.plan = msgspec.structs.replace(small.plan, cut_off_seconds=0.0)
    async with WAYS[request.param](small) as made:
        yield made


def starting(house: House, table: str = "T1") -> TableAct:
    return TableAct(table, StartRound(by=DEALER, at=house.now()))


def slip_of(house: House, session: str, amount: int, table: str = "C1") -> TableAct:
    by, at = Actor(session, Role.PLAYER), house.now()
    placing = cmd.PlaceBets(by=by, at=at, player=session, slip={"small": amount}, version=1)
    number = house.table(table).state.number
    return TableAct(table, InRound(by=by, at=at, command=placing, round=number))


# Asking


async def test_the_same_id_gets_the_same_answer_and_happens_once(seam: Seam) -> None:
    """However often it is sent: that is what makes sending again safe."""
    act = starting(seam.house)
    first = await seam.asking.do(act, TESTS, "a")
    again = await seam.asking.do(act, TESTS, "a")
    assert isinstance(first, Accepted)
    assert again == first
    assert events(seam.small.disk, "T1").count("BettingOpened") == 1


async def test_another_command_under_a_used_id_is_told_so(seam: Seam) -> None:
    """The caller made a mistake that no answer may hide."""
    await seam.asking.do(starting(seam.house), TESTS, "a")
    other = TableAct("T1", StartRound(by=DEALER, at=seam.house.now(), dice_set="D7"))
    with pytest.raises(CommandAltered):
        await seam.asking.do(other, TESTS, "a")


async def test_a_refusal_is_an_answer_with_its_clause_and_facts(seam: Seam) -> None:
    """It comes as it was decided, field by field."""
    session = await seat(seam.house, "C1", "C1-1", 10_000)
    await start_round(seam.house, "C1")
    answer = await seam.asking.do(slip_of(seam.house, session, 20_000), TESTS, "a")
    assert isinstance(answer, Refusal)
    assert answer.code is RefusalCode.FUNDS_INSUFFICIENT
    assert answer.facts == {"needed": 20_000, "available": 10_000}


async def test_many_are_answered_in_their_order_each_with_its_own(seam: Seam) -> None:
    """One that makes no sense, or is for a table that nobody has, keeps no other from its answer."""
    sessions = [await seat(seam.house, "C1", f"C1-{number}", 10_000) for number in (1, 2, 3)]
    await start_round(seam.house, "C1")
    by = Actor("terminal", Role.PLAYER)
    asked = [Asked(slip_of(seam.house, session, 1_000), by, f"k{session}") for session in sessions]
    asked.insert(1, Asked(starting(seam.house, "T9"), TESTS, "nowhere"))
    asked.insert(3, Asked(slip_of(seam.house, sessions[0], 1_000), TESTS, "x" * 1_000))
    answers = await seam.asking.do_many(asked)
    assert [type(answer) for answer in answers] == [Accepted, UnknownName, Accepted, InputError, Accepted]
    assert str(answers[1]).startswith("unknown table 'T9'")
    assert [answers[place].slip for place in (0, 2, 4)] == [{"small": 1_000}] * 3
    assert await seam.asking.do_many([]) == []


async def test_an_act_that_could_not_be_made_durable_is_never_said_to_be_done(seam: Seam) -> None:
    """Whoever asks is told that it is unavailable, and asks again under the same id."""
    store, appending = seam.house.store, seam.house.store.append

    async def full(batch: Batch) -> Committed:
        raise StoreUnavailable("the disk is full")

    store.append = full
    act = starting(seam.house)
    with pytest.raises(StoreUnavailable, match="disk is full"):
        await seam.asking.do(act, TESTS, "a")
    store.append = appending
    assert isinstance(await seam.asking.do(act, TESTS, "a"), Accepted)
    assert events(seam.small.disk, "T1").count("BettingOpened") == 1


# Following


async def test_every_commit_is_told_once_in_order_and_can_be_read_when_it_is(seam: Seam) -> None:
    """Versions have no gaps: whoever follows knows at each moment where the table stands."""
    told: list[tuple[str, list[str], int, int]] = []
    before = {name: seam.following.read.table(name).version for name in ("T1", "C1")}

    def hear(table: str, happened: list[Any], version: int) -> None:
        seen = seam.following.read.table(table)
        told.append((table, [type(event).__name__ for event in happened], version, seen.version))

    seam.following.follow(hear)
    session = await seat(seam.house, "C1", "C1-1", 10_000)
    await start_round(seam.house, "C1")
    await start_round(seam.house, "T1")
    await bet(seam.house, "C1", session, {"small": 2_000})
    for name in before:
        await seam.until(
            lambda name=name: seam.following.read.table(name).version == seam.house.table(name).version
        )
    for table, happened, version, seen in told:
        before[table] += len(happened)
        assert (version, seen) == (before[table], version)
    assert before == {name: seam.house.table(name).version for name in before}


async def test_what_is_read_is_what_the_owner_has(seam: Seam) -> None:
    """Rounds, slips, money and terminals, also of what happened before anybody followed."""
    session = await seat(seam.house, "C1", "C1-1", 10_000)
    await start_round(seam.house, "C1")
    await bet(seam.house, "C1", session, {"small": 2_000})
    await seam.followed("C1")
    seen, owned = seam.following.read.table("C1"), seam.house.read.table("C1")
    assert seen.money(session) == owned.money(session)
    assert seen.money(session).credit == 8_000
    assert seen.current is not None
    assert seen.current.slips[session].slip() == {"small": 2_000}
    assert seen.terminals() == owned.terminals()
    assert (seen.settings, seen.window, seen.number) == (owned.settings, owned.window, owned.number)


async def test_whoever_raises_keeps_nobody_else_from_hearing(seam: Seam) -> None:
    """A follower's bug is its own."""
    heard = []

    def broken(table: str, happened: list[Any], version: int) -> None:
        raise ZeroDivisionError

    seam.following.follow(broken)
    seam.following.follow(lambda table, happened, version: heard.append(version))
    await start_round(seam.house, "T1")
    await seam.until(lambda: heard)


# Presence


def contact(number: int, *, gateway: str = "g1", epoch: int = 1, terminal: str = "C1-1") -> Contact:
    return Contact("C1", terminal, gateway, epoch, number)


async def joined(seam: Seam, come: Contact) -> None:
    """A terminal comes, and the owner of its table knows it."""
    seam.presence.joined(come)
    await seam.until(lambda: seam.house.presence.is_current(come))


async def betting(seam: Seam) -> str:
    """A terminal with a bet in play; its session."""
    session = await seat(seam.house, "C1", "C1-1", 10_000)
    await start_round(seam.house, "C1")
    await bet(seam.house, "C1", session, {"small": 1_000})
    return session


def absences(seam: Seam) -> int:
    return events(seam.small.disk, "C1").count("PlayerAbsent")


async def test_a_terminal_has_one_connection_whichever_gateway_it_comes_by(seam: Seam) -> None:
    """The new one stays, the old one is told to go, and the end of the old one means nothing."""
    await betting(seam)
    gone: list[Contact] = []
    seam.presence.on_replaced(gone.append)
    await joined(seam, contact(1))
    await joined(seam, contact(2))
    await joined(seam, contact(1, gateway="g2"))
    await seam.until(lambda: len(gone) == 2)
    assert gone == [contact(1), contact(2)]
    seam.presence.left(contact(2))
    seam.presence.left(contact(1))
    await seam.asking.do(enrol(seam, "C1-2"), TESTS, "later")  # all that waited has had its turn
    assert absences(seam) == 0


async def test_a_terminal_that_left_with_bets_in_play_is_cut_off_once(seam: Seam) -> None:
    """ETG 5.2: the loss of contact is on the record; leaving twice is leaving once."""
    await betting(seam)
    await joined(seam, contact(1))
    seam.presence.left(contact(1))
    seam.presence.left(contact(1))
    await seam.until(lambda: absences(seam))
    await seam.asking.do(enrol(seam, "C1-2"), TESTS, "later")
    assert absences(seam) == 1


async def test_a_gateway_that_began_anew_has_lost_its_connections(seam: Seam) -> None:
    """Its first word in a new life says so; what it said in the old one and comes late means nothing."""
    await betting(seam)
    gone: list[Contact] = []
    seam.presence.on_replaced(gone.append)
    await joined(seam, contact(7))
    seam.presence.joined(contact(1, epoch=2, terminal="C1-9"))
    await seam.until(lambda: absences(seam))
    seam.presence.joined(contact(8))
    await seam.until(lambda: gone)
    assert gone == [contact(8)]


def enrol(seam: Seam, terminal: str) -> TableAct:
    return TableAct("C1", EnrolTerminal(by=SYSTEM, at=seam.house.now(), terminal=terminal, key_digest="k"))


# Ownership


@pytest.fixture(params=["undisputed", "lease"])
def owners(request: pytest.FixtureRequest) -> Callable[[str], Ownership]:
    """How two processes would own the same record."""
    if request.param == "undisputed":
        return lambda name: Undisputed()
    url: str = request.getfixturevalue("postgres_url")
    return lambda name: RecordLease(url, slot=name, seconds=0.5)


async def test_what_is_owned_is_had_until_it_is_given_back(owners: Callable[[str], Ownership]) -> None:
    """Given back it can be had again at once, by anybody."""
    first, second = owners("a"), owners("b")
    await first.acquire()
    assert not first.is_overdue()
    assert not first.lost.is_set()
    await first.release()
    await second.acquire()
    await second.release()


async def test_only_one_has_it_where_it_runs_out(owners: Callable[[str], Ownership]) -> None:
    """The second is told by whom it is held, as long as it is renewed."""
    first, second = owners("a"), owners("b")
    if not first.runs_out:
        return
    await first.acquire()
    renewing = asyncio.create_task(first.keep())
    with pytest.raises(RecordInUse, match="in use by a on"):
        await second.acquire()
    renewing.cancel()
    await first.release()
