"""One table's feed: what its desk published, as messages to clients."""

import asyncio
from datetime import timedelta
from itertools import count
from typing import Any

import msgspec
import pytest

from taisai.errors import StoreUnavailable
from taisai.floor.reading.tables import TableReading
from taisai.server import wire
from taisai.server.live.feed import _TOLD_AT_ONCE, Feed
from taisai.server.live.hub import Hub
from taisai.server.live.news import NEWS_KEPT
from taisai.server.live.outbox import Outbox
from taisai.server.live.table_view import round_view
from tests.floor.houses import SmallHouse, bet, cluster, live, seat, settle_down, start_round
from tests.unit.server.live.listening import Listener, hub_of


def joined(hub: Hub, feed: Feed, terminal: str) -> Listener:
    client = Listener()
    hub.join_terminal(feed, terminal, client.outbox, 0)
    return client


async def test_numbers_follow_the_streams_versions_and_go_on_after_a_restart() -> None:
    """What everyone hears has twice the version; a feed that starts anew stands one beyond it."""
    small = SmallHouse(live())
    async with hub_of(small) as hub:
        feed, client = hub.feed("T1"), Listener()
        feed.clients[client.outbox] = 0
        await start_round(hub.house, "T1")
        await settle_down()
        version = feed.house.read.table("T1").version
        assert (client.last("RoundChanged")["seq"], feed.seq) == (2 * version, 2 * version + 1)
        before = feed.seq
    async with hub_of(small) as hub:
        assert hub.feed("T1").seq == 2 * hub.house.read.table("T1").version + 1 > before


async def test_nobody_is_told_again_what_they_knew_when_they_came() -> None:
    """News that waits to be told here may have been told at another gateway before, or be in a snapshot."""
    async with hub_of(SmallHouse(live())) as hub:
        feed = hub.feed("T1")
        clients = {seq: Listener() for seq in (0, 1)}
        await start_round(hub.house, "T1")  # on the record; nobody has been told yet
        assert feed.missed(0) is None
        for behind, client in clients.items():
            feed.clients[client.outbox] = feed.seq - 2 * behind
        await settle_down()
        told = [[each["seq"] for each in client.heard] for client in clients.values()]
        assert told == [[], [feed.seq - 1]]


async def test_a_bet_is_told_to_nobody_else() -> None:
    """The slip changes its own session's board and no other client hears of it; numbers follow the record."""
    async with hub_of(SmallHouse(cluster())) as hub:
        feed = hub.feed("C1")
        session = await seat(hub.house, "C1", "C1-1", 10_000)
        other = joined(hub, feed, "C1-2")
        await start_round(hub.house, "C1")
        await settle_down()
        heard, seq = len(other.heard), feed.seq
        await bet(hub.house, "C1", session, {"big": 1_000})
        await settle_down()
        assert (len(other.heard), feed.missed(seq)) == (heard, [])
        assert feed.seq == 2 * hub.house.read.table("C1").version + 1 > seq
        own, none = feed.session_view("C1-1"), feed.session_view("C1-2")
        assert own is not None
        assert (own.credit, own.staked, own.slip) == (9_000, 1_000, {"big": 1_000})
        assert none is None


async def test_a_session_that_begins_is_told_to_its_terminal() -> None:
    """By the record and not by the answer, which a commit whose end was not seen leaves out."""
    async with hub_of(SmallHouse(cluster())) as hub:
        client = joined(hub, hub.feed("C1"), "C1-1")
        session = await seat(hub.house, "C1", "C1-1", 10_000)
        await settle_down()
        told = client.last("SessionChanged")["session"]
        assert (told["session"], told["credit"], told["net"]) == (session, 10_000, 0)


