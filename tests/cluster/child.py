"""A process of a cluster as the harness starts it: the real command, with a clock that can be set.

What HARNESS_SABOTAGE names is broken on purpose, so that the harness can show that it finds it. With
HARNESS_RELEASE it is of another release.
"""

import os
from pathlib import Path
from time import monotonic

from taisai.adapters.clock import SystemClock
from taisai.cli.app import main
from tests.cluster.sabotages import SABOTAGES
from tests.faults.child import SetClock

if __name__ == "__main__":
    clock = SetClock(Path(os.environ["HARNESS_CLOCK"]))
    SystemClock.__init__.__defaults__ = (clock, monotonic)
    if broken := os.environ.get("HARNESS_SABOTAGE"):
        SABOTAGES[broken]()
    if os.environ.get("HARNESS_RELEASE") == "next":
        from tests.cluster import next_release

        next_release.become()
    main()
