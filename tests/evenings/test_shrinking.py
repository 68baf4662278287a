"""From an evening that fails to the least: what each step leaves out, and how little is left."""

from collections.abc import Callable

import msgspec
import pytest

from tests.evenings import shrinking
from tests.evenings.evening import Verdict
from tests.evenings.faults import Faults
from tests.evenings.plan import Plan, draw
from tests.evenings.shrinking import SMALL, Shrinking
from tests.evenings.streams import Streams

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
        if longest.acts == 6:
            return False  # an evening begun afresh
        return not longest.without and (longest.acts >= whole or tried.seed != plan.seed)

    least, (people, acts) = shrunk_while(fails, plan, monkeypatch)
    assert least.seed != plan.seed
    assert (people, acts) <= (1, SMALL[1])


def test_acts_that_nobody_came_to_are_none() -> None:
    """An evening that ended early has them in its plan, and they need not be tried one by one."""
    plan = draw(1)
    one, other = plan.people[0].name, plan.people[1].name
    told = msgspec.structs.replace(FAILED, done={one: [0, 2], other: [1]})
    smaller = next(shrinking._only_what_was_done(plan, told))
    assert [(each.name, shrinking._kept(each)) for each in smaller.people] == [(one, [0, 2]), (other, [1])]
    assert list(shrinking._only_what_was_done(smaller, told)) == []


def test_a_fault_stays_at_its_moment_whoever_goes() -> None:
    """By chance it would come at another when there is less to disturb; and each moment can be left out."""
    plan = msgspec.structs.replace(draw(1), faults={"append fails": 0.01})
    told = msgspec.structs.replace(FAILED, struck_at={"append fails": [3.5, 9.0]})
    (held,) = shrinking._at_its_moments(plan, told)
    faults = Faults(held, Streams(1), lambda said: None)
    faults.calm = False
    struck = []
    for now in (1.0, 4.0, 5.0, 8.9, 9.0, 20.0):
        faults.now = lambda now=now: now  # type: ignore[misc] # bound at once
        if faults.strikes("append fails"):
            struck.append(now)
    assert struck == [4.0, 9.0]
    assert list(shrinking._at_its_moments(held, told)) == []
    left = [each.struck_at["append fails"] for each in shrinking._without_strikes(held, told)]
    assert left == [[9.0], [3.5]]


def test_where_too_much_is_left_three_people_begin_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """By other seeds: here only a new evening of few people fails, or the first one as it is."""
    plan = draw(1)
    least, (people, acts) = shrunk_while(
        lambda tried: tried.seed != plan.seed and {each.acts for each in tried.people} == {6},
        plan,
        monkeypatch,
    )
    assert {each.acts for each in plan.people} != {6}
    assert least.seed != plan.seed
    assert (people, acts) <= SMALL
