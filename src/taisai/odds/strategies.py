"""Strategies on columns: one call says what every player at once stakes next.

A strategy sees each player's bankroll and last net, keeps what else it needs in columns of its own, and
answers in units of the slip. Nothing else is needed to try an idea on a million players:

    class Timid:
        name = "timid"

        def start(self, players: int) -> State:
            return {}

        def units(self, bankroll: Ints, last_net: Ints, state: State, *, slip_minor: int) -> Ints:
            return np.where(last_net < 0, 1, 2)
"""

from typing import Final, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from taisai.errors import InputError
from taisai.odds.staking.ladder import Ladder, tabulate
from taisai.odds.staking.rules import Labouchere, StakingRule, staking_rule

Ints: TypeAlias = npt.NDArray[np.int64]
State: TypeAlias = dict[str, npt.NDArray[np.int64]]

# What can stand in the line of a Labouchère player, beyond the numbers it may hold at one time.
LINE_ROOM: Final = 16


class Strategy(Protocol):
    """How many units of the slip each player puts down next.

    Several blocks of players may be asked at once from several threads, so whatever a strategy remembers
    belongs in the state columns, whose first axis is the players.
    """

    @property
    def name(self) -> str:
        """What reports call it."""

    def start(self, players: int) -> State:
        """The columns it keeps, before the first round."""

    def units(self, bankroll: Ints, last_net: Ints, state: State, *, slip_minor: int) -> Ints:
        """Units of the slip to stake now; 0 leaves the table. `last_net` is 0 before the first round.

        It may change the columns of `state` in place. Players who have stopped may still be among the rows;
        what is answered for them does not count.
        """


class LadderStrategy:
    """Any staking rule of finite state, played from its table, cut to the whole units a player has left."""

    def __init__(self, ladder: Ladder) -> None:
        self.name = ladder.name
        self._ladder = ladder
        # One table for three cases: the last round lost, netted nothing, won.
        stay = np.arange(len(ladder))
        self._following = np.stack([ladder.on_loss, stay, ladder.on_win])

    def start(self, players: int) -> State:
        return {"rung": np.zeros(players, dtype=np.int64)}

    def units(self, bankroll: Ints, last_net: Ints, state: State, *, slip_minor: int) -> Ints:
        if len(self._ladder) == 1:
            return np.asarray(np.minimum(self._ladder.units[0], bankroll // slip_minor))
        rung = self._following[np.sign(last_net) + 1, state["rung"]]
        state["rung"][:] = rung
        if self._ladder.edge >= 0 and (rung == self._ladder.edge).any():
            raise beyond_table(self._ladder)
        return np.asarray(np.minimum(self._ladder.units[rung], bankroll // slip_minor))


class LabouchereStrategy:
    """Labouchère's line for every player: the line between two marks in a row of numbers."""

    def __init__(self, rule: Labouchere, *, cap: int | None = None) -> None:
        self.name = rule.name
        self._rule, self._cap = rule, cap
        self._width = rule.longest + LINE_ROOM

    def start(self, players: int) -> State:
        line = np.zeros((players, self._width), dtype=np.int64)
        line[:, : len(self._rule.line)] = self._rule.line
        return {
            "line": line,
            "first": np.zeros(players, dtype=np.int64),
            "last": np.full(players, len(self._rule.line) - 1, dtype=np.int64),
        }

    def units(self, bankroll: Ints, last_net: Ints, state: State, *, slip_minor: int) -> Ints:
        won, lost = last_net > 0, last_net < 0
        state["first"] += won
        state["last"] -= won
        if lost.any():
            self._append(np.flatnonzero(lost), state)
        over = state["last"] < state["first"]
        over |= state["last"] - state["first"] >= self._rule.longest
        if self._rule.cap is not None:
            over |= lost & (self._stakes(state) > self._rule.cap)
        self._begin_again(np.flatnonzero(over), state)
        stakes = self._stakes(state)
        if self._cap is not None:
            stakes = np.minimum(stakes, self._cap)
        return np.minimum(stakes, bankroll // slip_minor)

    def _append(self, losers: Ints, state: State) -> None:
        stakes = self._stakes(state)[losers]
        full = losers[state["last"][losers] == self._width - 1]
        for player in full.tolist():
            # The numbers struck out on the left make room for those to come on the right.
            start, end = int(state["first"][player]), self._width
            row = state["line"][player]
            row[: end - start] = row[start:end].copy()
            state["first"][player], state["last"][player] = 0, end - start - 1
        state["last"][losers] += 1
        state["line"][losers, state["last"][losers]] = stakes

    def _stakes(self, state: State) -> Ints:
        rows = np.arange(len(state["first"]))
        first, last = state["first"], state["last"]
        ends = state["line"][rows, np.maximum(last, 0)]
        return np.where(first == last, ends, ends + state["line"][rows, np.minimum(first, self._width - 1)])

    def _begin_again(self, players: Ints, state: State) -> None:
        line = self._rule.line
        state["line"][players, : len(line)] = line
        state["first"][players] = 0
        state["last"][players] = len(line) - 1


def beyond_table(ladder: Ladder) -> InputError:
    """The error for a player whom losses have carried past the last state of the table."""
    return InputError(
        f"{ladder.name} has gone past the {ladder.edge} states that are tabulated: "
        f"set a table maximum, or write it as a strategy on columns"
    )


def as_rule(strategy: "str | StakingRule | Strategy", *, cap: int | None = None) -> StakingRule | None:
    """The staking rule behind a name or a rule; None for a strategy on columns."""
    if isinstance(strategy, str):
        return staking_rule(strategy, cap=cap)
    return strategy if hasattr(strategy, "after") else None  # type: ignore[return-value] # looked at above


def on_columns(strategy: "str | StakingRule | Strategy", *, cap: int | None = None) -> Strategy:
    """Any strategy in the form that plays columns of players."""
    rule = as_rule(strategy, cap=cap)
    if rule is None:
        return strategy  # type: ignore[return-value] # it has the methods
    if isinstance(rule, Labouchere):
        return LabouchereStrategy(rule, cap=cap)
    return LadderStrategy(tabulate(rule, cap=cap))
