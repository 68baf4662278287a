"""Is the win what the bets should have brought? Evidence that may be looked at after every round.

A gambler who starts with 1 bets, at fair prices, that the house wins more (or less) than the bets that were
made should bring. After a round with the house's net X, a bettor of rate r holds exp(r·(X − mean)) / M(r),
where M(r) is the exact mean of that exponential over the 216 rolls: so skewed bets, such as triples, are
priced as skewed as they are. The evidence is the mean over bettors of many rates of either sign. While dice
and payouts are right it grows past t with a chance of at most 1/t, however often one looks (Ville).

What the evidence would be for any other win follows from the same sums, which gives a band for the win that
holds at all times together. Over many tables, dealers and players `e_bh` bounds the share of false flags.
"""

from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import exp, log
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from taisai.odds.bets.outcomes import WAYS_TOTAL, net_matrix, ways_column
from taisai.odds.results.alike import Alike
from taisai.rulebooks.model import PayTable

Floats = npt.NDArray[np.float64]
Key = TypeVar("Key", bound=Hashable)

# Rates a minor unit: each half of the one before, from chips of one minor unit to sums of any size.
_RATES: Final = 2.0 ** -np.arange(0, 46)
RATES: Final[Floats] = np.concatenate([_RATES, -_RATES])
_SLIPS_KEPT: Final = 4_096
_LOG_MAX: Final = 700.0


@dataclass(frozen=True, slots=True, eq=False)
class RoundHold(Alike):
    """What one round's bets should bring the house, and the price of betting that they bring another win."""

    handle_minor: int
    mean: float
    worst: float
    best: float
    log_prices: Floats


class HoldPrices:
    """The prices of slips on one pay table. Players repeat their bets, so the last slips are kept."""

    def __init__(self, pay_table: PayTable) -> None:
        self.pay_table = pay_table
        nets, unit = net_matrix(pay_table)
        self._house: Floats = -nets / unit
        self._log_ways: Floats = np.log(ways_column() / WAYS_TOTAL)
        self._kept: OrderedDict[frozenset[tuple[str, int]], RoundHold] = OrderedDict()

    def of(self, stakes: Mapping[str, int]) -> RoundHold:
        """The price of these stakes, by box."""
        key = frozenset(stakes.items())
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self._priced(stakes)
            if len(self._kept) > _SLIPS_KEPT:
                self._kept.popitem(last=False)
        return found

    def _priced(self, stakes: Mapping[str, int]) -> RoundHold:
        rows = [self.pay_table.index[box] for box in stakes]
        results = np.array(list(stakes.values()), dtype=np.float64) @ self._house[rows]
        mean = float(np.exp(self._log_ways) @ results)
        exponents = RATES[:, None] * (results - mean) + self._log_ways
        top = exponents.max(axis=1)
        log_prices = top + np.log(np.exp(exponents - top[:, None]).sum(axis=1))
        return RoundHold(
            handle_minor=sum(stakes.values()),
            mean=mean,
            worst=float(results.min()),
            best=float(results.max()),
            log_prices=np.maximum(log_prices, 0.0),  # a mean of exp(r·(X - mean)) is never below one
        )


class HoldEvidence:
    """The rounds of one table, dealer or player together: handle, win, and the evidence that it is wrong."""

    __slots__ = ("best", "handle_minor", "log_prices", "mean", "rounds", "win_minor", "worst")

    def __init__(self) -> None:
        self.rounds = self.handle_minor = self.win_minor = 0
        self.mean = self.worst = self.best = 0.0
        self.log_prices: Floats = np.zeros(len(RATES))

    def add(self, priced: RoundHold, win_minor: int, sign: int = 1) -> None:
        """Count a round, or with a sign of -1 take it out again."""
        self.rounds += sign
        self.handle_minor += sign * priced.handle_minor
        self.win_minor += sign * win_minor
        self.mean += sign * priced.mean
        self.worst += sign * priced.worst
        self.best += sign * priced.best
        self.log_prices = self.log_prices + sign * priced.log_prices

    def join(self, other: "HoldEvidence") -> None:
        """Count another's rounds too: those of one dealer at another table, whose dice are others."""
        self.rounds += other.rounds
        self.handle_minor += other.handle_minor
        self.win_minor += other.win_minor
        self.mean += other.mean
        self.worst += other.worst
        self.best += other.best
        self.log_prices = self.log_prices + other.log_prices

    def log_evidence_at(self, win_minor: float) -> float:
        """The logarithm of what the evidence would be, had the win been this."""
        logs = RATES * (win_minor - self.mean) - self.log_prices
        top = float(logs.max())
        return top + log(float(np.exp(logs - top).sum()) / len(RATES))

    @property
    def e_value(self) -> float:
        """The evidence now: 1 says nothing, 100 is a hundred to one against right dice and payouts."""
        return exp(min(self.log_evidence_at(self.win_minor), _LOG_MAX)) if self.rounds else 1.0

    @property
    def direction(self) -> str:
        """On which side of theory the win is."""
        return "above" if self.win_minor > self.mean else "below"

    def band(self, threshold: float) -> tuple[float, float] | None:
        """The wins for which the evidence stays below a threshold; None while these say nothing.

        They say nothing as long as an end is beyond what the bets could have brought at all.
        """
        if not self.rounds:
            return None
        low = self._end(threshold, self.worst)
        high = self._end(threshold, self.best)
        return None if low is None or high is None else (low, high)

    def _end(self, threshold: float, limit: float) -> float | None:
        """Between theory and the limit, where the evidence reaches the threshold."""
        inside, outside = self.mean, limit
        if self.log_evidence_at(outside) < log(threshold):
            return None
        for _ in range(60):
            middle = (inside + outside) / 2
            if self.log_evidence_at(middle) < log(threshold):
                inside = middle
            else:
                outside = middle
        return outside


def e_bh(e_values: Mapping[Key, float], *, level: float) -> set[Key]:
    """Those to flag, such that false flags are at most the share `level` of all flags on average (e-BH).

    However the e-values depend on one another: of the k largest, each is at least their number over k·level.

    >>> sorted(e_bh({"a": 100.0, "b": 35.0, "c": 1.0}, level=0.05))
    ['a', 'b']
    """
    ranked = sorted(e_values, key=lambda key: -e_values[key])
    count = len(ranked)
    flagged = 0
    for place, key in enumerate(ranked, start=1):
        if e_values[key] * place * level >= count:
            flagged = place
    return set(ranked[:flagged])
