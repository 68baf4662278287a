"""State machines that move no money: staff, approvals, players, the pit's day.

Each decides a command into events, or refuses it. An attempt that is refused and yet belongs on the record,
such as a failed login, is `Noted`: its events become durable and the answer is the refusal.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

import msgspec

from taisai.floor.desks.kind import Acted, Outcome
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, by_house
from taisai.game.two_people import lacking
from taisai.ledger import Book

# The house itself, where nobody else acts.
SYSTEM: Final = Actor("house", Role.SYSTEM)


def sender_name(by: Actor) -> str:
    """In whose name the ids of somebody's acts are on the record, so that those of two senders never meet."""
    role = by.role
    if role is Role.PLAYER:
        return f"terminal:{by.name}"
    return by.name if role is Role.SYSTEM else f"staff:{by.name}"


class HouseCommand(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """Something asked of the house outside of its tables. `v` is the version of its form."""

    by: Actor
    at: datetime
    v: Literal[1] = 1


class HouseEvent(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """Something that happened in the house outside of its tables."""

    by: Actor
    at: datetime
    v: Literal[1] = 1


class Done(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """The answer to a command that was done: what happened, in names, and the id of what it made."""

    happened: list[str]
    id: str = ""


class Noted(NamedTuple):
    """A refusal with events that go on the record all the same."""

    events: Sequence[HouseEvent]
    refusal: Refusal


class Made(NamedTuple):
    """Events, and the id of what they made."""

    events: Sequence[HouseEvent]
    id: str


Decision = Sequence[HouseEvent] | Made | Noted | Refusal


def two_people(
    by: Actor,
    second: Actor | None,
    *,
    least: Role,
    reason: str | None = None,
    also: frozenset[Role] = frozenset(),
    seconds: frozenset[Role] = frozenset(),
) -> Refusal | None:
    """Why an act is not two people's by house procedure, or none."""
    lack = lacking(by, second, least=least, reason=reason, also=also, seconds=seconds)
    return by_house(lack.code, **lack.facts) if lack else None


@dataclass
class MoneylessState:
    """What a desk runs: `decide` says what follows from a command, `evolve` applies one event."""

    book: Book = field(default_factory=Book, init=False, repr=False, compare=False)

    def owned_accounts(self) -> list[str]:
        return []

    def decide(self, command: Any, act_id: str) -> Decision:
        """What follows from a command. It changes nothing."""
        raise TypeError(f"no such command: {type(command).__name__}")

    def evolve(self, event: Any) -> None:
        """Apply one event of the stream."""
        raise TypeError(f"no such event: {type(event).__name__}")

    def act(self, command: Any, act_id: str) -> Outcome:
        """Decide and apply. `act_id` is unique for the stream."""
        decision = self.decide(command, act_id)
        if isinstance(decision, Refusal):
            return decision
        made = ""
        answer: Done | Refusal | None = None
        match decision:
            case Noted(events, refusal):
                answer = refusal
            case Made(events, made):
                pass
            case _:
                events = decision
        for event in events:
            self.evolve(event)
        return Acted(
            list(events), [], answer or Done(happened=[type(event).__name__ for event in events], id=made)
        )
