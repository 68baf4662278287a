"""`python -m tests.faults`: the long fault run, on both kinds of store, with how long each recovery took."""

import argparse
import asyncio
import tempfile
from collections import defaultdict
from pathlib import Path

from tests.faults.run import Recovery, fault_run
from tests.postgres import own_server


def told(store: str, found: list[Recovery]) -> None:
    """A line for each kind of fault: the longest that anybody waited."""
    by_fault: dict[str, list[Recovery]] = defaultdict(list)
    for recovery in found:
        by_fault[recovery.fault].append(recovery)
    for fault, each in by_fault.items():
        longest = {name: max(getattr(one, name) for one in each) for name in ("login", "bet", "live")}
        said = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in longest.items())
        print(f"{store:<10} {fault:<20} {len(each):>3} times; at most {said}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10, help="how often each fault happens")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="taisai-faults-") as folder:
        found = asyncio.run(fault_run(Path(folder), None, seed=asked.seed, times=asked.times))
    told("sqlite", found)
    with tempfile.TemporaryDirectory(prefix="taisai-faults-") as folder, own_server() as server:
        found = asyncio.run(fault_run(Path(folder), server, seed=asked.seed, times=asked.times))
    told("postgres", found)


if __name__ == "__main__":
    main()
