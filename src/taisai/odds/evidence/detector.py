"""Dice that turn bad after a long good life: an e-detector, with the average run length that it states.

The sequential test of `taisai.odds.sequential` asks whether dice were ever fair at all, and a long fair past
speaks for them when they change. A detector asks whether they have changed, at any time, and pays for asking
for ever: with fair dice it raises the alarm, on average, not before `run_length` rolls.

At every roll a new gambler sits down with 1 and bets at fair prices on one way in which dice can be bad: a
face that comes too often or too seldom, on one die or on all, too many triples, faces that repeat. The sum
of what all of them hold (Shiryaev and Roberts) grows by one a roll on average while the dice are fair; so it
takes at least `run_length` rolls, on average, to reach `run_length`. After a change the gamblers who have
just sat down grow rich whatever came before.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from taisai.dice import Roll
from taisai.errors import InputError, brief
from taisai.odds.results.alike import Alike

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

RUN_LENGTH: Final = 1_000_000
RUN_LENGTH_MIN, RUN_LENGTH_MAX = 10, 10**12
# By how much a face may be off its chance of 1/6.
BIASES: Final = (-0.1, -0.05, -0.02, 0.02, 0.05, 0.1, 0.25, 0.5)
# How many times as often as they should triples may come.
TRIPLES: Final = (2.0, 4.0, 12.0)
# How likely a face may be to come again on the same die.
REPEATS: Final = (0.25, 0.4, 0.7)
_HELD_MAX: Final = 1e250
_AT_ONCE: Final = 4_096


@dataclass(frozen=True, slots=True, eq=False)
class Suspicion(Alike):
    """One way in which dice can be bad: what multiplies a gambler's money, by what was rolled."""

    name: str
    weight: float
    by_face: Floats  # three dice by seven, faces from 1
    on_triple: float = 1.0
    off_triple: float = 1.0
    repeat: float = 0.0  # the chance that a die repeats itself; 0 asks nothing


def suspicions(*, ordered: bool) -> list[Suspicion]:
    """Everything that is suspected; what needs to know which die is which only where that is known."""
    questions: dict[str, list[Suspicion]] = {"all dice": _faces("all dice", (0, 1, 2))}
    questions["triples"] = [
        Suspicion("triples", 1.0, np.ones((3, 7)), more, (36 - more) / 35) for more in TRIPLES
    ]
    if ordered:
        for die in range(3):
            questions[f"die {die + 1}"] = _faces(f"die {die + 1}", (die,))
        questions["repeats"] = [
            Suspicion("repeats", 1.0, np.ones((3, 7)), repeat=chance) for chance in REPEATS
        ]
    share = 1 / len(questions)
    return [
        Suspicion(each.name, share / len(group), each.by_face, each.on_triple, each.off_triple, each.repeat)
        for group in questions.values()
        for each in group
    ]


def _faces(who: str, dice: tuple[int, ...]) -> list[Suspicion]:
    found = []
    for face in range(1, 7):
        for bias in BIASES:
            factors = np.ones((3, 7))
            for die in dice:
                factors[die] = 6 * (5 / 6 - bias) / 5
                factors[die, face] = 6 * (1 / 6 + bias)
            often = "too often" if bias > 0 else "too seldom"
            found.append(Suspicion(f"{face} {often} on {who}", 1.0, factors))
    return found


class _Tables:
    """All suspicions as columns, so that a roll is a few multiplications."""

    def __init__(self, *, ordered: bool) -> None:
        found = suspicions(ordered=ordered)
        self.names = [each.name for each in found]
        self.weights = np.array([each.weight for each in found])
        self.by_face = np.stack([each.by_face for each in found], axis=-1)  # die, face, suspicion
        self.triple = np.array([[each.off_triple, each.on_triple] for each in found]).T
        repeat = np.array([each.repeat for each in found])
        self.again = np.where(repeat > 0, 6 * repeat, 1.0)
        self.other = np.where(repeat > 0, 6 * (1 - repeat) / 5, 1.0)

    def factors(self, dice: Ints, before: Ints | None) -> Floats:
        """What multiplies each gambler's money; `dice` has the three dice along its last axis."""
        first, second, third = dice[..., 0], dice[..., 1], dice[..., 2]
        found = self.by_face[0, first] * self.by_face[1, second] * self.by_face[2, third]
        found = found * self.triple[((first == second) & (second == third)).astype(np.int64)]
        if before is not None:
            for die in range(3):
                same = (dice[..., die] == before[..., die])[..., None]
                found = found * np.where(same, self.again, self.other)
        return np.asarray(found)


