"""The plain engine: any strategy on columns, a block of players at a time, round by round."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from taisai.errors import InputError
from taisai.odds.simulation.play import Play, Seats
from taisai.odds.staking.ladder import MONEY_MAX
from taisai.odds.strategies import State, Strategy

Ints = npt.NDArray[np.int64]

# Columns of this many players stay in the processor's cache through a round.
BLOCK_PLAYERS: Final = 8_192
# Dice are drawn for so many rounds at once; players who have stopped are dropped in between.
DICE_ROUNDS: Final = 32


@dataclass
class _Block:
    """The players of one block who still play; `seats` are their places in the whole."""

    random: np.random.Generator
    seats: Ints
    bank: Ints
    staked: Ints
    last_net: Ints
    state: State
    round: int = 0

    def keep(self, chosen: npt.NDArray[np.bool_]) -> None:
        self.seats, self.bank, self.staked = self.seats[chosen], self.bank[chosen], self.staked[chosen]
        self.last_net = self.last_net[chosen]
        self.state = {name: column[chosen] for name, column in self.state.items()}


class NumpyEngine:
    """Plays a strategy on columns with NumPy."""

    block_players = BLOCK_PLAYERS
    rounds_at_once = 2_000

    def __init__(self, play: Play, strategy: Strategy, seats: Seats, seed: int) -> None:
        self.name = f"numpy {np.__version__}, SFC64"
        self._play, self._strategy, self._seats = play, strategy, seats
        self._units_max = MONEY_MAX // play.slip_minor  # beyond it a product could overflow unnoticed
        blocks = -(-play.players // BLOCK_PLAYERS)
        self._blocks = [self._begin(block, seed) for block in range(blocks)]

    def _begin(self, block: int, seed: int) -> _Block:
        seats = np.arange(block * BLOCK_PLAYERS, min((block + 1) * BLOCK_PLAYERS, self._play.players))
        stream = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(block,)))
        return _Block(
            random=np.random.Generator(stream),
            seats=seats,
            bank=self._seats.bank[seats],
            staked=np.zeros(len(seats), dtype=np.int64),
            last_net=np.zeros(len(seats), dtype=np.int64),
            state=self._strategy.start(len(seats)),
        )

    def advance(self, block: int, end: int) -> None:
        """Bring the block's players to round `end`, or to their stop."""
        here = self._blocks[block]
        while here.round < end and len(here.seats):
            self._some_rounds(here, min(DICE_ROUNDS, end - here.round))
        span = slice(block * BLOCK_PLAYERS, (block + 1) * BLOCK_PLAYERS)
        self._seats.check(self._play, span)

    def _some_rounds(self, here: _Block, count: int) -> None:
        play = self._play
        # Whole words: NumPy draws single bytes three times more slowly.
        rolls = here.random.integers(0, 216, size=(count, len(here.seats)))
        alive = np.ones(len(here.seats), dtype=bool)
        stopped = False
        for row in rolls:
            here.round += 1
            units = self._units(here, alive, masked=stopped)
            stakes = units * play.slip_minor
            least = int(units.min())
            if least < 0 or units.max() > self._units_max or (here.bank - stakes).min() < 0:
                raise self._overbet(here, units, stakes)
            np.multiply(play.nets.take(row), units, out=here.last_net)
            here.bank += here.last_net
            here.staked += stakes
            if least and here.bank.min() >= play.slip_minor and here.bank.max() < play.ceiling_minor:
                continue
            going = (here.bank >= play.slip_minor) & (here.bank < play.ceiling_minor) & (units > 0)
            self._stop(here, alive & ~going, units)
            alive &= going
            stopped = True
            if not alive.any():
                break
        self._write(here)
        if stopped:
            here.keep(alive)

    def _units(self, here: _Block, alive: npt.NDArray[np.bool_], *, masked: bool) -> Ints:
        units = self._strategy.units(here.bank, here.last_net, here.state, slip_minor=self._play.slip_minor)
        if not _is_column(units, len(here.bank)):
            raise InputError(
                f"the strategy {self._strategy.name!r} answers {_describe(units)}: "
                f"expected a whole number for each of {len(here.bank)} players"
            )
        units = units.astype(np.int64, copy=False)
        return units * alive if masked else units

    def _overbet(self, here: _Block, units: Ints, stakes: Ints) -> InputError:
        wrong = (stakes > here.bank) | (units < 0) | (units > self._units_max)
        place = int(wrong.argmax())
        stake, bank = int(units[place]) * self._play.slip_minor, int(here.bank[place])
        what = "less than nothing" if stake < 0 else "more than it has"
        return InputError(
            f"the strategy {self._strategy.name!r} bets {what}: {stake} with a bankroll of {bank} "
            f"(player {int(here.seats[place]) + 1}, round {here.round})"
        )

    def _stop(self, here: _Block, now: npt.NDArray[np.bool_], units: Ints) -> None:
        """Note for those who stop in this round how many rounds they played, and who chose to leave."""
        chose = now & (units == 0)
        self._seats.left[here.seats[chose]] = True
        self._seats.rounds[here.seats[now]] = here.round
        self._seats.rounds[here.seats[chose]] -= 1
        # A strategy is asked for everyone until the rows are dropped; to those who stopped nothing happens.
        here.last_net[now] = 0

    def _write(self, here: _Block) -> None:
        seats = self._seats
        seats.bank[here.seats] = here.bank
        seats.staked[here.seats] = here.staked
        playing = (here.bank >= self._play.slip_minor) & (here.bank < self._play.ceiling_minor)
        playing &= ~seats.left[here.seats]
        seats.rounds[here.seats[playing]] = here.round


def _is_column(units: Any, players: int) -> bool:
    return isinstance(units, np.ndarray) and units.shape == (players,) and units.dtype.kind in "iu"


def _describe(units: Any) -> str:
    if isinstance(units, np.ndarray):
        return f"an array of {units.dtype} of shape {units.shape}"
    return repr(units)
