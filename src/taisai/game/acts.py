"""The table of acts: in which phase of a round each may be done, by whom, and which clause says so.

This table is data. The decider reads it, the documentation prints it, and the tests walk every cell of it
for every rulebook.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from taisai.game.people import Role
from taisai.game.refusals import RefusalCode
from taisai.rulebooks.model import HOUSE, Ground, Rulebook


class Phase(StrEnum):
    """Where a round stands. `INTERRUPTED` holds the phase it came from until play resumes."""

    NOT_OPEN = "not-open"
    BETTING = "betting"
    CLOSED = "closed"
    DECLARED = "declared"
    SETTLED = "settled"
    CONCLUDED = "concluded"
    VOID = "void"
    INTERRUPTED = "interrupted"
    AWAITING_RULING = "awaiting-ruling"


class Act(StrEnum):
    """Everything that can be done in a round."""

    OPEN_BETTING = "open betting"
    PLACE_BETS = "place bets"
    REGISTER_BETS = "register bets from the felt"
    PLACE_ON_BEHALF = "place bets on behalf"
    CLOSE_BETTING = "close betting"
    COVER = "cover the tumbler"
    ACTIVATE = "activate the tumbler"
    EXPOSE = "expose the dice"
    DECLARE = "declare the roll"
    SETTLE = "settle"
    CONCLUDE = "conclude"
    REJECT_EXCESS = "reject excess"
    ADVISE_MINIMUM = "advise of the minimum"
    RETURN_BELOW_MINIMUM = "return a bet below the minimum"
    RECORD_WALK_AWAY = "record a walk-away"
    RECORD_CUT_OFF = "record a terminal cut off"
    VOID = "void"
    REPORT_DAMAGED_DICE = "report damaged dice"
    SUSPEND = "suspend"
    INTERRUPT = "interrupt"
    RESUME = "resume"
    CORRECT_RESULT = "correct the result"
    CORRECT_BETS = "correct the bets"
    RECORD_DISPLAY_FAULT = "record a display fault"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class ActRule:
    """When an act is legal, who may do it, and the topic under which rulebooks speak of it (or `house`).

    Where it takes two people, both are pit employees and at least one of them has the position `least`; where
    it only sometimes does, `two_least`.
    """

    topic: str
    phases: frozenset[Phase]
    least: Role = Role.DEALER
    two_people: bool = False
    by_system: bool = False
    two_least: Role | None = None


_NOT_OPEN, _BETTING, _CLOSED, _DECLARED, _SETTLED, _CONCLUDED, _VOID, _INTERRUPTED, _AWAITING_RULING = (
    frozenset({phase}) for phase in Phase
)
_TUMBLING = _BETTING | _CLOSED
_IN_PLAY = _BETTING | _CLOSED | _DECLARED | _SETTLED
_HELD = _INTERRUPTED | _AWAITING_RULING
_WITH_RESULT = _DECLARED | _SETTLED | _CONCLUDED
_AFTER_OPENING = frozenset(Phase) - _NOT_OPEN
_SUPERVISOR, _SHIFT_MANAGER = Role.PIT_SUPERVISOR, Role.SHIFT_MANAGER

ACTS: Final[dict[Act, ActRule]] = {
    Act.OPEN_BETTING: ActRule("open", _NOT_OPEN, by_system=True),
    Act.PLACE_BETS: ActRule("place", _BETTING, Role.PLAYER),
    Act.REGISTER_BETS: ActRule("place", _BETTING),
    Act.PLACE_ON_BEHALF: ActRule("on_behalf", _BETTING),
    Act.CLOSE_BETTING: ActRule("close", _BETTING, by_system=True),
    Act.COVER: ActRule("cover", _TUMBLING, by_system=True),
    Act.ACTIVATE: ActRule("tumble", _TUMBLING, by_system=True),
    Act.EXPOSE: ActRule("result", _TUMBLING, by_system=True),
    Act.DECLARE: ActRule("result", _CLOSED, by_system=True),
    Act.SETTLE: ActRule("settle", _DECLARED, by_system=True),
    Act.CONCLUDE: ActRule("settle", _SETTLED, by_system=True),
    Act.REJECT_EXCESS: ActRule("excess", _BETTING),
    Act.ADVISE_MINIMUM: ActRule("below_minimum", _BETTING),
    Act.RETURN_BELOW_MINIMUM: ActRule("below_minimum", _BETTING),
    Act.RECORD_WALK_AWAY: ActRule("walk_away", _IN_PLAY | _HELD),
    Act.RECORD_CUT_OFF: ActRule("terminal_cut_off", _IN_PLAY | _HELD, by_system=True),
    Act.VOID: ActRule("void", _IN_PLAY | _HELD, two_least=_SUPERVISOR),
    Act.REPORT_DAMAGED_DICE: ActRule(
        "damaged_dice", _IN_PLAY | _HELD | _CONCLUDED, _SUPERVISOR, two_people=True
    ),
    Act.SUSPEND: ActRule(HOUSE, _IN_PLAY, by_system=True),
    Act.INTERRUPT: ActRule("interruption", _IN_PLAY | _INTERRUPTED, two_least=_SUPERVISOR),
    Act.RESUME: ActRule("established", _INTERRUPTED, by_system=True),
    Act.CORRECT_RESULT: ActRule("correct_result", _WITH_RESULT, _SUPERVISOR, two_people=True),
    Act.CORRECT_BETS: ActRule("felt_decides", _CLOSED | _WITH_RESULT, _SUPERVISOR, two_people=True),
    Act.RECORD_DISPLAY_FAULT: ActRule("display", _AFTER_OPENING, by_system=True),
    Act.RULE: ActRule("ruling", _AFTER_OPENING, _SHIFT_MANAGER, two_people=True),
}

# What to say of a round in which an act is not legal.
WHERE_IT_STANDS: Final[dict[Phase, RefusalCode]] = {
    Phase.NOT_OPEN: RefusalCode.ROUND_NOT_OPEN,
    Phase.BETTING: RefusalCode.BETTING_OPEN,
    Phase.CLOSED: RefusalCode.BETTING_CLOSED,
    Phase.DECLARED: RefusalCode.ROLL_DECLARED,
    Phase.SETTLED: RefusalCode.ROUND_SETTLED,
    Phase.CONCLUDED: RefusalCode.ROUND_CONCLUDED,
    Phase.VOID: RefusalCode.ROUND_VOID,
    Phase.INTERRUPTED: RefusalCode.ROUND_INTERRUPTED,
    Phase.AWAITING_RULING: RefusalCode.AWAITING_RULING,
}

BETTING_ACTS: Final = frozenset({Act.PLACE_BETS, Act.REGISTER_BETS, Act.PLACE_ON_BEHALF})
_BY_STAFF = BETTING_ACTS - {Act.PLACE_BETS}


@dataclass(frozen=True, slots=True)
class Cell:
    """What becomes of an act in a phase under a rulebook.

    Legal, or legal but voiding the round (`voids`), or refused with a code; and the clause, or `house`.
    """

    act: Act
    phase: Phase
    clause: str
    refusal: RefusalCode | None = None
    voids: Ground | None = None

    @property
    def legal(self) -> bool:
        return self.refusal is None


def cell(rulebook: Rulebook, act: Act, phase: Phase) -> Cell:
    """One cell of the table of acts."""
    clause = _clause(rulebook, act, phase)
    if not exists_in(rulebook, act):
        return Cell(act, phase, clause, refusal=RefusalCode.NOT_IN_THIS_RULEBOOK)
    if phase not in ACTS[act].phases or _too_late_for_damage(rulebook, act, phase):
        against = _clause_against(rulebook, act, phase) or clause
        return Cell(act, phase, against, refusal=WHERE_IT_STANDS[phase])
    ground = _early_ground(rulebook, act) if phase is Phase.BETTING else None
    if ground:
        return Cell(act, phase, rulebook.void.get(ground, HOUSE), voids=ground)
    return Cell(act, phase, clause)


def table_of_acts(rulebook: Rulebook) -> Iterator[Cell]:
    """Every cell of a rulebook's table: all acts in all phases."""
    for act in Act:
        for phase in Phase:
            yield cell(rulebook, act, phase)


