"""What a dealer sees beside the table: the acts that are legal now, the next one, and what to look at."""

from datetime import datetime
from typing import Any, Final

from taisai.floor.permits import PERMITS, second_rule
from taisai.floor.reading.tables import TableReading
from taisai.floor.table.player_names import plain_player
from taisai.game import commands as cmd
from taisai.game.acts import ACTS, Act, Phase, cell
from taisai.game.decide import act_of, would_refuse
from taisai.game.people import Actor, Role
from taisai.game.state import PlayerSlip, RoundState
from taisai.rulebooks.catalogue import rulebook_of
from taisai.server import wire
from taisai.server.live.feed import Feed

_OVER: Final = (Phase.CONCLUDED, Phase.VOID)
# Acts whose command says nothing but who and when: asked of the round itself, which knows best.
_PLAIN: Final = (
    cmd.CloseBetting,
    cmd.CoverTumbler,
    cmd.ExposeDice,
    cmd.ConcludeRound,
    cmd.SuspendRound,
    cmd.ResumeRound,
)
# What the console asks before it sends the act, where it has to.
_ASKED: Final[dict[type, dict[str, Any]]] = {cmd.CloseBetting: {"excess": "leave"}}
# The others, by the act that the table of acts knows them under.
_WITH_FIELDS: Final = {
    "ActivateTumbler": Act.ACTIVATE,
    "DeclareRoll": Act.DECLARE,
    "SettleBets": Act.SETTLE,
    "PlaceBets": Act.REGISTER_BETS,
    "RejectExcess": Act.REJECT_EXCESS,
    "AdviseMinimum": Act.ADVISE_MINIMUM,
    "ReturnBelowMinimum": Act.RETURN_BELOW_MINIMUM,
    "RecordWalkAway": Act.RECORD_WALK_AWAY,
    "RecordCutOff": Act.RECORD_CUT_OFF,
    "VoidRound": Act.VOID,
    "ReportDamagedDice": Act.REPORT_DAMAGED_DICE,
    "InterruptRound": Act.INTERRUPT,
    "CorrectResult": Act.CORRECT_RESULT,
    "CorrectBets": Act.CORRECT_BETS,
    "RecordDisplayFault": Act.RECORD_DISPLAY_FAULT,
    "MakeRuling": Act.RULE,
}


def console_view(feed: Feed, by: Actor, now: datetime, seq: int) -> wire.ConsoleView:
    """The table as its dealer, or whoever acts as one, sees it now."""
    state = feed.house.read.table(feed.plan.name)
    current = state.current
    in_play = current is not None and current.phase not in _OVER
    below = list(current.below_minimum()) if current and in_play else []
    return wire.ConsoleView(
        seq=seq,
        server_time=feed.now(),
        legal=[
            name for name in legal_acts(state, by, now) if not (feed.plan.automatic and PERMITS[name].deals)
        ],
        next_act=next_act(state),
        breaches=[
            wire.BreachView(on=breach.on, box=breach.box, limit=breach.limit, excess=breach.excess)
            for breach in (current.breaches() if current and in_play else ())
        ],
        below_minimum=[
            wire.BelowMinimumView(
                player=plain_player(player, feed.plan.name),
                box=box,
                stake=stake,
                minimum=minimum,
                advised=current is not None and (player, box) in current.advised,
            )
            for player, box, stake, minimum in below
        ],
        terminals=_terminals(feed, current if in_play else None),
        players=len(current.stakes_by_player()) if current and in_play else 0,
        staked=current.staked() if current and in_play else 0,
        totals={box: total for box, total in current.totals.items() if total} if current and in_play else {},
        slips=_slips(state, current if in_play else None) if feed.plan.kind == "live" else [],
        dealer=feed.house.read.at_pit(feed.plan.name).dealer,
        automatic=feed.plan.automatic,
        seats=[
            wire.SeatedView(seat=seat, player=plain_player(player, feed.plan.name))
            for seat, player in sorted(state.seats.items())
        ],
        seats_max=state.seats_max,
        colours=_colours(state),
        colour_chips=feed.plan.kind == "live" and rulebook_of(feed.table.pay_table).colour_chips,
    )


def _colours(state: TableReading) -> list[wire.ColourView]:
    """The colours of a table's own chips that are out."""
    return [
        wire.ColourView(
            colour=held.colour,
            player=plain_player(held.holder, state.name),
            value=held.value,
            chips=held.chips,
            hand=held.hand,
        )
        for held in state.colours()
    ]


