"""A rebate on losses: what it costs the house, the share at which nothing is left, the best play.

The player bets the same mix for at most so many rounds, or until a quit point. Whoever then has lost at least
the threshold gets back a share of the loss. All of it is computed on the exact distribution of the net; the
normal formula of the trade stands beside it, to show how far off it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from statistics import NormalDist
from typing import Final

import numpy as np

from taisai.errors import InputError
from taisai.odds.bets.nets import NetAfter, moments, net_after
from taisai.odds.bounds import check_amount, check_count
from taisai.odds.paths.stopping import BestStop, best_stop
from taisai.odds.paths.walk import Ended, NetWalk, follow
from taisai.odds.results.chance import Chance

Distribution = Mapping[Fraction, Fraction]

# How finely the share is found at which the best play begins to pay: 2**-20 is a ten-thousandth of a percent.
_HALVINGS: Final = 20


@dataclass(frozen=True, slots=True)
class Rebate:
    """A share of the loss, given back from a threshold on: of all of it, or only of what lies beyond."""

    share: Fraction
    threshold_minor: int = 0
    beyond: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise InputError(f"a rebate's share lies between 0 and 1, got {self.share}")
        if self.threshold_minor:
            check_amount("a threshold", self.threshold_minor)

    def loss_counted(self, net: Fraction) -> Fraction:
        """The part of a session's loss on which the share is paid."""
        if net >= 0 or -net < self.threshold_minor:
            return Fraction(0)
        return -net - self.threshold_minor if self.beyond else -net

    def paid(self, net: Fraction) -> Fraction:
        """What the house gives back after a session that netted this."""
        return self.share * self.loss_counted(net)


@dataclass(frozen=True, slots=True)
class NormalRebate:
    """The same by the formula of the trade: the net as if it were normal, for a fixed number of rounds."""

    theo: float
    loss_counted: float
    cost: float

    @property
    def break_even_share(self) -> float:
        return self.theo / self.loss_counted if self.loss_counted else float("inf")


@dataclass(frozen=True)
class RebatePrice:
    """What a rebate costs the house when sessions end as they do."""

    rebate: Rebate
    theo: Chance
    loss_counted: Chance
    chance_paid: Chance
    rounds: Chance
    normal: NormalRebate
    method: str
    error: float

    @property
    def cost(self) -> Chance:
        """The expected rebate of a session, in minor units."""
        return _times(self.loss_counted, self.rebate.share)

    @property
    def house_keeps(self) -> Chance:
        """What the house expects to keep of a session, in minor units."""
        if self.theo.exact is not None and self.cost.exact is not None:
            return Chance.of(self.theo.exact - self.cost.exact)
        return Chance(None, self.theo.approx - self.cost.approx)

    @property
    def break_even_share(self) -> Chance:
        """The share at which the rebate gives back all that the house expects to win."""
        return self.equivalent_share(Fraction(1))

    def equivalent_share(self, part: Fraction) -> Chance:
        """The share that gives back this part of the theoretical win."""
        if not self.loss_counted.approx:
            raise InputError("nobody who plays so is ever paid a rebate: lower the threshold")
        if self.theo.exact is not None and self.loss_counted.exact is not None:
            return Chance.of(part * self.theo.exact / self.loss_counted.exact)
        return Chance(None, float(part) * self.theo.approx / self.loss_counted.approx)


def _times(chance: Chance, share: Fraction) -> Chance:
    if chance.exact is not None:
        return Chance.of(chance.exact * share)
    return Chance(None, chance.approx * float(share))


def price_rebate(
    distribution: Distribution,
    rebate: Rebate,
    *,
    rounds: int,
    quit_win: int | None = None,
    quit_loss: int | None = None,
) -> RebatePrice:
    """What the rebate costs when everyone plays so many rounds, or leaves at a quit point before.

    >>> import taisai
    >>> from taisai.odds.mix import Mix
    >>> big = Mix.on(taisai.pay_table("tai-sai-v6/2"), {"big": 100})
    >>> price_rebate(big.distribution, Rebate(Fraction(1, 10)), rounds=1).cost.exact
    Fraction(185, 36)
    """
    check_count("a number of rounds", rounds)
    for name, bound in (("a quit point", quit_win), ("a quit point", quit_loss)):
        if bound is not None:
            check_amount(name, bound)
    normal = _normal_rebate(distribution, rebate, rounds)
    if quit_win is None and quit_loss is None:
        return _of_all_rounds(net_after(distribution, rounds), rebate, normal, moments(distribution)[0])
    low, high = None if quit_loss is None else -quit_loss, quit_win
    walk = NetWalk.of(distribution, rounds, low=low, high=high)
    return price_ended(follow(walk, walk.between(low, high)), rebate, normal)


