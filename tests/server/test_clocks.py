"""Clocks that are wrong by an hour: a terminal's is nobody's business, and the server's stops no table."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from taisai.adapters.clock import SystemClock
from taisai.server import wire
from taisai.server.live.table_view import millis
from tests.server.houses import AUTOMATIC, CLUSTER, Serving, dealt, serving, settings


class OffClock(SystemClock):
    """The machine's clock, wrong by some hours."""

    def __init__(self, hours: float) -> None:
        super().__init__()
        self._off = timedelta(hours=hours)

    def now(self) -> datetime:
        return super().now() + self._off


@pytest.mark.parametrize("hours", [-1, 1])
async def test_a_terminals_clock_decides_nothing(house: Serving, hours: int) -> None:
    """It is told the server's time with every ping, and bets are timed where they arrive."""
    console, terminal = await house.console("C1"), await house.terminal(credit=1_000)
    theirs = millis(datetime.now(UTC) + timedelta(hours=hours))
    await terminal.send(wire.Ping(t=theirs))
    pong = await terminal.receive(wire.Pong)
    assert pong.t == theirs
    assert abs(pong.server_time - millis(datetime.now(UTC))) < 60_000
    await console.act("StartRound")
    number = (await terminal.betting()).number
    assert (await terminal.place(number, {"big": 100})).slip == {"big": 100}


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), [(0, -1), (0, 1), (1, 0)])
async def test_a_restart_with_another_time_goes_on_at_once(tmp_path: Path, before: int, after: int) -> None:
    """The clock was set while the server was down: the table deals on, and the audit is clean."""
    table = {**AUTOMATIC, "round_seconds_min": 1}
    config = settings(tmp_path, table)
    async with serving(config, timer=OffClock(before)) as house:
        logins = house.logins
        terminal = await house.terminal(credit=10_000)
        key = terminal.key
        number = (await terminal.stake({"big": 100, "small": 100})).round
    async with serving(config, timer=OffClock(after)) as house:
        house.logins.update(logins)
        terminal = type(terminal)(house.address, key)
        await house.stack.enter_async_context(terminal)
        assert (await terminal.result(number)).staked == 200
        await terminal.betting(after=number)
        await terminal.ask(wire.ConfirmCheck(id="check"))  # by the house's clock an hour may have passed
        later = (await terminal.stake({"odd": 100}, after=number)).round
        assert (await terminal.result(later)).staked == 100
        report = await (await house.person("auditor")).post("/audit/verify")
        assert report["sound"], report


async def test_the_deadline_is_absolute_with_the_servers_time_beside_it(tmp_path: Path) -> None:
    """Also where the server's own clock is an hour ahead: what a client needs is the difference."""
    table = {**CLUSTER, "betting_seconds": 60, "warn_seconds": 10}
    async with serving(settings(tmp_path, table), timer=OffClock(1)) as house:
        console, terminal = await house.console("C1"), await house.terminal(credit=1_000)
        await console.act("StartRound")
        now = await terminal.betting()
        changed = await terminal.receive(wire.RoundChanged)
        assert now.opens_at is not None
        assert now.closes_at == now.opens_at + 60_000
        assert now.warn_at == now.closes_at - 10_000
        assert 50_000 < now.closes_at - changed.server_time <= 60_000
        await terminal.place(now.number, {"big": 100})
        await dealt(console, [1, 2, 3])


async def test_a_clock_that_was_set_back_is_a_warning_to_whoever_watches(tmp_path: Path) -> None:
    """Wagers are taken all the same, by a time that goes on; /readyz says by how much the clock is behind."""
    set_back = [timedelta()]
    timer = SystemClock(lambda: datetime.now(UTC) + set_back[0])
    async with serving(settings(tmp_path, CLUSTER), timer=timer) as house:
        http = (await house.visitor()).http
        assert (await http.get("/readyz")).json() == {"ready": True, "faults": [], "warnings": []}
        set_back[0] = -timedelta(hours=1)
        answer = await http.get("/readyz")
        assert (answer.status_code, answer.json()["faults"]) == (200, [])
        (warning,) = answer.json()["warnings"]
        assert re.fullmatch(
            r"the machine's clock was set back: it is 3[56]\d\d s behind the house's time", warning
        )
        console, terminal = await house.console("C1"), await house.terminal(credit=1_000)
        await console.act("StartRound")
        assert (await terminal.place((await terminal.betting()).number, {"big": 100})).slip == {"big": 100}
