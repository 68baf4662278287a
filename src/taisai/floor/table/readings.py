"""A second reading of the dice, by a camera or the tumbler's own sensor, held against the dealer's.

No rulebook knows of it, so it is house procedure. It never makes a result: the dealer, who has not been shown
the reading, declares the roll. Where the two differ nothing is declared and a supervisor is called, who looks
at the dice; a supervisor's word stands whatever the device says.
"""

from typing import TYPE_CHECKING

from taisai.floor.desks.kind import Outcome
from taisai.floor.permits import not_permitted
from taisai.floor.table.messages import CallSupervisor, DiceRead, ReadDice, SupervisorCalled
from taisai.game import commands as cmd
from taisai.game.acts import WHERE_IT_STANDS, Phase
from taisai.game.people import Role
from taisai.game.refusals import Refusal, RefusalCode

if TYPE_CHECKING:
    from taisai.floor.table.state import TableState


def read_dice(table: "TableState", command: ReadDice) -> Outcome:
    """Put a reading on the record; it counts from the closing until the roll is declared."""
    refusal = _too_soon_or_late(table, command)
    if refusal:
        return refusal
    return table.done(
        [
            DiceRead(
                by=command.by,
                at=command.at,
                round=command.round,
                roll=command.roll,
                source=command.source,
            )
        ],
        [],
    )


def call_supervisor(table: "TableState", command: CallSupervisor) -> Outcome:
    """Put the difference on the record, once for what the dealer saw."""
    refusal = _too_soon_or_late(table, command)
    if refusal:
        return refusal
    reading = reading_of(table)
    if reading is None or reading.roll.called() == command.declared.called():
        return table.refuse(RefusalCode.NOTHING_CHANGES)
    called = SupervisorCalled(
        by=command.by,
        at=command.at,
        round=command.round,
        declared=command.declared,
        read=reading.roll,
        source=reading.source,
    )
    return table.done([called], [])


def reading_of(table: "TableState") -> DiceRead | None:
    """The reading of the round in play."""
    return table.reading if table.reading and table.reading.round == table.number else None


def standing_call(table: "TableState") -> SupervisorCalled | None:
    """The call that a supervisor has not answered yet: the roll is still not declared."""
    called, state = table.called, table.current
    if called is None or state is None or called.round != table.number:
        return None
    return called if state.standing is Phase.CLOSED else None


def reading_differs(table: "TableState", command: cmd.AnyCommand) -> Refusal | None:
    """Whether a roll that is declared is not the one that was read; a supervisor's word stands."""
    reading = reading_of(table)
    if reading is None or not isinstance(command, cmd.DeclareRoll):
        return None
    if reading.roll.called() == command.roll.called() or command.by.is_at_least(Role.PIT_SUPERVISOR):
        return None
    return table.refuse(RefusalCode.READING_DIFFERS, declared=str(command.roll), read=str(reading.roll))


def _too_soon_or_late(table: "TableState", command: ReadDice | CallSupervisor) -> Refusal | None:
    state, refusal = table.current, not_permitted(command)
    if refusal:
        return refusal
    if state is None or command.round != table.number:
        return table.refuse(RefusalCode.ROUND_UNKNOWN, round=command.round)
    if state.standing is not Phase.CLOSED:
        return table.refuse(WHERE_IT_STANDS[state.standing], act="read the dice", phase=str(state.standing))
    return None
