"""Each fault once: the house goes on by itself, and every promise that it made is kept."""

from pathlib import Path

import pytest

from tests.faults.checker import check_promise
from tests.faults.people import Asked, Outcome
from tests.faults.run import fault_run
from tests.postgres import own_server

pytestmark = pytest.mark.slow


async def test_a_house_on_sqlite_goes_on_after_every_fault(tmp_path: Path) -> None:
    """Killed, out of disk, its clock set: logins, bets and the live table come back."""
    found = await fault_run(tmp_path, None, seed=3)
    assert {recovery.fault for recovery in found} == {
        "kill_server",
        "full_disk",
        "clock_forward",
        "clock_back",
    }


async def test_a_house_on_postgresql_goes_on_after_every_fault(tmp_path: Path) -> None:
    """Killed with its server or without, connections ended, read only, its clock set."""
    with own_server() as server:
        found = await fault_run(tmp_path, server, seed=5)
    assert {recovery.fault for recovery in found} >= {"kill_postgres", "terminate_backends", "read_only"}


SLIP = {"big": 100}


@pytest.mark.parametrize(
    ("outcome", "recorded"),
    [
        ("registered", None),
        ("registered", {"type": "Refusal"}),
        ("registered", {"type": "Accepted", "slip": {"big": 200}}),
        ("refused", {"type": "Accepted", "slip": SLIP}),
        ("unknown", None),
    ],
)
def test_the_checker_finds_a_broken_promise(outcome: Outcome, recorded: dict[str, object] | None) -> None:
    """A checker that cannot fail shows nothing."""
    asked = Asked("1", 1, 1, SLIP, outcome)
    with pytest.raises(AssertionError):
        check_promise(asked, recorded)
