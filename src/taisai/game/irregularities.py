"""Decisions on irregularities: voids, damaged dice, interruptions, corrections and rulings."""

from typing import Final

from taisai.dice import FACES, Roll, rolls_with
from taisai.errors import InvariantBroken
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import WHERE_IT_STANDS, Phase
from taisai.game.betting import chips_refusal, chips_unused, slip_refusal
from taisai.game.colours import kept
from taisai.game.evolve import evolve, evolve_all
from taisai.game.interruption import outcome_established
from taisai.game.notary import revealed
from taisai.game.people import Actor
from taisai.game.refusals import Refusal, RefusalCode
from taisai.game.settling import resettlement, reversal, voided
from taisai.game.state import PlayerSlip, RoundState
from taisai.rulebooks.model import HOUSE, Ground

Decision = list[ev.AnyEvent] | Refusal

# Grounds that have an act of their own, which asks for the facts that they rest on.
_OTHER_ACT: Final = {Ground.NOTHING_ESTABLISHED: "interrupt", Ground.DAMAGED_DICE: "report damaged dice"}


def void_round(state: RoundState, command: cmd.VoidRound) -> Decision:
    """Void on what the dealer saw: too few tumbles, dice not flat, dice seen or tumbled too early."""
    ground = command.ground
    if ground not in state.rulebook.void or ground in _OTHER_ACT:
        facts = {"ground": str(ground), "instead": _OTHER_ACT.get(ground)}
        return state.refuse(RefusalCode.GROUND_NOT_HERE, "void", **facts)
    if ground in (Ground.TOO_FEW_TUMBLES, Ground.NOT_FLAT) and state.tumbles is None:
        return state.refuse(RefusalCode.NOT_TUMBLED, "void", ground=str(ground))
    return voided(
        state,
        command.by,
        command.at,
        ground=ground,
        clause=state.rulebook.void[ground],
        second=command.second,
        reason=command.reason,
    )


def takes_two(state: RoundState, command: cmd.TwoPeople | cmd.OneOrTwo) -> bool:
    """Whether an act is not one person's word here, or was asked for by two of their own accord.

    A void is the dealer's until the roll is declared, on facts that the record does not deny: a tumble that
    was too short is recorded as such and voids by itself, and so are dice that were seen not to be flat.
    """
    if isinstance(command, cmd.TwoPeople) or command.second is not None:
        return True
    if not isinstance(command, cmd.VoidRound):
        return False
    if state.roll is not None or state.exposed or state.known:
        return True
    return command.ground is Ground.TOO_FEW_TUMBLES and state.tumbles is not None


def report_damaged_dice(state: RoundState, command: cmd.ReportDamagedDice) -> Decision:
    """Void this round if it is one of those played with the damaged set."""
    other_set = command.dice_set and state.dice_set and command.dice_set != state.dice_set
    if state.number not in command.rounds or other_set:
        facts = {"round": state.number, "rounds": command.rounds, "dice_set": state.dice_set}
        return state.refuse(RefusalCode.ROUND_NOT_AFFECTED, "damaged_dice", **facts)
    clause = state.rulebook.void.get(Ground.DAMAGED_DICE, HOUSE)
    reported = ev.DamagedDiceReported(
        by=command.by,
        at=command.at,
        clause=clause,
        second=_second(command),
        reason=command.reason,
        rounds=command.rounds,
        dice_set=command.dice_set,
    )
    return [
        reported,
        *voided(state, command.by, command.at, ground=Ground.DAMAGED_DICE, clause=clause),
    ]


def suspend(state: RoundState, command: cmd.SuspendRound) -> Decision:
    """Hold the round. A restart is not itself an interruption, so no clause is at work."""
    return [ev.RoundSuspended(by=command.by, at=command.at, clause=HOUSE)]


def resume(state: RoundState, command: cmd.ResumeRound) -> Decision:
    """Go on from where the round was held."""
    clause = state.rulebook.cite("established") if state.held == "interrupted" else HOUSE
    return [ev.RoundResumed(by=command.by, at=command.at, clause=clause)]


