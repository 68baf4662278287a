"""The engine for totals alone: how often each net came up, drawn at once from the multinomial.

A hundred million rounds take as long as one, because no single round is looked at.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from taisai.errors import InputError
from taisai.odds.simulation.play import ROUNDS_MAX, Play, Seats

Ints = npt.NDArray[np.int64]

BLOCK_PLAYERS: Final = 8_192
_TOTAL_MAX: Final = 1 << 62


class CountsEngine:
    """Flat stakes without a bankroll: every player plays every round, and only sums matter."""

    block_players = BLOCK_PLAYERS
    rounds_at_once = ROUNDS_MAX

    def __init__(self, play: Play, seats: Seats, seed: int) -> None:
        self.name = f"numpy {np.__version__}, multinomial counts, PCG64"
        self._play, self._seats = play, seats
        values, ways = np.unique(play.nets, return_counts=True)
        if play.rounds * max(int(np.abs(values).max()), play.slip_minor) > _TOTAL_MAX:
            raise InputError(f"{play.rounds} rounds of {play.slip_minor} add up to more than can be counted")
        self._values, self._chances = values, ways / ways.sum()
        blocks = -(-play.players // BLOCK_PLAYERS)
        self._randoms = [
            np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(block,))))
            for block in range(blocks)
        ]
        self._done = np.zeros(blocks, dtype=np.int64)

    def advance(self, block: int, end: int) -> None:
        """Play the block's players up to round `end`."""
        span = slice(block * BLOCK_PLAYERS, min((block + 1) * BLOCK_PLAYERS, self._play.players))
        count = end - int(self._done[block])
        players = span.stop - span.start
        drawn = self._randoms[block].multinomial(count, self._chances, size=players)
        self._seats.bank[span] += drawn @ self._values
        self._seats.rounds[span] += count
        self._seats.staked[span] += count * self._play.slip_minor
        self._done[block] = end
