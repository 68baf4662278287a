"""What a simulation plays: one slip on a pay table, a bankroll with its stops, and the columns of players."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from taisai.dice import ROLLS
from taisai.errors import InputError
from taisai.money import check_stake, winnings
from taisai.odds.bounds import COUNT_MAX, check_count
from taisai.odds.mix import Mix
from taisai.odds.results.alike import Alike
from taisai.odds.staking.ladder import MONEY_MAX
from taisai.rulebooks.model import PayTable

Ints = npt.NDArray[np.int64]

PLAYERS_MAX: Final = 50_000_000
ROUNDS_MAX: Final = COUNT_MAX
# A round's net, times what it may be multiplied with before it is checked, stays below 2**63.
_NET_MAX: Final = 1 << 62
# With bankrolls below 2**48 this keeps every product below 2**60.
PAYS_MAX: Final = 1_000


@dataclass(frozen=True)
class Play:
    """One slip, repeated; stakes of a strategy are whole multiples of it."""

    pay_table: PayTable
    bets: Mapping[str, int]
    rounds: int
    players: int
    bankroll_minor: int | None = None
    target_minor: int | None = None
    maximum_minor: int | None = None

    def __post_init__(self) -> None:
        self._check_bets()
        for name, value, most in (
            ("rounds", self.rounds, ROUNDS_MAX),
            ("players", self.players, PLAYERS_MAX),
        ):
            check_count(name, value, most=most)
        if self.bankroll_minor is None:
            if self.target_minor is not None:
                raise InputError("a target needs a bankroll to start from")
            return
        self._check_money(self.bankroll_minor)

    def _check_bets(self) -> None:
        if not self.bets:
            raise InputError("expected at least one bet such as big=100, got none")
        for box_id, stake_minor in self.bets.items():
            for pays_to_one in self.pay_table.box(box_id).pays:
                winnings(check_stake(stake_minor), pays_to_one)
                if pays_to_one > PAYS_MAX:
                    raise InputError(f"odds above {PAYS_MAX} to 1 cannot be simulated, got {pays_to_one}")
        prizes = [stake * max(self.pay_table.box(box_id).pays) for box_id, stake in self.bets.items()]
        most = max(sum(prizes), self.slip_minor)
        if most > _NET_MAX:
            raise InputError(f"these bets can net {most} in one round, more than can be counted: lower them")

    def _check_money(self, bankroll_minor: int) -> None:
        if type(bankroll_minor) is not int or not self.slip_minor <= bankroll_minor < MONEY_MAX:
            raise InputError(
                f"a bankroll covers the slip of {self.slip_minor} and stays below {MONEY_MAX}, "
                f"got {bankroll_minor!r}"
            )
        target = self.target_minor
        if target is not None and (type(target) is not int or not bankroll_minor < target < MONEY_MAX):
            raise InputError(
                f"a target lies above the bankroll of {bankroll_minor} and below {MONEY_MAX}, got {target!r}"
            )
        maximum = self.maximum_minor
        if maximum is not None and (type(maximum) is not int or maximum < self.slip_minor):
            raise InputError(f"a maximum allows the slip of {self.slip_minor}, got {maximum!r}")

    @cached_property
    def slip_minor(self) -> int:
        """What one unit of the slip puts down."""
        return sum(self.bets.values())

    @cached_property
    def mix(self) -> Mix:
        return Mix.on(self.pay_table, self.bets)

    @cached_property
    def edge(self) -> Fraction:
        """The house's exact share of everything staked, whatever the strategy."""
        return self.mix.edge

    @cached_property
    def nets(self) -> Ints:
        """The net of one slip on each of the 216 rolls; whole, since every bet pays whole minor units."""
        return np.array([int(self.mix.net_on(roll)) for roll in ROLLS], dtype=np.int64)

    @property
    def cap(self) -> int | None:
        """The most units of the slip that the table's maximum allows."""
        return None if self.maximum_minor is None else self.maximum_minor // self.slip_minor

    @property
    def ceiling_minor(self) -> int:
        """Where a player stops winning: the target, or the largest bankroll that can be counted."""
        return MONEY_MAX if self.target_minor is None else self.target_minor


@dataclass(eq=False)
class Seats(Alike):
    """The players as columns. `rounds` counts those in which a player had a stake down."""

    bank: Ints
    rounds: Ints
    staked: Ints
    left: npt.NDArray[np.bool_] = field(repr=False)

    @classmethod
    def for_play(cls, play: Play) -> "Seats":
        return cls(
            bank=np.full(play.players, play.bankroll_minor or 0, dtype=np.int64),
            rounds=np.zeros(play.players, dtype=np.int64),
            staked=np.zeros(play.players, dtype=np.int64),
            left=np.zeros(play.players, dtype=bool),
        )

    def check(self, play: Play, span: slice) -> None:
        """Sums that can no longer be counted safely end the run with an error, not with nonsense."""
        if play.target_minor is None and (self.bank[span] >= MONEY_MAX).any():
            raise InputError(
                f"a player's bankroll has grown past {MONEY_MAX} minor units: give a target below that"
            )
        if (self.staked[span] < 0).any():  # a sum past 2**63 comes out below zero
            raise InputError("a player's stakes add up to more than can be counted: ask for fewer rounds")

    def playing(self, play: Play) -> npt.NDArray[np.bool_]:
        """Who has neither left, nor lost too much to cover the slip, nor reached the target."""
        return (self.bank >= play.slip_minor) & (self.bank < play.ceiling_minor) & ~self.left
