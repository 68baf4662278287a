"""Any staking rule of finite state as a Markov chain over (bankroll, rule's state), and its solution.

One linear system gives the expected number of visits to every state before the play ends; ruin, target,
rounds and stakes are sums over those visits, so no small number is ever the difference of two large ones.
"""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from taisai.odds.bets.nets import fraction_gcd
from taisai.odds.cost import TooCostly
from taisai.odds.extras import needs
from taisai.odds.results.alike import Alike
from taisai.odds.ruin.follow import LEFT_OPEN, follow_to_end
from taisai.odds.ruin.lattice import as_fraction
from taisai.odds.staking.rules import StakingRule, check_rule_stake

Visits: TypeAlias = npt.NDArray[np.longdouble]

STATES_MAX: Final = 500_000
FACTORED_STATES_MAX: Final = 2_500
FACTORED_EVEN_MAX: Final = 60_000
ITERATED_STATES_MAX: Final = 60_000
REFINEMENTS_MAX: Final = 25
# What the equations may be off by, at worst, when refinement comes to rest.
ENOUGH: Final = 1e-13
EXACT_STATES_MAX: Final = 600


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played: the net of a unit bet, money, the table's maximum and the staking rule."""

    unit_net: Mapping[Fraction, Fraction]
    stake: int
    bankroll: int
    target: int
    rule: StakingRule
    maximum: int | None = None

    def stake_for(self, units: int, bankroll_left: int) -> int:
        """The stake in minor units: cut to the table's maximum and to the whole units that are left."""
        stake = units * self.stake
        if self.maximum is not None:
            stake = min(stake, self.maximum // self.stake * self.stake)
        return min(stake, bankroll_left // self.stake * self.stake)


@dataclass(frozen=True, slots=True, eq=False)
class Chain(Alike):
    """Transitions between playing states with whole weights out of `total`; state 0 is the start."""

    total: int
    even_money: bool
    source: npt.NDArray[np.int64]
    sink: npt.NDArray[np.int64]
    weight: npt.NDArray[np.int64]
    ruin_weight: npt.NDArray[np.int64]
    target_weight: npt.NDArray[np.int64]
    stake: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.stake)

    def onward(self, form: str) -> Any:
        """The chance to go from each state (columns) to each other (rows) in one round."""
        chances, places = self.weight / self.total, (self.sink, self.source)
        matrix = needs("scipy.sparse").coo_matrix((chances, places), shape=(len(self), len(self)))
        return matrix.asformat(form)


@dataclass(frozen=True, slots=True)
class Solution:
    """What the chain ends in and how long that takes."""

    ruin: float
    target: float
    rounds: float
    staked: float
    method: str


class _RuleStates:
    """The states of a staking rule by number, each asked once for its stake and what follows it."""

    def __init__(self, rule: StakingRule) -> None:
        self._rule = rule
        self._states: list[Any] = []
        self._number: dict[Any, int] = {}
        self.units: list[int] = []
        # By state: the number that follows a round lost, even or won; -1 where nobody has asked yet.
        self.following: list[list[int]] = []
        self.number_of(rule.start)

    def number_of(self, state: Any) -> int:
        number = self._number.get(state)
        if number is None:
            number = self._number[state] = len(self._states)
            self._states.append(state)
            self.units.append(check_rule_stake(self._rule, state, self._rule.stake(state)))
            self.following.append([-1, number, -1])
        return number

    def after(self, number: int, sign: int) -> int:
        """The state after a round that netted less than nothing (0), nothing (1) or more (2)."""
        following = self.following[number][sign]
        if following < 0:
            following = self.number_of(self._rule.after(self._states[number], sign == 2))
            self.following[number][sign] = following
        return following


def build_chain(terms: Terms) -> Chain:
    """Every state that play can reach, by search from the start."""
    nets = terms.unit_net
    scale = lcm(*(net.denominator for net in nets))
    unit = fraction_gcd(list(nets.values()))
    signs = {net: 1 + (net > 0) - (net < 0) for net in nets}
    steps = [(int(net * scale), int(chance / unit), signs[net]) for net, chance in nets.items()]
    floor, ceiling = terms.stake * scale, terms.target * scale
    rule = _RuleStates(terms.rule)
    first = (terms.bankroll * scale, 0)
    index: dict[tuple[int, int], int] = {first: 0}
    waiting = deque([first])
    source: list[int] = []
    sink: list[int] = []
    weight: list[int] = []
    ruin: list[int] = []
    target: list[int] = []
    stakes: list[int] = []
    while waiting:
        bankroll, state = waiting.popleft()
        here = len(stakes)
        stake = terms.stake_for(rule.units[state], bankroll // scale)
        stakes.append(stake)
        ruined = reached = 0
        for net_scaled, chance, sign in steps:
            then = bankroll + stake * net_scaled
            if then < floor:
                ruined += chance
            elif then >= ceiling:
                reached += chance
            else:
                key = (then, rule.after(state, sign))
                place = index.get(key)
                if place is None:
                    place = index[key] = len(index)
                    waiting.append(key)
                source.append(here)
                sink.append(place)
                weight.append(chance)
        ruin.append(ruined)
        target.append(reached)
        if len(index) > STATES_MAX:
            raise TooCostly(
                f"{terms.rule.name} has more than {STATES_MAX} states here: "
                f"raise the stake, lower the target, set a table maximum, or simulate"
            )
    columns = (np.array(column, dtype=np.int64) for column in (source, sink, weight, ruin, target, stakes))
    return Chain(sum(chance for _, chance, _ in steps), all(abs(net) <= 1 for net in nets), *columns)


def solve_chain(chain: Chain) -> Solution:
    """Ruin, target, rounds and stakes to about 1e-13."""
    visits, method = _visits(chain)
    return Solution(
        ruin=_dot(visits, chain.ruin_weight) / chain.total,
        target=_dot(visits, chain.target_weight) / chain.total,
        rounds=_dot(visits, np.ones(len(chain))),
        staked=_dot(visits, chain.stake),
        method=method,
    )


def _dot(visits: Visits, column: npt.NDArray[Any]) -> float:
    return max(0.0, float((visits * column).sum()))


def _visits(chain: Chain) -> tuple[Visits, str]:
    """Expected visits to each state, by the quickest way that its size allows; and that way's name."""
    if len(chain) <= (FACTORED_EVEN_MAX if chain.even_money else FACTORED_STATES_MAX):
        factors = needs("scipy.sparse.linalg").splu(_equations(chain))
        found = _refine(chain, factors.solve)
        method = "sparse linear system"
    elif len(chain) <= ITERATED_STATES_MAX:
        found = _refine(chain, _iteration(_equations(chain)))
        method = "iterated linear system"
    else:
        found, method = None, ""
    return (follow_to_end(chain), "dynamic programming") if found is None else (found, method)


def _equations(chain: Chain) -> Any:
    """A state's visits, less what the others send there, are one at the start and nothing elsewhere."""
    identity = needs("scipy.sparse").identity(len(chain), format="csc")
    return (identity - chain.onward("csc")).tocsc()


def _refine(chain: Chain, solve: Callable[[Any], Any]) -> Visits | None:
    """Correct an approximate solver until the equations hold in extended precision.

    The chance of ruin is wrong by no more than the sum of what the equations are off by, since each unit of
    that ends in ruin with a chance of at most one. None when the sum cannot be made small enough.
    """
    start = np.zeros(len(chain))
    start[0] = 1.0
    visits: Visits = np.zeros(len(chain), dtype=np.longdouble)
    shares = chain.weight.astype(np.longdouble) / chain.total
    off = 1.0
    for _ in range(REFINEMENTS_MAX):
        inflow = np.zeros(len(chain), dtype=np.longdouble)
        np.add.at(inflow, chain.sink, visits[chain.source] * shares)
        residual = start - visits + inflow
        off = float(np.abs(residual).sum())
        if off <= LEFT_OPEN * max(1.0, float(visits.max())):
            return visits
        visits += solve(residual.astype(np.float64) / off) * off
    return visits if off <= ENOUGH else None


def _iteration(matrix: Any) -> Callable[[Any], Any]:
    """Long jumps fill a factorisation; an incomplete one speeds an iteration up instead."""
    linalg = needs("scipy.sparse.linalg")
    factors = linalg.spilu(matrix, drop_tol=1e-3, fill_factor=10, permc_spec="NATURAL", diag_pivot_thresh=0.0)
    helper = linalg.LinearOperator(matrix.shape, factors.solve)

    def solve(wanted: Any) -> Any:
        return linalg.bicgstab(matrix, wanted, M=helper, rtol=1e-10, atol=0.0, maxiter=200)[0]

    return solve


def solve_exactly(chain: Chain) -> tuple[Fraction, Fraction, Fraction] | None:
    """Ruin, rounds and stakes as fractions, or None when the chain is too large for it."""
    count = len(chain)
    if count > EXACT_STATES_MAX:
        return None
    flint = needs("flint")
    entries = [[0] * count for _ in range(count)]
    for place in range(count):
        entries[place][place] = chain.total
    for source, sink, weight in zip(
        chain.source.tolist(), chain.sink.tolist(), chain.weight.tolist(), strict=True
    ):
        entries[sink][source] -= weight
    start = [[chain.total] if place == 0 else [0] for place in range(count)]
    visits = flint.fmpq_mat(flint.fmpz_mat(entries)).solve(flint.fmpq_mat(flint.fmpz_mat(start)))
    sums = []
    for column in (chain.ruin_weight, np.ones(count, dtype=np.int64), chain.stake):
        terms = (visits[place, 0] * value for place, value in enumerate(column.tolist()) if value)
        sums.append(as_fraction(sum(terms, flint.fmpq(0))))
    return sums[0] / chain.total, sums[1], sums[2]
