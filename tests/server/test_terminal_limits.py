"""What a terminal is told of its player's own limits, and of its own condition."""

import pytest

from taisai.client import Refused, Terminal, fresh_id
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.players.messages import PlayLimits, SetPlayLimits
from taisai.server import wire
from tests.server.houses import Serving


async def test_a_players_own_limits_are_set_at_the_terminal(house: Serving) -> None:
    """A limit of the session holds for the next slip."""
    console = await house.console("C1")
    terminal = await house.terminal(credit=10_000)
    await terminal.ask(wire.SetLimits(id=fresh_id(), wager_session=500))
    await console.act("StartRound")
    number = (await terminal.betting()).number
    with pytest.raises(Refused) as refused:
        await terminal.place(number, {"big": 600}, version=1)
    assert refused.value.code == "play_limit_reached"
    assert (await terminal.place(number, {"big": 500}, version=2)).slip == {"big": 500}


async def test_a_players_own_limits_are_told_with_the_session(house: Serving) -> None:
    """What holds, what is looser and waits a day, and the last reality check: on reload as before it."""
    terminal = await house.terminal(credit=10_000)
    assert terminal.session is not None
    assert terminal.session.limits is None
    await terminal.ask(wire.SetLimits(id=fresh_id(), wager_session=500, reality_check_minutes=30))
    await terminal.ask(wire.SetLimits(id=fresh_id(), wager_session=900))
    await terminal.ask(wire.ConfirmCheck(id=fresh_id()))
    again = Terminal(house.address, terminal.key)
    await house.stack.enter_async_context(again)
    assert again.session is not None
    stand = again.session.limits
    assert stand is not None
    assert (stand.now.wager_session, stand.now.reality_check_minutes) == (500, 30)
    assert stand.later is not None
    assert (stand.later.wager_session, stand.later.reality_check_minutes) == (900, None)
    assert stand.later_from is not None
    assert stand.later_from - house.hub.now() > 23 * 3_600_000
    assert stand.checked_at is not None


async def test_a_limit_of_the_day_stays_when_the_terminal_sets_those_of_the_session(house: Serving) -> None:
    """A terminal knows nothing of the day's limits, so it can take none of them away."""
    terminal = await house.terminal(credit=10_000)
    assert terminal.session is not None
    player = await house.hub.house.seated_player(terminal.session.session)
    limits = SetPlayLimits(
        by=SYSTEM, at=house.hub.house.now(), player=player, limits=PlayLimits(loss_day=700)
    )
    await house.hub.house.players.ask("test", fresh_id(), limits)
    await terminal.ask(wire.SetLimits(id=fresh_id(), wager_session=500))
    found = house.hub.house.players.state.find(player)
    assert found is not None
    assert (found.limits, found.later) == (PlayLimits(loss_day=700, wager_session=500), None)


async def test_a_terminal_without_a_session_knows_its_condition(house: Serving) -> None:
    """After a cash-out the printer may fail: the terminal shows it, and so does a new connection."""
    terminal = await house.terminal(credit=10_000)
    await terminal.cash_out()
    await terminal.send(wire.Service(state="printer-fault"))
    assert (await terminal.receive(wire.TerminalService)).service == "printer-fault"
    again = Terminal(house.address, terminal.key)
    await house.stack.enter_async_context(again)
    assert again.snapshot is not None
    assert again.snapshot.service == "printer-fault"
