"""State machines that move no money: what is done, refused, or refused and noted all the same."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from taisai.floor.desks.decider import (
    Decision,
    Done,
    HouseCommand,
    HouseEvent,
    Made,
    MoneylessState,
    Noted,
    sender_name,
    two_people,
)
from taisai.floor.desks.kind import Acted
from taisai.game.people import Actor, Role
from taisai.game.refusals import RefusalCode, by_house
from tests.unit.house import DEALER, START, SUPERVISOR, SYSTEM

REFUSED = by_house(RefusalCode.DRAWER_NOT_OPEN, name="carl")


class Knocked(HouseEvent, frozen=True, kw_only=True):
    """Somebody was at the door."""


KNOCK = Knocked(by=SYSTEM, at=START)


@dataclass
class Porter(MoneylessState):
    """Decides what it is told to decide."""

    seen: list[Any] = field(default_factory=list)

    def decide(self, command: Any, act_id: str) -> Decision:
        found: Decision = command
        return found

    def evolve(self, event: Any) -> None:
        self.seen.append(event)


@pytest.mark.parametrize(
    ("decision", "answer", "seen"),
    [
        ([KNOCK, KNOCK], Done(happened=["Knocked", "Knocked"]), 2),
        ([], Done(happened=[]), 0),
        (Made([KNOCK], "k1"), Done(happened=["Knocked"], id="k1"), 1),
        (Noted([KNOCK], REFUSED), REFUSED, 1),
    ],
)
def test_what_is_decided_is_applied_and_answered(decision: Decision, answer: Any, seen: int) -> None:
    """A refusal that is noted is told as a refusal, and its events happen."""
    porter = Porter()
    assert porter.act(decision, "a1") == Acted([KNOCK] * seen, [], answer)
    assert porter.seen == [KNOCK] * seen


def test_a_plain_refusal_changes_nothing() -> None:
    """It is the whole outcome."""
    porter = Porter()
    assert porter.act(REFUSED, "a1") is REFUSED
    assert porter.seen == []


def test_what_no_state_machine_knows_is_a_bug_and_is_named() -> None:
    """A command as well as an event."""
    with pytest.raises(TypeError, match="no such command: HouseCommand"):
        MoneylessState().act(HouseCommand(by=SYSTEM, at=START), "a1")
    with pytest.raises(TypeError, match="no such event: Knocked"):
        MoneylessState().evolve(KNOCK)


def test_the_ids_of_two_senders_of_one_name_never_meet() -> None:
    """A player, a dealer and the house itself may all be called dora."""
    names = {role: sender_name(Actor("dora", role)) for role in (Role.PLAYER, Role.DEALER, Role.SYSTEM)}
    assert names == {Role.PLAYER: "terminal:dora", Role.DEALER: "staff:dora", Role.SYSTEM: "dora"}


def test_one_person_under_two_positions_is_not_two_people() -> None:
    """Nor is nobody a second person; two who may are asked nothing more."""
    codes = {None: RefusalCode.SECOND_PERSON_MISSING, "DORA": RefusalCode.SECOND_PERSON_IS_FIRST}
    for name, code in codes.items():
        second = Actor(name, Role.PIT_SUPERVISOR) if name else None
        refused = two_people(DEALER, second, least=Role.PIT_SUPERVISOR)
        assert refused is not None
        assert refused.code == code
    assert two_people(DEALER, SUPERVISOR, least=Role.PIT_SUPERVISOR) is None
