"""What became of every slip, in the order of first registration: quick enough for a million of them.

`settlement` says what is right, bet by bet, with reasons in words. Here are only the numbers and the clauses,
and bets that are alike are settled once.
"""

from collections.abc import Iterable, Iterator

from taisai.dice import KnownFaces, Roll
from taisai.game.settlement import caps_of, effective_stakes, result_of
from taisai.game.state import Bet, PlayerSlip, RoundState

# A box, what of the stake on it counted, what came back in all, and the clauses that decided it.
Row = tuple[str, int, int, str]
# A player, the slip, and its bets.
SlipRows = tuple[str, PlayerSlip, list[Row]]


def void_rows(state: RoundState, players: Iterable[str], clauses: tuple[str, ...]) -> Iterator[SlipRows]:
    """These slips of a void round: nothing counted, everything comes back."""
    said = spelled(clauses)
    for player in players:
        slip = state.slips[player]
        yield player, slip, [(box, 0, stake, said) for box, stake in slip.amounts.items()]


def result_rows(state: RoundState, players: Iterable[str], outcome: Roll | KnownFaces) -> Iterator[SlipRows]:
    """These slips with what their bets brought."""
    special = _special_rows(state, outcome)
    alike: dict[tuple[str, int], Row] = {}

    def settled(player: str, bet: tuple[str, int]) -> Row:
        row = special.get((player, bet[0])) or alike.get(bet)
        if row is None:
            row = alike[bet] = _row(state, Bet(player, bet[0], bet[1], 0), outcome)
        return row

    known = alike.get
    for player in players:
        slip = state.slips[player]
        if special:
            yield player, slip, [settled(player, bet) for bet in slip.amounts.items()]
        else:
            yield player, slip, [known(bet) or settled(player, bet) for bet in slip.amounts.items()]


def spelled(clauses: tuple[str, ...]) -> str:
    """The clauses of one bet, each once."""
    return ", ".join(dict.fromkeys(clauses))


def _special_rows(state: RoundState, outcome: Roll | KnownFaces) -> dict[tuple[str, str], Row]:
    """The bets that are not settled by box and stake alone: shared pro rata, or of a player who is away."""
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
    rows = {}
    for bet, effective in zip(bets, counted, strict=True):
        result = result_of(state, bet, effective, caps.get(bet.box), outcome)
        rows[bet.player, bet.box] = (bet.box, effective, result.returned, spelled(result.clauses))
    return rows


def _row(state: RoundState, bet: Bet, outcome: Roll | KnownFaces) -> Row:
    result = result_of(state, bet, bet.stake, None, outcome)
    return bet.box, result.effective, result.returned, spelled(result.clauses)