def exists_in(rulebook: Rulebook, act: Act) -> bool:
    """Whether a rulebook's game has the act at all."""
    match act:
        case Act.COVER | Act.EXPOSE:
            return rulebook.procedure.cover == "covered"
        case Act.REJECT_EXCESS:
            return "by-dealer" in rulebook.limits.notice or rulebook.limits.differential
        case Act.ADVISE_MINIMUM | Act.RETURN_BELOW_MINIMUM:
            return rulebook.limits.minimum == "advise"
        case Act.REGISTER_BETS | Act.PLACE_ON_BEHALF | Act.CORRECT_BETS:
            # An electronic bet is the player's own touch, and its register is the layout.
            return not rulebook.electronic
        case Act.RECORD_CUT_OFF:
            return rulebook.electronic
        case _:
            return True


def _early_ground(rulebook: Rulebook, act: Act) -> Ground | None:
    """What voids a round when it is done before the closing."""
    if act is Act.EXPOSE:
        return Ground.EXPOSED_EARLY
    if act is Act.ACTIVATE and rulebook.procedure.cover == "open":
        return Ground.ACTIVATED_EARLY
    return None


def _too_late_for_damage(rulebook: Rulebook, act: Act, phase: Phase) -> bool:
    """v3 and open cover void only the game in play."""
    in_play_only = rulebook.damaged_dice == "round-in-play"
    return act is Act.REPORT_DAMAGED_DICE and phase is Phase.CONCLUDED and in_play_only


# Why no bet is taken in a phase, where it is for another reason than that it comes too late.
_NO_BETS_TOPICS: Final = {
    Phase.NOT_OPEN: "open",
    Phase.INTERRUPTED: HOUSE,  # where bets were still open it is a suspension, of which no clause speaks
}


def _clause_against(rulebook: Rulebook, act: Act, phase: Phase) -> str | None:
    """The clause that forbids an act in a phase, where it is another than the one that governs the act."""
    if phase is Phase.VOID:
        return rulebook.cite("void")
    if act is Act.OPEN_BETTING:  # a round runs until all are settled, and the next begins after it
        return rulebook.cite_first("round", "open")
    return None


def _clause(rulebook: Rulebook, act: Act, phase: Phase) -> str:
    if act in _BY_STAFF and rulebook.electronic:
        return rulebook.cite("terminal")
    topic = ACTS[act].topic
    if act in BETTING_ACTS and phase is not Phase.BETTING:
        topic = _NO_BETS_TOPICS.get(phase, "late_bets")
    elif act is Act.VOID and phase is Phase.CONCLUDED:
        topic = "earlier_rounds_stand"
    return HOUSE if topic == HOUSE else rulebook.cite(topic)