def price_ended(ended: Ended, rebate: Rebate, normal: NormalRebate) -> RebatePrice:
    """The price where a stopping rule has ended the sessions."""
    return RebatePrice(
        rebate=rebate,
        theo=ended.expect(lambda net: -net),
        loss_counted=ended.expect(rebate.loss_counted),
        chance_paid=ended.chance(lambda net: rebate.loss_counted(net) > 0),
        rounds=ended.rounds,
        normal=normal,
        method="exact walk" if ended.is_exact else "walk in floats",
        error=ended.error,
    )


def _of_all_rounds(after: NetAfter, rebate: Rebate, normal: NormalRebate, mean: Fraction) -> RebatePrice:
    paid, counted = _below_threshold(after, rebate)
    return RebatePrice(
        rebate=rebate,
        theo=Chance.of(-mean * after.rounds),
        loss_counted=counted,
        chance_paid=paid,
        rounds=Chance.of(Fraction(after.rounds)),
        normal=normal,
        method="exact distribution" if after.is_exact else "Fourier transform",
        error=after.error,
    )


def _below_threshold(after: NetAfter, rebate: Rebate) -> tuple[Chance, Chance]:
    """The chance of being paid, and the expected loss that counts."""
    if after.weights is None:
        return _below_in_floats(after, rebate)
    paid, loss = 0, Fraction(0)
    for entry, weight in enumerate(after.weights):
        net = after.net(entry)
        if net >= 0:
            break
        counted = rebate.loss_counted(net)
        if counted:
            paid += weight
            loss += counted * weight
    return Chance.of(Fraction(paid, after.total)), Chance.of(loss / after.total)


def _below_in_floats(after: NetAfter, rebate: Rebate) -> tuple[Chance, Chance]:
    """The same by columns, where the distribution was transformed."""
    losses = -(float(after.origin) + float(after.step) * np.arange(len(after)))
    counts = (losses > 0) & (losses >= rebate.threshold_minor)
    counted = np.where(counts, losses - (rebate.threshold_minor if rebate.beyond else 0), 0.0)
    paid = float(after.chances[counted > 0].sum())
    return Chance(None, paid), Chance(None, float(counted @ after.chances))


def _normal_rebate(distribution: Distribution, rebate: Rebate, rounds: int) -> NormalRebate:
    """The expected loss beyond the threshold of a normal net of the same mean and spread."""
    mean, variance = moments(distribution)[:2]
    theo, spread = float(-mean * rounds), sqrt(float(variance) * rounds)
    normal = NormalDist()
    threshold = float(rebate.threshold_minor)
    z = (threshold - theo) / spread if spread else 0.0
    beyond = spread * (normal.pdf(z) - z * (1 - normal.cdf(z)))
    counted = beyond if rebate.beyond else beyond + threshold * (1 - normal.cdf(z))
    return NormalRebate(theo, counted, float(rebate.share) * counted)


@dataclass(frozen=True)
class BestPlay:
    """The best that a player can do with a rebate: stop where the mathematics says so."""

    distribution: Distribution
    rebate: Rebate
    rounds: int
    bankroll: int | None
    stop: BestStop

    @property
    def value(self) -> Chance:
        """What the player expects to gain, rebate included; 0 where it is best not to play at all."""
        return self.stop.value

    @cached_property
    def price(self) -> RebatePrice:
        """What the house makes of players who know."""
        return price_ended(
            self.stop.ended, self.rebate, _normal_rebate(self.distribution, self.rebate, self.rounds)
        )

    @cached_property
    def break_even_share(self) -> float:
        """The largest share at which even the best play gains nothing, to a ten-thousandth of a percent."""
        self.stop.walk.afford(exact=False, passes=_HALVINGS)
        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            offer = Rebate(Fraction(middle), self.rebate.threshold_minor, self.rebate.beyond)
            found = _best(self.distribution, offer, self.rounds, self.bankroll, exact=False)
            low, high = (low, middle) if found.value.approx > 0 else (middle, high)
        return low


def best_play(
    distribution: Distribution, rebate: Rebate, *, rounds: int, bankroll: int | None = None
) -> BestPlay:
    """The best stopping within so many rounds, from a bankroll if one is named."""
    check_count("a number of rounds", rounds)
    if bankroll is not None:
        check_amount("a bankroll", bankroll)
    return BestPlay(
        distribution, rebate, rounds, bankroll, _best(distribution, rebate, rounds, bankroll, exact=None)
    )


def _best(
    distribution: Distribution, rebate: Rebate, rounds: int, bankroll: int | None, *, exact: bool | None
) -> BestStop:
    worst = min(distribution)
    low = None if bankroll is None else -bankroll - worst - Fraction(1, 10**9)
    walk = NetWalk.of(distribution, rounds, low=low)
    room = None
    if bankroll is not None:
        # Another bet fits while the bankroll covers what the worst roll takes.
        room = np.array([walk.net(entry) + bankroll + worst >= 0 for entry in range(walk.places)])
    return best_stop(walk, lambda net: net + rebate.paid(net), can_go_on=room, exact=exact)
