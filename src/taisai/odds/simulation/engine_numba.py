"""The compiled engine: tables for the kernels, and a stream of dice for each block of players."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from taisai.odds.extras import needs
from taisai.odds.simulation.play import Play, Seats
from taisai.odds.staking.ladder import MONEY_MAX, Ladder, tabulate
from taisai.odds.staking.rules import Flat, Labouchere, StakingRule
from taisai.odds.strategies import LINE_ROOM, beyond_table

Ints = npt.NDArray[np.int64]

# More than any bankroll: a player with such a need always takes the careful way.
_NEVER: Final = 1 << 62
# Above this many entries three rounds at once would need tables larger than the processor's cache.
_ENTRIES_MAX: Final = 1 << 18
# Large enough to keep calls rare, small enough to share few players among threads. It never depends on the
# number of threads, and each block has its own dice, so neither do the results.
BLOCK_PLAYERS: Final = 256


class NumbaEngine:
    """Plays a staking rule with compiled kernels."""

    block_players = BLOCK_PLAYERS
    rounds_at_once = 500_000

    def __init__(self, play: Play, rule: StakingRule, seats: Seats, seed: int) -> None:
        self.name = f"numba {needs('numba', 'fast').__version__}, xoshiro256++"
        self._play, self._seats = play, seats
        blocks = -(-play.players // BLOCK_PLAYERS)
        # A counter-based generator gives block k the same state however many blocks there are.
        keys = np.random.Generator(np.random.Philox(np.random.SeedSequence(seed)))
        self._streams = keys.integers(0, 2**64, size=(blocks, 4), dtype=np.uint64)
        self._kernel = _kernel_for(play, rule, seats)

    def advance(self, block: int, end: int) -> None:
        """Bring the block's players to round `end`, or to their stop."""
        span = slice(block * BLOCK_PLAYERS, (block + 1) * BLOCK_PLAYERS)
        self._kernel.run(self._streams[block], span, end)
        self._seats.check(self._play, span)


def _kernel_for(play: Play, rule: StakingRule, seats: Seats) -> Any:
    if isinstance(rule, Flat):
        return _FlatKernel(play, seats)
    if isinstance(rule, Labouchere):
        return _LineKernel(play, rule, seats)
    return _LadderKernel(play, tabulate(rule, cap=play.cap), seats)


class _FlatKernel:
    def __init__(self, play: Play, seats: Seats) -> None:
        from taisai.odds.simulation.kernels import play_flat

        nets = play.nets
        self._kernel, self._seats, self._nets = play_flat, seats, nets
        self._pair_nets = (nets[:, None] + nets[None, :]).ravel()
        self._slip, self._target = play.slip_minor, play.ceiling_minor
        self._low = self._slip + 6 * max(0, -int(nets.min()))
        self._high = self._target - 6 * max(0, int(nets.max()))

    def run(self, stream: npt.NDArray[np.uint64], span: slice, end: int) -> None:
        seats = self._seats
        self._kernel(
            stream,
            self._nets,
            self._pair_nets,
            seats.bank[span],
            seats.rounds[span],
            self._slip,
            self._target,
            end,
            self._low,
            self._high,
        )
        np.multiply(seats.rounds[span], self._slip, out=seats.staked[span])


class _LadderKernel:
    def __init__(self, play: Play, ladder: Ladder, seats: Seats) -> None:
        from taisai.odds.simulation.kernels import play_ladder

        self._kernel: Any = play_ladder
        self._seats, self._ladder = seats, ladder
        self._slip, self._target = play.slip_minor, play.ceiling_minor
        self._tables = ladder_tables(ladder, play)
        self._rungs = np.zeros(play.players, dtype=np.uint64)
        self._edge = np.uint64(ladder.edge if ladder.edge >= 0 else len(ladder))

    def run(self, stream: npt.NDArray[np.uint64], span: slice, end: int) -> None:
        seats = self._seats
        self._kernel(
            stream,
            *self._tables,
            seats.bank[span],
            seats.rounds[span],
            self._rungs[span],
            seats.staked[span],
            self._slip,
            self._target,
            end,
            self._edge,
        )
        if self._ladder.edge >= 0 and (self._rungs[span] == self._edge).any():
            raise beyond_table(self._ladder)


