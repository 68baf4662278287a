"""What simulated players like to bet on: each has a name, and boxes that they come back to."""

import random
from typing import Final, NamedTuple

from taisai.game.state import RoundState


class Habit(NamedTuple):
    """Kinds of box that somebody bets on, how many at once, and in how many times the minimum."""

    kinds: tuple[str, ...]
    boxes: int
    times: tuple[int, ...]


HABITS: Final = {
    "ann": Habit(("small",), 1, (2, 2, 5)),  # small, and small again
    "bo": Habit(("big", "odd", "even"), 2, (1, 5, 10)),
    "chen": Habit(("triple", "any-triple"), 2, (1,)),  # waits for the great day
    "dao": Habit(("domino", "single"), 3, (1, 2)),
    "eve": Habit((), 3, (1, 1, 2, 5)),  # whatever comes to her mind
}
NAMES: Final = tuple(HABITS)


def player_at(table: str, name: str) -> str:
    """Somebody as a live table knows them: the name first, since a seat has room for little more."""
    return f"{name}-robot@{table}"


def habit_of(place: int) -> Habit:
    """At terminals people have no names: every seat has somebody's habit."""
    return HABITS[NAMES[place % len(NAMES)]]


def slip_by(habit: Habit, round_: RoundState, whim: random.Random) -> dict[str, int]:
    """A slip as somebody with this habit makes it; what the layout does not offer is replaced by a whim."""
    every = list(round_.pay_table.boxes)
    liked = [box for box in every if box.kind in habit.kinds] or every
    chosen = whim.sample(liked, min(habit.boxes, len(liked)))
    return {box.id: round_.limits.of(box).minimum * whim.choice(habit.times) for box in chosen}
