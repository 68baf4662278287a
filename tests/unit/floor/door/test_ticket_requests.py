"""What is said at once against a request about a ticket, before a second person is troubled with it."""

from datetime import timedelta
from typing import Any

from taisai.floor.approvals.asked import AskedAct, CageAct, PitAct
from taisai.floor.cage import CloseDrawer, OpenDrawer, PrintTicket, RedeemTicket, SellTicket, VoidTicket
from taisai.floor.door.ticket_requests import before_ticket
from taisai.floor.house import House
from taisai.floor.pit.messages import CloseDay
from taisai.game.people import Actor, Role
from taisai.game.refusals import RefusalCode
from tests.floor.houses import START, SUPERVISOR, SmallHouse, cluster

KIM, LEO = Actor("kim", Role.CASHIER), Actor("leo", Role.CASHIER)
LATE = START + timedelta(days=10_000)


async def sold(house: House, amount: int = 500) -> str:
    """A ticket from Kim's drawer; its name."""
    await house.do(CageAct(OpenDrawer(by=KIM, at=house.now(), float_minor=1_000)), KIM, "open")
    number = house.tickets.to_issue(house.tickets.for_request(KIM, "sold"))
    sale = SellTicket(by=KIM, at=house.now(), amount=amount, ticket=number)
    await house.do(CageAct(sale), KIM, "sold")
    return number.name


async def said(house: House, kind: Any, ticket: str, **more: Any) -> RefusalCode | None:
    fields = {"by": KIM, "at": START, "ticket": ticket, **more}
    if kind is VoidTicket:
        fields |= {"second": None, "reason": "torn"}
    refusal = await before_ticket(house, CageAct(kind(**fields)))
    return refusal.code if refusal else None


async def test_a_valid_ticket_may_be_asked_for_in_every_way() -> None:
    """Nothing is said against it; paying it takes an open drawer."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        ticket = await sold(house)
        for kind in (RedeemTicket, PrintTicket, VoidTicket):
            assert await said(house, kind, ticket) is None
        assert await said(house, RedeemTicket, ticket, by=LEO) is RefusalCode.DRAWER_NOT_OPEN
        assert await said(house, PrintTicket, ticket, by=LEO) is None


async def test_a_ticket_that_is_not_there_or_was_paid_is_refused_in_every_way() -> None:
    """A second person could not make it good."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        ticket = await sold(house)
        await house.do(CageAct(RedeemTicket(by=KIM, at=house.now(), ticket=ticket)), KIM, "paid")
        for kind in (RedeemTicket, PrintTicket, VoidTicket):
            assert await said(house, kind, "nothing") is RefusalCode.TICKET_UNKNOWN
            assert await said(house, kind, ticket) is RefusalCode.TICKET_REDEEMED


async def test_an_expired_ticket_can_only_be_made_void() -> None:
    """Two people may put another in its place; it is neither paid nor printed."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        ticket = await sold(house)
        assert await said(house, RedeemTicket, ticket, at=LATE) is RefusalCode.TICKET_EXPIRED
        assert await said(house, PrintTicket, ticket, at=LATE) is RefusalCode.TICKET_EXPIRED
        assert await said(house, VoidTicket, ticket, at=LATE) is None


async def test_other_acts_are_none_of_its_business() -> None:
    """At the cage and elsewhere."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        acts: list[AskedAct] = [
            CageAct(CloseDrawer(by=KIM, at=START, counted_minor=0)),
            PitAct(CloseDay(by=SUPERVISOR, at=START)),
        ]
        for act in acts:
            assert await before_ticket(house, act) is None
