"""Settlement of a round: a pure function of the pay table, the limits, the bets in order and the roll.

For each bet: what of it counted, what went back, what it won, and the clauses that decided it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from taisai.dice import KnownFaces, Roll
from taisai.game.acts import Phase
from taisai.game.apportion import apportion
from taisai.game.awards import Award, award, award_at
from taisai.game.interruption import certain_odds, is_decided
from taisai.game.limits import PAIRS, LighterSide, Limits
from taisai.game.state import Bet, RoundState
from taisai.rulebooks.model import HOUSE, Box, PayTable, Rulebook


class Note(msgspec.Struct, frozen=True):
    """One reason for what a bet brought: a message id, the clause, and the facts of the sentence."""

    message: str
    clause: str
    facts: dict[str, Any] = {}


class BetResult(msgspec.Struct, frozen=True):
    """What became of one bet."""

    player: str
    box: str
    stake: int
    effective: int
    award: Award
    notes: tuple[Note, ...]

    @property
    def excess(self) -> int:
        """What was not in play and goes back."""
        return self.stake - self.effective

    @property
    def returned(self) -> int:
        return self.excess + self.award.returned

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that decided this bet, each once."""
        return tuple(dict.fromkeys(note.clause for note in self.notes))


_NOT_IN_PLAY: Final = Award(0, won=False, pays_to_one=None, returned=0)


class Cap(msgspec.Struct, frozen=True):
    """The most that counts on one box, and the limit that made it so."""

    maximum: int
    message: str
    limit: int
    pair: str = ""


def results_of(state: RoundState) -> list[BetResult]:
    """What became of each bet, in their order: nothing yet, settled on an outcome, or returned by a void."""
    if state.phase is Phase.VOID:
        return void_results(state)
    return settle_round(state, state.outcome) if state.outcome else []


def settle_round(state: RoundState, outcome: Roll | KnownFaces) -> list[BetResult]:
    """Every bet's result, in the order of the bets."""
    bets = state.bets()
    caps = box_caps(state.rulebook, state.pay_table, state.limits, bets, lighter_side=state.lighter_side)
    effective = effective_stakes(state.pay_table, state.limits, bets, caps)
    # Equal bets have equal results: what many have made is worked out once, and said once.
    known: dict[tuple[str, int, int, str], BetResult] = {}
    results: list[BetResult] = []
    for bet, counts in zip(bets, effective, strict=True):
        key = (bet.box, bet.stake, counts, state.slips[bet.player].absent)
        like = known.get(key)
        if like is None:
            like = known[key] = result_of(state, bet, counts, caps.get(bet.box), outcome)
        results.append(BetResult(bet.player, bet.box, bet.stake, like.effective, like.award, like.notes))
    return results


def void_results(state: RoundState) -> list[BetResult]:
    """Every bet of a void round: none of it was in play and all of it goes back."""
    reason = Note("void", state.void_clause, {"ground": state.ground})
    returns = state.rulebook.cite("void_returns")
    return [
        BetResult(
            bet.player,
            bet.box,
            bet.stake,
            0,
            _NOT_IN_PLAY,
            (reason, Note("returned", returns, {"box": bet.box, "stake": bet.stake})),
        )
        for bet in state.bets()
    ]


def payouts(results: list[BetResult]) -> dict[str, int]:
    """What each player gets back in all; players who get nothing are there with 0."""
    paid: dict[str, int] = {}
    for result in results:
        paid[result.player] = paid.get(result.player, 0) + result.returned
    return paid


def effective_stakes(
    pay_table: PayTable, limits: Limits, bets: list[Bet], caps: Mapping[str, Cap]
) -> list[int]:
    """What of each bet counts, in the order given: all of it, except on boxes that have a cap."""
    effective = [bet.stake for bet in bets]
    capped: dict[str, list[int]] = {box: [] for box in caps}
    for position, bet in enumerate(bets):
        if bet.box in capped:
            capped[bet.box].append(position)
    for box_id, positions in capped.items():
        shares = apportion(
            [bets[position].stake for position in positions],
            maximum=caps[box_id].maximum,
            minimum=limits.of(pay_table.by_id[box_id]).minimum,
            unit=limits.unit,
        )
        for position, share in zip(positions, shares, strict=True):
            effective[position] = share
    return effective


def box_caps(
    rulebook: Rulebook,
    pay_table: PayTable,
    limits: Limits,
    bets: list[Bet],
    *,
    lighter_side: LighterSide = "placed",
) -> dict[str, Cap]:
    """The boxes on which bets are shared pro rata, each with its cap."""
    stakes: dict[str, list[int]] = {}
    for bet in bets:
        stakes.setdefault(bet.box, []).append(bet.stake)
    totals = {box: sum(amounts) for box, amounts in stakes.items()}
    return caps_of(
        rulebook, pay_table, limits, totals, lambda box: stakes.get(box, []), lighter_side=lighter_side
    )


