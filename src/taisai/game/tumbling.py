"""Decisions about the tumbler and the dice. What a clause says voids the round does so at once."""

from taisai.dice import rolls_with
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Act, Phase, cell
from taisai.game.notary import revealed
from taisai.game.refusals import Refusal, RefusalCode
from taisai.game.settling import voided
from taisai.game.state import RoundState
from taisai.rulebooks.model import HOUSE, Ground

Decision = list[ev.AnyEvent] | Refusal


def cover(state: RoundState, command: cmd.CoverTumbler) -> Decision:
    """Conceal the dice before they tumble."""
    if state.tumbles is not None:
        return state.refuse(RefusalCode.ALREADY_TUMBLED, "cover", tumbles=state.tumbles)
    if state.covered:
        return state.refuse(RefusalCode.ALREADY_COVERED, "cover")
    return [ev.TumblerCovered(by=command.by, at=command.at, clause=state.rulebook.cite("cover"))]


def activate(state: RoundState, command: cmd.ActivateTumbler) -> Decision:
    """One activation a round: under the cover at any time, in the open only after the closing."""
    is_open = state.rulebook.procedure.cover == "open"
    if state.tumbles is not None:
        return state.refuse(RefusalCode.ALREADY_TUMBLED, "tumble", tumbles=state.tumbles)
    if state.covered and command.uncovered:
        return state.refuse(RefusalCode.ALREADY_COVERED, "cover")
    if not is_open and not state.covered and not command.uncovered:
        return state.refuse(RefusalCode.NOT_COVERED, "cover")
    if command.tumbles < 0:
        return state.refuse(RefusalCode.DICE_INVALID, "tumble", tumbles=command.tumbles)
    exposed = is_open or command.uncovered
    flat = command.flat or not exposed  # nobody can see concealed dice
    happened: list[ev.AnyEvent] = [
        ev.TumblerActivated(
            by=command.by,
            at=command.at,
            clause=state.rulebook.cite("tumble"),
            tumbles=command.tumbles,
            exposed=exposed,
            flat=flat,
        )
    ]
    ground = _ground_of_activation(state, command.tumbles, exposed=exposed, flat=flat)
    return happened + (_void(state, command, ground) if ground else [])


def _ground_of_activation(state: RoundState, tumbles: int, *, exposed: bool, flat: bool) -> Ground | None:
    if state.phase is Phase.BETTING and exposed:
        # In the open game the act itself is forbidden before the closing; in a covered one, seeing the dice.
        return cell(state.rulebook, Act.ACTIVATE, Phase.BETTING).voids or Ground.EXPOSED_EARLY
    if tumbles < state.rulebook.procedure.tumbles_min:
        return Ground.TOO_FEW_TUMBLES
    return None if flat else Ground.NOT_FLAT


def expose(state: RoundState, command: cmd.ExposeDice) -> Decision:
    """Lift the cover; before the closing that voids the round."""
    if state.exposed:
        return state.refuse(RefusalCode.ALREADY_EXPOSED, "result")
    if not state.covered:
        return state.refuse(RefusalCode.NOT_COVERED, "cover")
    if state.phase is not Phase.BETTING and state.tumbles is None:
        return state.refuse(RefusalCode.NOT_TUMBLED, "tumble")
    clause = state.rulebook.cite("result")
    happened: list[ev.AnyEvent] = [
        ev.DiceExposed(by=command.by, at=command.at, clause=clause, flat=command.flat)
    ]
    if state.phase is Phase.BETTING:
        return happened + _void(state, command, Ground.EXPOSED_EARLY)
    if not command.flat:
        return happened + _void(state, command, Ground.NOT_FLAT)
    return happened


def declare(state: RoundState, command: cmd.DeclareRoll) -> Decision:
    """Put the result on the record: after the closing, from dice that tumbled and can be seen."""
    refusal = _undeclarable(state, command)
    if refusal:
        return refusal
    clause = state.rulebook.cite("result")
    shown = revealed(state)._asdict()
    return [ev.RollDeclared(by=command.by, at=command.at, clause=clause, roll=command.roll, **shown)]


def _undeclarable(state: RoundState, command: cmd.DeclareRoll) -> Refusal | None:
    if state.tumbles is None:
        return state.refuse(RefusalCode.NOT_TUMBLED, "tumble")
    if not state.exposed:
        return state.refuse(RefusalCode.NOT_EXPOSED, "result")
    if not rolls_with(state.known) >> command.roll.index & 1:
        facts = {"known": list(state.known), "dice": str(command.roll)}
        return state.refuse(RefusalCode.CONTRADICTS_KNOWN_FACES, "result", **facts)
    return None


def _void(
    state: RoundState, command: cmd.ActivateTumbler | cmd.ExposeDice, ground: Ground
) -> list[ev.AnyEvent]:
    clause = state.rulebook.void.get(ground, HOUSE)
    return voided(state, command.by, command.at, ground=ground, clause=clause)
