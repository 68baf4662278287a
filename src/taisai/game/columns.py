"""A round with very many players, settled by columns: limits, pro rata and awards in whole numbers.

`settlement` says what is right, bet by bet; this says the same for a hundred thousand players, and makes
the reasons for a single bet only when someone asks.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from taisai.dice import Roll
from taisai.game.apportion import apportion
from taisai.game.bulk import Whole, settle_columns
from taisai.game.settlement import BetResult, Cap, caps_of, result_of
from taisai.game.state import Bet, RoundState, Totals

_SAFE = 2**62  # products below this leave int64 room for one addition


@dataclass(frozen=True)
class RoundColumns:
    """The bets of a round as columns, in the order of each bet's first surviving chip."""

    state: RoundState
    players: list[str]
    player: Whole
    box: Whole
    stake: Whole
    order: Whole

    @classmethod
    def of(cls, state: RoundState) -> "RoundColumns":
        index = state.pay_table.index
        rows = [
            (at, index[box], sum(chips.amount for chips in stack), stack[0].order)
            for at, slip in enumerate(state.slips.values())
            for box, stack in slip.stacks.items()
        ]
        flat = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=4 * len(rows)).reshape(-1, 4)
        flat = flat[np.argsort(flat[:, 3], kind="stable")]
        columns = [np.ascontiguousarray(flat[:, column]) for column in range(4)]
        return cls(state, list(state.slips), *columns)

    @cached_property
    def caps(self) -> dict[str, Cap]:
        """The boxes that are shared pro rata, with their caps."""
        pay_table = self.state.pay_table
        return caps_of(
            self.state.rulebook,
            pay_table,
            self.state.limits,
            self.state.totals,
            lambda box: self.stake[self.box == pay_table.index[box]].tolist(),
        )

    @cached_property
    def effective(self) -> Whole:
        """What of each bet counts."""
        counted = self.stake.copy()
        pay_table, limits = self.state.pay_table, self.state.limits
        for box_id, cap in self.caps.items():
            here = np.flatnonzero(self.box == pay_table.index[box_id])
            minimum = limits.of(pay_table.by_id[box_id]).minimum
            counted[here] = apportion_column(self.stake[here], cap.maximum, minimum, limits.unit)
        return counted

    def totals(self, roll: Roll) -> Totals:
        """The settlement in sums, and what each player gets back."""
        effective = self.effective
        back = self.stake - effective
        back += settle_columns(self.state.pay_table, roll, self.box, effective)
        by_player = np.zeros(len(self.players), dtype=np.int64)
        np.add.at(by_player, self.player, back)
        betting = np.zeros(len(self.players), dtype=bool)
        betting[self.player] = True
        paid = by_player.tolist()
        return Totals(
            bets=len(self.stake),
            staked=int(self.stake.sum()),
            effective=int(effective.sum()),
            paid={self.players[at]: paid[at] for at in self._first_bets(betting)},
        )

    def _first_bets(self, betting: np.ndarray) -> list[int]:
        """The players in the order of their first bet, as the plain path has them."""
        _, first = np.unique(self.player, return_index=True)
        present: list[int] = np.flatnonzero(betting)[np.argsort(first, kind="stable")].tolist()
        return present

    def result(self, position: int, roll: Roll) -> BetResult:
        """One bet's result with its reasons, made on demand."""
        bet = Bet(
            self.players[int(self.player[position])],
            self.state.pay_table.boxes[int(self.box[position])].id,
            int(self.stake[position]),
            int(self.order[position]),
        )
        counted = int(self.effective[position])
        return result_of(self.state, bet, counted, self.caps.get(bet.box), roll)


def can_hold(state: RoundState) -> bool:
    """Whether all that the round could pay fits into columns, with room to spare."""
    multiple_max = max(pays for box in state.pay_table.boxes for pays in box.pays) + 1
    return state.staked() * multiple_max * state.pay_table.unit < _SAFE


def apportion_column(bets: Whole, maximum: int, minimum: int, unit: int) -> Whole:
    """`apportion` over a column; amounts too large for 64 bits take the plain path."""
    total = int(bets.sum())
    if total <= maximum:
        return bets
    if int(bets.max()) * max(maximum, 1) >= _SAFE or total * max(minimum, unit) >= _SAFE:
        plain = apportion(bets.tolist(), maximum=maximum, minimum=minimum, unit=unit)
        return np.array(plain, dtype=np.int64)
    effective = bets.copy()
    sharing = np.flatnonzero(bets >= minimum)
    cap = maximum - int(bets[bets < minimum].sum())
    if cap < minimum * len(sharing) or cap <= 0:
        effective[sharing] = minimum
        return effective
    # The smallest bets are lifted first, as many as a fair share would leave below the minimum.
    smallest = np.sort(bets[sharing])
    left_over = smallest.sum() - np.concatenate(([0], np.cumsum(smallest[:-1])))
    caps = cap - minimum * np.arange(len(smallest))
    lifted = int(np.argmin(smallest * caps < minimum * left_over))
    cap, total = int(caps[lifted]), int(left_over[lifted])
    is_lifted = bets[sharing] < smallest[lifted]
    effective[sharing[is_lifted]] = minimum
    sharing = sharing[~is_lifted]
    shared = bets[sharing]
    whole, rest = np.divmod(shared * cap, total * unit)
    left = cap // unit - int(whole.sum())
    lucky = np.lexsort((sharing, -rest))[:left]
    whole[lucky] += 1
    effective[sharing] = whole * unit
    return effective
