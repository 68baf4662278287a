"""What a simulation brought: each player's end, and the figures that follow from them."""

from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from math import sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from taisai.odds.bets.whole_sums import exact_sum
from taisai.odds.results.alike import Alike
from taisai.odds.results.frame import Frame
from taisai.odds.simulation.play import Play, Seats

Ints = npt.NDArray[np.int64]

LEVELS: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
SPREAD_PLAYERS_MIN: Final = 30
_Z95: Final = 1.959963984540054


class Ending(IntEnum):
    """How a player's play ended."""

    PLAYED = 0  # all rounds, or as many as were played before an interruption
    RUINED = 1
    TARGET = 2
    LEFT = 3


@dataclass(frozen=True)
class Share:
    """An observed share of the players with its 95% interval (Wilson)."""

    count: int
    of: int

    @property
    def value(self) -> float:
        return self.count / self.of

    @property
    def interval(self) -> tuple[float, float]:
        square = _Z95**2 / self.of
        middle = (self.value + square / 2) / (1 + square)
        half = _Z95 / (1 + square) * sqrt(self.value * (1 - self.value) / self.of + square / self.of / 4)
        return max(0.0, middle - half), min(1.0, middle + half)

    def as_json(self) -> dict[str, Any]:
        low, high = self.interval
        return {"share": self.value, "low_95": low, "high_95": high, "players": self.count}


@dataclass(frozen=True, eq=False)
class Simulation(Alike):
    """A run with all that is needed to repeat it. Money is in minor units."""

    play: Play
    seats: Seats = field(repr=False)
    seed: int
    strategy: str
    engine: str
    threads: int
    interrupted: bool
    rounds_done: int
    checkpoints: Ints = field(repr=False)
    fan: Ints = field(repr=False)

    @property
    def players(self) -> int:
        return self.play.players

    @property
    def rounds(self) -> int:
        """The rounds asked for, for each player."""
        return self.play.rounds

    @property
    def has_bankroll(self) -> bool:
        return self.play.bankroll_minor is not None

    @property
    def net(self) -> Ints:
        """What each player won or lost."""
        return self.seats.bank - (self.play.bankroll_minor or 0)

    @property
    def total_net(self) -> int:
        return exact_sum(self.net)

    @property
    def total_staked(self) -> int:
        return exact_sum(self.seats.staked)

    @property
    def player_rounds(self) -> int:
        """Rounds actually played, over all players."""
        return exact_sum(self.seats.rounds)

    @property
    def hold(self) -> float:
        """The house's share of what was staked; tends to the exact edge whatever the strategy."""
        return -self.total_net / self.total_staked if self.total_staked else 0.0

    @cached_property
    def z_score(self) -> float | None:
        """How many standard errors the players' net lies from what the exact edge foretells.

        The net plus the edge on all that was staked is zero on average under any strategy and any stop. Its
        spread is exact for flat stakes: that of one round, times the square root of the rounds played. Other
        strategies are judged from the spread between the players where they are many and differ; else there
        is none, and so it is where the bets always net the same.
        """
        edge = self.play.edge
        surplus = float(self.total_net + edge * self.total_staked)
        if self.strategy == "flat":
            error = self.play.mix.standard_deviation * sqrt(self.player_rounds)
        elif self.players >= SPREAD_PLAYERS_MIN:
            error = self._spread_between_players()
        else:
            return None
        return surplus / error if error else None

    def _spread_between_players(self) -> float:
        """The standard error of the sum over the players; 0 where all of them went the same way."""
        by_player = self.net + float(self.play.edge) * self.seats.staked
        spread = float(by_player.std(ddof=1))
        # Players who are all alike leave nothing but the rounding of floats.
        smallest = float(np.abs(by_player).max()) * len(by_player) * float(np.finfo(np.float64).eps)
        return spread * sqrt(self.players) if spread > smallest else 0.0

    @cached_property
    def endings(self) -> npt.NDArray[np.int8]:
        """Each player's `Ending`."""
        endings = np.full(self.players, Ending.PLAYED, dtype=np.int8)
        if self.has_bankroll:
            endings[self.seats.bank < self.play.slip_minor] = Ending.RUINED
            if self.play.target_minor is not None:
                endings[self.seats.bank >= self.play.target_minor] = Ending.TARGET
            endings[self.seats.left] = Ending.LEFT
        return endings

    def share(self, ending: Ending) -> Share:
        """The share of players who ended so."""
        return Share(int((self.endings == ending).sum()), self.players)

    def quantiles(self, levels: tuple[float, ...] = LEVELS) -> dict[float, int]:
        """The players' net at several levels, as nets that were really reached."""
        found = np.quantile(self.net, levels, method="inverted_cdf")
        return {level: int(value) for level, value in zip(levels, found, strict=True)}

    def frame(self) -> Frame:
        """One row a player."""
        names = np.array([ending.name.lower() for ending in Ending])
        columns: dict[str, Any] = {"player": np.arange(1, self.players + 1), "ending": names[self.endings]}
        if self.has_bankroll:
            columns["bankroll_minor"] = self.seats.bank
        columns |= {"net_minor": self.net, "rounds": self.seats.rounds, "staked_minor": self.seats.staked}
        return Frame(columns)

    def write(self, path: str | Path) -> Path:
        """Every player's row into a .parquet, .csv or .json file."""
        return self.frame().write(path)

    def document(self) -> dict[str, Any]:
        """The figures as plain JSON, with what is needed to repeat the run."""
        from taisai import __version__

        play = self.play
        document: dict[str, Any] = {
            "schema": "taisai.simulation/1",
            "version": __version__,
            "pay_table": play.pay_table.id,
            "digest": play.pay_table.digest,
            "bets": dict(play.bets),
            "strategy": self.strategy,
            "method": "paths" if self.has_bankroll else "counts",
            "engine": self.engine,
            "seed": self.seed,
            "players": self.players,
            "rounds": self.rounds,
            "interrupted": self.interrupted,
            "rounds_done": self.rounds_done,
            "player_rounds": self.player_rounds,
            "staked_minor": self.total_staked,
            "net_minor": self.total_net,
            "hold": self.hold,
            "exact_edge": {"exact": str(play.edge), "float": float(play.edge)},
            "z_score": self.z_score,
            "net_quantiles_minor": {f"{level:g}": net for level, net in self.quantiles().items()},
        }
        if self.has_bankroll:
            document |= {
                "bankroll_minor": play.bankroll_minor,
                "target_minor": play.target_minor,
                "maximum_minor": play.maximum_minor,
                "mean_rounds": self.player_rounds / self.players,
            }
            document |= {ending.name.lower(): self.share(ending).as_json() for ending in Ending}
        return document
