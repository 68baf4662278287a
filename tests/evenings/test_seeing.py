"""The evenings see: a house that is broken in one place falls, and the least story of it can be told."""

import ast
from pathlib import Path

import pytest

from tests.evenings import sabotages
from tests.evenings.evening import Verdict
from tests.evenings.plan import Plan, draw, load_plan, text_of
from tests.evenings.playing import play_apart, play_plans
from tests.evenings.sabotages import SABOTAGES
from tests.evenings.same import differing
from tests.evenings.shrinking import sort_of

# Those that fall at once; the command tries all of them.
QUICK = (
    "answer before the commit",
    "idempotency off",
    "one unit too much",
    "ticket paid twice",
    "bets after the closing",
    "dice drawn again",
)


def first_fall(name: str, seeds: int) -> Verdict | None:
    plans = (draw(seed) for seed in range(1, seeds + 1))
    verdicts = play_plans(plans, jobs=1, before=SABOTAGES[name])
    return next((verdict for verdict in verdicts if verdict.violations), None)


def test_there_are_enough_ways_to_break_the_house() -> None:
    """Thirty at least, each with a name of its own."""
    assert len(SABOTAGES) >= 30


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_a_broken_house_falls(name: str) -> None:
    """Within a few seeds, at which the sound house gives no alarm."""
    verdict = first_fall(name, 12)
    assert verdict is not None
    assert play_apart(draw(verdict.seed)).violations == []


def test_a_plan_that_was_kept_plays_the_same_evening(tmp_path: Path) -> None:
    """As text, out of a file."""
    kept = tmp_path / "plan.json"
    kept.write_text(text_of(draw(5)), encoding="utf-8")
    plan: Plan = load_plan(kept)
    assert play_apart(plan).digest == play_apart(draw(5)).digest


def test_violations_of_one_sort_are_known_again() -> None:
    """Whoever it was and however much."""
    one = "T2/1: cat@T2 was paid 801, and 800 is right"
    assert sort_of(one) == sort_of("C1/7: C1-33ab.2 was paid 5, and 4 is right")
    assert sort_of(one) != sort_of("the ticket 1ff5bac2 ended twice, or never was")
    served = "somebody is not served after the last fault ({}: {} is not answered)"
    assert sort_of(served.format("ann", "bet")) == sort_of(served.format("cashier", "limits"))


@pytest.mark.slow
def test_the_order_of_sets_does_not_matter() -> None:
    """Two processes that hash differently play the same bytes."""
    assert differing(1, 5) == []


def test_each_sabotage_changes_what_is_there() -> None:
    """One that sets a name which the house no longer has would break nothing, and stand for ever."""
    gone = []
    for made in ast.parse(Path(sabotages.__file__).read_text(encoding="utf-8")).body:
        for node in ast.walk(made):
            targets = node.targets if isinstance(node, ast.Assign) else []
            for target in targets:
                if isinstance(target, ast.Attribute) and isinstance(made, ast.FunctionDef):
                    owner = ast.unparse(target.value)
                    if owner.split(".")[0] in vars(sabotages):
                        found = eval(owner, vars(sabotages))
                        gone += [] if hasattr(found, target.attr) else [f"{owner}.{target.attr}"]
    assert gone == []
