"""Watching a table for ever: evidence against fair dice that may be looked at after every roll.

Evidence is what a gambler would hold who starts with 1 and bets, at fair prices, that the dice are not fair
(a test martingale, or e-process). While the dice are fair it grows past 1/alpha with a chance of at most
alpha, however long and however often one looks (Ville's inequality). So false alarms do not add up.

The gambler's bets are Dirichlet mixtures of several strengths, spread over several questions: all faces
together, each die by itself, the 56 combinations, and dice that repeat the face of the roll before. Half of
the capital watches the whole history. The other half starts afresh every `window` rolls with a share
1/(j(j+1)) of itself, so that dice which turn bad after a long good life are noticed as well.
"""

from collections.abc import Iterable, Mapping
from math import exp, log
from typing import Any, Final

from taisai.dice import COMBINATIONS, Roll
from taisai.errors import InputError

Weights = tuple[float, ...]

# Each strength is a prior of so many imagined observations for each category: the weak ones notice a gross
# bias within tens of rolls, the strong ones a slight bias within tens of thousands.
STRENGTHS: Final = (1, 10, 100, 1000)
WINDOW: Final = 2_000
EVEN_FACES: Final[Weights] = (1 / 6,) * 6
COMBINATION_CHANCES: Final[Weights] = tuple(ways / 216 for ways in COMBINATIONS.values())
REPEAT_CHANCES: Final[Weights] = (5 / 6, 1 / 6)
PLACE_OF_COMBINATION: Final = {roll.faces: place for place, roll in enumerate(COMBINATIONS)}

QUESTIONS: Final[dict[str, Weights]] = {
    "faces": EVEN_FACES,
    "die 1": EVEN_FACES,
    "die 2": EVEN_FACES,
    "die 3": EVEN_FACES,
    "combinations": COMBINATION_CHANCES,
    "repeats": REPEAT_CHANCES,
}
# What can be asked when the dice are written down in order of size instead of die by die.
UNORDERED: Final = ("faces", "combinations")


def log_sum(logs: Iterable[float]) -> float:
    """The logarithm of a sum, from the logarithms of its terms."""
    logs = list(logs)
    top = max(logs)
    return top + log(sum(exp(value - top) for value in logs))


class Wager:
    """One question's capital: a Dirichlet mixture betting against the chances of fair dice."""

    __slots__ = ("chances", "counts", "log_capitals", "observed")

    def __init__(self, chances: Weights) -> None:
        self.chances = chances
        self.counts = [0] * len(chances)
        self.observed = 0
        self.log_capitals = [0.0] * len(STRENGTHS)

    def observe(self, category: int) -> None:
        chance, count = self.chances[category], self.counts[category]
        for place, strength in enumerate(STRENGTHS):
            prior = strength * len(self.chances)
            foreseen = (prior * chance + count) / (prior + self.observed)
            self.log_capitals[place] += log(foreseen / chance)
        self.counts[category] = count + 1
        self.observed += 1

    @property
    def log_evidence(self) -> float:
        return log_sum(self.log_capitals) - log(len(STRENGTHS))


class Watch:
    """All questions since one starting point; its evidence is the mean of theirs."""

    def __init__(self, *, ordered: bool) -> None:
        names = QUESTIONS if ordered else UNORDERED
        self.wagers = {name: Wager(QUESTIONS[name]) for name in names}
        self.ordered = ordered

    def observe(self, roll: Roll, previous: Roll | None) -> None:
        for face in roll.faces:
            self.wagers["faces"].observe(face - 1)
        self.wagers["combinations"].observe(PLACE_OF_COMBINATION[roll.called().faces])
        if self.ordered:
            for number, face in enumerate(roll.faces, start=1):
                self.wagers[f"die {number}"].observe(face - 1)
            if previous is not None:
                for face, before in zip(roll.faces, previous.faces, strict=True):
                    self.wagers["repeats"].observe(int(face == before))

    @property
    def log_evidence(self) -> float:
        return log_sum(wager.log_evidence for wager in self.wagers.values()) - log(len(self.wagers))

    def state(self) -> dict[str, Any]:
        return {name: [wager.counts, wager.log_capitals] for name, wager in self.wagers.items()}

    @classmethod
    def from_state(cls, state: Mapping[str, Any], *, ordered: bool) -> "Watch":
        watch = cls(ordered=ordered)
        for name, wager in watch.wagers.items():
            counts, log_capitals = state[name]
            wager.counts, wager.log_capitals = list(counts), list(log_capitals)
            wager.observed = sum(counts)
        return watch


