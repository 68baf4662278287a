"""Runs the sabotages: after how many seeds does each fall, and by what?"""

import sys
from collections.abc import Iterable
from itertools import count

from tests.evenings.plan import draw
from tests.evenings.playing import play_plans
from tests.evenings.sabotages import SABOTAGES


def sound_seeds(seeds: Iterable[int], jobs: int) -> set[int]:
    """The seeds at which the house as it is gives no alarm."""
    return {verdict.seed for verdict in play_plans(map(draw, seeds), jobs) if not verdict.violations}


def fall(name: str, seeds_max: int, jobs: int) -> tuple[int | None, str]:
    """After how many seeds a sabotage falls, and the first alarm; none when it stands."""
    verdicts = play_plans((draw(seed) for seed in range(1, seeds_max + 1)), jobs, before=SABOTAGES[name])
    for number, verdict in zip(count(1), verdicts, strict=False):
        if verdict.violations and sound_seeds([verdict.seed], 1):
            return number, verdict.violations[0]
    return None, ""


def see(names: list[str], *, seeds_max: int, jobs: int) -> int:
    """Print what each sabotage fell by; how many stand."""
    standing = 0
    for name in names:
        number, why = fall(name, seeds_max, jobs)
        standing += number is None
        said = f"stands after {seeds_max}" if number is None else f"falls at seed {number}: {why[:110]}"
        sys.stdout.write(f"{name}: {said}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{len(names) - standing} of {len(names)} sabotages fell within {seeds_max} seeds\n")
    return standing
