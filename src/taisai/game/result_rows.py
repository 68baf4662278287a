"""What became of every slip, in the order of first registration: quick enough for a million of them.

`settlement` says what is right, bet by bet, with reasons in words. Here are only the numbers and the clauses,
and bets that are alike are settled once.
"""

from collections.abc import Iterable, Iterator

from taisai.dice import KnownFaces, Roll
from taisai.game.settlement import caps_of, effective_stakes, result_of
from taisai.game.state import Bet, PlayerSlip, RoundState

# What of a stake counted, what came back in all, and the clauses that decided it.
Row = tuple[int, int, str]
# A player, the slip's version, what came back in all, and the same by columns: what counted, what came back,
# and by which clauses, a member for each box in the order of their names.
SlipColumns = tuple[str, int, int, list[int], list[int], list[str]]
# Players with their slips: looking up each of a million by its name would take longer than settling it.
Slips = Iterable[tuple[str, PlayerSlip]]


def void_rows(slips: Slips, clauses: tuple[str, ...]) -> Iterator[SlipColumns]:
    """These slips of a void round: nothing counted, everything comes back."""
    said = spelled(clauses)
    for player, slip in slips:
        returned = [slip.amounts[box] for box in sorted(slip.amounts)]
        yield player, slip.version, sum(returned), [0] * len(returned), returned, [said] * len(returned)


def result_rows(state: RoundState, slips: Slips, outcome: Roll | KnownFaces) -> Iterator[SlipColumns]:
    """These slips with what their bets brought."""
    special = _special_rows(state, outcome)
    alike: dict[str, dict[int, Row]] = {box.id: {} for box in state.pay_table.boxes}
    for player, slip in slips:
        amounts = slip.amounts
        effective: list[int] = []
        returned: list[int] = []
        clauses: list[str] = []
        rows = alike
        if slip.absent or player in special:  # box and stake alone do not settle these
            rows = {box: {} for box in amounts}
            for box, row in special.get(player, {}).items():
                rows[box][amounts[box]] = row
        # A million slips come by here: each row is unpacked as it is found, and nothing else is asked.
        for box in sorted(amounts):
            try:
                counted, back, by = rows[box][amounts[box]]
            except KeyError:
                row = _row(state, Bet(player, box, amounts[box], 0), outcome)
                counted, back, by = rows[box][amounts[box]] = row
            effective.append(counted)
            returned.append(back)
            clauses.append(by)
        yield player, slip.version, sum(returned), effective, returned, clauses


def spelled(clauses: tuple[str, ...]) -> str:
    """The clauses of one bet, each once."""
    return ", ".join(dict.fromkeys(clauses))


def _special_rows(state: RoundState, outcome: Roll | KnownFaces) -> dict[str, dict[str, Row]]:
    """Bets that are shared pro rata, by player; no slip is looked at where no box is above its maximum."""
    if not state.rulebook.limits.pro_rata:
        return {}

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
    if not caps:
        return {}
    bets = [bet for bet in state.bets() if bet.box in caps]
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