def _slips(state: TableReading, current: RoundState | None) -> list[wire.SlipView]:
    """Everyone who has a seat, bets, money or a colour at a live table, though they may have left."""
    return [
        wire.SlipView(
            player=plain_player(here.player, state.name),
            slip=here.slip.slip() if here.slip else {},
            version=here.slip.version if here.slip else 0,
            credit=None if state.uses_chips else here.money.credit,
            absent=here.absent,
            coloured=_coloured(here.slip) if here.slip else {},
            colour=here.slip.chips.colour if here.slip and here.slip.chips else "",
            unclaimed=here.money.unclaimed,
            owed=here.money.owed,
        )
        for here in state.people(current)
    ]


def _coloured(slip: PlayerSlip) -> dict[str, int]:
    """What of each bet is in the player's colour."""
    return {box: part for box in slip.amounts if (part := slip.coloured(box))}


def _terminals(feed: Feed, current: RoundState | None) -> list[wire.TerminalView]:
    slips = current.slips if current else {}
    gathered = feed.gathered
    on_felt = {player.rpartition(".")[0] for player, slip in slips.items() if slip.amounts}
    return [
        wire.TerminalView(
            terminal=name,
            connected=name in gathered.connected,
            service=feed.seats.services.get(name, "in-service"),
            has_bets=name in on_felt,
            attendant=name in gathered.attendants,
            low_credit=feed.low_credit(name),
        )
        for name in feed.seats.key_digests
    ]


def legal_acts(state: TableReading, by: Actor, now: datetime) -> list[str]:
    """The names of the acts that this person may do now; illegal ones are absent."""
    current = state.current
    if current is None or current.phase in _OVER:
        legal = ["StartRound"] if state.settings and not state.closed else []
    else:
        legal = _extending(state)
    if by.is_at_least(Role.PIT_SUPERVISOR):
        legal.append("ReopenTable" if state.closed else "CloseTable")
    if current is None:
        return legal
    for kind in _PLAIN:
        command = kind(by=by, at=now, **_ASKED.get(kind, {}))
        if _allowed(by, act_of(command)) and would_refuse(current, command) is None:
            legal.append(kind.__name__)
    for name, act in _WITH_FIELDS.items():
        possible = cell(current.rulebook, act, current.standing).legal and _makes_sense(current, name)
        if possible and _allowed(by, act, two=second_rule(name) is not None):
            legal.append(name)
    return legal


def _extending(state: TableReading) -> list[str]:
    betting = state.current is not None and state.current.standing is Phase.BETTING
    return ["ExtendBetting"] if betting and state.window and state.window.closes_at else []


def _allowed(by: Actor, act: Act, *, two: bool = False) -> bool:
    return by.is_pit_employee if two else by.is_at_least(ACTS[act].least)


def _makes_sense(current: RoundState, name: str) -> bool:
    """Whether there is anything for an act to be done to."""
    match name:
        case "ActivateTumbler":
            concealed = current.covered or current.rulebook.procedure.cover == "open"
            return current.tumbles is None and (concealed or current.phase is Phase.BETTING)
        case "DeclareRoll":
            return current.exposed and current.tumbles is not None
        case "RejectExcess":
            return next(current.breaches(), None) is not None
        case "AdviseMinimum":
            return any((player, box) not in current.advised for player, box, _, _ in current.below_minimum())
        case "ReturnBelowMinimum":
            return any((player, box) in current.advised for player, box, _, _ in current.below_minimum())
        case "RecordWalkAway" | "RecordCutOff":
            return any(slip.amounts for slip in current.slips.values())
        case _:
            return True


def next_act(state: TableReading) -> str | None:
    """The act that the course of play asks for next: what the one big button says."""
    current = state.current
    if current is None or current.phase in _OVER:
        return "StartRound" if state.settings and not state.closed else None
    if current.held:
        return "ResumeRound"
    match current.phase:
        case Phase.BETTING:
            return "CloseBetting"
        case Phase.CLOSED:
            return _next_with_dice(current)
        case Phase.DECLARED:
            return "SettleBets"
        case Phase.SETTLED:
            return "ConcludeRound"
        case Phase.AWAITING_RULING:
            return "MakeRuling"
        case _:
            return None


def _next_with_dice(current: RoundState) -> str:
    covered = current.rulebook.procedure.cover == "covered"
    if current.tumbles is None:
        return "CoverTumbler" if covered and not current.covered else "ActivateTumbler"
    return "DeclareRoll" if current.exposed else "ExposeDice"
