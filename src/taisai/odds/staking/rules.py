"""Staking rules of finite state: how many units to bet next, given what has been won and lost.

A rule knows nothing of bankroll or table: it names a stake in units of the base stake. Who plays it cuts the
stake to the table's maximum, and to the whole units that are left when it exceeds the bankroll.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from taisai.errors import InputError, UnknownName

DOUBLINGS_MAX: Final = 40


class StakingRule(Protocol):
    """Any rule of finite state; states are hashable values of the rule's own choosing."""

    @property
    def name(self) -> str:
        """What reports call the rule."""

    @property
    def start(self) -> Hashable:
        """The state in which play begins."""

    def stake(self, state: Any) -> int:
        """The units to bet in this state: a whole number above zero."""

    def after(self, state: Any, won: bool) -> Hashable:
        """The state after a round that won or lost; a round that netted nothing leaves the state alone."""


@dataclass(frozen=True, slots=True)
class Flat:
    """The same stake every round."""

    name: str = "flat"
    start: int = 0

    def stake(self, state: int) -> int:
        return 1

    def after(self, state: int, won: bool) -> int:
        return state


@dataclass(frozen=True, slots=True)
class Martingale:
    """Double after each loss, back to one unit after a win.

    When the doubled stake would pass `cap` units, the rule starts again at one unit, as a player must whom
    the table's maximum stops; `hold=True` stays at the last stake instead.
    """

    cap: int | None = None
    hold: bool = False
    name: str = "martingale"
    start: int = 0

    def stake(self, state: int) -> int:
        return 1 << state

    def after(self, state: int, won: bool) -> int:
        if won:
            return 0
        if state == DOUBLINGS_MAX or (self.cap is not None and 1 << (state + 1) > self.cap):
            return state if self.hold else 0
        return state + 1


@dataclass(frozen=True, slots=True)
class DAlembert:
    """One unit more after a loss, one less after a win, never below one nor above `cap`."""

    cap: int | None = None
    name: str = "dalembert"
    start: int = 1

    def stake(self, state: int) -> int:
        return state

    def after(self, state: int, won: bool) -> int:
        if won:
            return max(1, state - 1)
        return state + 1 if self.cap is None or state < self.cap else state


@dataclass(frozen=True, slots=True)
class Paroli:
    """Double after each win, up to `steps` wins in a row; back to one unit after a loss or the last step."""

    steps: int = 3
    cap: int | None = None
    name: str = "paroli"
    start: int = 0

    def stake(self, state: int) -> int:
        return 1 << state

    def after(self, state: int, won: bool) -> int:
        following = state + 1
        over = self.cap is not None and 1 << following > self.cap
        return following if won and following < self.steps and not over else 0


@dataclass(frozen=True, slots=True)
class Fibonacci:
    """One step up 1, 1, 2, 3, 5, 8, … after a loss, two steps down after a win; held at `cap` units."""

    cap: int | None = None
    name: str = "fibonacci"
    start: int = 0

    def stake(self, state: int) -> int:
        low, high = 1, 1
        for _ in range(state):
            low, high = high, low + high
        return low

    def after(self, state: int, won: bool) -> int:
        if won:
            return max(0, state - 2)
        over = self.cap is not None and self.stake(state + 1) > self.cap
        return state if over or state == 2 * DOUBLINGS_MAX else state + 1


@dataclass(frozen=True, slots=True)
class Labouchere:
    """Bet the first and last number of a line; strike both out after a win, append the stake after a loss.

    A finished line starts again, and so does one that would grow past `longest` numbers or whose stake would
    pass `cap` units: this is what keeps the rule's states finite.
    """

    line: tuple[int, ...] = (1, 2, 3)
    longest: int = 6
    cap: int | None = None
    name: str = "labouchere"

    def __post_init__(self) -> None:
        if not self.line or any(type(number) is not int or number < 1 for number in self.line):
            raise InputError(f"a Labouchère line holds whole numbers above zero, got {self.line!r}")
        if self.longest < len(self.line):
            raise InputError(f"the longest line is at least the first, {len(self.line)}, got {self.longest}")

    @property
    def start(self) -> tuple[int, ...]:
        return self.line

    def stake(self, state: tuple[int, ...]) -> int:
        return state[0] if len(state) == 1 else state[0] + state[-1]

    def after(self, state: tuple[int, ...], won: bool) -> tuple[int, ...]:
        if won:
            return state[1:-1] or self.line
        longer = (*state, self.stake(state))
        over = self.cap is not None and self.stake(longer) > self.cap
        return self.line if over or len(longer) > self.longest else longer


_RULES: Final[dict[str, Callable[[int | None], StakingRule]]] = {
    "flat": lambda cap: Flat(),
    "martingale": lambda cap: Martingale(cap=cap),
    "dalembert": lambda cap: DAlembert(cap=cap),
    "paroli": lambda cap: Paroli(cap=cap),
    "fibonacci": lambda cap: Fibonacci(cap=cap),
    "labouchere": lambda cap: Labouchere(cap=cap),
}

STAKING_RULES: Final = tuple(_RULES)


def staking_rule(name: str, *, cap: int | None = None) -> StakingRule:
    """A rule by its name, held to `cap` units where the table has a maximum."""
    if name not in _RULES:
        raise UnknownName("strategy", name, _RULES)
    if cap is not None and (type(cap) is not int or cap < 1):
        raise InputError(f"a cap is a whole number of units above zero, got {cap!r}")
    return _RULES[name](cap)


def check_rule_stake(rule: StakingRule, state: object, units: object) -> int:
    """A rule's stake must be a whole number above zero, whatever its author wrote."""
    if type(units) is not int or units < 1:
        raise InputError(
            f"the rule {rule.name!r} stakes {units!r} in state {state!r}: expected a whole number above zero"
        )
    return units
