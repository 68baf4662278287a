"""The bus between a house and its gateways, with a real server: it carries, and what it loses is not lost."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from taisai.adapters.bus import asking as nats_asking
from taisai.adapters.bus import following as nats_following
from taisai.adapters.bus import messages as msg
from taisai.adapters.bus import presence as nats_presence
from taisai.adapters.bus.link import BusLink
from taisai.cli.trial.lines import Cable, laid_to_port
from taisai.errors import StoreUnavailable, WireError
from taisai.floor.approvals.asked import TableAct
from taisai.floor.ports import Asked, Contact
from taisai.floor.table.messages import Accepted, InRound, StartRound
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from tests.bus_house import HouseOnBus, gateway_of, house_on_bus
from tests.floor.houses import DEALER, TESTS, SmallHouse, bet, cluster, events, live, seat, start_round
from tests.nats import NatsServer, nats_server

ASK_T1 = msg.subject("ask", "table:T1")


@pytest.fixture
def server() -> Iterator[NatsServer]:
    with nats_server() as made:
        yield made


@pytest.fixture
def small() -> SmallHouse:
    return SmallHouse(live(), cluster())


@pytest.fixture
async def on_bus(small: SmallHouse, server: NatsServer) -> AsyncIterator[HouseOnBus]:
    async with house_on_bus(small, server.url, patience=60.0) as made:
        yield made


async def until(holds: Callable[[], Any]) -> None:
    """Wait for what must come to hold."""
    async with asyncio.timeout(30):
        while not holds():
            await asyncio.sleep(0.001)


def starting(small: SmallHouse, table: str = "T1") -> TableAct:
    return TableAct(table, StartRound(by=DEALER, at=small.clock.now()))


def slip(small: SmallHouse, session: str, number: int) -> TableAct:
    by, at = Actor(session, Role.PLAYER), small.clock.now()
    placing = cmd.PlaceBets(by=by, at=at, player=session, slip={"small": 1_000}, version=1)
    return TableAct("C1", InRound(by=by, at=at, command=placing, round=number))


async def test_a_process_waits_for_a_bus_that_is_not_there_yet_and_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """However long; the moment it is there the process goes on."""
    server, told = NatsServer(), []
    link = BusLink([server.url], "gateway", counted=told.append)
    opening = asyncio.create_task(link.open())
    await until(lambda: told)
    assert f"the bus at 127.0.0.1:{server.port} is away, waiting for it" in caplog.text
    server.start()
    try:
        await opening
        assert link.is_up
        assert told == ["away"]
        await link.close()
    finally:
        server.stop()


@pytest.mark.parametrize("hangs", [False, True])
async def test_a_subject_that_was_left_while_the_bus_was_away_is_not_heard_again(
    hangs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process answers for that desk by then: two would answer for one."""
    monkeypatch.setattr("taisai.adapters.bus.link._LEAVE_SECONDS", 0.05)
    heard: list[bytes] = []

    async def hear(message: Any) -> None:
        heard.append(message.data)

    with nats_server() as server:
        link = BusLink([server.url], "desk")
        await link.open()
        left, kept = await link.hear("left", hear), await link.hear("kept", hear)
        await link.flush()
        if hangs:
            server.signal(signal.SIGSTOP)
        else:
            server.stop()
            await until(lambda: not link.is_up)
        await link.leave(left)
        server.stop()
        await until(lambda: not link.is_up)
        server.start()
        await until(lambda: link.is_up)
        await link.say("left", b"left")
        await link.say("kept", b"kept")
        await until(lambda: heard)
        assert heard == [b"kept"]
        await link.leave(kept)
        await link.close()


