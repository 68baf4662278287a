"""Comps: what a house gives back of the theoretical win, whatever the dice did."""

from dataclasses import dataclass
from fractions import Fraction

from taisai.errors import InputError
from taisai.odds.bounds import check_count
from taisai.odds.mix import Mix


@dataclass(frozen=True, slots=True)
class Comps:
    """A share of the theoretical win, given back in kind, and what it does to the price of the game."""

    handle: Fraction
    theo: Fraction
    share: Fraction

    @property
    def cost(self) -> Fraction:
        """What the house gives back."""
        return self.theo * self.share

    @property
    def house_keeps(self) -> Fraction:
        return self.theo - self.cost

    @property
    def edge_left(self) -> Fraction:
        """The house's share of all that was staked, once the comps are paid."""
        return self.house_keeps / self.handle


def comps(mix: Mix, *, share: Fraction, pace: int, minutes: int) -> Comps:
    """The comps of a rated player who bets this mix at `pace` rounds an hour for so many minutes."""
    check_count("a pace", pace)
    check_count("minutes", minutes)
    if not 0 <= share <= 1:
        raise InputError(f"a share of the theoretical win lies between 0 and 1, got {share}")
    rounds = Fraction(pace * minutes, 60)
    return Comps(mix.stake_minor * rounds, -mix.mean * rounds, share)
