"""A ticket that is asked for again: the same one, whatever has happened, and never a later session's."""

from pathlib import Path

import pytest

from taisai.client import Refused, Terminal
from taisai.server import wire
from tests.server.houses import Serving, dealt, serving, settings


async def test_the_same_request_has_the_same_ticket_after_a_restart_by_other_rules(tmp_path: Path) -> None:
    """The house has bounded its tickets meanwhile: this one was issued, and its player may see it."""
    async with serving(settings(tmp_path)) as house:
        terminal = await house.terminal(credit=10_000)
        key = terminal.key
        ticket = await terminal.cash_out(message_id="mine")
    async with serving(settings(tmp_path, house={"ticket_max_minor": 100})) as house:
        again = Terminal(house.address, key)
        await house.stack.enter_async_context(again)
        assert await again.cash_out(message_id="mine") == ticket


async def test_a_repeated_request_leaves_the_next_players_credits_alone(house: Serving) -> None:
    """Who asks again after somebody else has sat down gets the first ticket, and the credits stay."""
    terminal = await house.terminal(credit=10_000)
    ticket = await terminal.cash_out(message_id="mine")
    await terminal.cash_in(500)
    answer: wire.TicketPaper = await terminal.ask(wire.CashOutAll(id="mine"))
    assert (answer.ticket, answer.credit) == (ticket, 500)


async def test_a_request_for_a_session_that_has_ended_pays_out_no_other(house: Serving) -> None:
    """It never came through, an attendant paid, and the next player sits there: nothing is paid out."""
    terminal = await house.terminal(credit=10_000)
    assert terminal.session is not None
    first = terminal.session.session
    await terminal.cash_out()
    await terminal.cash_in(500)
    with pytest.raises(Refused) as refused:
        await terminal.ask(wire.CashOutAll(id="late", session=first))
    assert refused.value.code == "session_unknown"
    assert terminal.session.session != first
    answer: wire.TicketPaper = await terminal.ask(wire.CashOutAll(id="now", session=terminal.session.session))
    assert (answer.ticket.amount, answer.credit) == (500, 0)


async def test_credits_of_a_session_that_has_ended_are_answered_when_asked_for_again(house: Serving) -> None:
    """Nothing comes in a second time, and who asks is not left without an answer."""
    terminal = await house.terminal()
    await terminal.cash_in(500, message_id="buy")
    await terminal.cash_out()
    answer = await terminal.ask(wire.CashIn(id="buy", amount=500))
    assert isinstance(answer, wire.Acknowledged)
    assert terminal.credit == 0


async def test_all_that_a_session_staked_is_counted_beyond_its_recall(tmp_path: Path) -> None:
    """Twelve rounds with a void one, of which ten are recalled: with the result, and after a restart."""
    config = settings(tmp_path)
    async with serving(config) as house:
        logins = house.logins
        console, terminal = await house.console("C1"), await house.terminal(credit=100_000)
        number = 0
        for _ in range(12):
            await console.act("StartRound")
            number = (await terminal.betting(after=number)).number
            await terminal.place(number, {"big": 300})
            await terminal.place(number, {"big": 100, "odd": 100})
            if number == 3:
                await console.act("VoidRound", ground="exposed-early")
            else:
                await dealt(console, [1, 2, 3])
            await terminal.result(number)
        settled = await terminal.receive(wire.Settled)
        while settled.played.round != number:
            settled = await terminal.receive(wire.Settled)
        assert settled.wagered == 11 * 200
        key = terminal.key
    async with serving(config) as house:
        house.logins.update(logins)
        again = Terminal(house.address, key)
        await house.stack.enter_async_context(again)
        assert again.session is not None
        assert (again.session.wagered, len(again.session.recall)) == (11 * 200, 10)
