"""From an evening that fails to the least: what each step leaves out, and how little is left."""

import pytest

from tests.evenings import shrinking
from tests.evenings.evening import Verdict
from tests.evenings.plan import Plan, draw
from tests.evenings.shrinking import Shrinking

WRONG = "T2/1: cat@T2 was paid 801, and 800 is right"
FAILED = Verdict(seed=1, violations=[WRONG], story=["    0.100  cat: bet", f"   12.345  VIOLATION: {WRONG}"])


def test_the_least_evening_is_what_it_takes_to_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here one act of one person: everybody and everything else goes, and the time after it."""
    plan = draw(1)
    culprit = plan.people[-1].name
    played: list[Plan] = []

    def play(tried: Plan, **more: object) -> Verdict:
        played.append(tried)
        fails = any(each.name == culprit and 3 in shrinking._kept(each) for each in tried.people)
        return FAILED if fails and tried.seconds > 12 else Verdict(seed=1)

    monkeypatch.setattr(shrinking, "play_apart", play)
    shrunk = Shrinking(plan, FAILED, lambda said: None)
    least = shrunk.shrink()
    assert [person.name for person in least.people] == [culprit]
    assert shrunk.size() == (1, 1)
    assert (least.faults, least.seconds < 13, least.seconds > 12) == ({}, True, True)
    assert played[0].seconds == 12.5  # what came after the violation went first
