"""The pit's figures are of the gaming day: whole after a restart, and from nothing when a day begins."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from taisai.adapters.clock import ManualClock
from taisai.floor.table import state as floor_table
from tests.server.houses import LIVE, Serving, dealt, serving, settings

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


async def play(house: Serving, rolls: list[list[int]], *, first: bool = False) -> None:
    console = await house.console("T1")
    if first:
        await console.act("BuyIn", player="ann", amount=100_000)
    for roll in rolls:
        await console.act("StartRound")
        await console.act("PlaceBets", player="ann", slip={"big": 1_000}, version=1)
        await dealt(console, roll)


async def looked(house: Serving) -> dict[str, Any]:
    found: dict[str, Any] = (await (await house.person("supervisor")).get("/pit"))[0]
    return found


@asynccontextmanager
async def again(before: Serving, clock: ManualClock) -> AsyncIterator[Serving]:
    """The same house, started anew."""
    async with serving(before.config, timer=clock) as house:
        house.logins.update(before.logins)
        yield house


def figures(view: dict[str, Any]) -> tuple[Any, ...]:
    """What must be the same whoever counted it."""
    kept = ("rounds", "handle", "win", "theoretical_win", "band", "outside", "since")
    return (*(view[name] for name in kept), view["fairness"])


async def test_a_restart_keeps_the_days_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A desk that holds two rounds lost the others; the record has them, corrected and void ones too."""
    monkeypatch.setattr(floor_table, "ROUNDS_KEPT", 2)
    clock, config = ManualClock(NOON), settings(tmp_path, LIVE)
    async with serving(config, timer=clock) as house:
        await play(house, [[1, 2, 3], [6, 5, 4], [1, 1, 4], [2, 3, 3], [6, 6, 5], [4, 5, 6]], first=True)
        dealer, boss = await house.person("dealer"), await house.person("supervisor")
        asked = await dealer.act("T1", "CorrectResult", round_=1, roll=[6, 6, 3], reason="misread")
        await boss.approve(asked["approval"])
        asked = await dealer.act("T1", "ReportDamagedDice", round_=3, rounds=[3], reason="a chipped corner")
        await boss.approve(asked["approval"])
        before = await looked(house)
        assert (before["rounds"], before["handle"], before["win"]) == (5, 5_000, -3_000)
        assert before["since"] == datetime(2026, 5, 4, 6, tzinfo=UTC).timestamp() * 1_000
    async with again(house, clock) as house:
        after = await looked(house)
        assert figures(after) == figures(before)
        assert after["fairness"]["rolls"] == 5  # what damaged dice showed in a void round is no evidence
        assert figures(await looked(house)) == figures(after)
        await play(house, [[1, 2, 3]])
        assert (await looked(house))["handle"] == 6_000


async def test_a_gaming_day_begins_from_nothing(tmp_path: Path) -> None:
    """At six by the house's clock, whether or not a round is opened; after a restart, too. Dice go on."""
    clock, config = ManualClock(NOON), settings(tmp_path, LIVE)
    async with serving(config, timer=clock) as house:
        await play(house, [[1, 2, 3], [1, 2, 4]], first=True)
        assert (await looked(house))["handle"] == 2_000
        clock.move(NOON + timedelta(hours=18))
        house.staff.clear()  # their sessions have ended meanwhile
        began = await looked(house)
        assert (began["handle"], began["win"], began["rounds"], began["hold_percent"]) == (0, 0, 0, None)
        assert began["fairness"]["rolls"] == 2
        await play(house, [[1, 2, 5]])
        today = await looked(house)
        assert (today["handle"], today["rounds"], today["fairness"]["rolls"]) == (1_000, 1, 3)
    async with again(house, clock) as house:
        assert figures(await looked(house)) == figures(today)
    clock.move(NOON + timedelta(days=2))
    async with again(house, clock) as house:
        assert (await looked(house))["handle"] == 0
