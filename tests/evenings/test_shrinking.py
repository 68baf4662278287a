"""From an evening that fails to the least: what each step leaves out, and how little is left."""

from collections.abc import Callable

import msgspec
import pytest

from tests.evenings import shrinking
from tests.evenings.evening import Verdict
from tests.evenings.plan import Plan, draw
from tests.evenings.shrinking import SMALL, Shrinking

WRONG = "T2/1: cat@T2 was paid 801, and 800 is right"
FAILED = Verdict(seed=1, violations=[WRONG], story=["    0.100  cat: bet", f"   12.345  VIOLATION: {WRONG}"])


def test_the_least_evening_is_what_it_takes_to_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here one act of one person: everybody and everything else goes, and the time after it."""
    plan = draw(1)
    culprit = plan.people[-1].name
    played: list[Plan] = []

    def play(some: list[Plan], **more: object) -> list[Verdict]:
        played.extend(some)
        return [FAILED if fails(tried) else Verdict(seed=1) for tried in some]

    def fails(tried: Plan) -> bool:
        acts = any(each.name == culprit and 3 in shrinking._kept(each) for each in tried.people)
        return acts and tried.seconds > 12

    monkeypatch.setattr(shrinking, "play_beside", play)
    shrunk = Shrinking(plan, FAILED, lambda said: None)
    least = shrunk.shrink()
    assert [person.name for person in least.people] == [culprit]
    assert shrunk.size() == (1, 1)
    assert (least.faults, least.seconds < 13, least.seconds > 12) == ({}, True, True)
    assert played[0].seconds == 12.5  # what came after the violation went first


def test_shrinking_ends_as_soon_as_an_evening_is_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it could become smaller: whoever only asks whether it does has no time to lose."""
    monkeypatch.setattr(shrinking, "play_beside", lambda some, **more: [FAILED for _ in some])
    shrunk = Shrinking(draw(1), FAILED, lambda said: None, enough=(2, 40))
    shrunk.shrink()
    people, acts = shrunk.size()
    assert (people, acts) > (1, 1)
    assert people <= 2
    assert acts <= 40


def shrunk_while(
    fails: Callable[[Plan], bool], plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> tuple[Plan, tuple[int, int]]:
    """The least plan and its size, where a plan fails if this says so."""
    verdicts = {True: FAILED, False: Verdict(seed=1)}
    monkeypatch.setattr(
        shrinking, "play_beside", lambda some, **more: [verdicts[fails(each)] for each in some]
    )
    shrunk = Shrinking(plan, FAILED, lambda said: None, enough=SMALL)
    return shrunk.shrink(), shrunk.size()


def test_what_happens_after_a_checkpoint_takes_fewer_acts_where_they_come_sooner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Here three acts for each event between two of them."""
    plan = msgspec.structs.replace(draw(1), checkpoints=12)
    least, (_, acts) = shrunk_while(
        lambda tried: shrinking._acts(tried) >= 3 * tried.checkpoints, plan, monkeypatch
    )
    assert least.checkpoints == 1
    assert acts <= SMALL[1]


def test_where_no_act_can_be_left_out_other_seeds_are_tried_with_half_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Until there are few enough."""
    plan = draw(1)
    whole = max(person.acts for person in plan.people)

    def fails(tried: Plan) -> bool:
        longest = max(tried.people, key=lambda person: person.acts)
        return not longest.without and (longest.acts >= whole or tried.seed != plan.seed)

    least, (people, acts) = shrunk_while(fails, plan, monkeypatch)
    assert least.seed != plan.seed
    assert (people, acts) <= (1, SMALL[1])
