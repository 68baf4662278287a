"""Decides every act: events when the rules allow it, a Refusal with its clause when they do not.

Pure: no clock, no randomness, no I/O. A refused act changes nothing.
"""

from collections.abc import Callable
from typing import Any, Final

from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game import irregularities
from taisai.game.acts import ACTS, Act
from taisai.game.betting import (
    advise_minimum,
    close_betting,
    place_bets,
    record_absence,
    reject_excess,
    return_below_minimum,
)
from taisai.game.irregularities import takes_two
from taisai.game.limits import limits_faults
from taisai.game.people import Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.game.settling import settlement_events
from taisai.game.state import RoundState
from taisai.game.tumbling import activate, cover, declare, expose
from taisai.game.two_people import lacking
from taisai.rulebooks.model import HOUSE

Decision = list[ev.AnyEvent] | Refusal

ACT_OF: Final[dict[type, Act]] = {
    cmd.OpenBetting: Act.OPEN_BETTING,
    cmd.CloseBetting: Act.CLOSE_BETTING,
    cmd.CoverTumbler: Act.COVER,
    cmd.ActivateTumbler: Act.ACTIVATE,
    cmd.ExposeDice: Act.EXPOSE,
    cmd.DeclareRoll: Act.DECLARE,
    cmd.SettleBets: Act.SETTLE,
    cmd.ConcludeRound: Act.CONCLUDE,
    cmd.RejectExcess: Act.REJECT_EXCESS,
    cmd.AdviseMinimum: Act.ADVISE_MINIMUM,
    cmd.ReturnBelowMinimum: Act.RETURN_BELOW_MINIMUM,
    cmd.RecordWalkAway: Act.RECORD_WALK_AWAY,
    cmd.RecordCutOff: Act.RECORD_CUT_OFF,
    cmd.VoidRound: Act.VOID,
    cmd.ReportDamagedDice: Act.REPORT_DAMAGED_DICE,
    cmd.SuspendRound: Act.SUSPEND,
    cmd.InterruptRound: Act.INTERRUPT,
    cmd.ResumeRound: Act.RESUME,
    cmd.CorrectResult: Act.CORRECT_RESULT,
    cmd.CorrectBets: Act.CORRECT_BETS,
    cmd.RecordDisplayFault: Act.RECORD_DISPLAY_FAULT,
    cmd.MakeRuling: Act.RULE,
}


# No rulebook asks for a second person or a reason: that is the house's own procedure.
_HOUSE_CODES: Final = frozenset(
    {RefusalCode.SECOND_PERSON_MISSING, RefusalCode.SECOND_PERSON_IS_FIRST, RefusalCode.REASON_MISSING}
)


def act_of(command: cmd.AnyCommand) -> Act:
    """The act that a command asks for. Staff register what is on the felt, or place bets on behalf."""
    if isinstance(command, cmd.PlaceBets):
        if command.by.role is Role.PLAYER:
            return Act.PLACE_BETS
        return Act.PLACE_ON_BEHALF if command.on_request else Act.REGISTER_BETS
    return ACT_OF[type(command)]


def decide(state: RoundState, command: cmd.AnyCommand) -> Decision:
    """What follows from a command in this state."""
    act = act_of(command)
    refusal = state.refuse_act(act)
    if refusal is None and type(command) is cmd.MakeRuling:
        refusal = irregularities.ruling_out_of_place(state, command)
    if refusal is None:
        refusal = _check_people(state, act, command)
    if refusal is not None:
        return refusal
    return _HANDLERS[type(command)](state, command)


def would_refuse(state: RoundState, command: cmd.AnyCommand) -> Refusal | None:
    """The refusal that a command would meet now. To look at a large round must not take hashing all of it."""
    notary, state.notary = state.notary, None
    try:
        decision = decide(state, command)
    finally:
        state.notary = notary
    return decision if isinstance(decision, Refusal) else None


