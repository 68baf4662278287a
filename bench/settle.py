"""A million bets on one roll by columns, against bet by bet and a bare gather; and the import time."""

import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

import taisai
from taisai.game.awards import award
from taisai.game.bulk import return_multiples, settle_columns
from taisai.rulebooks.kinds import KINDS

BETS = 1_000_000
FASTER_AT_LEAST = 20
IMPORT_SECONDS_MAX = 0.15


def best_of(times: int, run: Callable[[], object]) -> float:
    """Seconds of the fastest run: what the machine can do when nothing disturbs it."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def settle_million() -> None:
    """The same bets four ways; all must bring the same."""
    table, roll = taisai.pay_table("sic-bo-etg-v8/2"), taisai.Roll(2, 2, 4)
    random = np.random.default_rng(216)
    box_index = random.integers(0, len(table.boxes), BETS)
    stake_minor = 2 * random.integers(1, 5_000, BETS)
    bets = list(zip(box_index.tolist(), stake_minor.tolist(), strict=True))
    boxes = [(KINDS[box.kind].level, box.numbers, box.pays) for box in table.boxes]

    def by_predicate() -> list[int]:
        returned = []
        for box, stake in bets:
            level, numbers, pays = boxes[box]
            reached = level(roll, numbers)
            returned.append(stake + int(stake * pays[reached - 1]) if reached else 0)
        return returned

    def by_award() -> list[int]:
        return [award(table.boxes[box], roll, stake).returned for box, stake in bets]

    multiples, unit = return_multiples(table, roll)

    def bare_gather() -> np.ndarray:
        return multiples[box_index] * stake_minor // unit

    columns = settle_columns(table, roll, box_index, stake_minor)
    assert columns.tolist() == by_predicate() == by_award() == bare_gather().tolist()
    seconds = best_of(7, lambda: settle_columns(table, roll, box_index, stake_minor))
    predicate, plain = best_of(2, by_predicate), best_of(2, by_award)
    gather = best_of(7, bare_gather)
    print(f"  columns          {seconds * 1e3:8.1f} ms  {BETS / seconds / 1e6:6.1f} M bets/s")
    print(f"  predicate        {predicate * 1e3:8.1f} ms  columns are {predicate / seconds:.0f} times faster")
    print(f"  plain path       {plain * 1e3:8.1f} ms  columns are {plain / seconds:.0f} times faster")
    print(f"  bare gather      {gather * 1e3:8.1f} ms  columns take {seconds / gather:.2f} times as long")
    if predicate / seconds < FASTER_AT_LEAST:
        raise SystemExit(f"columns are to be at least {FASTER_AT_LEAST} times faster than predicates")


def column_ratios(passes: int) -> list[float]:
    """A million bets by columns against a bare gather, by turns, in processor time."""
    table, roll = taisai.pay_table("sic-bo-etg-v8/2"), taisai.Roll(2, 2, 4)
    random = np.random.default_rng(216)
    box_index, stakes = random.integers(0, len(table.boxes), BETS), 2 * random.integers(1, 5_000, BETS)
    multiples, unit = return_multiples(table, roll)
    ratios = []
    for _ in range(passes + 1):
        start = time.process_time()
        settle_columns(table, roll, box_index, stakes)
        settled = time.process_time()
        multiples[box_index] * stakes // unit
        ratios.append((settled - start) / (time.process_time() - settled))
    return ratios[1:]  # the first one is what asked the system for memory


def import_time() -> None:
    """What `import taisai` adds to starting Python, in fresh processes."""

    def start(code: str) -> float:
        return best_of(9, lambda: subprocess.run([sys.executable, "-c", code], check=True))

    bare, with_taisai = start("pass"), start("import taisai")
    settling = start("import taisai; taisai.settle; taisai.pay_table; taisai.Roll")
    cost = with_taisai - bare
    print(f"  python -c pass   {bare * 1e3:8.1f} ms")
    print(f"  import taisai    {with_taisai * 1e3:8.1f} ms  {with_taisai / bare:.2f} times bare Python")
    print(f"  … and settle     {settling * 1e3:8.1f} ms  {settling / bare:.2f} times bare Python")
    if cost > IMPORT_SECONDS_MAX:
        raise SystemExit(f"import taisai is to take less than {IMPORT_SECONDS_MAX} s")


def main() -> None:
    settle_million()
    import_time()


if __name__ == "__main__":
    main()
