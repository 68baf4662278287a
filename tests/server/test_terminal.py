"""A Player Terminal over its WebSocket: credits, slips, results, tickets, and every kind of bad line."""

import asyncio
import json
from pathlib import Path

import msgspec
import pytest

from taisai.client import Refused, Terminal, TerminalKey, Unanswered
from taisai.errors import StoreUnavailable
from taisai.floor.streams import table_stream
from taisai.game.people import Role
from taisai.record.journal import Batch, Committed
from taisai.server import wire
from taisai.server.sockets.common import FAULTS_MAX
from tests.server.houses import CLUSTER, Serving, dealt, serving, settings


@pytest.mark.clause("sic-bo-etg-v8", "1.7")
async def test_a_round_from_credits_to_ticket(house: Serving) -> None:
    """Cash in, bet, win, cash out: every amount is what the rules say."""
    console = await house.console("C1")
    terminal = await house.terminal(credit=10_000)
    await console.act("StartRound")
    now = await terminal.betting()
    registered = await terminal.place(now.number, {"big": 1_000, "single-6": 500})
    assert (registered.slip, registered.credit, registered.staked) == (
        {"big": 1_000, "single-6": 500},
        8_500,
        1_500,
    )
    await dealt(console, [6, 6, 5])
    played = await terminal.result(now.number)
    assert (played.dice, played.staked, played.returned) == ([6, 6, 5], 1_500, 2_000 + 1_500)
    assert (played.credit_before, played.credit_after) == (10_000, 12_000)
    assert all(bet.sentences["en"] and bet.sentences["zh-Hant"] and bet.clauses for bet in played.bets)
    ticket = await terminal.cash_out()
    assert (ticket.amount, ticket.play_money) == (12_000, True)
    assert ticket.amount_words["en"] == "one hundred and twenty Singapore dollars"
    assert "<svg" in ticket.qr_svg
    assert len(ticket.number) == 18


async def test_a_ticket_opens_a_session_at_another_terminal_once(house: Serving) -> None:
    """The ticket's amount comes in, and the second try is told that it was redeemed."""
    first = await house.terminal(credit=5_000)
    ticket = await first.cash_out()
    second, third = await house.terminal(), await house.terminal()
    assert await second.ticket_in(ticket.number) == 5_000
    with pytest.raises(Refused) as refused:
        await third.ticket_in(ticket.number)
    assert refused.value.code == "ticket_redeemed"


async def test_the_slip_is_the_whole_slip(house: Serving) -> None:
    """What is no longer in it is taken back, and the credit is whole again."""
    console = await house.console("C1")
    terminal = await house.terminal(credit=10_000)
    await console.act("StartRound")
    number = (await terminal.betting()).number
    await terminal.place(number, {"big": 1_000, "odd": 500})
    await terminal.place(number, {"odd": 700})
    answer = await terminal.place(number, {})
    assert (answer.slip, answer.credit) == ({}, 10_000)


@pytest.mark.clause("sic-bo-etg-v8", "3.5")
async def test_a_bet_after_the_closing_is_refused_with_its_clause_and_how_late_it_was(
    house: Serving,
) -> None:
    """Late is late; the answer says by how much."""
    console = await house.console("C1")
    terminal = await house.terminal(credit=10_000)
    await console.act("StartRound")
    number = (await terminal.betting()).number
    await console.act("CloseBetting")
    await terminal.send(wire.Place(id="late", round=number, version=1, slip={"big": 100}))
    refused = await terminal.receive(wire.Refused)
    assert (refused.code, refused.clause) == ("betting_closed", "3.5")
    assert refused.late_by_ms is not None
    assert refused.late_by_ms >= 0
    assert terminal.credit == 10_000


