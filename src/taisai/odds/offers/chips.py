"""Coupons and chips that are no money: match play, chips for one bet, chips that play until they lose.

A round that nets nothing (a push, which this game has none of) leaves the coupon where it is, so all figures
are of the rounds that decide.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from taisai.errors import InputError
from taisai.odds.bounds import check_amount, check_count
from taisai.odds.paths.walk import NetWalk, follow
from taisai.odds.results.chance import Chance

Distribution = Mapping[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class ChipValue:
    """What a coupon or chip is worth to the player, and therefore costs the house."""

    face_minor: int
    worth: Fraction
    with_own_stake: Fraction
    plays: Fraction

    @property
    def share_of_face(self) -> Fraction:
        """The cost for each unit printed on it."""
        return self.worth / self.face_minor


def _decided(unit_net: Distribution) -> tuple[Fraction, Fraction, Fraction]:
    """The chances to win and to lose a round that decides, and the expected winnings of a unit in it."""
    wins = sum((chance for net, chance in unit_net.items() if net > 0), Fraction(0))
    loses = sum((chance for net, chance in unit_net.items() if net < 0), Fraction(0))
    if not wins or not loses:
        raise InputError("a bet that cannot both win and lose has no use for a chip")
    paid = sum((net * chance for net, chance in unit_net.items() if net > 0), Fraction(0))
    decided = wins + loses
    return wins / decided, loses / decided, paid / decided


def match_play(unit_net: Distribution, *, stake: int, coupon: int) -> ChipValue:
    """A coupon beside a stake: a win pays both, and the coupon is taken either way.

    >>> import taisai
    >>> big = taisai.box_odds(taisai.pay_table("tai-sai-v6/2").box("big")).distribution
    >>> match_play(big, stake=100, coupon=100).worth
    Fraction(875, 18)
    """
    check_amount("a stake", stake)
    check_amount("a coupon", coupon)
    _, loses, paid = _decided(unit_net)
    own = stake * (paid - loses)
    return ChipValue(coupon, coupon * paid, own + coupon * paid, Fraction(1))


def free_chip(unit_net: Distribution, *, face: int, taken: Literal["always", "on a loss"]) -> ChipValue:
    """A chip without a stake beside it: taken after its one bet, or only when it loses."""
    check_amount("a chip's face", face)
    _, loses, paid = _decided(unit_net)
    plays = Fraction(1) if taken == "always" else 1 / loses
    worth = face * paid * plays
    return ChipValue(face, worth, worth, plays)


@dataclass(frozen=True, slots=True)
class BonusValue:
    """Credit that must be staked so many times before it is money."""

    bonus_minor: int
    worth: Chance
    ruin: Chance
    rounds: Chance
    simple: Fraction
    error: float


def bonus_with_turnover(distribution: Distribution, *, bonus: int, stake: int, turnover: int) -> BonusValue:
    """A bonus that is played with flat stakes until `turnover` is staked or no stake is left.

    `simple` is the rule of thumb, the bonus less the edge on the whole turnover, which forgets ruin.
    """
    for name, amount in (("a bonus", bonus), ("a stake", stake), ("a turnover", turnover)):
        check_amount(name, amount)
    if turnover % stake:
        raise InputError(f"a turnover is a multiple of the stake {stake}, got {turnover}")
    rounds = check_count("a number of rounds", turnover // stake)
    mean = sum((net * chance for net, chance in distribution.items()), Fraction(0))
    low = stake - bonus  # one minor unit below this, no further stake is left
    walk = NetWalk.of(distribution, rounds, low=low - Fraction(1, 10**9))
    nets = walk.nets()
    room = nets >= int(-(-Fraction(low) // walk.step))
    ended = follow(walk, lambda number: room)
    return BonusValue(
        bonus_minor=bonus,
        worth=ended.expect(lambda net: bonus + net),
        ruin=ended.chance(lambda net: net < low),
        rounds=ended.rounds,
        simple=max(Fraction(0), bonus + mean * rounds),
        error=ended.error,
    )
