"""Ruin within a number of rounds, without a target; and the bankroll or stake for a risk that is bearable.

Ruin is a bankroll below one stake, as everywhere. More money, or a smaller stake, never meets ruin sooner on
the same dice, so the smallest and largest that serve are found by halving.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

from taisai.errors import InputError
from taisai.odds.bets.nets import fraction_gcd
from taisai.odds.bounds import check_amount, check_count
from taisai.odds.cost import Cost, afford
from taisai.odds.paths.walk import NetWalk, follow
from taisai.odds.results.chance import Chance

Distribution = Mapping[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Survival:
    """How a session without a target stands after so many rounds."""

    ruin: Chance
    rounds: Chance
    final: Chance
    error: float
    seconds: float  # what the computation took by its own estimate


class _Purse:
    """What the trials of one search take together: no trial starts that would go beyond what is allowed."""

    def __init__(self) -> None:
        self._spent = 0.0

    def pay(self, trial: Survival) -> Chance:
        """The risk that a trial found, once the next like it can be afforded too."""
        self._spent += trial.seconds
        afford(
            "the search for an amount",
            Cost(seconds=self._spent + trial.seconds),
            less="ask for fewer rounds or a larger unit",
        )
        return trial.ruin


@dataclass(frozen=True, slots=True)
class Found:
    """The amount that serves, its risk, and the risk of the next that does not."""

    amount: int
    risk: Chance
    next_amount: int | None
    next_risk: Chance | None


def ruin_within(
    distribution: Distribution, *, bankroll: int, stake: int, rounds: int, goal: int | None = None
) -> Survival:
    """The chance that the bankroll falls below one stake within so many rounds.

    Play ends before that where a goal is named and has been won.
    """
    check_count("a number of rounds", rounds)
    check_amount("a bankroll", bankroll)
    check_amount("a stake", stake)
    if bankroll < stake:
        raise InputError(f"a bankroll of {bankroll} does not cover one stake of {stake}")
    low = Fraction(stake - bankroll)
    step = fraction_gcd(list(distribution))
    # The highest net that is ruin: the last place of the lattice strictly below.
    ruined = (-(-low // step) - 1) * step
    walk = NetWalk.of(distribution, rounds, low=ruined, high=goal)
    ended = follow(walk, walk.between(ruined, goal))
    return Survival(
        ruin=ended.chance(lambda net: net <= ruined),
        rounds=ended.rounds,
        final=ended.expect(lambda net: bankroll + net),
        error=ended.error,
        seconds=walk.cost(exact=ended.is_exact).seconds,
    )


def check_risk(risk: Fraction | float) -> Fraction:
    """A chance above nothing and below certainty."""
    if not isfinite(risk) or not 0 < risk < 1:
        raise InputError(f"a risk lies between 0 and 1, got {risk}")
    return Fraction(risk)


def bankroll_for(
    distribution: Distribution,
    *,
    stake: int,
    rounds: int,
    risk: Fraction | float,
    goal: int | None = None,
    unit: int = 1,
) -> Found:
    """The smallest bankroll, a multiple of `unit`, with which ruin is no likelier than `risk`."""
    bound = check_risk(risk)
    check_amount("a stake", stake)
    check_amount("a unit", unit)
    check_count("a number of rounds", rounds)

    purse = _Purse()

    def risk_of(count: int) -> Chance:
        return purse.pay(
            ruin_within(distribution, bankroll=count * unit, stake=stake, rounds=rounds, goal=goal)
        )

    least = -(-stake // unit)
    # With one stake more than can be lost nobody is ruined.
    worst = int(-min(distribution) // 1) + 1
    most = -(-(rounds * worst + stake) // unit)
    count = _first(lambda at: _serves(risk_of(at), bound), least, most)
    before = None if count == least else count - 1
    return Found(
        count * unit,
        risk_of(count),
        None if before is None else before * unit,
        None if before is None else risk_of(before),
    )


def stake_for(
    unit_net: Distribution, *, bankroll: int, rounds: int, risk: Fraction | float, unit: int = 1
) -> Found:
    """The largest stake, a multiple of `unit`, with which ruin is no likelier than `risk`."""
    bound = check_risk(risk)
    check_amount("a bankroll", bankroll)
    check_amount("a unit", unit)
    purse = _Purse()

    def risk_of(count: int) -> Chance:
        stake = count * unit
        scaled = {net * stake: chance for net, chance in unit_net.items()}
        return purse.pay(ruin_within(scaled, bankroll=bankroll, stake=stake, rounds=rounds))

    most = bankroll // unit
    if not most:
        raise InputError(f"a bankroll of {bankroll} does not cover one chip of {unit}")
    if not _serves(risk_of(1), bound):
        raise InputError(
            f"even a stake of {unit} meets ruin with a chance of {float(risk_of(1)):.4g}: "
            "ask for fewer rounds, a larger bankroll or more risk"
        )
    count = _first(lambda at: not _serves(risk_of(at), bound), 1, most + 1) - 1
    after = None if count == most else count + 1
    return Found(
        count * unit,
        risk_of(count),
        None if after is None else after * unit,
        None if after is None else risk_of(after),
    )


def _serves(found: Chance, bound: Fraction) -> bool:
    return found.exact <= bound if found.exact is not None else found.approx <= bound


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The first number from `low` on that holds; `high` is known to, or stands for none."""
    # The answer is often near the start, so the steps grow first and are halved then.
    step = 1
    while low + step < high and not holds(low + step):
        step *= 2
    start, end = (low if step == 1 else low + step // 2 + 1), min(low + step, high)
    if step == 1 and holds(low):
        return low
    start = low + 1 if step == 1 else start
    while start < end:
        middle = (start + end) // 2
        start, end = (start, middle) if holds(middle) else (middle + 1, end)
    return end
