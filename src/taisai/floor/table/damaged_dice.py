"""Damaged dice: one report voids every round that it names, and says which were void before."""

from typing import TYPE_CHECKING, Any, Final

import msgspec

from taisai.floor.desks.kind import Acted, Outcome
from taisai.floor.table.messages import Accepted, InRound, RoundEvent
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.decide import decide
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger import numbered

if TYPE_CHECKING:
    from taisai.floor.table.state import TableState

# Each round's report names all of them, and all become durable in one commit.
ROUNDS_AT_ONCE_MAX: Final = 1_000


def rounds_of(command: object) -> list[int]:
    """The rounds that a report speaks of, in their order; none for any other command."""
    if isinstance(command, InRound) and isinstance(command.command, cmd.ReportDamagedDice):
        return sorted(set(command.command.rounds))[:ROUNDS_AT_ONCE_MAX]
    return []


def report_damaged_dice(table: "TableState", command: InRound, act_id: str) -> Outcome:
    """Void all rounds of a report or none: one that cannot be voided refuses the whole of it."""
    asked, numbers = command.command, rounds_of(command)
    if not isinstance(asked, cmd.ReportDamagedDice) or not numbers:
        return table.refuse(RefusalCode.ROUND_UNKNOWN, round=command.round)
    if len(set(asked.rounds)) > ROUNDS_AT_ONCE_MAX:
        return table.refuse(RefusalCode.TOO_MANY_ROUNDS, rounds=len(asked.rounds), limit=ROUNDS_AT_ONCE_MAX)
    asked = msgspec.structs.replace(asked, rounds=numbers)
    skipped = [number for number in numbers if _is_void(table, number)]
    decided: dict[int, list[Any]] = {}
    for number in numbers:
        state = table.rounds.get(number)
        if state is None:
            return table.refuse(RefusalCode.ROUND_UNKNOWN, round=number)
        if number in skipped and len(skipped) < len(numbers):
            continue
        decision = decide(state, asked)
        if isinstance(decision, Refusal):
            return msgspec.structs.replace(decision, facts={"round": number, **decision.facts})
        decided[number] = decision
    next_id, transfers, happened = numbered(act_id), [], []
    for number, decision in decided.items():
        transfers += table.enter_round(number, decision, asked.at, next_id)
        happened += [RoundEvent(round=number, event=event) for event in decision]
    names = [type(event.event).__name__ for event in happened]
    answer = Accepted(happened=names, round=numbers[-1], rounds=list(decided), skipped=skipped)
    return Acted(happened, transfers, answer)


def _is_void(table: "TableState", number: int) -> bool:
    state = table.rounds.get(number)
    return state is not None and state.phase is Phase.VOID
