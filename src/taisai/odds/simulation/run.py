"""Many players, many rounds: totals by counting, or whole paths with a bankroll and a stop.

The same seed and engine give the same results whatever the number of threads: players are dealt into blocks
of fixed size, and every block has dice of its own.
"""

import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Final, Literal, Protocol

import numpy as np
import numpy.typing as npt

from taisai.errors import InputError, UnknownName
from taisai.odds.bets.whole_sums import exact_sum
from taisai.odds.bounds import check_count, check_seed
from taisai.odds.cost import afford
from taisai.odds.simulation.costs import LESS, simulation_cost
from taisai.odds.simulation.engine_counts import CountsEngine
from taisai.odds.simulation.engine_numpy import NumpyEngine
from taisai.odds.simulation.play import Play, Seats
from taisai.odds.simulation_result import Simulation
from taisai.odds.staking.rules import Flat, StakingRule
from taisai.odds.strategies import Strategy, as_rule, on_columns
from taisai.rulebooks.model import PayTable

Ints = npt.NDArray[np.int64]
EngineName = Literal["auto", "numba", "numpy"]

ENGINES: Final = ("auto", "numba", "numpy")
THREADS_MAX: Final = 256
# How many times, and of how many players at least, the bankroll is noted along the way.
CHECKPOINTS: Final = 100
FAN_PLAYERS: Final = 2_048
# Everyone is brought so many rounds further before anyone goes on, so that an early end finds all alike.
STRETCH_MIN: Final = 1_200
_LOOK_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is, in rounds times players: settled (played or no longer needed), of all, and played."""

    settled: int
    total: int
    played: int


class Engine(Protocol):
    """Brings one block of players to a round; blocks are independent and may run at once."""

    name: str
    block_players: int
    rounds_at_once: int  # as many rounds of a block as take a fraction of a second

    def advance(self, block: int, end: int) -> None:
        """Bring the block's players to round `end`, or to their stop."""


