"""What the tests of the house share: people, times, and running a state machine with its events checked."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from taisai.floor.desks.decider import MoneylessState
from taisai.floor.desks.kind import Acted
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode

START = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ROOT = Actor("root", Role.ADMINISTRATOR)
SYSTEM = Actor("console", Role.SYSTEM)
DEALER = Actor("dora", Role.DEALER)
OTHER_DEALER = Actor("dan", Role.DEALER)
SUPERVISOR = Actor("sue", Role.PIT_SUPERVISOR)
PIT_MANAGER = Actor("paul", Role.PIT_MANAGER)
SHIFT_MANAGER = Actor("mia", Role.SHIFT_MANAGER)
CASHIER = Actor("carl", Role.CASHIER)
AUDITOR = Actor("aude", Role.AUDITOR)


def minutes(count: float) -> datetime:
    """So many minutes after the start."""
    return START + timedelta(minutes=count)


class Run:
    """A state machine beside its stream: after every act a state made from the stream alone is the same."""

    def __init__(self, state: MoneylessState, events: Any, fresh: Any) -> None:
        self.state: Any = state
        self.stream: list[bytes] = []
        self._decode = msgspec.json.Decoder(events).decode
        self._fresh = fresh
        self._acts = 0

    def ask(self, command: Any) -> Any:
        """The answer: `Done`, or a refusal."""
        self._acts += 1
        outcome = self.state.act(command, f"act.{self._acts}")
        if isinstance(outcome, Refusal):
            return outcome
        assert isinstance(outcome, Acted)
        assert outcome.transfers == []
        self.stream += [msgspec.json.encode(event) for event in outcome.events]
        return outcome.answer

    def do(self, command: Any) -> Any:
        """Ask for what must be done."""
        answer = self.ask(command)
        assert not isinstance(answer, Refusal), answer
        return answer

    def refused(self, command: Any) -> RefusalCode:
        """Ask for what must be refused, and return why."""
        answer = self.ask(command)
        assert isinstance(answer, Refusal), answer
        return answer.code

    def replayed(self) -> Any:
        """The state as a restart finds it."""
        state = self._fresh()
        for body in self.stream:
            state.evolve(self._decode(body))
        return state

    def events(self) -> list[Any]:
        return [self._decode(body) for body in self.stream]