@cache
def _tables(*, ordered: bool) -> _Tables:
    """The same for every watch over dice."""
    return _Tables(ordered=ordered)


class ChangeDetector:
    """Watches one set of dice for a change, roll by roll.

    Of fair dice it raises the alarm, on average, not before `run_length` rolls. After an alarm it goes on
    watching with what it has; `restart` begins anew.

    >>> detector = ChangeDetector(run_length=1_000)
    >>> [n for n in range(1, 30) if detector.observe(Roll(6, 6, 6))]
    [3]
    """

    def __init__(self, *, run_length: int = RUN_LENGTH, ordered: bool = True) -> None:
        if type(run_length) is not int or not RUN_LENGTH_MIN <= run_length <= RUN_LENGTH_MAX:
            raise InputError(
                f"an average run length is a whole number of rolls from {RUN_LENGTH_MIN} to "
                f"{RUN_LENGTH_MAX}, got {brief(run_length)}"
            )
        self.run_length, self.ordered = run_length, ordered
        self._tables = _tables(ordered=ordered)
        self.rolls = 0
        self._previous: Ints | None = None
        self.restart()

    def restart(self) -> None:
        """Begin anew with the next roll, as after the dice were looked at."""
        self.alarm_at: int | None = None
        self._began = self.rolls
        self._held: Floats = np.zeros(len(self._tables.weights))
        # Beside the sum, the richest single gambler of each suspicion says when the change began.
        self._richest: Floats = np.ones(len(self._tables.weights))
        self._since: Ints = np.full(len(self._tables.weights), self.rolls + 1)

    def observe(self, roll: Roll) -> bool:
        """Take the next roll; True when it is the one that raises the alarm."""
        dice = np.array(roll.faces)
        factors = self._tables.factors(dice, self._previous if self.ordered else None)
        self._previous = dice
        return self._take(factors)

    def observe_many(self, dice: Ints) -> None:
        """Take a long history at once, rows of three dice: the same, several times as quickly."""
        for start in range(0, len(dice), _AT_ONCE):
            some = dice[start : start + _AT_ONCE]
            if self._previous is None:
                self.observe(Roll(*map(int, some[0])))
                some = some[1:]
            if not len(some):
                continue
            before = np.concatenate([np.asarray(self._previous)[None], some[:-1]])
            for factors in self._tables.factors(some, before if self.ordered else None):
                self._take(factors)
            self._previous = some[-1]

    def _take(self, factors: Floats) -> bool:
        self.rolls += 1
        self._held = np.minimum((self._held + 1.0) * factors, _HELD_MAX)
        new = self._richest <= 1.0
        self._since[new] = self.rolls
        self._richest = np.minimum(np.maximum(self._richest, 1.0) * factors, _HELD_MAX)
        if self.alarm_at is None and self.statistic >= self.run_length:
            self.alarm_at = self.rolls
            return True
        return False

    @property
    def statistic(self) -> float:
        """What all gamblers hold together; the alarm is at `run_length`."""
        return float(self._held @ self._tables.weights)

    @property
    def alarmed(self) -> bool:
        return self.alarm_at is not None

    @property
    def _foremost(self) -> int:
        return int((self._held * self._tables.weights).argmax())

    @property
    def suspicion(self) -> str:
        """What speaks loudest, such as `6 too often on die 2`."""
        return self._tables.names[self._foremost]

    @property
    def since(self) -> int:
        """The roll at which that seems to have begun."""
        return int(self._since[self._foremost])


def first_changes(dice: Ints, *, run_length: int, ordered: bool = True) -> Ints:
    """The roll that raises the alarm at each of many tables (first axis); 0 where none does."""
    tables = _tables(ordered=ordered)
    held = np.zeros((len(dice), len(tables.weights)))
    alarms = np.zeros(len(dice), dtype=np.int64)
    waiting = np.arange(len(dice))
    for number in range(dice.shape[1]):
        before = dice[waiting, number - 1] if number and ordered else None
        held = (held + 1.0) * tables.factors(dice[waiting, number], before)
        over = held @ tables.weights >= run_length
        if over.any():
            alarms[waiting[over]] = number + 1
            held, waiting = held[~over], waiting[~over]
            if not len(waiting):
                break
    return alarms
