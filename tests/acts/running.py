"""Plays random acts until there were enough of them, and tells how many and what became of them."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.acts.machine import AnyActs
from tests.acts.watched_house import WatchedHouse
from tests.floor.houses import SmallHouse

# Two tables a house: cash chips are good at both where both use them.
HOUSES: Final = (
    ("credits", "cluster"),
    ("cash chips", "colours on cash chips"),
    ("colours on credits", "cash chips"),
    ("colours on cash chips", "credits"),
    ("colours on credits", "cluster"),
)
_STEPS, _CASES = 60, 5


@dataclass
class Tally:
    """Cases, acts, and what was done and refused, by name."""

    cases: int = 0
    acts: int = 0
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, house: WatchedHouse) -> None:
        self.join(Tally(1, house.acts, house.done, house.refused))

    def join(self, other: "Tally") -> None:
        self.cases += other.cases
        self.acts += other.acts
        self.done += other.done
        self.refused += other.refused


def play(kinds: tuple[str, ...], acts: int, made: type[SmallHouse] = SmallHouse) -> Tally:
    """At least so many acts in houses with two tables of these kinds."""
    tally = Tally()

    acts_there = type("Acts", (AnyActs,), {"kinds": kinds, "made": made, "ended": staticmethod(tally.add)})
    how = settings(
        max_examples=_CASES,
        stateful_step_count=_STEPS,
        deadline=None,
        phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    while tally.acts < acts:
        run_state_machine_as_test(acts_there, settings=how)
    return tally
