"""Refused bets are kept with their answer: in the timeline, in `taisai replay`, among significant events."""

import asyncio
import json
from pathlib import Path

import pytest

from taisai.client import Refused
from taisai.server import wire
from tests.server.houses import CLUSTER, dealt, serving, settings
from tests.unit.command import run


@pytest.mark.clause("sic-bo-etg-v8", "3.5")
async def test_a_bet_that_came_too_late_is_kept_with_how_late_and_moves_nothing(tmp_path: Path) -> None:
    """No event and no transfer: the answer under its id, with the slip, the player and the milliseconds."""
    config = settings(tmp_path, CLUSTER, significant={"attempts": 3})
    async with serving(config) as house:
        console, terminal = await house.console("C1"), await house.terminal(credit=5_000)
        await console.act("StartRound")
        number = (await terminal.betting()).number
        with pytest.raises(Refused):
            await terminal.place(number, {"big": 100_100})
        await console.act("CloseBetting")
        version = house.parts.house.table("C1").version
        for tried in range(2):
            with pytest.raises(Refused) as late:
                await terminal.place(number, {"odd": 300}, version=7, message_id=f"late-{tried}")
            assert (late.value.code, late.value.clause) == ("betting_closed", "3.5")
        with pytest.raises(Refused):  # the same again is the same attempt
            await terminal.place(number, {"odd": 300}, version=7, message_id="late-0")
        assert house.parts.house.table("C1").version == version
        supervisor = await house.person("supervisor")
        refused = (await supervisor.get(f"/tables/C1/rounds/{number}"))["refused"]
        assert [(each["code"], each["slip"]) for each in refused] == [
            ("above_maximum", {"big": 100_100}),
            ("betting_closed", {"odd": 300}),
            ("betting_closed", {"odd": 300}),
        ]
        assert refused[0]["late_ms"] is None
        assert all(each["late_ms"] >= 0 and each["role"] == "player" for each in refused[1:])
        assert refused[1]["sentences"]["zh-Hant"]
        found = (await supervisor.get("/audit/significant", code=409))["items"]
        assert [each["amount"] for each in found] == [300]
        assert (await (await house.person("auditor")).post("/audit/verify"))["sound"]
    told = await asyncio.to_thread(
        run, "replay", str(tmp_path / "house.db"), "--round", f"C1/{number}", "--format", "json"
    )
    assert [each["clause"] for each in json.loads(told.stdout)["refused"]] == ["3.3", "3.5", "3.5"]


async def test_what_the_players_own_limit_refuses_is_kept_and_a_terminal_without_a_session_is_not(
    tmp_path: Path,
) -> None:
    """Refused before the desk decides is still refused under an id; without a session there is nobody."""
    async with serving(settings(tmp_path, CLUSTER)) as house:
        console, terminal = await house.console("C1"), await house.terminal(credit=5_000)
        other = await house.terminal()
        await console.act("StartRound")
        number = (await terminal.betting()).number
        with pytest.raises(Refused):
            await other.place(number, {"big": 100})
        await terminal.ask(wire.SetLimits(id="limits", wager_session=200))
        with pytest.raises(Refused) as refused:
            await terminal.place(number, {"big": 300})
        assert refused.value.code == "play_limit_reached"
        kept = (await (await house.person("dealer")).get(f"/tables/C1/rounds/{number}"))["refused"]
        assert [each["code"] for each in kept] == ["play_limit_reached"]
        await dealt(console, [1, 2, 3])
