"""A table without a clock: betting closes when everyone who has bets wants the dice."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from taisai.floor.gathering import PATIENCE_SECONDS, Gathering
from taisai.game.acts import Phase
from taisai.server.live.hub import Hub
from tests.floor.houses import SmallHouse, bet, cluster, seat, settle_down
from tests.unit.server.live.listening import Listener, hub_of


def unhurried() -> SmallHouse:
    return SmallHouse(cluster(automatic=True, betting_seconds=None))


@asynccontextmanager
async def two_with_bets(
    small: SmallHouse,
) -> AsyncIterator[tuple[Hub, Gathering, dict[str, str], dict[str, Listener]]]:
    """Two terminals that are connected, with a bet each."""
    async with hub_of(small) as hub:
        sessions, clients = {}, {}
        for name in ("C1-1", "C1-2"):
            sessions[name] = await seat(hub.house, "C1", name, 10_000)
            clients[name] = Listener()
            hub.join_terminal(hub.feed("C1"), name, clients[name].outbox, 0)
            await bet(hub.house, "C1", sessions[name], {"big": 1_000})
        await settle_down()
        yield hub, hub.house.gatherings.of("C1"), sessions, clients


def phase(hub: Hub) -> Phase:
    found: Phase = hub.house.table("C1").state.current.phase
    return found


def heard(client: Listener) -> tuple[bool, int]:
    told = client.last("Readiness")
    return told["ready"], told["waits_for"]


async def test_the_dice_roll_when_the_last_one_wants_them() -> None:
    """The first wish closes nothing and is told to both; the second closes."""
    async with two_with_bets(unhurried()) as (hub, table, _, clients):
        assert table.waiting_round == 1
        table.wants_dice("C1-1", 1, ready=True)
        await settle_down()
        assert (heard(clients["C1-1"]), heard(clients["C1-2"])) == ((True, 1), (False, 1))
        assert phase(hub) is Phase.BETTING
        table.wants_dice("C1-2", 1, ready=True)
        await settle_down()
        assert phase(hub) is not Phase.BETTING
        assert table.waiting_round is None


async def test_a_wish_belongs_to_the_slip_that_was_there() -> None:
    """Whoever changes their bets has to say it again, and a wish can be taken back."""
    async with two_with_bets(unhurried()) as (hub, table, sessions, clients):
        table.wants_dice("C1-1", 1, ready=True)
        await bet(hub.house, "C1", sessions["C1-1"], {"big": 2_000}, 2)
        await settle_down()
        assert heard(clients["C1-1"]) == (False, 2)
        table.wants_dice("C1-1", 1, ready=True)
        table.wants_dice("C1-1", 1, ready=False)
        table.wants_dice("C1-1", 1, ready=False)
        table.wants_dice("C1-2", 1, ready=True)
        await settle_down()
        assert heard(clients["C1-1"]) == (False, 1)
        assert phase(hub) is Phase.BETTING


async def test_nobody_waits_for_a_terminal_that_is_gone() -> None:
    """When the only other one loses its connection the dice roll."""
    async with two_with_bets(unhurried()) as (hub, table, _, clients):
        table.wants_dice("C1-1", 1, ready=True)
        hub.leave_terminal(hub.feed("C1"), "C1-2", clients["C1-2"].outbox)
        await settle_down()
        assert phase(hub) is not Phase.BETTING


async def test_one_who_says_nothing_keeps_nobody_waiting_for_long() -> None:
    """The dice roll so many seconds after the first wish, and not a moment before."""
    small = unhurried()
    async with two_with_bets(small) as (hub, table, _, clients):
        await small.pass_time(1_000)
        assert phase(hub) is Phase.BETTING
        table.wants_dice("C1-1", 1, ready=True)
        await settle_down()
        rolls_at = clients["C1-2"].last("Readiness")["rolls_at"]
        assert rolls_at == hub.now() + 1000 * PATIENCE_SECONDS
        await small.pass_time(PATIENCE_SECONDS - 0.001)
        assert phase(hub) is Phase.BETTING
        await small.pass_time(0.001)
        assert phase(hub) is not Phase.BETTING


async def test_where_a_clock_closes_nobody_is_asked() -> None:
    """An automatic table with a window waits for no wish."""
    async with hub_of(SmallHouse(cluster(automatic=True))) as hub:
        assert hub.house.gatherings.of("C1").waiting_round is None


async def test_a_call_for_an_attendant_ends_with_the_connection() -> None:
    """Called twice it was called once; whoever follows hears of each change, and a stranger wants no dice."""
    async with two_with_bets(unhurried()) as (hub, table, _, clients):
        heard_of: list[str] = []
        hub.house.gatherings.follow(heard_of.append)
        await hub.house.gatherings.call("C1", "C1-1", wanted=True)
        since = dict(table.attendants)
        await hub.house.gatherings.call("C1", "C1-1", wanted=True)
        assert (list(since), table.attendants) == (["C1-1"], since)
        assert heard_of == ["C1", "C1"]
        hub.leave_terminal(hub.feed("C1"), "C1-1", clients["C1-1"].outbox)
        assert (dict(table.attendants), list(table.connected)) == ({}, ["C1-2"])
        assert not await hub.house.gatherings.wants_dice("C1", "C1-9", 1, ready=True)
        assert not await hub.house.gatherings.wants_dice("C1", "C1-2", 7, ready=True)
        assert not await hub.house.gatherings.wants_dice("C9", "C1-2", 1, ready=True)