async def test_an_act_waits_while_the_bus_is_away_and_is_done_once(
    small: SmallHouse, server: NatsServer, on_bus: HouseOnBus
) -> None:
    """The server dies under way: whoever asks is patient, then is told, and asks again under the same id."""
    gateway = on_bus.gateway
    await gateway.asking.do(starting(small), TESTS, "first")
    server.stop()
    await until(lambda: not gateway.link.is_up)
    waiting = asyncio.create_task(gateway.asking.do(starting(small, "C1"), TESTS, "second"))
    await start_round_at_live_again(on_bus, small)
    server.start()
    assert isinstance(await waiting, Accepted)
    assert isinstance(await gateway.asking.do(starting(small, "C1"), TESTS, "second"), Accepted)
    assert events(small.disk, "C1").count("BettingOpened") == 1
    assert on_bus.counts["away"] == gateway.counts["away"] == 1
    # What happened meanwhile was told to nobody; where the streams stand is, and the record has the rest.
    await until(lambda: gateway.following.table("T1").version == on_bus.house.table("T1").version)


async def start_round_at_live_again(on_bus: HouseOnBus, small: SmallHouse) -> None:
    """Something happens at a table while nobody can be told of it."""
    held = cmd.SuspendRound(by=DEALER, at=small.clock.now())
    act = TableAct("T1", InRound(by=DEALER, at=held.at, command=held))
    assert isinstance(await on_bus.house.do(act, TESTS, "held"), Accepted)


async def test_whoever_is_impatient_is_told_that_nobody_answers(
    small: SmallHouse, server: NatsServer
) -> None:
    """A gateway that came before its house: every act is unavailable, and none is lost or done twice."""
    async with small.open(dealing=False):
        pass  # the record is there, and nobody has its desks
    async with gateway_of(small, server.url, patience=1.0) as gateway:
        with pytest.raises(StoreUnavailable, match=r"nobody answers for ts\.ask\.table%3AT1"):
            await gateway.asking.do(starting(small), TESTS, "a")
        assert gateway.counts["no answer"] >= 1
        assert events(small.disk, "T1").count("BettingOpened") == 0


async def test_a_message_of_an_unknown_kind_or_version_is_refused_by_name(
    on_bus: HouseOnBus, caplog: pytest.LogCaptureFixture
) -> None:
    """It is never dropped: the sender is told what is not known, the log and the figures too."""
    unknown = {
        "unknown kind of message 'Wish'": msg.Envelope("Wish", 1, msgspec.Raw(b"\x90")),
        "AskMany: expected version 1, got 2": msg.Envelope("AskMany", 2, msgspec.Raw(b"\x90")),
        "expected acts, got Stands": msg.Envelope(
            "Stands", 1, msgspec.Raw(msgspec.msgpack.encode(msg.Stands("x", {})))
        ),
    }
    for named, envelope in unknown.items():
        raw = await on_bus.gateway.link.ask(ASK_T1, msgspec.msgpack.encode(envelope), 5.0)
        reply = msg.unpack(raw)
        assert isinstance(reply, msg.NotTaken)
        assert named in reply.why
        assert not reply.again
        assert named in caplog.text
    assert on_bus.counts["not understood"] == 3
    await on_bus.link.say(
        msg.subject("pub", "table:T1"), msgspec.msgpack.encode(next(iter(unknown.values())))
    )
    await until(lambda: on_bus.gateway.counts["not understood"])


async def test_an_act_of_an_unknown_kind_keeps_no_other_from_its_answer(
    small: SmallHouse, on_bus: HouseOnBus
) -> None:
    """A newer gateway may ask what an older desk does not know: that one act is refused by what it is."""
    good = msg.pack_asked(Asked(starting(small), TESTS, "a"))
    raw = msgspec.msgpack.decode(bytes(good))
    raw["act"]["command"]["type"] = "ThrowCoins"
    many = msg.AskMany((msgspec.Raw(msgspec.msgpack.encode(raw)), good))
    reply = msg.unpack(await on_bus.gateway.link.ask(ASK_T1, msg.pack(many), 5.0))
    assert isinstance(reply, msg.AnswerMany)
    first, second = map(msg.unpack_answer, reply.answers)
    assert isinstance(first, WireError)
    assert "ThrowCoins" in str(first)
    assert isinstance(second, Accepted)


