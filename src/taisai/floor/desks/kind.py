"""What a desk asks of the state machine it runs, what it gets back, and how that stands in the journal."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from taisai.game.refusals import Refusal
from taisai.ledger import Book, Transfer
from taisai.record.journal import NewEvent, StreamEvents
from taisai.record.ports import Store

_encode = msgspec.json.Encoder().encode


class Acted(msgspec.Struct, frozen=True, gc=False):
    """What a command brought about and is not durable yet.

    `also` are events for other streams, such as a ticket's, that must become durable in the same commit.
    `retold`: the one event says all of the answer, which was made from it.
    """

    events: list[Any]
    transfers: list[Transfer]
    answer: Any
    also: tuple[StreamEvents, ...] = ()
    retold: bool = False


Outcome = Acted | Refusal


class DeskState(Protocol):
    """A state machine that a desk runs. `act` decides and applies; a failed commit throws the state away."""

    @property
    def book(self) -> Book: ...

    def act(self, command: Any, act_id: str) -> Outcome: ...

    def evolve(self, event: Any) -> None: ...

    def owned_accounts(self) -> list[str]: ...


S = TypeVar("S", bound=DeskState)


class Memory(msgspec.Struct, Generic[S], frozen=True):
    """How a state is put into a checkpoint and taken out of it.

    `mark` is a number that grows, and none while a state is not at rest; two checkpoints are `apart` by it.
    """

    mark: Callable[[S], int | None]
    save: Callable[[S], bytes]
    load: Callable[[bytes], S]
    apart: int = 1


class DeskKind(msgspec.Struct, Generic[S], frozen=True):
    """One sort of desk: its stream, the types on it, a fresh state, and what to read before deciding.

    `prepare` gives nothing to wait for when the state has all that a command needs, as nearly always. `kept`
    says what the record keeps of a refusal, where that is more than the refusal itself, and `recall` brings
    what a state made again must know of answers, which are no events. `ends_commit` names the commands that
    must be durable before anything behind them is decided. `retold` makes an answer again from the event
    that says all of it, or gives none.
    """

    name: str
    stream: str
    events: Any
    answers: Any
    fresh: Callable[[], S]
    prepare: Callable[[Store, S, Any], Awaitable[None] | None] | None = None
    memory: Memory[S] | None = None
    kept: Callable[[S, Any, Refusal], Any] | None = None
    recall: Callable[[Store, S], Awaitable[None]] | None = None
    ends_commit: Callable[[Any], bool] | None = None
    retold: Callable[[Any], Any] | None = None

    def written(self, state: S, command: Any, outcome: Outcome) -> Any:
        """What the record keeps as the answer, where it is more than what is told."""
        if self.kept is None or not isinstance(outcome, Refusal):
            return None
        return self.kept(state, command, outcome)


class DeskTaken(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """A process became a stream's only writer; whoever wrote it before is fenced off by this event."""

    at: datetime
    epoch: int


class DeskHanded(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """A stream's writer ended as planned and left nothing undone; `to` is the process that was to go on."""

    at: datetime
    epoch: int
    to: str = ""


# What every desk's stream has beside its own events: who writes it.
OwnerEvent = DeskTaken | DeskHanded


def event_name(event: Any) -> str:
    """The name under which an event stands in the journal: that of the inner one where it is wrapped."""
    return type(getattr(event, "event", event)).__name__


def new_event(event: Any, at: int) -> NewEvent:
    return NewEvent(event_name(event), at, _encode(event))
