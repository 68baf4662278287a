"""Runs the sabotages: after how many seeds does each fall, and by what?"""

import sys
from collections.abc import Iterable
from itertools import count

from taisai.errors import InvariantBroken
from tests.evenings.evening import Verdict
from tests.evenings.plan import draw
from tests.evenings.playing import play_plans
from tests.evenings.sabotages import SABOTAGES
from tests.evenings.shrinking import SMALL, Shrinking

# In an error that a sabotage makes by itself, and not the house that it broke.
_ITSELF = "<locals>"


def sound_seeds(seeds: Iterable[int], jobs: int) -> set[int]:
    """The seeds at which the house as it is gives no alarm."""
    return {verdict.seed for verdict in play_plans(map(draw, seeds), jobs) if not verdict.violations}


def fall(name: str, seeds_max: int, jobs: int) -> tuple[int, Verdict] | None:
    """After how many seeds a sabotage falls, and the evening at which it did; none when it stands."""
    verdicts = play_plans((draw(seed) for seed in range(1, seeds_max + 1)), jobs, before=SABOTAGES[name])
    for number, verdict in zip(count(1), verdicts, strict=False):
        if any(_ITSELF in each for each in verdict.violations):
            raise InvariantBroken(f"{name} does not fit the house any more: {verdict.violations[0]}")
        if verdict.violations and sound_seeds([verdict.seed], 1):
            return number, verdict
    return None


def least(name: str, verdict: Verdict, jobs: int) -> Shrinking:
    """The evening at which a sabotage fell, made no smaller than it has to be."""
    plan, before = draw(verdict.seed), SABOTAGES[name]
    shrinking = Shrinking(plan, verdict, lambda said: None, before, jobs=jobs, enough=SMALL)
    shrinking.shrink()
    return shrinking


def see(names: list[str], *, seeds_max: int, jobs: int, shrunk: bool = False) -> int:
    """Print what each sabotage fell by, and how small its evening becomes; how many stand or stay large."""
    fell = small = 0
    for name in names:
        fallen = fall(name, seeds_max, jobs)
        said = f"stands after {seeds_max}"
        if fallen is not None:
            fell += 1
            number, verdict = fallen
            said = f"falls after {number}, at seed {verdict.seed}: {verdict.violations[0][:110]}"
            if shrunk:
                smaller = least(name, verdict, jobs)
                small += smaller.is_small
                people, acts = smaller.size()
                said += f"; shrinks to {people} people, {acts} acts in {smaller.tries} tries"
        sys.stdout.write(f"{name}: {said}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{fell} of {len(names)} sabotages fell within {seeds_max} seeds\n")
    if shrunk:
        people, acts = SMALL
        sys.stdout.write(f"{small} of {fell} shrank to at most {people} people and {acts} acts\n")
    return len(names) - (small if shrunk else fell)