def caps_of(
    rulebook: Rulebook,
    pay_table: PayTable,
    limits: Limits,
    totals: Mapping[str, int],
    stakes_on: Callable[[str], list[int]],
    *,
    lighter_side: LighterSide,
) -> dict[str, Cap]:
    """The caps that follow from each box's total. Single stakes are asked for only where they matter."""
    if not rulebook.limits.pro_rata:
        return {}
    caps = {}
    for box_id, total in totals.items():
        maximum = limits.of(pay_table.by_id[box_id]).maximum
        if maximum is not None and total > maximum:
            caps[box_id] = Cap(maximum, "pro_rata", maximum)
    for pair, limit in limits.differential.items():
        light, heavy = sorted(PAIRS[pair], key=lambda side: totals.get(side, 0))
        measured_from = totals.get(light, 0)
        if totals.get(heavy, 0) - measured_from <= limit:
            continue
        # Test and cap are both on the bets as placed, so that more on the heavier side never means less in
        # play; it is never above its own maximum, and the lighter side keeps to its own alone.
        if lighter_side == "counted":
            measured_from = _counted(pay_table, limits, light, stakes_on(light))
        cap = measured_from + limit
        maximum = limits.of(pay_table.by_id[heavy]).maximum
        if maximum is None or cap < maximum:
            caps[heavy] = Cap(cap, "differential", limit, pair)
    return caps


def _counted(pay_table: PayTable, limits: Limits, side: str, stakes: list[int]) -> int:
    """What counts of the lighter side under its own maximum, as the first records measured it."""
    limit = limits.of(pay_table.by_id[side])
    if limit.maximum is None or sum(stakes) <= limit.maximum:
        return sum(stakes)
    return sum(apportion(stakes, maximum=limit.maximum, minimum=limit.minimum, unit=limits.unit))


def result_of(
    state: RoundState, bet: Bet, effective: int, cap: Cap | None, outcome: Roll | KnownFaces
) -> BetResult:
    """What became of a bet of which so much counted, with the reasons."""
    box = state.pay_table.by_id[bet.box]
    if isinstance(outcome, Roll):
        won = award(box, outcome, effective)
        note = _outcome_note(state, box, won, outcome)
    elif is_decided(box, outcome.completions):
        won = award_at(certain_odds(box, outcome.completions), effective)
        note = _known_note(state, box, won, outcome)
    else:
        facts = {"box": bet.box, "stake": bet.stake, "known": str(outcome)}
        undecided = Note("undecided_returned", state.rulebook.cite("ruling"), facts)
        notes = (undecided, *_absence_notes(state, bet))
        return BetResult(bet.player, bet.box, bet.stake, 0, _NOT_IN_PLAY, notes)
    notes = (*_limit_notes(state, bet, box, effective, cap), note, *_absence_notes(state, bet))
    return BetResult(bet.player, bet.box, bet.stake, effective, won, notes)


def _limit_notes(state: RoundState, bet: Bet, box: Box, effective: int, cap: Cap | None) -> list[Note]:
    cite = state.rulebook.cite
    minimum = state.limits.of(box).minimum
    facts: dict[str, Any] = {"box": bet.box, "stake": bet.stake, "effective": effective}
    if effective < bet.stake and cap:
        return [Note(cap.message, cite("pro_rata"), {**facts, "limit": cap.limit, "pair": cap.pair})]
    if bet.stake < minimum:
        facts["minimum"] = minimum
        if cap:
            return [Note("exempt", cite("exempt"), facts)]
        return [Note("below_minimum_stands", cite("below_minimum_stands"), facts)]
    return []


def _outcome_note(state: RoundState, box: Box, won: Award, roll: Roll) -> Note:
    rulebook = state.rulebook
    facts: dict[str, Any] = {
        "box": box.id,
        "stake": won.stake,
        "dice": str(roll.called()),
        "total": roll.total,
    }
    if won.pays_to_one is not None:
        clause = state.pay_table.clause or HOUSE
        if roll.is_triple:
            clause = rulebook.triple_wins.get(box.kind, clause)
        facts |= {"pays_to_one": str(won.pays_to_one), "returned": won.returned}
        return Note("won", clause, facts)
    if roll.is_triple and box.kind not in rulebook.triple_wins and "triple" in rulebook.cites:
        return Note("lost_to_triple", rulebook.cite("triple"), facts)
    return Note("lost", rulebook.cite("settle"), facts)


def _known_note(state: RoundState, box: Box, won: Award, known: KnownFaces) -> Note:
    """A bet that faces decided which could be read, though not all of them could."""
    facts: dict[str, Any] = {"box": box.id, "stake": won.stake, "known": str(known)}
    if won.pays_to_one is None:
        return Note("lost_on_known", state.rulebook.cite("ruling"), facts)
    facts |= {"pays_to_one": str(won.pays_to_one), "returned": won.returned}
    return Note("won_on_known", state.rulebook.cite("ruling"), facts)


def _absence_notes(state: RoundState, bet: Bet) -> list[Note]:
    match state.slips[bet.player].absent:
        case "walked-away":
            return [Note("walked_away", state.rulebook.cite("walk_away"), {"box": bet.box})]
        case "cut-off":
            return [Note("registered", state.rulebook.cite("registered"), {"box": bet.box})]
        case _:
            return []
