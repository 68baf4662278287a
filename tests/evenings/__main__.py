"""Play evenings by seed, each in a process of its own: `python -m tests.evenings --seeds 1000 --jobs 2`."""

import argparse
import sys
from math import inf
from pathlib import Path

from tests.evenings.coverage import report
from tests.evenings.plan import Plan, draw, load_plan, text_of
from tests.evenings.playing import Tally, play_apart, play_many, play_plans
from tests.evenings.sabotages import SABOTAGES
from tests.evenings.same import differing
from tests.evenings.seeing import see
from tests.evenings.shrinking import Shrinking


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.evenings", description=__doc__)
    parser.add_argument("--seeds", type=int, default=100, help="how many evenings")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    parser.add_argument("--minutes", type=float, default=inf, help="begin none after so many minutes")
    parser.add_argument("--faults", help="no other faults than these, divided by commas")
    parser.add_argument(
        "--gateways", action="store_true", default=None, help="in all of them people come by gateways"
    )
    parser.add_argument("--coverage", action="store_true", help="say what none of the evenings reached")
    parser.add_argument("--marks", type=Path, metavar="FILE", help="add up what was reached in this file")
    parser.add_argument("--plan", type=Path, help="play this plan and no other")
    parser.add_argument("--story", type=int, metavar="SEED", help="tell one evening in sentences")
    parser.add_argument("--shrink", type=int, metavar="SEED", help="the least that fails like this one")
    parser.add_argument(
        "--sabotage",
        metavar="NAME",
        help="break the house so (several with commas), or in every way with `all`",
    )
    parser.add_argument("--least", action="store_true", help="also how small each sabotage's evening becomes")
    parser.add_argument("--same", action="store_true", help="do two processes play the same bytes?")
    parser.add_argument("--digests", action="store_true", help="only each seed and what its evening comes to")
    parser.add_argument("--digests-backwards", action="store_true", help="the same from the last seed on")
    options = parser.parse_args()
    if options.same:
        return _same(options.first, options.seeds)
    if options.digests or options.digests_backwards:
        return _digests(range(options.first, options.first + options.seeds), options.digests_backwards)
    if options.shrink is not None:
        return _shrink(draw(options.shrink, clustered=options.gateways), options.sabotage, options.jobs)
    if options.sabotage:
        names = list(SABOTAGES) if options.sabotage == "all" else options.sabotage.split(",")
        lacking = see(names, seeds_max=options.seeds, jobs=options.jobs, shrunk=options.least)
        return 1 if lacking else 0
    faults = options.faults.split(",") if options.faults is not None else None
    if options.plan or options.story is not None:
        plan = (
            load_plan(options.plan)
            if options.plan
            else draw(options.story, faults=faults, clustered=options.gateways)
        )
        verdict = play_apart(plan)
        sys.stdout.write("\n".join(verdict.story) + "\n")
        if options.story is not None:
            sys.stdout.write(text_of(plan) + "\n")
        tally = Tally()
        tally.add(verdict)
    else:
        tally = play_many(
            range(options.first, options.first + options.seeds),
            jobs=options.jobs,
            faults=faults,
            minutes=options.minutes,
            clustered=options.gateways,
        )
    missed = False
    if options.marks:
        tally.add_up(options.marks)
    if options.coverage:
        said, missed = report(tally.marks, tally.played)
        sys.stdout.write(said + "\n")
    sys.stdout.write(tally.figures() + "\n")
    return 1 if tally.failed or missed else 0


def _same(first: int, seeds: int) -> int:
    """Whether all evenings are the same, alone and after others, whatever the hash seed."""
    found = differing(first, seeds)
    sys.stdout.write("".join(f"seed {seed} is not the same twice\n" for seed in found))
    sys.stdout.write(f"{seeds - len(found)} of {seeds} evenings are the same twice, byte for byte\n")
    return 1 if found else 0


def _digests(seeds: range, backwards: bool) -> int:
    ordered = reversed(seeds) if backwards else seeds
    for verdict in play_plans((draw(seed) for seed in ordered), jobs=1):
        sys.stdout.write(f"{verdict.seed} {verdict.digest}\n")
    return 0


def _shrink(plan: Plan, sabotage: str | None, jobs: int) -> int:
    """Tell the least story, and the plan that plays it again."""
    before = SABOTAGES[sabotage] if sabotage else None
    verdict = play_apart(plan, before=before)
    if not verdict.violations:
        sys.stdout.write(f"the evening of seed {plan.seed} is sound\n")
        return 1
    shrinking = Shrinking(plan, verdict, lambda said: print(said, file=sys.stderr), before, jobs=jobs)
    least = shrinking.shrink()
    sys.stdout.write("\n".join(shrinking.verdict.story) + "\n" + text_of(least) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
