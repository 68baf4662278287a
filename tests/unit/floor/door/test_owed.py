"""Decisions on debts and unclaimed money: through whose drawer the cash goes, and who must be seen."""

from typing import Any

import msgspec
import pytest

from taisai.floor.approvals.asked import CageAct, TableAct
from taisai.floor.approvals.messages import RequestApproval
from taisai.floor.cage import OpenDrawer
from taisai.floor.door.owed import Decision, before_asking, drawer_move
from taisai.floor.house import House
from taisai.floor.identity import CagePolicy, Identity
from taisai.floor.table.messages import CollectOwed, LeaveTable, PayUnclaimed
from taisai.game.people import Actor
from taisai.game.refusals import Refusal, RefusalCode
from tests.floor.houses import DEALER, START, SmallHouse, live
from tests.unit.house import CASHIER

SEEN = Identity(document="passport", last="123X")


def collect(by: Actor = CASHIER, **more: Any) -> CollectOwed:
    return CollectOwed(by=by, at=START, player="ann@T1", amount=100, **more)


def pay(by: Actor = CASHIER, **more: Any) -> PayUnclaimed:
    return PayUnclaimed(by=by, at=START, player="ann@T1", **{"amount": 100, **more})


def asking(house: House, command: Any) -> Any:
    """What becomes of a request: the command with its drawer, a refusal, or nothing."""
    asked = RequestApproval(by=command.by, at=START, asked=TableAct("T1", command), reason="so agreed")
    found = before_asking(house, asked)
    return found.asked.command if isinstance(found, RequestApproval) else found


async def test_a_cashiers_cash_needs_an_open_drawer_and_goes_through_it() -> None:
    """Waiving, or taking credit, moves no cash; a dealer's cash is the table's."""
    async with SmallHouse(live()).open(dealing=False) as house:
        for command in (collect(), pay()):
            refused = asking(house, command)
            assert isinstance(refused, Refusal)
            assert refused.code is RefusalCode.DRAWER_NOT_OPEN
        assert asking(house, collect(waive=True)) == collect(waive=True)
        await house.do(CageAct(OpenDrawer(by=CASHIER, at=house.now(), float_minor=0)), CASHIER, "open")
        for command in (collect(), pay()):
            assert asking(house, command) == msgspec.structs.replace(command, drawer=CASHIER.name)
        for command in (collect(source="credit"), collect(waive=True), collect(DEALER), pay(DEALER)):
            assert asking(house, command).drawer is None


async def test_nobody_names_somebody_elses_drawer() -> None:
    """Whatever a request says of drawers, the house says it anew; other acts are left alone."""
    async with SmallHouse(live()).open(dealing=False) as house:
        assert asking(house, pay(DEALER, drawer=CASHIER.name)) == pay(DEALER)
        assert asking(house, LeaveTable(by=DEALER, at=START, player="ann@T1")) is None


@pytest.mark.parametrize(("amount", "identity", "asked"), [(99, None, 0), (100, None, 1), (100, SEEN, 0)])
async def test_from_an_amount_on_a_payment_needs_a_document(
    amount: int, identity: Identity | None, asked: int
) -> None:
    """The amount itself is included."""
    small = SmallHouse(live())
    small.plan = msgspec.structs.replace(small.plan, cage=CagePolicy(identify_from_minor=100))
    async with small.open(dealing=False) as house:
        found = asking(house, pay(DEALER, amount=amount, identity=identity))
        codes = [found.code] if isinstance(found, Refusal) else []
        assert codes == [RefusalCode.IDENTITY_MISSING] * asked


@pytest.mark.parametrize(
    ("command", "moved"),
    [
        (collect(drawer="carl"), 100),
        (pay(drawer="carl"), -100),
        (collect(drawer="carl", waive=True), None),
        (collect(drawer="carl", source="credit"), None),
        (pay(), None),
    ],
)
def test_a_drawer_moves_by_the_cash_of_a_decision(command: Decision, moved: int | None) -> None:
    """In when it is collected, out when it is paid, and not at all where no cash moved."""
    move = drawer_move(TableAct("T1", command))
    assert (move and (move.drawer, move.amount, move.player)) == (moved and ("carl", moved, "ann@T1"))
    assert drawer_move(CageAct(OpenDrawer(by=CASHIER, at=START, float_minor=0))) is None
