"""Bugs on demand: commands that break a desk's state machine at a chosen point, as a bug of ours would."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal

import msgspec

from taisai.adapters.clock import ManualClock
from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.errors import InvariantBroken
from taisai.floor.desks.kind import Acted, DeskKind
from taisai.record.journal import Batch, Committed
from taisai.record.ports import Store
from tests.record import SIGNER, START

Point = Literal["prepared", "before", "half", "after", "answer", "event", "store"]
POINTS: tuple[Point, ...] = ("prepared", "before", "half", "after", "answer", "event", "store")
ERRORS: tuple[type[Exception], ...] = (
    InvariantBroken,
    KeyError,
    ZeroDivisionError,
    RecursionError,
    TypeError,
)
EVIL = "evil"  # how the ids of commands begin that the store breaks over


class Saboteur:
    """Arms commands, and wires a desk's kind so that an armed one raises at its point."""

    def __init__(self) -> None:
        self._armed: dict[int, tuple[Any, Point, Exception]] = {}

    def arm(self, command: Any, point: Point, error: type[Exception]) -> Any:
        """A copy of a command that will break the desk."""
        evil = msgspec.structs.replace(command)
        self._armed[id(evil)] = (evil, point, error("a bug of ours"))
        return evil

    def _at(self, command: Any, *points: Point) -> Exception | None:
        _, point, error = self._armed.get(id(command), (None, None, None))
        return error if point in points else None

    def wire(self, kind: DeskKind[Any]) -> DeskKind[Any]:
        """The same kind of desk, with the bugs in it."""

        def fresh() -> Any:
            return self._sabotaged(kind.fresh())

        def prepare(store: Store, state: Any, command: Any) -> Awaitable[None] | None:
            if error := self._at(command, "prepared"):
                raise error
            return kind.prepare(store, state, command) if kind.prepare else None

        return msgspec.structs.replace(kind, fresh=fresh, prepare=prepare, memory=None)

    def _sabotaged(self, state: Any) -> Any:
        act = state.act

        def sabotaged(command: Any, act_id: str) -> Any:
            if error := self._at(command, "before"):
                raise error
            if error := self._at(command, "half"):
                _break_after_one_event(state, error)
            outcome = act(command, act_id)
            if error := self._at(command, "after", "half"):
                raise error
            if self._at(command, "answer"):
                return Acted([], [], object())
            if self._at(command, "event"):
                return Acted([object()], [], None)
            return outcome

        state.act = sabotaged
        return state


def _break_after_one_event(state: Any, error: Exception) -> None:
    evolve: Callable[[Any], None] = state.evolve

    def broken(event: Any) -> None:
        evolve(event)
        raise error

    state.evolve = broken


class Suspicious(MemoryStore):
    """A store that meets a bug of its own over commands with a certain sort of id."""

    def __init__(self, disk: MemoryDisk) -> None:
        super().__init__(disk, writer="main", signer=SIGNER, clock=ManualClock(START))

    async def append(self, batch: Batch) -> Committed:
        if any(answer.id.startswith(f"{EVIL}.store") for answer in batch.answers):
            raise InvariantBroken("a statement that no store takes")
        return await super().append(batch)
