"""What all tests share: how Hypothesis looks for counterexamples, and where the time of a run goes."""

from hypothesis import settings

from tests.minutes import pytest_runtest_logreport as pytest_runtest_logreport
from tests.minutes import pytest_terminal_summary as pytest_terminal_summary

# A busy machine is no failure, so there is no deadline; what fails prints how to repeat it.
settings.register_profile("taisai", deadline=None, print_blob=True)
settings.load_profile("taisai")
