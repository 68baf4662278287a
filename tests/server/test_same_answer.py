"""The same id gets the same answer, whatever holds by then: found by evenings played in simulated time."""

from pathlib import Path

import pytest

from taisai.client import Refused, Terminal
from taisai.game.people import Role
from taisai.server import wire
from tests.server.houses import LIVE, Serving, dealt, serving, settings


async def slip_of_a_session_that_ended(house: Serving) -> tuple[Terminal, wire.Place, wire.SlipRegistered]:
    """A terminal whose player bet, lost and left."""
    console, terminal = await house.console("C1"), await house.terminal(credit=1_000)
    await console.act("StartRound")
    await terminal.betting()
    asked = wire.Place(id="mine", round=1, version=1, slip={"big": 300})
    told = await terminal.ask(asked)
    await dealt(console, [1, 2, 3])
    await terminal.result(1)
    await terminal.cash_out()
    return terminal, asked, told


async def test_a_slip_of_a_session_that_has_ended_is_answered_as_it_was(house: Serving) -> None:
    """Nobody is at the terminal, and what was acknowledged there stays so."""
    terminal, asked, told = await slip_of_a_session_that_ended(house)
    again = await terminal.ask(asked)
    assert (again.round, again.version, again.slip) == (told.round, told.version, told.slip)


async def test_a_slip_of_the_player_before_is_answered_as_it_was(house: Serving) -> None:
    """Somebody else plays at the terminal now; other content under that id is still refused."""
    terminal, asked, told = await slip_of_a_session_that_ended(house)
    await terminal.cash_in(500)
    again = await terminal.ask(asked)
    assert (again.round, again.version, again.slip) == (told.round, told.version, told.slip)
    assert again.credit == 500
    with pytest.raises(Refused) as refused:
        await terminal.ask(wire.Place(id="mine", round=1, version=1, slip={"big": 400}))
    assert refused.value.code == "command_altered"


async def test_a_terminal_that_never_had_a_session_is_refused(house: Serving) -> None:
    """There is nobody whose slip it could be."""
    terminal = await house.terminal()
    with pytest.raises(Refused) as refused:
        await terminal.ask(wire.Place(id="mine", round=1, version=1, slip={"big": 400}))
    assert refused.value.code == "session_unknown"


async def test_who_agrees_twice_is_told_the_same_twice(tmp_path: Path) -> None:
    """What two people asked for and the table refused is refused again under the same id."""
    people = {"dealer": Role.DEALER, "supervisor": Role.PIT_SUPERVISOR}
    async with serving(settings(tmp_path, LIVE), people=people) as house:
        dealer, supervisor = await house.person("dealer"), await house.person("supervisor")
        asked = await dealer.act("T1", "CorrectResult", round_=1, roll=[1, 2, 3], reason="film")
        said, path = [], f"/approvals/{asked['approval']}"
        for _ in range(2):
            with pytest.raises(Refused) as refused:
                await supervisor.post(path, {"decision": "approve"}, key="agreed")
            said.append(refused.value.code)
        assert said == ["round_unknown", "round_unknown"]


async def test_dice_that_differed_are_refused_again_in_a_later_round(tmp_path: Path) -> None:
    """The supervisor was called at the time; the same id is no other command because a round has passed."""
    people = {"dealer": Role.DEALER, "camera": Role.DEALER, "supervisor": Role.PIT_SUPERVISOR}
    async with serving(settings(tmp_path, LIVE), people=people) as house:
        console, camera = await house.console("T1"), await house.person("camera")
        await console.act("StartRound")
        for name in ("CloseBetting", "CoverTumbler"):
            await console.act(name)
        await console.act("ActivateTumbler", tumbles=3)
        await console.act("ExposeDice")
        await camera.act("T1", "ReadDice", round=1, roll=[5, 2, 4], source="camera 1")
        declared = wire.ConsoleAct(id="mine", act="DeclareRoll", fields={"roll": [1, 1, 2]})
        with pytest.raises(Refused) as first:
            await console.ask(declared)
        await console.act("DeclareRoll", roll=[5, 2, 4])
        for name in ("SettleBets", "ConcludeRound", "StartRound"):
            await console.act(name)
        with pytest.raises(Refused) as later:
            await console.ask(declared)
        assert first.value.code == later.value.code == "reading_differs"
