"""What the door answers: the answers are told apart, and one that waits says for what and how long."""

from datetime import timedelta

import msgspec
import pytest

from taisai.floor.approvals.asked import PitAct
from taisai.floor.cage import CageAnswer
from taisai.floor.desks.decider import Done
from taisai.floor.door.answers import Answer, Waiting
from taisai.floor.pit.messages import FillTable
from taisai.floor.table.messages import Accepted
from taisai.game.refusals import Refusal
from tests.floor.houses import START, SUPERVISOR, SmallHouse, live


def test_an_act_is_accepted_done_put_off_or_refused() -> None:
    """There is no sixth answer that somebody would have to expect."""
    assert set(Answer.__args__) == {Accepted, Done, CageAnswer, Waiting, Refusal}


def test_a_wait_names_its_request_and_its_end() -> None:
    """It is what it was when it is read again, and neither half may be left out."""
    waiting = Waiting(approval="a.1", expires_at=START)
    raw = msgspec.json.encode(waiting)
    assert raw == b'{"type":"Waiting","approval":"a.1","expires_at":"2026-05-04T20:00:00Z"}'
    assert msgspec.json.decode(raw, type=Waiting) == waiting
    for half in (b'{"approval":"a.1"}', b'{"expires_at":"2026-05-04T20:00:00Z"}', b"{}"):
        with pytest.raises(msgspec.ValidationError, match="missing required field"):
            msgspec.json.decode(half, type=Waiting)


async def test_the_wait_that_is_told_is_the_request_that_is_kept() -> None:
    """Its end is as far away as the house gives the second person."""
    async with SmallHouse(live()).open() as house:
        fill = FillTable(by=SUPERVISOR, at=house.now(), table="T1", amount=100)
        answer = await house.do(PitAct(fill), SUPERVISOR, "fill")
        (request,) = house.approvals.state.waiting(house.now())
        minutes = timedelta(minutes=house.approvals.state.minutes)
        assert answer == Waiting(approval=request.id, expires_at=START + minutes)
