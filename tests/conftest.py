"""What all tests share: how Hypothesis looks, where the time of a run goes, and logs as they were."""

import logging
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.minutes import pytest_runtest_logreport as pytest_runtest_logreport
from tests.minutes import pytest_terminal_summary as pytest_terminal_summary

# A busy machine is no failure, so there is no deadline; what fails prints how to repeat it.
settings.register_profile("taisai", deadline=None, print_blob=True)
settings.load_profile("taisai")


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """A command that sets the logs up leaves no way out for them that the next test would find closed."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
