"""Acts that take two people: whether one waits, what is asked, and that it is done once."""

from datetime import timedelta

import pytest

from taisai.errors import InvariantBroken
from taisai.floor.approvals.asked import CageAct, PitAct, TableAct
from taisai.floor.approvals.messages import RequestApproval
from taisai.floor.cage import RedeemTicket
from taisai.floor.desks.decider import SYSTEM, Done
from taisai.floor.door.answers import Waiting
from taisai.floor.door.second import (
    carry_out_agreed,
    carry_out_what_is_left,
    expire_requests,
    of_this_round,
    request_for,
    waiting_for,
    waits,
)
from taisai.floor.house import House
from taisai.floor.pit.messages import FillTable, PutInDice
from taisai.floor.table.messages import InRound
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from taisai.rulebooks.model import Ground
from tests.floor.houses import (
    DEALER,
    MANAGER,
    START,
    SUPERVISOR,
    SmallHouse,
    decide_request,
    live,
    start_round,
)

KIM = Actor("kim", Role.CASHIER)


def fill(by: Actor = SUPERVISOR, second: Actor | None = None) -> PitAct:
    return PitAct(FillTable(by=by, at=START, table="T1", amount=100, second=second))


def ruling(number: int | None = None) -> TableAct:
    void = cmd.VoidRound(by=DEALER, at=START, ground=Ground.EXPOSED_EARLY, reason="seen")
    return TableAct("T1", InRound(by=DEALER, at=START, command=void, round=number))


async def asked_to_fill(house: House) -> Waiting:
    answer = await house.do(fill(), SUPERVISOR, "fill")
    assert isinstance(answer, Waiting)
    return answer


async def test_an_act_waits_until_a_second_person_is_named_in_it() -> None:
    """What one may do alone never waits, nor does what the house does; a ticket waits by its amount."""
    async with SmallHouse(live()).open() as house:
        assert waits(house, fill())
        assert not waits(house, fill(second=MANAGER))
        assert not waits(house, fill(SYSTEM))
        assert not waits(house, PitAct(PutInDice(by=SUPERVISOR, at=START, table="T1", dice_set="red")))
        for amount, expected in ((None, False), (0, True), (500, True)):
            paid = RedeemTicket(by=KIM, at=START, ticket="n", amount=amount)
            assert waits(house, CageAct(paid)) is expected


async def test_a_void_before_the_dice_are_seen_is_one_persons_word() -> None:
    """Without a round there is nothing to wait for: the table refuses it at once."""
    async with SmallHouse(live()).open() as house:
        assert not waits(house, ruling())
        await start_round(house, "T1")
        assert not waits(house, ruling())
        assert not waits(house, ruling(9))


async def test_a_request_is_pinned_to_the_round_in_play() -> None:
    """One that names its round stays as it is, and so does what is no act of a round."""
    async with SmallHouse(live()).open() as house:
        await start_round(house, "T1")
        asked = request_for(ruling()).command
        assert isinstance(asked, RequestApproval)
        assert (asked.by, asked.reason, asked.asked) == (DEALER, "seen", ruling())
        pinned = of_this_round(house, asked)
        assert pinned is not None
        assert pinned.asked == ruling(1)
        assert of_this_round(house, pinned) is None
        filling = request_for(fill()).command
        assert isinstance(filling, RequestApproval)
        assert filling.reason == "FillTable"
        assert of_this_round(house, filling) is None


async def test_what_two_agreed_to_is_done_once() -> None:
    """Agreed twice, and left over from a crash: the answer is the first one, the float moves once."""
    small = SmallHouse(live())
    async with small.open() as house:
        waiting = await asked_to_fill(house)
        first = await decide_request(house, waiting.approval, approve=True, by=MANAGER, key="yes")
        before = [await house.store.head(stream) for stream in ("pit", "approvals")]
        await small.pass_time(1)
        assert await carry_out_agreed(house, waiting.approval) == first
        await carry_out_what_is_left(house)
        assert [await house.store.head(stream) for stream in ("pit", "approvals")] == before
        with pytest.raises(InvariantBroken, match="the request nothing was approved and is not there"):
            await carry_out_agreed(house, "nothing")


async def test_a_request_that_nobody_decided_ends_at_its_time() -> None:
    """Not a moment earlier; then it is closed, and only once."""
    small = SmallHouse(live())
    async with small.open(dealing=False) as house:
        waiting = await asked_to_fill(house)
        small.clock.move(waiting.expires_at - timedelta(seconds=1))
        await expire_requests(house)
        assert [each.id for each in house.approvals.state.requests.values()] == [waiting.approval]
        small.clock.move(waiting.expires_at)
        await expire_requests(house)
        assert list(house.approvals.state.requests) == []
        closed = await house.store.head("approvals")
        await expire_requests(house)
        assert await house.store.head("approvals") == closed
        late = await decide_request(house, waiting.approval, approve=True, by=MANAGER, key="late")
        assert isinstance(late, Refusal)


async def test_whoever_asked_is_told_what_is_remembered() -> None:
    """A request that is no longer known gives the plain answer."""
    async with SmallHouse(live()).open() as house:
        waiting = await asked_to_fill(house)
        assert waiting_for(house, Done(happened=[], id=waiting.approval)) == waiting
        forgotten = Done(happened=["ApprovalRequested"], id="long-ago")
        assert waiting_for(house, forgotten) == forgotten