def interrupt(state: RoundState, command: cmd.InterruptRound) -> Decision:
    """Established goes on, otherwise void; faces read before the closing void too."""
    known = state.outcome.faces if state.outcome else tuple(command.known)
    refusal = None if state.outcome else _faces_refusal(state, known)
    if refusal:
        return refusal
    established = state.betting_has_closed and outcome_established(state.pay_table, known)
    interrupted = ev.RoundInterrupted(
        by=command.by,
        at=command.at,
        clause=state.rulebook.cite("established" if established else "interruption"),
        known=list(known),
        established=established,
        readable=command.readable or len(known) == 3 or state.outcome is not None,
    )
    if established:
        return [interrupted]
    seen_early = known and not state.betting_has_closed
    ground = Ground.EXPOSED_EARLY if seen_early else Ground.NOTHING_ESTABLISHED
    clause = state.rulebook.void.get(ground, HOUSE)
    void = voided(
        state,
        command.by,
        command.at,
        ground=ground,
        clause=clause,
        second=command.second,
        reason=command.reason,
    )
    return [interrupted, *void]


def _faces_refusal(state: RoundState, known: tuple[int, ...]) -> Refusal | None:
    if known and state.tumbles is None:
        return state.refuse(RefusalCode.NOT_TUMBLED, "interruption", known=list(known))
    if len(known) > 3 or any(face not in FACES for face in known):
        clause = state.rulebook.cite_first("dice", "result")
        return Refusal(code=RefusalCode.DICE_INVALID, clause=clause, facts={"known": list(known)})
    if any(known.count(face) < state.known.count(face) for face in state.known):
        facts = {"known": list(state.known), "dice": list(known)}
        return state.refuse(RefusalCode.CONTRADICTS_KNOWN_FACES, "interruption", **facts)
    return None


def correct_result(state: RoundState, command: cmd.CorrectResult) -> Decision:
    """The dice prevail over what was registered: reverse, correct, settle again."""
    if not rolls_with(state.known) >> command.roll.index & 1:
        facts = {"known": list(state.known), "dice": str(command.roll)}
        return state.refuse(RefusalCode.CONTRADICTS_KNOWN_FACES, "correct_result", **facts)
    return _corrected(state, command, command.roll, "correct_result")


def _corrected(state: RoundState, command: cmd.TwoPeople, roll: Roll, topic: str) -> Decision:
    if state.outcome is None:
        raise InvariantBroken("only a declared result can be corrected")
    if state.roll is not None and roll.called() == state.roll.called():
        return state.refuse(RefusalCode.SAME_RESULT, topic, dice=str(state.roll))
    corrected = ev.ResultCorrected(
        by=command.by,
        at=command.at,
        clause=state.rulebook.cite(topic),
        second=_second(command),
        reason=command.reason,
        before=state.roll,
        after=roll,
    )
    return _reverse_change_settle(state, command, corrected, topic)


def correct_bets(state: RoundState, command: cmd.CorrectBets) -> Decision:
    """What was on the felt at the closing decides: reverse, correct the register, settle again."""
    refusal = chips_unused(state, command.chips) or slip_refusal(state, command.slip)
    refusal = refusal or chips_refusal(state, command.slip, command.chips)
    if refusal:
        return refusal
    registered = state.slips.get(command.player) or PlayerSlip()
    before = registered.slip()
    chips = command.chips or kept(registered, command.slip)
    if before == command.slip and _same_colours(registered, chips):
        return state.refuse(RefusalCode.NOTHING_CHANGES, "felt_decides", player=command.player)
    if command.player in state.paid and state.phase is Phase.DECLARED:
        chips = None  # the stake will count again in money: its chips have gone to hand or rack
    corrected = ev.BetsCorrected(
        by=command.by,
        at=command.at,
        clause=state.rulebook.cite("felt_decides"),
        second=_second(command),
        reason=command.reason,
        player=command.player,
        before=before,
        after=command.slip,
        chips=chips,
    )
    return _reverse_change_settle(state, command, corrected, "felt_decides")


def _same_colours(registered: PlayerSlip, chips: cmd.ColourChips | None) -> bool:
    """Whether these are the colour chips that the register has already."""
    here = {box: part for box in registered.amounts if (part := registered.coloured(box))}
    said = chips.boxes if chips else {}
    if not here or not said or registered.chips is None or chips is None:
        return here == said
    return here == said and (registered.chips.colour, registered.chips.value) == (chips.colour, chips.value)


