"""A round with very many players, settled by columns: limits, pro rata and awards in whole numbers.

`settlement` says what is right, bet by bet; this says the same for a hundred thousand players, and makes
the reasons for a single bet only when someone asks.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import attrgetter

import numpy as np

from taisai.dice import Roll
from taisai.game.apportion import apportion
from taisai.game.bulk import Whole, settle_columns
from taisai.game.settlement import BetResult, Cap, caps_of, result_of
from taisai.game.state import WRITTEN_DOWN, Bet, PlayerSlip, RoundState, Totals

_amounts, _laid = attrgetter("amounts"), attrgetter("laid")
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
        # Iterators all the way, so that no line of Python runs for each of half a million bets.
        amounts = list(map(_amounts, state.slips.values()))
        counts = np.fromiter(map(len, amounts), dtype=np.int64, count=len(amounts))
        bets = int(counts.sum())

        def column(values: Iterable[Iterable[int]]) -> Whole:
            return np.fromiter(chain.from_iterable(values), dtype=np.int64, count=bets)

        index = dict(state.pay_table.index)
        boxes = map(index.__getitem__, chain.from_iterable(amounts))
        order = _order(state.slips.values(), counts)
        sequence = np.argsort(order, kind="stable")
        return cls(
            state,
            list(state.slips),
            player=np.repeat(np.arange(len(amounts)), counts)[sequence],
            box=np.fromiter(boxes, dtype=np.int64, count=bets)[sequence],
            stake=column(map(dict.values, amounts))[sequence],
            order=order[sequence],
        )

    @cached_property
    def by_box(self) -> list[Whole]:
        """The positions of the bets on each box, in their order."""
        boxes = len(self.state.pay_table.boxes)
        sequence = np.argsort(self.box.astype(np.int16), kind="stable")
        return np.split(sequence, np.cumsum(np.bincount(self.box, minlength=boxes))[:-1])

    @cached_property
    def caps(self) -> dict[str, Cap]:
        """The boxes that are shared pro rata, with their caps."""
        pay_table = self.state.pay_table
        return caps_of(
            self.state.rulebook,
            pay_table,
            self.state.limits,
            self.state.totals,
            lambda box: self.stake[self.by_box[pay_table.index[box]]].tolist(),
            lighter_side=self.state.lighter_side,
        )

    @cached_property
    def effective(self) -> Whole:
        """What of each bet counts."""
        counted = self.stake.copy()
        pay_table, limits = self.state.pay_table, self.state.limits
        for box_id, cap in self.caps.items():
            here = self.by_box[pay_table.index[box_id]]
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
        present = self._by_first_bet()
        players = map(self.players.__getitem__, present.tolist())
        return Totals(
            bets=len(self.stake),
            staked=int(self.stake.sum()),
            effective=int(effective.sum()),
            paid=dict(zip(players, by_player[present].tolist(), strict=True)),
        )

    def _by_first_bet(self) -> Whole:
        """The players in the order of their first bet, as the plain path has them."""
        bets = len(self.player)
        first = np.full(len(self.players), bets)
        first[self.player[::-1]] = np.arange(bets)[::-1]  # of several, the one assigned last stays
        present: Whole = np.argsort(first)[: int((first < bets).sum())]
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


def _order(slips: Collection[PlayerSlip], counts: Whole) -> Whole:
    """When the first chip of each bet came that still lies there."""
    laid = np.fromiter(map(_laid, slips), dtype=np.int64, count=len(slips))
    ends = np.cumsum(counts)
    order: Whole = np.repeat(laid - ends + counts, counts) + np.arange(1, int(counts.sum()) + 1)
    written = np.flatnonzero(laid == WRITTEN_DOWN).tolist()
    if written:
        every = list(slips)
        for at in written:
            end = int(ends[at])
            order[end - int(counts[at]) : end] = list(every[at].moments.values())
    return order


def can_hold(state: RoundState) -> bool:
    """Whether all that the round could pay fits into columns, with room to spare."""
    pay_table = state.pay_table
    return state.staked() * (pay_table.pays_most + 1) * pay_table.unit < _SAFE


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
    sharing, cap = _lift(bets, effective, sharing, cap, minimum)
    effective[sharing] = _shares(bets[sharing], cap, unit)
    return effective


def _lift(bets: Whole, effective: Whole, sharing: Whole, cap: int, minimum: int) -> tuple[Whole, int]:
    """Bring to the minimum whoever a fair share would leave below it; gives who still shares, and what."""
    shared = bets[sharing]
    if int(shared.min()) * cap >= minimum * int(shared.sum()):
        return sharing, cap
    # A lift makes every other share smaller: from the smallest bet up, until one need not be lifted.
    smallest = np.sort(shared)
    still_shared = smallest.sum() - np.concatenate(([0], np.cumsum(smallest[:-1])))
    caps = cap - minimum * np.arange(len(smallest))
    lifted = int(np.argmin(smallest * caps < minimum * still_shared))
    is_lifted = shared < smallest[lifted]
    effective[sharing[is_lifted]] = minimum
    return sharing[~is_lifted], int(caps[lifted])


def _shares(bets: Whole, cap: int, unit: int) -> Whole:
    """Divide the cap in proportion, in whole units, the left-over units by largest remainder."""
    whole, rest = np.divmod(bets * cap, int(bets.sum()) * unit)
    left = cap // unit - int(whole.sum())
    if left:
        least = np.partition(rest, -left)[-left]
        lucky = rest > least
        lucky[np.flatnonzero(rest == least)[: left - int(lucky.sum())]] = True
        whole += lucky
    shares: Whole = whole * unit
    return shares