@pytest.mark.parametrize(
    ("slip", "code"),
    [
        ({"nowhere": 100}, "box_unknown"),
        ({"big": 0}, "stake_invalid"),
        ({"big": -100}, "stake_invalid"),
        ({"big": 150}, "stake_not_in_units"),
        ({"big": 200_000}, "above_maximum"),
        ({"big": 90_000}, "funds_insufficient"),
    ],
)
async def test_a_slip_that_cannot_lie_is_refused_whole(
    house: Serving, slip: dict[str, int], code: str
) -> None:
    """Nothing of it is registered, and the credit is untouched."""
    console = await house.console("C1")
    terminal = await house.terminal(credit=10_000)
    await console.act("StartRound")
    number = (await terminal.betting()).number
    with pytest.raises(Refused) as refused:
        await terminal.place(number, slip)
    assert refused.value.code == code
    assert (await terminal.place(number, {})).credit == 10_000


async def test_the_same_message_again_has_the_same_answer(house: Serving) -> None:
    """A duplicate registers nothing twice and takes no money twice."""
    console = await house.console("C1")
    terminal = await house.terminal()
    for _ in range(3):
        assert await terminal.cash_in(10_000, message_id="buy") == 10_000
    await console.act("StartRound")
    number = (await terminal.betting()).number
    for _ in range(3):
        answer = await terminal.place(number, {"big": 1_000}, version=1, message_id="slip")
        assert (answer.slip, answer.credit) == ({"big": 1_000}, 9_000)


async def test_a_repeated_registered_slip_is_confirmed_even_after_the_closing(house: Serving) -> None:
    """Whoever lost the answer and asks again is told that the bet stands."""
    console = await house.console("C1")
    terminal = await house.terminal(credit=10_000)
    await console.act("StartRound")
    number = (await terminal.betting()).number
    await terminal.place(number, {"big": 1_000}, version=1, message_id="slip")
    await console.act("CloseBetting")
    again = await terminal.place(number, {"big": 1_000}, version=1, message_id="slip")
    assert again.slip == {"big": 1_000}


async def test_an_id_with_other_content_is_refused(house: Serving) -> None:
    """One id is one request."""
    terminal = await house.terminal()
    await terminal.cash_in(10_000, message_id="buy")
    with pytest.raises(Refused) as refused:
        await terminal.cash_in(20_000, message_id="buy")
    assert refused.value.code == "command_altered"


async def test_messages_out_of_order_leave_the_newest_slip(house: Serving) -> None:
    """A slip of a lower version that arrives late is stale."""
    console = await house.console("C1")
    terminal = await house.terminal(credit=10_000)
    await console.act("StartRound")
    number = (await terminal.betting()).number
    await terminal.place(number, {"big": 300}, version=3)
    for version in (1, 2):
        with pytest.raises(Refused) as refused:
            await terminal.place(number, {"small": 100}, version=version)
        assert refused.value.code == "slip_stale"
    assert house.hub.feeds["C1"].seats.boards[terminal.key.terminal].slip == {"big": 300}


async def test_what_cannot_be_read_is_refused_and_too_much_of_it_ends_the_connection(
    house: Serving,
) -> None:
    """Truncated, empty, wrong and unknown messages get an answer; twenty of them a goodbye."""
    terminal = await house.terminal(credit=1_000)
    whole = json.dumps({"type": "CashIn", "id": "x", "amount": 5})
    bad = [whole[:cut] for cut in range(0, len(whole) - 1, 3)] + ["[]", "null", '{"type":"Nope"}', "\x00"]
    for raw in bad[: FAULTS_MAX - 1]:
        await terminal.send_text(raw)
        assert (await terminal.receive(wire.Refused)).code == "input_invalid"
    assert await terminal.cash_in(1_000) == 2_000
    for _ in range(FAULTS_MAX - len(bad)):
        await terminal.send_text("{")
    assert (await terminal.receive(wire.Bye)).reason == "too-many-faults"