def _reverse_change_settle(
    state: RoundState, command: cmd.Command, change: ev.AnyEvent, topic: str
) -> list[ev.AnyEvent]:
    """A change to a round that may have been settled: other rounds are never touched."""
    undone = reversal(state, command.by, command.at, topic)
    after = evolve(evolve_all(state.copy(), undone), change)
    return [*undone, change, *resettlement(state, after, command.by, command.at)]


def record_display_fault(state: RoundState, command: cmd.RecordDisplayFault) -> Decision:
    """Lamps and displays decide nothing; the fault is only put on the record."""
    clause = state.rulebook.cite(command.kind)
    return [
        ev.DisplayFaultRecorded(
            by=command.by, at=command.at, clause=clause, kind=command.kind, what=command.what
        )
    ]


def make_ruling(state: RoundState, command: cmd.MakeRuling) -> Decision:
    """Void, declare the dice or the faces that were read, return named bets, or only put it on the record."""
    ruling = ev.RulingMade(
        by=command.by,
        at=command.at,
        clause=state.rulebook.cite("ruling"),
        second=_second(command),
        reason=command.reason,
        decision=command.decision,
        roll=command.roll,
        bets=command.bets,
    )
    if command.decision == "record":
        return [ruling]
    if command.decision == "void":
        clause = state.rulebook.cite("ruling")
        return [ruling, *voided(state, command.by, command.at, ground="ruling", clause=clause)]
    if command.decision == "settle-known":
        clause, known = state.rulebook.cite("ruling"), list(state.known)
        shown = revealed(state)._asdict()
        declared = ev.KnownFacesDeclared(by=command.by, at=command.at, clause=clause, known=known, **shown)
        return [ruling, declared]
    outcome = _ruled_dice(state, command) if command.decision == "declare" else _ruled_returns(state, command)
    return outcome if isinstance(outcome, Refusal) else [ruling, *outcome]


def ruling_out_of_place(state: RoundState, command: cmd.AnyCommand) -> Refusal | None:
    """A void round stays void, dice are not declared while bets are open, and the known faces are settled on
    only where the rest never can be read; the record takes anything."""
    if not isinstance(command, cmd.MakeRuling) or command.decision == "record":
        return None
    too_early = command.decision == "declare" and not state.betting_has_closed
    not_waiting = command.decision == "settle-known" and state.phase is not Phase.AWAITING_RULING
    if state.phase is Phase.VOID:
        facts = {"decision": command.decision}
        return Refusal(code=RefusalCode.ROUND_VOID, clause=state.clause_of_void, facts=facts)
    if too_early or not_waiting:
        return state.refuse(WHERE_IT_STANDS[state.phase], "ruling", decision=command.decision)
    return None


def _ruled_dice(state: RoundState, command: cmd.MakeRuling) -> Decision:
    if command.roll is None:
        return state.refuse(RefusalCode.DICE_INVALID, "ruling", dice=None)
    if state.outcome is None:
        clause = state.rulebook.cite("ruling")
        shown = revealed(state)._asdict()
        return [ev.RollDeclared(by=command.by, at=command.at, clause=clause, roll=command.roll, **shown)]
    return _corrected(state, command, command.roll, "ruling")


def _ruled_returns(state: RoundState, command: cmd.MakeRuling) -> Decision:
    taken = []
    for bet in dict.fromkeys(command.bets):
        stake = state.slips[bet.player].on(bet.box) if bet.player in state.slips else 0
        if not stake:
            return state.refuse(RefusalCode.PLAYER_UNKNOWN, "ruling", player=bet.player, box=bet.box)
        taken.append(ev.ChipsTaken(bet.player, bet.box, stake))
    if not taken:
        return state.refuse(RefusalCode.NOTHING_CHANGES, "ruling", decision=command.decision)
    clause = state.rulebook.cite("ruling")
    returned = ev.BetsReturned(by=command.by, at=command.at, clause=clause, taken=taken)
    return _reverse_change_settle(state, command, returned, "ruling")


def _second(command: cmd.TwoPeople) -> Actor:
    if command.second is None:
        raise InvariantBroken("an act of two people was decided with one")
    return command.second
