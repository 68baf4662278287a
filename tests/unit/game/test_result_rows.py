"""The quick rows of a round say the same as the settlement with its reasons."""

import pytest

from taisai.dice import ROLLS
from taisai.game.result_rows import result_rows, spelled, void_rows
from taisai.game.settlement import settle_round
from tests.rules.table import ALL_TEN
from tests.unit.game.test_columns import crowded


@pytest.mark.parametrize("pay_table", ALL_TEN)
@pytest.mark.parametrize("seed", [1, 2])
def test_rows_are_what_the_settlement_says_bet_by_bet(pay_table: str, seed: int) -> None:
    """Amounts and clauses, also where bets are shared pro rata or their player is away."""
    state = crowded(pay_table, seed).state
    for roll in ROLLS[:: 43 if seed == 1 else 61]:
        expected = {
            (result.player, result.box): (result.effective, result.returned, spelled(result.clauses))
            for result in settle_round(state, roll)
        }
        rows = list(result_rows(state, state.slips.items(), roll))
        assert [player for player, *_ in rows] == list(state.slips)
        found = {
            (player, box): row
            for player, _, _, *columns in rows
            for box, row in zip(sorted(state.slips[player].amounts), zip(*columns, strict=True), strict=True)
        }
        assert [row[2] for row in rows] == [sum(row[4]) for row in rows]
        assert [row[1] for row in rows] == [slip.version for slip in state.slips.values()]
        assert found == expected


def test_a_void_gives_every_stake_back() -> None:
    """Nothing counted, and both clauses are named once."""
    state = crowded(ALL_TEN[0], 3).state
    rows = void_rows(state.slips.items(), ("7.1", "7.2", "7.1"))
    for player, version, total, effective, returned, clauses in rows:
        slip = state.slips[player]
        assert (version, total) == (slip.version, slip.total())
        assert dict(zip(sorted(slip.amounts), returned, strict=True)) == slip.amounts
        assert effective == [0] * len(returned)
        assert clauses == ["7.1, 7.2"] * len(returned)
