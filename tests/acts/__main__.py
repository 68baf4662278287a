"""`python -m tests.acts --acts 100000`: many random acts, and what became of them."""

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor

from tests.acts.running import HOUSES, Tally, play


def _play(kinds: tuple[str, ...], acts: int) -> tuple[Tally, float]:
    began = time.process_time()
    return play(kinds, acts), time.process_time() - began


def main() -> None:
    """Play in every sort of house, several at a time, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--acts", type=int, default=100_000, help="how many in all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    asked = parser.parse_args()
    each = -(-asked.acts // len(HOUSES))
    whole = Tally()
    with ProcessPoolExecutor(asked.jobs) as pool:
        for kinds, (tally, seconds) in zip(
            HOUSES, pool.map(_play, HOUSES, [each] * len(HOUSES)), strict=True
        ):
            done = sum(tally.done.values())
            print(
                f"{' and '.join(kinds)}: {tally.acts:,} acts in {tally.cases:,} cases, {done:,} done, "
                f"{tally.acts - done:,} refused, {seconds:.0f} s of one core",
                flush=True,
            )
            whole.join(tally)
    print(f"{whole.acts:,} acts, {whole.cases:,} cases: no desk stopped, nothing was lost, every audit sound")
    for name, times in sorted(whole.done.items()):
        print(f"  {name:20} {times:>7,} done")
    for name, times in sorted(whole.refused.items()):
        print(f"  {name:50} {times:>7,} refused")


if __name__ == "__main__":
    main()