def _check_people(state: RoundState, act: Act, command: cmd.AnyCommand) -> Refusal | None:
    by = command.by
    if isinstance(command, cmd.PlaceBets) and by.role is Role.PLAYER and by.name == command.player:
        return None
    cite = state.rulebook.cite
    if isinstance(command, cmd.PlaceBets) and by.role is Role.PLAYER:
        # Only the player and, at a live table, pit employees touch a player's bets.
        clause = cite("place" if state.rulebook.electronic else "on_behalf")
        facts = {"act": str(act), "least": str(Role.DEALER), "name": by.name, "player": command.player}
        return Refusal(code=RefusalCode.ROLE_NOT_ALLOWED, clause=clause, facts=facts)
    rule = ACTS[act]

    def refuse(code: RefusalCode, **facts: Any) -> Refusal:
        # Who may act in which position is clause 1.5 where there is one; two people is the house's own rule.
        clause = cite("ruling" if act is Act.RULE else "acting_position")
        if code in _HOUSE_CODES:
            clause = HOUSE
        return Refusal(code=code, clause=clause, facts={"act": str(act), "least": str(rule.least), **facts})

    if by.role is Role.SYSTEM and rule.by_system:
        return None
    if isinstance(command, cmd.TwoPeople | cmd.OneOrTwo) and takes_two(state, command):
        least = rule.two_least or rule.least
        lack = lacking(by, command.second, least=least, reason=command.reason)
        return refuse(lack.code, **lack.facts) if lack else None
    if not by.is_at_least(rule.least):
        return refuse(RefusalCode.ROLE_NOT_ALLOWED, role=str(by.role))
    return None


def _open(state: RoundState, command: cmd.OpenBetting) -> Decision:
    rulebook, pay_table = state.rulebook, state.pay_table
    pinned = [
        ("rulebook", command.rulebook, rulebook.id),
        ("rulebook", command.rulebook_digest, rulebook.digest),
        ("pay table", command.pay_table, pay_table.id),
        ("pay table", command.pay_table_digest, pay_table.digest),
    ]
    for what, asked, here in pinned:
        if asked != here:
            facts = {"what": what, "asked": asked, "here": here}
            return state.refuse(RefusalCode.DIGEST_DIFFERS, "layout", **facts)
    faults = limits_faults(command.limits, rulebook, pay_table)
    if faults:
        return state.refuse(RefusalCode.LIMITS_INVALID, "limits_shown", faults=faults)
    if command.limits.unit % pay_table.unit:
        unit, needed = command.limits.unit, pay_table.unit
        return state.refuse(RefusalCode.UNIT_UNPAYABLE, "settle", unit=unit, needed=needed)
    return [
        ev.BettingOpened(
            by=command.by,
            at=command.at,
            clause=rulebook.cite("open"),
            table=command.table,
            number=command.number,
            rulebook=rulebook.id,
            rulebook_digest=rulebook.digest,
            pay_table=pay_table.id,
            pay_table_digest=pay_table.digest,
            limits=command.limits,
            dice_set=command.dice_set,
            lighter_side=state.lighter_side,
            commitment=command.commitment,
        )
    ]


def _settle(state: RoundState, command: cmd.SettleBets) -> Decision:
    return settlement_events(state, command.by, command.at, players_max=command.players_max)


def _conclude(state: RoundState, command: cmd.ConcludeRound) -> Decision:
    return [ev.RoundConcluded(by=command.by, at=command.at, clause=state.rulebook.cite("settle"))]


_HANDLERS: Final[dict[type, Callable[[RoundState, Any], Decision]]] = {
    cmd.OpenBetting: _open,
    cmd.PlaceBets: place_bets,
    cmd.CloseBetting: close_betting,
    cmd.CoverTumbler: cover,
    cmd.ActivateTumbler: activate,
    cmd.ExposeDice: expose,
    cmd.DeclareRoll: declare,
    cmd.SettleBets: _settle,
    cmd.ConcludeRound: _conclude,
    cmd.RejectExcess: reject_excess,
    cmd.AdviseMinimum: advise_minimum,
    cmd.ReturnBelowMinimum: return_below_minimum,
    cmd.RecordWalkAway: record_absence,
    cmd.RecordCutOff: record_absence,
    cmd.VoidRound: irregularities.void_round,
    cmd.ReportDamagedDice: irregularities.report_damaged_dice,
    cmd.SuspendRound: irregularities.suspend,
    cmd.InterruptRound: irregularities.interrupt,
    cmd.ResumeRound: irregularities.resume,
    cmd.CorrectResult: irregularities.correct_result,
    cmd.CorrectBets: irregularities.correct_bets,
    cmd.RecordDisplayFault: irregularities.record_display_fault,
    cmd.MakeRuling: irregularities.make_ruling,
}