async def test_a_table_that_moves_on_while_it_is_looked_at_is_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A gateway starts beside tables in play: between its look and what it hears nothing is lost."""
    async with hub_of(SmallHouse(cluster())) as hub:
        session = await seat(hub.house, "C1", "C1-1", 10_000)
        await start_round(hub.house, "C1")
        feed = Feed(hub.house, hub.feed("C1").plan, hub.voice)
        start, looks = feed.watch.start, count(1)

        async def moving(table: TableReading) -> None:
            await start(table)
            if next(looks) == 1:
                await bet(hub.house, "C1", session, {"big": 1_000})

        monkeypatch.setattr(feed.watch, "start", moving)
        await feed.start()
        assert next(looks) == 3
        assert feed.seq == 2 * hub.house.read.table("C1").version + 1
        assert feed.seats.boards["C1-1"].credit == 9_000


async def test_whoever_missed_too_much_is_told_so() -> None:
    """The ring keeps so many; before its oldest there is no way but a snapshot."""
    async with hub_of(SmallHouse(live())) as hub:
        feed = hub.feed("T1")
        begun = feed.seq
        assert feed.missed(begun) == []
        assert feed.missed(begun - 1) is None
        assert feed.missed(begun + 1) is None
        await start_round(hub.house, "T1")
        await settle_down()
        (only,) = feed.missed(begun) or []
        assert msgspec.json.decode(only)["round"]["number"] == 1
        news: Any = msgspec.json.decode(only)
        for number in range(NEWS_KEPT):
            feed.seq = news["seq"] + number + 1
            await feed._broadcast(_changed(feed))
        assert feed.missed(begun) is None
        assert len(feed.missed(news["seq"]) or []) == NEWS_KEPT


async def test_a_multitude_is_told_in_parts_and_others_have_their_turn_in_between() -> None:
    """Everyone who was there hears it once, in the order of coming; who leaves meanwhile breaks nothing."""
    async with hub_of(SmallHouse(live())) as hub:
        feed, told = hub.feed("T1"), list[int]()
        await start_round(hub.house, "T1")
        await settle_down()

        async def unsent(said: bytes) -> None:
            raise AssertionError(said)

        def client(number: int) -> Outbox:
            return Outbox(unsent, lambda said: told.append(number) is None)

        clients = [client(number) for number in range(2 * _TOLD_AT_ONCE + 1)]
        feed.clients.update(dict.fromkeys(clients, 0))
        telling = asyncio.ensure_future(feed._broadcast(_changed(feed)))
        await asyncio.sleep(0)
        assert told == list(range(_TOLD_AT_ONCE))
        del feed.clients[clients[0]], feed.clients[clients[-1]]
        await telling
        assert told == list(range(len(clients)))


def _changed(feed: Feed) -> wire.RoundChanged:

    state = feed.house.read.table(feed.plan.name)
    assert state.current is not None
    return wire.RoundChanged(
        seq=feed.seq, server_time=feed.now(), round=round_view(state.current, state.window, 5)
    )


async def test_a_feed_that_begins_anew_gives_everyone_a_snapshot() -> None:
    """Its sessions are as they were, and a terminal finds its own in it."""
    async with hub_of(SmallHouse(cluster())) as hub:
        feed = hub.feed("C1")
        await seat(hub.house, "C1", "C1-1", 10_000)
        client = joined(hub, feed, "C1-1")
        board = feed.seats.boards["C1-1"]
        board.credit = 1  # a fault of ours
        await feed.start_over()
        await settle_down()
        assert client.last("Snapshot")["session"]["credit"] == 10_000
        assert feed.seats.connected == {"C1-1": client.outbox}
        assert not feed.starting_over


async def test_credit_is_low_below_the_least_bet() -> None:
    """What is on the felt still counts; where nobody plays nothing is low."""
    async with hub_of(SmallHouse(cluster())) as hub:
        feed = hub.feed("C1")
        least = feed.table.limits.default.minimum
        await seat(hub.house, "C1", "C1-1", least)
        assert not feed.low_credit("C1-1")
        feed.seats.boards["C1-1"].credit -= 1
        assert feed.low_credit("C1-1")
        feed.seats.boards["C1-1"].on_felt = 1
        assert not feed.low_credit("C1-1")
        assert not feed.low_credit("C1-2")


async def test_how_the_rulebook_stands_follows_the_clock_though_nothing_moves() -> None:
    """Whoever looks after its end is told that it has ended, and the next move tells those who had looked."""
    small = SmallHouse(live(rules="tai-sai-v4/1"))
    ends = small.clock.now() + timedelta(hours=1)
    small.plan = msgspec.structs.replace(small.plan, rulebooks_until={"tai-sai-v4": ends})
    async with hub_of(small) as hub:
        feed, client = hub.feed("T1"), Listener()
        feed.clients[client.outbox] = 0

        def seen() -> set[str]:
            snapshot = msgspec.json.decode(feed.snapshot())
            return {feed.table.in_force, snapshot["table"]["in_force"]}

        assert seen() == {"in-force"}
        await small.pass_time(3_600)
        snapshot = msgspec.json.decode(feed.snapshot())  # asked before anything else looks at the table
        assert snapshot["table"]["in_force"] == "ended"
        assert seen() == {"ended"}
        await start_round(hub.house, "T1")
        await settle_down()
        assert client.last("TableChanged")["table"]["in_force"] == "ended"


async def test_a_terminal_that_comes_back_while_its_desk_is_rebuilt_is_not_turned_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where its slip is in the tree is told once the desk is back."""

    def rebuilt(table: str) -> None:
        raise StoreUnavailable(f"desk {table} is being rebuilt")

    async with hub_of(SmallHouse(cluster())) as hub:
        with monkeypatch.context() as away:
            away.setattr(hub.house.read, "table", rebuilt)
            hub.feed("C1").tell_proofs("C1-1")


async def test_a_session_is_told_while_the_desk_of_players_is_rebuilt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the player's own limits as they were seen last: another desk's trouble is not this table's."""

    def rebuilt(place: str) -> None:
        raise StoreUnavailable("desk players is being rebuilt")

    async with hub_of(SmallHouse(cluster())) as hub:
        await seat(hub.house, "C1", "C1-1", 10_000)
        await settle_down()
        before = hub.feed("C1").session_view("C1-1")
        with monkeypatch.context() as away:
            away.setattr(hub.house.read, "player", rebuilt)
            assert hub.feed("C1").session_view("C1-1") == before is not None
