"""What ends by itself, by a clock that the tests move: logins, lock-outs, approvals, tickets, limits."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from taisai.adapters.clock import ManualClock
from taisai.client import Refused, Staff, fresh_id
from taisai.floor.door.second import expire_requests
from taisai.server import wire
from tests.server.houses import CLUSTER, LIVE, Serving, dealt, serving, settings

START = datetime(2026, 5, 4, 20, 0, tzinfo=UTC)


class Timed(Serving):
    """A house whose clock moves when it is told to."""

    clock: ManualClock

    def passes(self, **span: float) -> None:
        self.clock.move(self.clock.now() + timedelta(**span))


@pytest_asyncio.fixture
async def house(tmp_path: Path) -> AsyncIterator[Timed]:
    clock = ManualClock(START)
    async with serving(settings(tmp_path, CLUSTER, LIVE), timer=clock) as running:
        running.__class__ = Timed
        assert isinstance(running, Timed)
        running.clock = clock
        yield running


async def test_who_does_nothing_is_logged_out(house: Timed) -> None:
    """By the policy's minutes; who does something stays, and the console of an idle person is shut.

    A page that only looks, again and again, is nobody: its person is logged out too.
    """
    admin = await house.person("admin")
    policy = await admin.get("/staff-policy")
    asked = await admin.post("/staff-policy", {**policy, "idle_minutes": 10})
    await (await house.person("auditor")).approve(asked["waiting"][0]["approval"])
    busy, console, looking = (
        await house.person("cashier"),
        await house.console("T1"),
        await house.person("supervisor"),
    )
    for minute in range(15):
        house.passes(minutes=1)
        if minute < 9:
            await looking.get("/pit")
            await looking.get("/approvals")
        if minute % 5 == 0:
            answer = await busy.http.get("/api/v1/me", headers={"X-Person-Acted": "1"})
            assert answer.status_code == 200
    with pytest.raises(Refused) as idle:
        await looking.get("/pit")
    assert (idle.value.code, idle.value.facts["why"]) == ("session_ended", "idle")
    await house.app.state.doors.sweep()
    assert (await console.receive(wire.Bye)).reason == "session-ended"
    with pytest.raises(Refused) as ended:
        await (await house.person("dealer")).get("/me")
    assert ended.value.code == "session_ended"
    await busy.get("/me")


async def test_a_lock_out_passes(house: Timed) -> None:
    """Too many wrong passwords lock a name for the policy's minutes, and no longer."""
    visitor = await house.visitor()
    for _ in range(5):
        await visitor.http.post("/api/v1/login", json={"name": "dealer", "password": "wrong"})
    with pytest.raises(Refused) as locked:
        await house.person("dealer")
    assert locked.value.code == "login_locked"
    policy = await (await house.person("admin")).get("/staff-policy")
    house.passes(minutes=policy["lock_minutes"])
    await house.person("dealer")


async def test_an_approval_that_nobody_gave_in_time_is_over(house: Timed) -> None:
    """It cannot be agreed to any more, and the record says that it expired."""
    console, supervisor = await house.console("T1"), await house.person("supervisor")
    await console.act("StartRound")
    await dealt(console, [1, 2, 3])
    asked = await console.act("CorrectResult", roll=[6, 6, 5], reason="misread")
    assert isinstance(asked, wire.NeedsApproval)
    second = await console.act("CorrectResult", roll=[6, 6, 4], reason="misread")
    assert isinstance(second, wire.NeedsApproval)
    house.passes(minutes=5)
    assert await supervisor.get("/approvals") == []
    with pytest.raises(Refused) as late:
        await supervisor.approve(asked.approval)
    assert late.value.code == "approval_expired"
    await expire_requests(house.parts.house)
    events = [event.type async for event in house.parts.house.store.events("approvals")]
    assert events.count("RequestExpired") == 2


async def test_a_code_for_a_terminal_is_good_for_minutes(house: Timed) -> None:
    """Then another is asked for."""
    supervisor, visitor = await house.person("supervisor"), await house.visitor()
    offered = await supervisor.post("/terminals", {"table": "C1"})
    house.passes(minutes=offered["minutes"])
    with pytest.raises(Refused) as late:
        await visitor.enrol(offered["code"])
    assert late.value.code == "not_found"


