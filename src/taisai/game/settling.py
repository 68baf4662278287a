"""The events of settling, reversing and voiding: how money leaves a round."""

from datetime import datetime
from itertools import islice
from operator import attrgetter

from taisai.dice import KnownFaces, Roll
from taisai.errors import InvariantBroken
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.notary import proven_results, revealed
from taisai.game.people import Actor
from taisai.game.settlement import BetResult, payouts, settle_round
from taisai.game.state import RoundState, Totals

_amounts = attrgetter("amounts")
# Above this many bets, columns are quicker than objects.
_COLUMNS_FROM = 2_000


def settlement_totals(state: RoundState, outcome: Roll | KnownFaces) -> Totals:
    """The whole settlement in sums. A round that is paid in parts is computed once."""
    if state.computed is None or state.computed[0] != state.revision:
        state.computed = (state.revision, _totals(state, outcome))
    return state.computed[1]


def _bets(state: RoundState) -> int:
    return sum(map(len, map(_amounts, state.slips.values())))


def _totals(state: RoundState, outcome: Roll | KnownFaces) -> Totals:
    """By objects for a table, by columns for a multitude; known faces are too rare for columns."""
    if isinstance(outcome, Roll) and _bets(state) >= _COLUMNS_FROM:
        from taisai.game import columns  # NumPy is imported only for rounds that need it

        if columns.can_hold(state):
            return columns.RoundColumns.of(state).totals(outcome)
    results = settle_round(state, outcome)
    return Totals(
        bets=len(results),
        staked=sum(result.stake for result in results),
        effective=sum(result.effective for result in results),
        paid=payouts(results),
    )


def settled_bets(state: RoundState) -> list[BetResult]:
    """What became of each bet of a round that has a result."""
    if state.outcome is None:
        raise InvariantBroken("a round is settled only after its roll is declared")
    return settle_round(state, state.outcome)


def settlement_events(
    state: RoundState, by: Actor, at: datetime, *, players_max: int | None = None
) -> list[ev.AnyEvent]:
    """Pay the players who have not been paid yet; when that is everyone, the bets are settled."""
    if state.outcome is None:
        raise InvariantBroken("a round is settled only after its roll is declared")
    totals = settlement_totals(state, state.outcome)
    clause = state.rulebook.cite("settle")
    due = totals.paid
    if state.paid:
        due = {player: paid for player, paid in due.items() if player not in state.paid}
    part = due if players_max is None else dict(islice(due.items(), max(players_max, 1)))
    happened: list[ev.AnyEvent] = []
    if part:
        paying = dict(part)  # the event has its own: what was computed is kept
        happened.append(ev.PayoutsMade(by=by, at=at, clause=clause, payouts=paying))
    if len(part) == len(due):
        proven = proven_results(state)
        happened.append(
            ev.BetsSettled(
                by=by,
                at=at,
                clause=clause,
                roll=state.roll,
                players=len(totals.paid),
                bets=totals.bets,
                staked=totals.staked,
                effective=totals.effective,
                excess=totals.staked - totals.effective,
                paid=sum(totals.paid.values()),
                attempt=state.attempt + 1 if proven.root else 0,
                results=proven.leaves,
                root=proven.root,
                dice_clause=state.dice_clause,
            )
        )
    return happened


def reversal(state: RoundState, by: Actor, at: datetime, topic: str) -> list[ev.AnyEvent]:
    """Undo the net of all earlier payouts of this round, if there were any."""
    if not state.paid:
        return []
    clause = state.rulebook.cite(topic)
    return [ev.SettlementReversed(by=by, at=at, clause=clause, payouts=dict(state.paid))]


def resettlement(state: RoundState, after: RoundState, by: Actor, at: datetime) -> list[ev.AnyEvent]:
    """The new settlement of a round that had been settled before something in it was corrected."""
    if state.phase not in (Phase.SETTLED, Phase.CONCLUDED):
        return []
    return settlement_events(after, by, at)


def voided(
    state: RoundState,
    by: Actor,
    at: datetime,
    *,
    ground: str,
    clause: str,
    second: Actor | None = None,
    reason: str = "",
) -> list[ev.AnyEvent]:
    """The round has no result: earlier payouts are undone and every bet goes back in full."""
    returns = state.rulebook.cite("void_returns")
    proven = proven_results(state, void_clauses=(clause, returns))
    return [
        *reversal(state, by, at, "void_returns"),
        ev.RoundVoided(
            by=by,
            at=at,
            clause=clause,
            ground=ground,
            returned=state.stakes_by_player(),
            returns_clause=returns,
            second=second,
            reason=reason,
            attempt=state.attempt + 1 if proven.root else 0,
            results=proven.leaves,
            root=proven.root,
            **revealed(state)._asdict(),
        ),
    ]
