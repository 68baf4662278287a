"""What became of every slip, in the order of first registration: quick enough for a million of them.

`settlement` says what is right, bet by bet, with reasons in words. Here are only the numbers and the clauses,
and bets that are alike are settled once.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from taisai.dice import KnownFaces, Roll
from taisai.game.settlement import caps_of, effective_stakes, result_of
from taisai.game.state import Bet, PlayerSlip, RoundState

# What of a stake counted, what came back in all, and the clauses that decided it.
Row = tuple[int, int, str]
# A player, the slip, and the same by columns, a member for each box in the order of their names.
SlipColumns = tuple[str, PlayerSlip, list[int], list[int], list[str]]
_NOTHING: Final[dict[str, Row]] = {}


def void_rows(state: RoundState, players: Iterable[str], clauses: tuple[str, ...]) -> Iterator[SlipColumns]:
    """These slips of a void round: nothing counted, everything comes back."""
    said = spelled(clauses)
    for player in players:
        slip = state.slips[player]
        returned = [slip.amounts[box] for box in sorted(slip.amounts)]
        yield player, slip, [0] * len(returned), returned, [said] * len(returned)


def result_rows(
    state: RoundState, players: Iterable[str], outcome: Roll | KnownFaces
) -> Iterator[SlipColumns]:
    """These slips with what their bets brought."""
    special, slips = _special_rows(state, outcome), state.slips
    alike: dict[str, dict[int, Row]] = {box.id: {} for box in state.pay_table.boxes}
    for player in players:
        slip = slips[player]
        amounts, mine = slip.amounts, special.get(player, _NOTHING)
        effective: list[int] = []
        returned: list[int] = []
        clauses: list[str] = []
        for box in sorted(amounts):
            stake = amounts[box]
            row = alike[box].get(stake) if box not in mine else mine[box]
            if row is None:
                row = alike[box][stake] = _row(state, Bet(player, box, stake, 0), outcome)
            effective.append(row[0])
            returned.append(row[1])
            clauses.append(row[2])
        yield player, slip, effective, returned, clauses


def spelled(clauses: tuple[str, ...]) -> str:
    """The clauses of one bet, each once."""
    return ", ".join(dict.fromkeys(clauses))


def _special_rows(state: RoundState, outcome: Roll | KnownFaces) -> dict[str, dict[str, Row]]:
    """Bets that box and stake alone do not settle, by player: shared pro rata, or of somebody who is away."""
    caps = {}
    if state.rulebook.limits.pro_rata:

        def stakes_on(box: str) -> list[int]:
            return [bet.stake for bet in state.bets() if bet.box == box]

        caps = caps_of(
            state.rulebook,
            state.pay_table,
            state.limits,
            state.totals,
            stakes_on,
            lighter_side=state.lighter_side,
        )
    away = {player for player, slip in state.slips.items() if slip.absent}
    if not caps and not away:
        return {}
    bets = [bet for bet in state.bets() if bet.box in caps or bet.player in away]
    counted = effective_stakes(state.pay_table, state.limits, bets, caps)
    rows: dict[str, dict[str, Row]] = {}
    for bet, effective in zip(bets, counted, strict=True):
        result = result_of(state, bet, effective, caps.get(bet.box), outcome)
        row = (effective, result.returned, spelled(result.clauses))
        rows.setdefault(bet.player, {})[bet.box] = row
    return rows


def _row(state: RoundState, bet: Bet, outcome: Roll | KnownFaces) -> Row:
    result = result_of(state, bet, bet.stake, None, outcome)
    return result.effective, result.returned, spelled(result.clauses)
