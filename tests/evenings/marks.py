"""Marks: what an evening reached, so that what none of thousands reaches is seen."""

from collections.abc import Callable
from typing import Any

from taisai.floor.table import damaged_dice
from taisai.floor.table import state as table_state
from taisai.game.decide import act_of
from taisai.game.refusals import Refusal
from taisai.server.http.guard import Gate


class Marks:
    """Rows of words: a kind first, then what was reached."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, ...], None] = {}

    def add(self, *row: str) -> None:
        self._rows[row] = None

    def rows(self) -> list[list[str]]:
        return [list(row) for row in sorted(self._rows)]

    def follow_decisions(self) -> Callable[[], None]:
        """Mark each act of a round with its phase and outcome, and each address. Returns the way back."""
        decide = table_state.decide

        def marked(state: Any, command: Any) -> Any:
            standing = str(state.standing)
            decision = decide(state, command)
            outcome = str(decision.code) if isinstance(decision, Refusal) else "taken"
            self.add("act", str(act_of(command)), standing, outcome)
            return decision

        check = Gate.check

        def watched(gate: Gate, connection: Any, handler: Any) -> None:
            self.add("route", handler.handler_name)
            check(gate, connection, handler)

        table_state.decide = damaged_dice.decide = marked
        Gate.check = watched

        def undo() -> None:
            table_state.decide = damaged_dice.decide = decide
            Gate.check = check

        return undo
