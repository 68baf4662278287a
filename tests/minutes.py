"""How long each folder of tests took, printed at the end of a run: where the time of the suite goes.

The times of all workers are added up, so with two of them a run is over in about half the sum.
"""

from collections import Counter

import pytest

_SECONDS: Counter[str] = Counter()
_TESTS: Counter[str] = Counter()


def folder_of(test: str) -> str:
    """The folder that a test's time is counted for: the one below `tests`."""
    parts = test.partition("::")[0].split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else "/".join(parts[:-1]) or "."


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Under xdist the reports of every worker come to the process that prints."""
    folder = folder_of(report.nodeid)
    _SECONDS[folder] += report.duration
    _TESTS[folder] += report.when == "call"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A line for each folder, the longest first; a run of one folder is told by pytest itself."""
    if len(_SECONDS) < 2:
        return
    terminalreporter.section("minutes by folder")
    for folder, seconds in _SECONDS.most_common():
        terminalreporter.line(f"{seconds / 60:6.1f}  {folder} ({_TESTS[folder]} tests)")
    terminalreporter.line(f"{sum(_SECONDS.values()) / 60:6.1f}  of all workers together")
