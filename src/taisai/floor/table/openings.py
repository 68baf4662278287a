"""How a round of a table begins and how its dice are drawn, with what proves that nobody chose them."""

from typing import TYPE_CHECKING

import msgspec

from taisai.errors import InvariantBroken
from taisai.floor.desks.kind import Outcome
from taisai.floor.permits import not_permitted
from taisai.floor.table.changes import changed_first
from taisai.floor.table.messages import DiceDrawn, DiceSealed, RecordDraw, RoundEvent, StartRound, WindowSet
from taisai.floor.table.notary import RoundNotary
from taisai.floor.table.timing import Timing
from taisai.game import commands as cmd
from taisai.game.acts import Act
from taisai.game.decide import decide
from taisai.game.people import Role
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.game.state import RoundState

if TYPE_CHECKING:
    from taisai.floor.table.state import TableState

_OPENINGS_KEPT = 64


def start_round(table: "TableState", command: StartRound, act_id: str) -> Outcome:
    """The next round, under the settings that stand; a secret of dice is kept sealed from here on."""
    if table.settings is None or table.closed:
        return table.refuse(RefusalCode.TABLE_CLOSED)
    if table.in_play and table.current:
        refusal = table.current.refuse_act(Act.OPEN_BETTING)
        if refusal:
            return msgspec.structs.replace(refusal, facts={**refusal.facts, "round": table.number})
    changed = changed_first(table, command.at)
    settings = changed[0].settings if changed else table.settings
    timing = settings.timing
    if table.window and command.at < timing.may_open_at(table.window.opens_at, command.at):
        return table.refuse(RefusalCode.ROUND_TOO_SOON, seconds=timing.round_seconds_min)
    number = table.number + 1
    if command.commitment and command.number != number:
        return table.refuse(RefusalCode.ROUND_UNKNOWN, round=command.number)
    rulebook, pay_table = table.find_rules(settings.pay_table)
    opening = cmd.OpenBetting(
        by=command.by,
        at=command.at,
        table=table.name,
        number=number,
        rulebook=rulebook.id,
        rulebook_digest=rulebook.digest,
        pay_table=pay_table.id,
        pay_table_digest=pay_table.digest,
        limits=settings.limits,
        dice_set=command.dice_set,
        commitment=command.commitment,
    )
    decision = decide(RoundState(rulebook, pay_table), opening)
    if isinstance(decision, Refusal):
        return decision
    _note_opening(table, number, act_id, len(changed))
    opened = [RoundEvent(round=number, event=event) for event in decision]
    return table.done([*changed, *opened, *_with(command, number, timing)], [])


def _with(command: StartRound, number: int, timing: Timing) -> list[DiceSealed | WindowSet]:
    """What goes with an opening: the sealed secret, and until when bets are taken."""
    by, at = command.by, command.at
    window = WindowSet(by=by, at=at, round=number, opens_at=at, closes_at=timing.closes_at(at))
    if not command.sealed:
        return [window]
    return [DiceSealed(by=by, at=at, round=number, sealed=command.sealed), window]


def _note_opening(table: "TableState", number: int, act_id: str, before: int) -> None:
    """An act's id ends with the version of its first event; some may come before the opening."""
    table.openings[number] = int(act_id.rpartition(".")[2]) + before
    while len(table.openings) > _OPENINGS_KEPT:
        del table.openings[next(iter(table.openings))]


def record_draw(table: "TableState", command: RecordDraw) -> Outcome:
    """Dice are drawn once, after the closing, and stand on the record before anyone sees them."""
    state, refusal = table.current, not_permitted(command)
    if refusal:
        return refusal
    if state is None or command.round != table.number:
        return table.refuse(RefusalCode.ROUND_UNKNOWN, round=command.round)
    refusal = state.refuse_act(Act.DECLARE)
    if refusal:
        return refusal
    if table.draw and table.draw.round == command.round:
        return table.refuse(RefusalCode.ALREADY_TUMBLED)
    drawn = ""
    if command.roll is None:
        if not isinstance(state.notary, RoundNotary) or not state.commitment:
            raise InvariantBroken(
                f"{table.name}/{command.round} has no secret that its dice could follow from"
            )
        drawn = state.notary.drawn(state, bytes.fromhex(command.share)).hex()
    event = DiceDrawn(
        by=command.by,
        at=command.at,
        round=command.round,
        roll=command.roll,
        source=command.source,
        drawn=drawn,
        share=command.share,
    )
    return table.done([event], [])


def undeclarable(state: RoundState, command: object) -> Refusal | None:
    """Dice that were committed to are nobody's to declare but the system's, and it declares no others."""
    if not isinstance(command, cmd.DeclareRoll) or not state.commitment:
        return None
    if command.by.role is not Role.SYSTEM:
        facts = {"act": str(Act.DECLARE), "least": str(Role.SYSTEM), "role": str(command.by.role)}
        return by_house(RefusalCode.ROLE_NOT_ALLOWED, **facts)
    if isinstance(state.notary, RoundNotary) and command.roll != state.notary.dice(state):
        raise InvariantBroken(f"{state.table}/{state.number}: these are not the dice that were committed to")
    return None