class FairnessMonitor:
    """Watches one set of dice, roll by roll; each roll costs the same small work, however many came before.

    `alpha` is the chance that fair dice ever raise the alarm. Start a new monitor with each new set of dice.
    `ordered=False` is for registers that hold the dice by size, where die 1 is not always the same die.

    >>> from taisai.dice import Roll
    >>> monitor = FairnessMonitor(alpha=0.01)
    >>> [n for n in range(1, 30) if monitor.observe(Roll(6, 6, 6))]
    [3]
    """

    def __init__(self, *, alpha: float = 0.01, ordered: bool = True, window: int = WINDOW) -> None:
        if not 0 < alpha < 1:
            raise InputError(f"alpha is a chance between 0 and 1, got {alpha!r}")
        if type(window) is not int or window < 1:
            raise InputError(f"a window is a whole number of rolls above zero, got {window!r}")
        self.alpha, self.ordered, self.window = alpha, ordered, window
        self.rolls = 0
        self.alarm_at: int | None = None
        self.peak_log_evidence = 0.0
        self._previous: Roll | None = None
        self._whole = Watch(ordered=ordered)
        self._recent = Watch(ordered=ordered)
        self._banked = 0.0  # what the windows that have ended left behind

    def observe(self, roll: Roll) -> bool:
        """Take the next roll; True when it is the one that raises the alarm."""
        if self.rolls and self.rolls % self.window == 0:
            self._banked += self._share * exp(min(self._recent.log_evidence, 700.0))
            self._recent = Watch(ordered=self.ordered)
        self._whole.observe(roll, self._previous)
        self._recent.observe(roll, self._previous)
        self._previous = roll
        self.rolls += 1
        evidence = self.log_evidence
        self.peak_log_evidence = max(self.peak_log_evidence, evidence)
        if self.alarm_at is None and evidence >= -log(self.alpha):
            self.alarm_at = self.rolls
            return True
        return False

    @property
    def _window_number(self) -> int:
        return max(1, -(-self.rolls // self.window))

    @property
    def _share(self) -> float:
        return 1 / (self._window_number * (self._window_number + 1))

    @property
    def log_evidence(self) -> float:
        """The natural logarithm of the evidence now: 0 says nothing, log(100) is 100 to 1 against."""
        unspent = self._banked + 1 / (self._window_number + 1)
        recent = log_sum([log(unspent), log(self._share) + self._recent.log_evidence])
        return log_sum([self._whole.log_evidence, recent]) - log(2)

    @property
    def evidence(self) -> float:
        return exp(min(self.log_evidence, 700.0))

    @property
    def alarmed(self) -> bool:
        return self.alarm_at is not None

    @property
    def p_value(self) -> float:
        """A bound that holds at any time: one over the highest evidence so far."""
        return min(1.0, exp(-self.peak_log_evidence))

    def evidence_by_question(self) -> dict[str, float]:
        """The logarithm of each question's evidence over the whole history: which of them is talking."""
        return {name: wager.log_evidence for name, wager in self._whole.wagers.items()}

    def state(self) -> dict[str, Any]:
        """Everything a restart needs, as plain JSON."""
        return {
            "version": 1,
            "alpha": self.alpha,
            "ordered": self.ordered,
            "window": self.window,
            "rolls": self.rolls,
            "alarm_at": self.alarm_at,
            "peak_log_evidence": self.peak_log_evidence,
            "previous": None if self._previous is None else list(self._previous.faces),
            "banked": self._banked,
            "whole": self._whole.state(),
            "recent": self._recent.state(),
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "FairnessMonitor":
        """The monitor that `state` was taken from."""
        if state.get("version") != 1:
            raise InputError(f"expected a monitor's state of version 1, got {state.get('version')!r}")
        monitor = cls(alpha=state["alpha"], ordered=state["ordered"], window=state["window"])
        monitor.rolls, monitor.alarm_at = state["rolls"], state["alarm_at"]
        monitor.peak_log_evidence = state["peak_log_evidence"]
        monitor._previous = None if state["previous"] is None else Roll(*state["previous"])
        monitor._banked = state["banked"]
        monitor._whole = Watch.from_state(state["whole"], ordered=monitor.ordered)
        monitor._recent = Watch.from_state(state["recent"], ordered=monitor.ordered)
        return monitor
