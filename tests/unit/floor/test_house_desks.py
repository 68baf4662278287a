"""Staff, approvals, players and the pit on desks of their own: durable, repeatable, and found again."""

from collections.abc import AsyncIterator
from datetime import date
from typing import Any

import pytest

from taisai.adapters.memory import MemoryDisk
from taisai.floor.approvals import messages as approvals
from taisai.floor.approvals.acts import approvals_desk
from taisai.floor.approvals.asked import PitAct
from taisai.floor.desks.decider import Done
from taisai.floor.desks.desk import Desk
from taisai.floor.desks.kind import DeskKind
from taisai.floor.pit import messages as pit
from taisai.floor.pit.acts import pit_desk
from taisai.floor.pit.messages import FillTable
from taisai.floor.players import messages as players
from taisai.floor.players.acts import players_desk
from taisai.floor.staff import messages as staff
from taisai.floor.staff.acts import staff_desk
from taisai.game.people import Role
from taisai.game.refusals import Refusal, RefusalCode
from tests.record import Place, place
from tests.unit.house import CASHIER, DEALER, SHIFT_MANAGER, SUPERVISOR, SYSTEM, minutes

GOOD = staff.PasswordFacts(length=16, signs=10)
ADD = staff.AddStaff(
    by=SYSTEM, at=minutes(0), name="root", role=Role.ADMINISTRATOR, password_hash="hash", facts=GOOD
)
WRONG = staff.LogIn(by=SYSTEM, at=minutes(1), name="root", password_mark="", token="t")


@pytest.fixture
async def at() -> AsyncIterator[Place]:
    """A record in memory."""
    async with place(MemoryDisk()) as found:
        yield found


CASES: list[tuple[DeskKind[Any], list[Any]]] = [
    (staff_desk(), [ADD, WRONG, staff.DisableStaff(by=SYSTEM, at=minutes(2), name="root")]),
    (
        approvals_desk(),
        [
            approvals.RequestApproval(
                by=DEALER,
                at=minutes(0),
                asked=PitAct(FillTable(by=DEALER, at=minutes(0), table="T1", amount=100)),
                reason="misread",
            ),
            approvals.ExpireRequests(by=SYSTEM, at=minutes(1)),
        ],
    ),
    (
        players_desk(),
        [
            players.RegisterPlayer(by=CASHIER, at=minutes(0), player="p-1"),
            players.RecordPlays(
                by=SYSTEM, at=minutes(1), table="T1", round=1, plays={"p-1": players.RoundPlay(10, 0)}
            ),
        ],
    ),
    (
        pit_desk(),
        [
            pit.OpenDay(by=SHIFT_MANAGER, at=minutes(0), day=date(2026, 3, 2)),
            pit.PutInDice(by=SUPERVISOR, at=minutes(1), table="T1", dice_set="D1"),
        ],
    ),
]


@pytest.mark.parametrize(("kind", "commands"), CASES, ids=lambda case: getattr(case, "name", ""))
async def test_a_desk_is_found_again_as_it_was_left(
    at: Place, kind: DeskKind[Any], commands: list[Any]
) -> None:
    """After a restart the state is the same, and the same commands get the same answers."""
    store = await at.open()
    desk: Desk[Any] = Desk(kind, store, at.clock)
    await desk.start()
    answers = [await desk.ask("test", f"c{n}", command) for n, command in enumerate(commands)]
    left = desk.state
    await desk.stop()
    again: Desk[Any] = Desk(kind, store, at.clock)
    await again.start()
    assert again.state == left
    repeated = [await again.ask("test", f"c{n}", command) for n, command in enumerate(commands)]
    assert repeated == answers
    assert again.state == left
    await again.stop()


async def test_a_failed_login_is_refused_and_durable_all_the_same(at: Place) -> None:
    """The event is in the journal before the refusal is heard."""
    store = await at.open()
    desk = Desk(staff_desk(), store, at.clock)
    await desk.start()
    assert isinstance(await desk.ask("test", "add", ADD), Done)
    answer = await desk.ask("test", "login", WRONG)
    assert isinstance(answer, Refusal)
    assert answer.code is RefusalCode.LOGIN_FAILED
    types = [event.type async for event in store.events("staff")]
    assert types == ["DeskTaken", "StaffAdded", "PasswordSet", "LoginFailed"]
    await desk.stop()
