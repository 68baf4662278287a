"""Acts over the bus: an answer is given when whoever asked can read what it brought."""

from collections.abc import Mapping
from typing import Any

from taisai.adapters.bus import messages as msg
from taisai.adapters.bus.asking import BusAsking
from taisai.floor.approvals.asked import StaffAct
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.staff.messages import NoteMoneyPlay
from taisai.game.refusals import RefusalCode, by_house
from tests.floor.houses import START

ANSWER = by_house(RefusalCode.NOTHING_CHANGES)


class Link:
    """A bus on which an owner always answers the same."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        self.counts: list[str] = []

    def counted(self, what: str) -> None:
        self.counts.append(what)

    async def ask(self, subject: str, payload: bytes, seconds: float) -> bytes:
        self.asked.append(payload)
        return msg.pack(msg.AnswerMany((msg.pack_answer(ANSWER),), {"staff": 7}))


async def test_what_cannot_be_read_here_yet_is_asked_again_under_the_same_id() -> None:
    """Else somebody would be told of a bet together with the credit that they had before it."""
    link: Any = Link()
    seen: list[Mapping[str, int]] = []

    async def reached(versions: Mapping[str, int]) -> bool:
        seen.append(versions)
        return len(seen) > 1

    asking = BusAsking(link, ["staff"], reached=reached)
    answer = await asking.do(StaffAct(NoteMoneyPlay(by=SYSTEM, at=START)), SYSTEM, "one")
    await asking.close()
    assert answer == ANSWER
    assert seen == [{"staff": 7}] * 2
    assert link.asked[0] == link.asked[1]
    assert link.counts == ["no answer"]