def simulate(
    pay_table: PayTable,
    bets: Mapping[str, int],
    *,
    rounds: int,
    players: int = 1,
    seed: int | None = None,
    strategy: str | StakingRule | Strategy = "flat",
    bankroll: int | None = None,
    target: int | None = None,
    maximum: int | None = None,
    engine: EngineName = "auto",
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Simulation:
    """Play one slip of bets for so many rounds with each of so many independent players.

    Without a bankroll only totals are drawn. With one, each player stops when it no longer covers the slip,
    or at the target. Money is in minor units; a strategy's stakes are whole multiples of the slip. Ctrl-C
    ends the run early and keeps what was played.

    >>> import taisai
    >>> run = simulate(taisai.pay_table("tai-sai-v6/2"), {"big": 100}, rounds=1000, seed=1)
    >>> run.players, run.rounds
    (1, 1000)
    """
    play = Play(pay_table, dict(bets), rounds, players, bankroll, target, maximum)
    seed = secrets.randbits(63) if seed is None else check_seed(seed)
    threads = _check_threads(threads)
    rule = as_rule(strategy, cap=play.cap)
    compiled = engine != "numpy" and rule is not None and _has_numba()
    cost = simulation_cost(play, rule, compiled=compiled, threads=threads)
    afford(f"{players:,} players for up to {rounds:,} rounds", cost, less=LESS)
    seats = Seats.for_play(play)
    chosen = _choose_engine(play, strategy, rule, seats, seed, engine)
    run = _Run(chosen, play, seats)
    interrupted = run.play_all(threads, progress)
    return Simulation(
        play=play,
        seats=seats,
        seed=seed,
        strategy=strategy if isinstance(strategy, str) else strategy.name,
        engine=chosen.name,
        threads=threads,
        interrupted=interrupted,
        rounds_done=int(run.reached.min()),
        checkpoints=run.checkpoints[: run.noted],
        fan=run.fan[: run.noted],
    )


def _choose_engine(
    play: Play,
    strategy: str | StakingRule | Strategy,
    rule: StakingRule | None,
    seats: Seats,
    seed: int,
    engine: str,
) -> Engine:
    if engine not in ENGINES:
        raise UnknownName("engine", engine, ENGINES)
    if play.bankroll_minor is None:
        if not isinstance(rule, Flat):
            name = strategy if isinstance(strategy, str) else strategy.name
            raise InputError(f"the strategy {name!r} needs a bankroll to play from")
        return CountsEngine(play, seats, seed)
    if engine == "numpy" or rule is None or (engine == "auto" and not _has_numba()):
        if engine == "numba":
            raise InputError("the numba engine plays staking rules; a strategy on columns needs engine numpy")
        return NumpyEngine(play, on_columns(strategy, cap=play.cap), seats, seed)
    from taisai.odds.simulation.engine_numba import NumbaEngine

    return NumbaEngine(play, rule, seats, seed)


def _has_numba() -> bool:
    from importlib.util import find_spec

    return find_spec("numba") is not None


def _check_threads(threads: int | None) -> int:
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return check_count("threads", threads, most=THREADS_MAX)


class _Run:
    """One run: stretch by stretch, all blocks in each. The first blocks note their bankrolls on the way."""

    def __init__(self, engine: Engine, play: Play, seats: Seats) -> None:
        self.engine, self.play, self.seats = engine, play, seats
        size = engine.block_players
        self.blocks = -(-play.players // size)
        self.reached = np.zeros(self.blocks, dtype=np.int64)
        self.sizes = np.full(self.blocks, size, dtype=np.int64)
        self.sizes[-1] = play.players - size * (self.blocks - 1)
        marks = {play.rounds * number // CHECKPOINTS for number in range(CHECKPOINTS + 1)}
        self.checkpoints = np.array(sorted(marks), dtype=np.int64)
        self.fan_blocks = min(self.blocks, -(-FAN_PLAYERS // size))
        watched = min(play.players, self.fan_blocks * size)
        self.fan = np.empty((len(self.checkpoints), watched), dtype=np.int64)
        self.fan[0] = seats.bank[:watched]
        self.stop = False

    @property
    def noted(self) -> int:
        """How many checkpoints every watched block has passed."""
        passed = self.reached[: self.fan_blocks].min()
        return int(np.searchsorted(self.checkpoints, passed, side="right"))

    def play_all(self, threads: int, progress: Callable[[Progress], None] | None) -> bool:
        """Play to the end; True when Ctrl-C came first. Steps under way are finished, so nothing is torn."""
        with ThreadPoolExecutor(threads) as pool:
            try:
                for end in self._stretches():
                    self._play_to(end, pool, threads, progress)
                    if not self._anyone_left():
                        self._end_early()
                        break
            except KeyboardInterrupt:
                return True
            finally:
                self.stop = True
        return False

    def _anyone_left(self) -> bool:
        """Whether a further round can change anything; without a bankroll everyone plays to the end."""
        return self.play.bankroll_minor is None or bool(self.seats.playing(self.play).any())

    def _end_early(self) -> None:
        """Nobody is left: what the watched players have now is what they have at every later checkpoint."""
        watched = self.fan.shape[1]
        self.fan[self.noted :] = self.seats.bank[:watched]
        self.reached[:] = self.play.rounds

    def _stretches(self) -> Iterator[int]:
        """Counting takes one stretch, since the work does not grow with the rounds."""
        length = self.play.rounds
        if self.play.bankroll_minor is not None:
            length = max(STRETCH_MIN, -(-self.play.rounds // CHECKPOINTS))
            length = min(length, self.engine.rounds_at_once)
        yield from range(length, self.play.rounds, length)
        yield self.play.rounds

    def _play_to(
        self, end: int, pool: ThreadPoolExecutor, threads: int, progress: Callable[[Progress], None] | None
    ) -> None:
        pending = iter(range(self.blocks))
        workers = {pool.submit(self._work, pending, end) for _ in range(min(threads, self.blocks))}
        while workers:
            done, workers = wait(workers, timeout=_LOOK_SECONDS, return_when=FIRST_EXCEPTION)
            for worker in done:
                worker.result()
            if progress is not None:
                progress(self._progress())

    def _work(self, pending: Iterator[int], end: int) -> None:
        for block in pending:
            for stop in self._steps(block, end):
                if self.stop:
                    return
                self.engine.advance(block, stop)
                self._note(block, stop)
                self.reached[block] = stop

    def _steps(self, block: int, end: int) -> list[int]:
        if block >= self.fan_blocks:
            return [end]
        marks = self.checkpoints
        return [*marks[(marks > self.reached[block]) & (marks < end)].tolist(), end]

    def _note(self, block: int, end: int) -> None:
        row = int(np.searchsorted(self.checkpoints, end))
        if block < self.fan_blocks and self.checkpoints[row] == end:
            span = slice(block * self.engine.block_players, (block + 1) * self.engine.block_players)
            self.fan[row, span] = self.seats.bank[span]

    def _progress(self) -> Progress:
        settled = sum(int(r) * int(n) for r, n in zip(self.reached, self.sizes, strict=True))
        return Progress(settled, self.play.rounds * self.play.players, exact_sum(self.seats.rounds))