class _LineKernel:
    def __init__(self, play: Play, rule: Labouchere, seats: Seats) -> None:
        from taisai.odds.simulation.kernels import play_lines

        self._kernel, self._seats, self._rule, self._play = play_lines, seats, rule, play
        fresh = np.array(rule.line, dtype=np.int64)
        self._fresh = fresh
        self._lines = np.zeros((play.players, rule.longest + LINE_ROOM), dtype=np.int64)
        self._lines[:, : len(fresh)] = fresh
        self._firsts = np.zeros(play.players, dtype=np.int64)
        self._lasts = np.full(play.players, len(fresh) - 1, dtype=np.int64)

    def run(self, stream: npt.NDArray[np.uint64], span: slice, end: int) -> None:
        seats, play = self._seats, self._play
        self._kernel(
            stream,
            play.nets,
            self._fresh,
            self._rule.longest,
            _NEVER if self._rule.cap is None else self._rule.cap,
            _NEVER if play.cap is None else play.cap,
            seats.bank[span],
            seats.rounds[span],
            self._lines[span],
            self._firsts[span],
            self._lasts[span],
            seats.staked[span],
            play.slip_minor,
            play.ceiling_minor,
            end,
        )


def ladder_tables(ladder: Ladder, play: Play) -> tuple[npt.NDArray[Any], ...]:
    """The kernel's tables: for three rounds at once and for one.

    Rolls fall into kinds by their net. `need` and `room` say, for each state, between which bankrolls three
    rounds are certain to be affordable and to end below the target.
    """
    values = np.unique(play.nets)
    kind = np.searchsorted(values, play.nets)
    kinds = len(values)
    step = np.where(
        values > 0, ladder.on_win[:, None], np.where(values < 0, ladder.on_loss[:, None], _stay(ladder))
    )
    units = np.minimum(ladder.units, MONEY_MAX // play.slip_minor + 1)
    one_round = step.ravel().astype(np.uint64), values, units
    kind_1 = kind.astype(np.uint64)
    kind_3 = np.stack([kind * kinds**2, kind * kinds, kind]).astype(np.uint64)
    if len(ladder) * kinds**3 > _ENTRIES_MAX:
        empty, never = np.zeros(1, dtype=np.int64), np.full(len(ladder), _NEVER)
        return kind_3, empty.astype(np.uint64), empty, empty, never, -never, kind_1, *one_round
    gain = units[:, None] * values
    stake = np.repeat(units[:, None] * play.slip_minor, kinds, axis=1)
    need, room = _reach(step, gain, units * play.slip_minor, ladder.edge)
    step_3, gain_3, stake_3 = step, gain, stake
    for _ in range(2):
        gain_3 = (gain_3[:, :, None] + gain[step_3]).reshape(len(ladder), -1)
        stake_3 = (stake_3[:, :, None] + stake[step_3]).reshape(len(ladder), -1)
        step_3 = step[step_3].reshape(len(ladder), -1)
    three = step_3.ravel().astype(np.uint64), gain_3.ravel(), stake_3.ravel()
    return kind_3, *three, need, play.ceiling_minor - room, kind_1, *one_round


def _stay(ladder: Ladder) -> Ints:
    return np.arange(len(ladder))[:, None]


def _reach(step: Ints, gain: Ints, first_need: Ints, edge: int) -> tuple[Ints, Ints]:
    """What three rounds may need at worst and bring at best, at any point among them."""
    need = np.zeros(len(step), dtype=np.int64)
    room = np.zeros(len(step), dtype=np.int64)
    for _ in range(3):
        if edge >= 0:
            need[edge] = _NEVER
        need = np.minimum(np.maximum(first_need, (need[step] - gain).max(axis=1)), _NEVER)
        room = np.maximum(0, (room[step] + gain).max(axis=1))
    return need, room