async def test_an_expired_ticket_is_paid_by_nobody_and_voided_by_two(house: Timed) -> None:
    """Neither terminal nor cashier; the liability stands until two people end it."""
    cashier, supervisor = await house.person("cashier"), await house.person("supervisor")
    await cashier.post("/drawers", {"float": 10_000}, key=fresh_id())
    terminal = await house.terminal(credit=900)
    number = (await terminal.cash_out()).number
    house.passes(days=182)
    cashier, supervisor = Staff(house.address), Staff(house.address)
    for person, name in ((cashier, "cashier"), (supervisor, "supervisor")):
        await house.stack.enter_async_context(person)
        await person.log_in(name, house.logins[name])
    assert (await cashier.post("/tickets/look-up", {"number": number}))["status"] == "expired"
    for trying in (
        cashier.post("/tickets/redeem", {"number": number}, key=fresh_id()),
        (await house.terminal()).ticket_in(number),
    ):
        with pytest.raises(Refused) as refused:
            await trying
        assert refused.value.code == "ticket_expired"
    asked = await cashier.post("/tickets/void", {"number": number, "reason": "late"}, key=fresh_id())
    await supervisor.approve(asked["approval"])
    assert (await cashier.get("/drawers"))[0]["expected"] == 10_000 - 900


async def test_a_players_lower_limit_holds_at_once_and_a_higher_one_when_confirmed_a_day_later(
    house: Timed,
) -> None:
    """Over the terminal's own socket, enforced by the server."""
    console, terminal = await house.console("C1"), await house.terminal(credit=100_000)

    async def limit(amount: int | None) -> None:
        await terminal.ask(wire.SetLimits(id=fresh_id(), wager_session=amount))

    async def bets(number: int, amount: int) -> str:
        try:
            await terminal.place(number, {"big": amount})
        except Refused as refused:
            return refused.code
        return "registered"

    await console.act("StartRound")
    number = (await terminal.betting()).number
    assert await bets(number, 2_000) == "registered"
    await limit(1_500)
    assert await bets(number, 2_100) == "play_limit_reached"
    assert await bets(number, 1_000) == "registered"
    await limit(None)
    house.passes(hours=23)
    assert await bets(number, 2_000) == "play_limit_reached"
    house.passes(hours=1)
    await terminal.ask(wire.ConfirmCheck(id=fresh_id()))
    assert await bets(number, 2_000) == "play_limit_reached"
    await terminal.ask(wire.ConfirmLimits(id=fresh_id()))
    assert await bets(number, 2_000) == "registered"


async def test_the_houses_own_reality_check_stops_the_next_bet_too(house: Timed) -> None:
    """After an hour, for who has set nothing; bets can be taken back, and confirming holds for an hour."""
    console, terminal = await house.console("C1"), await house.terminal(credit=100_000)
    await console.act("StartRound")
    number = (await terminal.betting()).number
    house.passes(minutes=59)
    await terminal.place(number, {"big": 200})
    house.passes(minutes=1)
    with pytest.raises(Refused) as due:
        await terminal.place(number, {"big": 300})
    assert (due.value.code, due.value.facts["minutes"]) == ("reality_check_due", 60)
    assert (await terminal.place(number, {"big": 100})).slip == {"big": 100}
    await terminal.ask(wire.ConfirmCheck(id=fresh_id()))
    house.passes(minutes=59)
    assert (await terminal.place(number, {"big": 200})).slip == {"big": 200}
    house.passes(minutes=1)
    with pytest.raises(Refused) as again:
        await terminal.place(number, {"big": 300})
    assert again.value.code == "reality_check_due"


async def test_limits_of_ones_own_do_not_put_the_houses_reality_check_off(house: Timed) -> None:
    """A session that the registry learns of late is as old as before, and a longer wish waits no longer."""
    console, terminal = await house.console("C1"), await house.terminal(credit=100_000)
    await console.act("StartRound")
    number = (await terminal.betting()).number
    house.passes(minutes=50)
    await terminal.ask(wire.SetLimits(id=fresh_id(), reality_check_minutes=120))
    house.passes(minutes=10)
    with pytest.raises(Refused) as due:
        await terminal.place(number, {"big": 100})
    assert due.value.code == "reality_check_due"


async def test_a_reality_check_stops_the_next_bet_until_it_is_confirmed(house: Timed) -> None:
    """Every so many minutes; what lies stays."""
    console, terminal = await house.console("C1"), await house.terminal(credit=100_000)
    await terminal.ask(wire.SetLimits(id=fresh_id(), reality_check_minutes=30))
    await console.act("StartRound")
    number = (await terminal.betting()).number
    await terminal.place(number, {"big": 100})
    house.passes(minutes=30)
    with pytest.raises(Refused) as due:
        await terminal.place(number, {"big": 200})
    assert due.value.code == "reality_check_due"
    await terminal.ask(wire.ConfirmCheck(id=fresh_id()))
    assert (await terminal.place(number, {"big": 200})).slip == {"big": 200}