@pytest.mark.parametrize(
    ("terminal", "key", "table", "reason"),
    [
        ("", "", "C1", "unknown-terminal"),
        ("nobody", "x", "C1", "unknown-terminal"),
        ("real", "wrong", "C1", "wrong-key"),
        ("real", "real", "C9", "unknown-table"),
        ("real", "real", "T1", "unknown-table"),
    ],
)
async def test_a_stranger_is_told_nothing(
    house: Serving, terminal: str, key: str, table: str, reason: str
) -> None:
    """Without its key a terminal gets a goodbye, and no snapshot."""
    real = await house.key()
    asked = TerminalKey(
        real.terminal if terminal == "real" else terminal, real.key if key == "real" else key, table
    )
    stranger = Terminal(house.address, asked)
    with pytest.raises(Unanswered):
        await stranger.open()
    assert (stranger.bye, stranger.snapshot) == (reason, None)


async def test_the_first_message_is_hello(house: Serving) -> None:
    """Anything else first is a goodbye."""
    terminal = Terminal(house.address, await house.key())
    terminal._hello = lambda: wire.Ping(t=1)
    with pytest.raises(Unanswered):
        await terminal.open()
    assert terminal.bye == "hello-expected"


async def test_a_terminal_has_one_connection(house: Serving) -> None:
    """The newer one takes the older one's place, and goes on with its session."""
    first = await house.terminal(credit=3_000)
    second = Terminal(house.address, first.key)
    await house.stack.enter_async_context(second)
    assert second.credit == 3_000
    assert (await first.receive(wire.Bye)).reason == "replaced"


async def test_who_comes_back_gets_what_was_missed(house: Serving) -> None:
    """With the last sequence number: the missed messages in order, then the session; no snapshot."""
    console = await house.console("C1")
    terminal = await house.terminal(credit=10_000)
    await console.act("StartRound")
    number = (await terminal.betting()).number
    await terminal.place(number, {"small": 1_000})
    await terminal.cut()
    await dealt(console, [1, 2, 3])
    terminal.inbox = asyncio.Queue()
    await terminal.open()
    await terminal.result(number)
    seen = []
    while not terminal.inbox.empty():
        seen.append(terminal.inbox.get_nowait())
    phases = [message.round.phase for message in seen if isinstance(message, wire.RoundChanged)]
    assert phases == ["closed", "closed", "closed", "closed", "declared", "settled", "concluded"]
    assert isinstance(seen[-1], wire.SessionChanged)
    assert not any(isinstance(message, wire.Snapshot) for message in seen)
    assert terminal.credit == 11_000


async def test_who_was_away_too_long_gets_a_snapshot(house: Serving) -> None:
    """What the ring no longer holds, or never held, is answered with everything."""
    terminal = await house.terminal(credit=1_000)
    await terminal.close()
    for unknown in (0, 10**9):
        terminal.last_seq, terminal.inbox = unknown, asyncio.Queue()
        await terminal.open()
        assert isinstance(await terminal.receive(wire.Wire), wire.Snapshot)
        await terminal.close()


@pytest.mark.clause("sic-bo-etg-v8", "5.2.1")
async def test_registered_bets_of_a_terminal_that_is_cut_off_are_settled_and_wait(house: Serving) -> None:
    """ETG 5.2: the bet stays, the loss of contact is on the record, the winnings are there afterwards."""
    console = await house.console("C1")
    terminal = await house.terminal(credit=10_000)
    await console.act("StartRound")
    number = (await terminal.betting()).number
    await terminal.place(number, {"small": 1_000})
    await terminal.cut()
    state = house.hub.house.table("C1").state
    session = f"{terminal.key.terminal}.1"
    while state.current.slips[session].absent != "cut-off":
        await asyncio.sleep(0.01)
    await dealt(console, [1, 2, 3])
    await terminal.open()
    played = await terminal.result(number)
    assert terminal.credit == 11_000
    assert "5.2.1" in played.bets[0].clauses