async def test_a_full_line_is_a_clear_error_and_a_figure(
    small: SmallHouse, on_bus: HouseOnBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the gateway and at the desk; what was in line is answered all the same."""
    monkeypatch.setattr(nats_asking, "LINE_MAX", 1)
    asking = on_bus.gateway.asking
    first = asyncio.create_task(asking.do(starting(small), TESTS, "a"))
    await asyncio.sleep(0)
    with pytest.raises(StoreUnavailable, match="the line to table:T1 is full: 1 acts wait"):
        await asking.do(starting(small), TESTS, "b")
    assert isinstance(await first, Accepted)
    assert on_bus.gateway.counts["full"] == 1
    monkeypatch.setattr(nats_asking, "BATCHES_MAX", 0)
    raw = await on_bus.gateway.link.ask(ASK_T1, msg.pack(msg.AskMany(())), 5.0)
    assert msg.unpack(raw) == msg.NotTaken("table:T1 has 0 batches of acts in hand", again=True)
    assert on_bus.counts["full"] == 1


async def test_many_acts_travel_some_hundreds_at_a_time(small: SmallHouse, on_bus: HouseOnBus) -> None:
    """1,200 slips are three messages, each answered in order."""
    sessions = [await seat(on_bus.house, "C1", f"C1-{number}", 10_000) for number in range(1, 61)]
    await start_round(on_bus.house, "C1")
    heard: list[int] = []

    async def count(asked: Any) -> None:
        message = msg.unpack(asked.data)
        assert isinstance(message, msg.AskMany)
        heard.append(len(message.asked))

    await on_bus.link.hear(msg.subject("ask", "table:C1"), count)
    await on_bus.link.flush()
    number = on_bus.house.table("C1").state.number
    asked = [
        Asked(slip(small, session, number), Actor(session, Role.PLAYER), f"{session}.{time}")
        for time in range(20)
        for session in sessions
    ]
    answers = await on_bus.gateway.asking.do_many(asked)
    assert all(isinstance(answer, Accepted) for answer in answers)
    await until(lambda: sum(heard) >= 1_200)  # on a busy machine they may be asked again
    assert heard[:3] == [500, 500, 200]


async def test_one_id_by_two_gateways_is_one_bet(
    small: SmallHouse, server: NatsServer, on_bus: HouseOnBus
) -> None:
    """A terminal whose gateway died asks again by another one."""
    async with gateway_of(small, server.url) as other:
        session = await seat(on_bus.house, "C1", "C1-1", 10_000)
        await start_round(on_bus.house, "C1")
        act = slip(small, session, on_bus.house.table("C1").state.number)
        by = Actor("C1-1", Role.PLAYER)
        answers = await asyncio.gather(on_bus.gateway.asking.do(act, by, "k"), other.asking.do(act, by, "k"))
        assert answers[0] == answers[1]
        assert events(small.disk, "C1").count("BetsPlaced") == 1
        for gateway in (on_bus.gateway, other):
            table = gateway.following.table("C1")
            await until(lambda table=table: table.version == on_bus.house.table("C1").version)
            assert gateway.following.read.table("C1").money(session).credit == 9_000


async def test_an_owner_past_its_lease_answers_nothing_until_it_is_renewed(
    small: SmallHouse, on_bus: HouseOnBus
) -> None:
    """Somebody else may own the desk: silence, and whoever asks goes on asking."""
    overdue = [True]
    on_bus.house.ownership.is_overdue = lambda: overdue[0]
    asking = asyncio.create_task(on_bus.gateway.asking.do(starting(small), TESTS, "a"))
    with pytest.raises(StoreUnavailable, match="does not answer"):
        await on_bus.gateway.link.ask(ASK_T1, msg.pack(msg.AskMany(())), 0.1)
    assert events(small.disk, "T1").count("BettingOpened") == 0
    overdue[0] = False
    assert isinstance(await asking, Accepted)


async def test_commits_that_the_bus_lost_or_cannot_carry_are_read_from_the_record(
    small: SmallHouse, on_bus: HouseOnBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is told once all the same, in order, and the copy has the money of it."""
    told: list[int] = []
    on_bus.gateway.following.follow(lambda table, happened, version: told.append(version))
    monkeypatch.setattr(nats_following, "PAYLOAD_MAX", 0)
    session = await seat(on_bus.house, "C1", "C1-1", 10_000)
    await start_round(on_bus.house, "C1")
    await bet(on_bus.house, "C1", session, {"small": 3_000})
    await until(lambda: on_bus.gateway.following.table("C1").version == on_bus.house.table("C1").version)
    assert on_bus.counts["not told"] >= 4
    assert on_bus.gateway.following.read.table("C1").money(session).credit == 7_000
    assert told == sorted(set(told))
    assert told[-1] == on_bus.house.table("C1").version


async def test_too_many_commits_for_the_bus_are_left_to_the_record(
    small: SmallHouse, on_bus: HouseOnBus, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A slow bus holds no commit back and fills no memory."""
    monkeypatch.setattr(nats_following, "TELL_MAX", 0)
    await start_round(on_bus.house, "T1")
    assert on_bus.counts["full"]
    assert "commits wait to be told" in caplog.text
    await until(lambda: on_bus.gateway.following.table("T1").version == on_bus.house.table("T1").version)


CONTACT = Contact("C1", "C1-1", "g1", 1, 1)


async def in_play(small: SmallHouse, on_bus: HouseOnBus) -> None:
    """A terminal with a bet, connected by the gateway."""
    session = await seat(on_bus.house, "C1", "C1-1", 10_000)
    await start_round(on_bus.house, "C1")
    await bet(on_bus.house, "C1", session, {"small": 1_000})
    on_bus.gateway.presence.joined(CONTACT)
    await until(lambda: on_bus.house.presence.is_current(CONTACT))


async def test_a_gateway_that_is_no_longer_heard_of_has_lost_its_terminals(
    small: SmallHouse, server: NatsServer, on_bus: HouseOnBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed, hung or cut off, it makes no difference: those with bets in play are cut off (ETG 5.2)."""
    on_bus.house.plan = msgspec.structs.replace(on_bus.house.plan, cut_off_seconds=0.0)
    await in_play(small, on_bus)
    monkeypatch.setattr(nats_presence, "GONE_SECONDS", 0.1)
    await on_bus.gateway.presence.stop()
    await until(lambda: events(small.disk, "C1").count("PlayerAbsent"))
    assert on_bus.counts["gateway gone"]


async def test_whoever_was_there_when_the_bus_went_is_there_when_it_is_back(
    small: SmallHouse, server: NatsServer, on_bus: HouseOnBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is not told to go: what gateways say again and again makes good what was lost."""
    monkeypatch.setattr(nats_presence, "GONE_SECONDS", 60.0)
    gone: list[Contact] = []
    on_bus.gateway.presence.on_replaced(gone.append)
    await in_play(small, on_bus)
    server.stop()
    await until(lambda: not on_bus.link.is_up)
    second = Contact("C1", "C1-2", "g1", 1, 2)
    on_bus.gateway.presence.joined(second)
    server.start()
    await until(lambda: on_bus.house.presence.is_current(second))
    assert on_bus.house.presence.is_current(CONTACT)
    assert not gone


class Away:
    """A link that is down, and a decider that must not be asked."""

    is_up = False

    def gateway_gone(self, gateway: str) -> None:
        raise AssertionError(f"{gateway} is not gone: nobody can be heard")


async def test_nobody_is_gone_because_the_bus_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """While nobody can be heard silence means nothing, and the time starts anew with the bus."""
    monkeypatch.setattr(nats_presence, "SAY_SECONDS", 0.0)
    contacts = nats_presence.BusContacts(Away(), Away())
    contacts._heard_at["g1"] = before = -1_000.0
    looking = asyncio.create_task(contacts._look())
    await until(lambda: contacts._heard_at["g1"] > before)
    looking.cancel()


SLOW_SERVER = "max_payload: 900000\nmax_pending: 900000\n"


async def narrow(port: int) -> Any:
    """A connection that holds little of what nobody reads."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.setblocking(False)
    await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", port))
    return await asyncio.open_connection(sock=made)


async def test_a_gateway_that_stops_reading_holds_nobody_up_and_misses_nothing(
    small: SmallHouse, tmp_path: Path
) -> None:
    """The bus lets it go when too much waits; it comes back, and the record has what it was not told."""
    server = NatsServer()
    (tmp_path / "bus.conf").write_text(SLOW_SERVER, encoding="utf-8")
    server.options = ["-c", str(tmp_path / "bus.conf")]
    server.start()
    line = Cable(lambda: narrow(server.port))
    try:
        async with (
            laid_to_port(line) as port,
            house_on_bus(small, server.url, patience=60.0) as on_bus,
            gateway_of(small, f"nats://127.0.0.1:{port}") as stuck,
        ):
            told: list[int] = []
            stuck.following.follow(lambda table, happened, version: told.append(version))
            session = await seat(on_bus.house, "C1", "C1-1", 10_000)
            await start_round(on_bus.house, "C1")
            await until(lambda: stuck.following.table("C1").version == on_bus.house.table("C1").version)
            line.swallow("back")
            by = Actor("C1-1", Role.PLAYER)
            act = slip(small, session, on_bus.house.table("C1").state.number)
            assert isinstance(await on_bus.gateway.asking.do(act, by, "k"), Accepted)
            said = on_bus.telling._stands()
            while server.let_go == 0:  # what owners say all the time, much quicker than they say it
                for _ in range(500):
                    await on_bus.link.say(msg.subject("who"), said)
                await on_bus.link.flush()
            assert isinstance(await on_bus.gateway.asking.do(starting(small), TESTS, "meanwhile"), Accepted)
            line.heal()
            for table in ("C1", "T1"):
                version = on_bus.house.table(table).version
                await until(
                    lambda table=table, version=version: stuck.following.table(table).version == version
                )
            assert stuck.following.read.table("C1").money(session).credit == 9_000
            assert stuck.counts["away"] == 1
            assert on_bus.counts["away"] == on_bus.gateway.counts["away"] == 0
            assert told
    finally:
        server.stop()


async def test_what_a_process_has_no_time_for_is_counted_and_read_from_the_record(
    small: SmallHouse, on_bus: HouseOnBus, caplog: pytest.LogCaptureFixture
) -> None:
    """Its own line is full: the client of the bus throws away what comes, and says so."""
    for subscription in on_bus.gateway.link._client._subs.values():
        subscription._pending_queue._maxsize = 1
    sessions = [await seat(on_bus.house, "C1", f"C1-{number}", 10_000) for number in range(1, 31)]
    await start_round(on_bus.house, "C1")
    for session in sessions:
        await bet(on_bus.house, "C1", session, {"small": 1_000})
    said = on_bus.telling._stands()
    while on_bus.gateway.counts["slow"] < 2:
        for _ in range(100):
            await on_bus.link.say(msg.subject("who"), said)
        await on_bus.link.flush()
    assert caplog.text.count("this process does not keep up") == 1
    await until(lambda: on_bus.gateway.following.table("C1").version == on_bus.house.table("C1").version)
    for session in sessions:
        assert on_bus.gateway.following.read.table("C1").money(session).credit == 9_000
