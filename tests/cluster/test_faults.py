"""A house on real engines, in processes that fail: every promise is kept, or the checker sees it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.cluster.engines import Engines, engines
from tests.cluster.members import NEXT
from tests.cluster.plan import Plan, Step, plan
from tests.cluster.run import evening

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]

LOST = "was acknowledged and is not on the record"
# Both roles in one process: what is broken is behind both, and fewer processes have to start.
TWO = {"one": "serve", "two": "serve"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def made() -> AsyncIterator[Engines]:
    """The engines, started once."""
    async with engines() as started:
        yield started


async def test_a_house_keeps_every_promise_whatever_fails(made: Engines, tmp_path: Path) -> None:
    """Some seeds of `make cluster-faults`, each printed; then each process is replaced by the next release.

    Two releases work side by side while people play; what one does not know of the other it refuses by name.
    """
    async with evening(made, tmp_path) as here:
        upgrade = Plan(0, (Step(at=0.3, fault="upgraded", where=NEXT),))
        for faults in (*(plan(here.cluster, seed) for seed in (6, 11)), upgrade):
            print(faults)
            outcome = await here.suffer(faults)
            assert outcome.found.wrong == []
            assert outcome.found.acknowledged > 0
        said = here.cluster.said(whole=True)
    for unknown in ("unknown kind of message 'Wish'", "AskMany: expected version 1, got 2"):
        assert f"the bus said what this process does not understand: {unknown}" in said
        assert f"refused by name: {unknown}" in said
    assert "taken though it is unknown" not in said


@pytest.mark.parametrize(
    ("sabotage", "step", "found"),
    [
        ("answer before the commit", Step(at=0.3, fault="kill", who="one"), LOST),
        ("barrier skipped", Step(at=0.2, fault="cancelled_and_lost", seconds=4.0), LOST),
        ("fence off", Step(at=0.2, fault="taken_over", who="one", where="two", seconds=3.0), "took it"),
    ],
)
async def test_the_checker_finds_what_was_broken_on_purpose(
    made: Engines, tmp_path: Path, sabotage: str, step: Step, found: str
) -> None:
    """The same faults, which a sound house survives, on a house that is not."""
    async with evening(made, tmp_path, shape=TWO, later=["two"], sabotage=sabotage) as here:
        wrong = await here.found_after(Plan(0, (step,)), found)
    assert any(found in each for each in wrong), wrong