@pytest.mark.clause("sic-bo-etg-v8", "5.2.1")
async def test_a_loss_of_contact_while_the_store_is_away_is_written_when_it_is_back(house: Serving) -> None:
    """Seed 5061 of the evenings: the disk was full at that moment, and nobody tried again."""
    console, terminal = await house.console("C1"), await house.terminal(credit=10_000)
    await console.act("StartRound")
    await terminal.place((await terminal.betting()).number, {"small": 1_000})
    store, tried = house.parts.house.store, asyncio.Event()
    appending = store.append

    async def full(batch: Batch) -> Committed:
        tried.set()
        raise StoreUnavailable("the disk is full")

    store.append = full
    await terminal.cut()
    await tried.wait()
    store.append = appending
    desk, session = house.hub.house.table("C1"), f"{terminal.key.terminal}.1"
    async with asyncio.timeout(30):
        while not (desk.has_state and desk.state.current.slips[session].absent == "cut-off"):
            await asyncio.sleep(0.01)


@pytest.mark.clause("sic-bo-etg-v8", "5.2.1")
async def test_a_terminal_that_does_not_come_back_after_a_restart_is_cut_off(tmp_path: Path) -> None:
    """The process that saw it last is gone: the next one records that its bets wait, and records it once."""
    config = settings(tmp_path, CLUSTER)
    async with serving(config) as before:
        console, terminal = await before.console("C1"), await before.terminal(credit=10_000)
        await console.act("StartRound")
        await terminal.place((await terminal.betting()).number, {"small": 1_000})
        session = f"{terminal.key.terminal}.1"
    async with serving(config, people={}) as after:
        desk = after.hub.house.table("C1")
        async with asyncio.timeout(30):
            while not (desk.has_state and desk.state.current.slips[session].absent == "cut-off"):
                await asyncio.sleep(0.01)
    async with serving(config, people={}) as once_more:
        house = once_more.hub.house
        await house.presence.look_for_lost(house.dealings)
        assert not house.presence._waiting
        kinds = [event.type async for event in house.store.events(table_stream("C1"))]
        assert kinds.count("PlayerAbsent") == 1, kinds


async def test_a_client_that_never_reads_slows_nobody(house: Serving) -> None:
    """Its queue fills, it is dropped, and the others do not notice."""
    console = await house.console("C1")
    reader = await house.terminal(credit=100_000)
    sleeper = await house.terminal(credit=1_000)
    socket = sleeper._socket
    assert socket is not None
    assert sleeper._reading is not None
    sleeper._reading.cancel()
    socket.transport.pause_reading()
    feed = house.hub.feeds["C1"]
    stuck = feed.seats.connected[sleeper.key.terminal]
    await console.act("StartRound")
    number = (await reader.betting()).number
    while not stuck.dropped:
        for _ in range(20):
            stuck.put(b"x" * 20_000)
        registered = await reader.place(number, {"big": 100})
        assert registered.slip == {"big": 100}
    while sleeper.key.terminal in feed.seats.connected:
        await asyncio.sleep(0.01)
    assert (await reader.place(number, {"small": 200})).slip == {"small": 200}
    socket.transport.abort()


def service_of(terminal: Terminal) -> str:
    return terminal.session.service if terminal.session else ""


async def test_a_terminal_out_of_service_takes_no_bets_and_no_money(house: Serving) -> None:
    """Door open: what lies can be taken back, nothing can be added, and closing the door ends it."""
    console = await house.console("C1")
    terminal = await house.terminal(credit=10_000)
    await console.act("StartRound")
    number = (await terminal.betting()).number
    await terminal.place(number, {"big": 100})
    await terminal.send(wire.Service(state="door-open"))
    await terminal.wait_until(
        lambda: terminal.session is not None and terminal.session.service == "door-open"
    )
    for refused in (terminal.place(number, {"big": 200}), terminal.cash_in(100)):
        with pytest.raises(Refused) as told:
            await refused
        assert told.value.code == "terminal_out_of_service"
    assert (await terminal.place(number, {})).slip == {}
    await terminal.send(wire.Service(state="in-service"))
    await terminal.wait_until(
        lambda: terminal.session is not None and terminal.session.service == "in-service"
    )
    assert (await terminal.place(number, {"big": 200})).slip == {"big": 200}


