"""What all tests share: how Hypothesis looks, where the time of a run goes, and logs as they were."""

import logging
import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.minutes import pytest_runtest_logreport as pytest_runtest_logreport
from tests.minutes import pytest_terminal_summary as pytest_terminal_summary

# A busy machine is no failure, so there is no deadline; what fails prints how to repeat it.
settings.register_profile("taisai", deadline=None, print_blob=True)
settings.load_profile("taisai")


def pytest_xdist_auto_num_workers() -> int:
    """Three workers for two cores: a third of the suite's time is waiting for disks, processes and pages."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + (cores + 1) // 2


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """A command that sets the logs up leaves no way out for them that the next test would find closed."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