async def test_calling_an_attendant_shows_at_the_console(house: Serving) -> None:
    """Taking the call back takes it off again; so does leaving, since a page that comes back calls anew."""
    console = await house.console("C1")
    terminal = await house.terminal()

    async def shown(wanted: bool) -> None:
        def is_so() -> bool:
            view = console.view
            return view is not None and any(each.attendant for each in view.terminals) is wanted

        await console.wait_until(is_so)

    for wanted in (True, False, True):
        await terminal.send(wire.CallAttendant(wanted=wanted))
        await shown(wanted)
    await terminal.close()
    await shown(False)


async def test_recall_holds_the_last_ten_rounds_through_a_restart(tmp_path: Path) -> None:
    """Twelve rounds, the server starts anew, and ten of them are there with every bet and amount."""
    config = settings(tmp_path, CLUSTER)
    async with serving(config, people={"dealer": Role.DEALER}) as first:
        console = await first.console("C1")
        terminal = await first.terminal(credit=50_000)
        for number in range(1, 13):
            await console.act("StartRound")
            await terminal.place(
                (await terminal.betting(after=number - 1)).number, {"big": 200, "sum-9": 100}
            )
            if number == 7:
                await console.act("InterruptRound")
            else:
                await dealt(console, [1 + number % 6, 3, 5])
            await terminal.result(number)
        before, credit, key = dict(terminal.settled), terminal.credit, terminal.key
    async with serving(config) as second:
        again = Terminal(second.address, key)
        await second.stack.enter_async_context(again)
        assert again.session is not None
        assert again.session.credit == credit
        assert [played.round for played in again.session.recall] == list(range(3, 13))
        for played in again.session.recall:
            assert msgspec.structs.replace(played, at=0) == msgspec.structs.replace(
                before[played.round], at=0
            )
        assert again.session.net == credit - 50_000


async def test_a_ping_tells_the_servers_time(house: Serving) -> None:
    """What was sent comes back, with the server's clock beside it."""
    terminal = await house.terminal()
    await terminal.send(wire.Ping(t=12345))
    pong = await terminal.receive(wire.Pong)
    assert pong.t == 12345
    assert abs(pong.server_time - house.hub.now()) < 60_000


async def test_recall_tells_the_credits_that_were_added_before_each_play_by_their_source(
    tmp_path: Path,
) -> None:
    """Standards 30: cash and tickets apart; what comes in during a round belongs to the next play."""
    config = settings(tmp_path, CLUSTER)
    async with serving(config, people={"dealer": Role.DEALER}) as house:
        console = await house.console("C1")
        ticket = await (await house.terminal(credit=700)).cash_out()
        terminal = await house.terminal(credit=1_000)
        await terminal.ticket_in(ticket.number)
        for number in (1, 2, 3):
            await console.act("StartRound")
            await terminal.betting(after=number - 1)
            await terminal.place(number, {"big": 100})
            if number == 1:
                await terminal.cash_in(50)
            await dealt(console, [1, 2, 3])
            await terminal.result(number)
        added = {number: played.added for number, played in terminal.settled.items()}
        assert added == {1: {"cash": 1_000, "ticket": 700}, 2: {"cash": 50}, 3: {}}
        before, key = dict(terminal.settled), terminal.key
    async with serving(config) as house:
        again = Terminal(house.address, key)
        await house.stack.enter_async_context(again)
        for number, played in again.settled.items():
            assert msgspec.structs.replace(played, at=0) == msgspec.structs.replace(before[number], at=0)
