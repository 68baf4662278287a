"""From an evening that fails to the least that still does: a story in sentences, and a plan to keep.

What came after the violation goes first, then whole kinds of faults, people, tables and time; where more than
three people are left, other seeds of the same house are tried with fewer. What is left is thinned out one act
and one strike at a time. A change stays when the evening still fails by the same sort of violation.
"""

import re
from collections.abc import Callable, Iterator

import msgspec

from tests.evenings.evening import Verdict
from tests.evenings.plan import PersonPlan, Plan
from tests.evenings.playing import Before, play_apart

Tell = Callable[[str], None]
_TRIES_MAX = 1_200
_PEOPLE_MAX, _SEEDS_TRIED = 3, 6


def sort_of(violation: str) -> str:
    """A violation without names, numbers and amounts, to know it again."""
    plain = re.sub(r"\(.*|\[.*|\{.*", "", violation)
    return re.sub(r"\S*[\d:@/]\S*", "…", plain).strip()[:60]


class Shrinking:
    """Makes a plan smaller for as long as it fails in the same way."""

    def __init__(self, plan: Plan, verdict: Verdict, tell: Tell, before: Before = None) -> None:
        self.plan, self.verdict, self._tell, self._before = plan, verdict, tell, before
        self._sort = sort_of(verdict.violations[0])
        self._tries = 0

    def shrink(self) -> Plan:
        """The least plan that was found."""
        steps = (_until_it_failed, _fewer_faults, _fewer_people, _other_evenings, _fewer_tables, _less_time)
        for step in (*steps, _fewer_acts, _without_acts, _without_strikes, _fewer_people, _fewer_acts):
            self._run(step)
        return self.plan

    def size(self) -> tuple[int, int]:
        """How many people and how many acts are left."""
        return len(self.plan.people), _acts(self.plan)

    def _run(self, step: Callable[[Plan, Verdict], Iterator[Plan]]) -> None:
        """Try what a step offers; after each success it begins again with the smaller plan."""
        moved = True
        while moved and self._tries < _TRIES_MAX:
            moved = False
            for smaller in step(self.plan, self.verdict):
                if self._tries >= _TRIES_MAX:
                    return
                if self._fails(smaller):
                    moved = True
                    break

    def _fails(self, plan: Plan) -> bool:
        self._tries += 1
        verdict = play_apart(plan, before=self._before)
        if not any(sort_of(each) == self._sort for each in verdict.violations):
            return False
        self.plan, self.verdict = plan, verdict
        people, acts = self.size()
        self._tell(f"still fails with {people} people, {acts} acts, {len(plan.faults)} faults")
        return True


def _acts(plan: Plan) -> int:
    return sum(len(_kept(person)) for person in plan.people)


def _kept(person: PersonPlan) -> list[int]:
    """The numbers of the acts that are not left out."""
    return [number for number in range(person.acts) if number not in person.without]


def _until_it_failed(plan: Plan, verdict: Verdict) -> Iterator[Plan]:
    """The evening ends just after the first violation, where that came before the calm."""
    at = next((float(line.split()[0]) for line in verdict.story if "VIOLATION" in line), plan.seconds)
    if at + 0.5 < plan.seconds:
        yield msgspec.structs.replace(plan, seconds=round(at + 0.2, 1))


def _fewer_faults(plan: Plan, verdict: Verdict) -> Iterator[Plan]:
    if plan.faults:
        yield msgspec.structs.replace(plan, faults={})
    for kind in plan.faults:
        rest = {name: rate for name, rate in plan.faults.items() if name != kind}
        yield msgspec.structs.replace(plan, faults=rest)


def _fewer_people(plan: Plan, verdict: Verdict) -> Iterator[Plan]:
    half = len(plan.people) // 2
    parts = [plan.people[:half], plan.people[half:]] if half > 1 else []
    for rest in (*parts, *([each for each in plan.people if each is not one] for one in plan.people)):
        if rest:
            yield msgspec.structs.replace(plan, people=rest)


def _other_evenings(plan: Plan, verdict: Verdict) -> Iterator[Plan]:
    """While there are too many people, the same house by other seeds with one of them less."""
    if len(plan.people) <= _PEOPLE_MAX:
        return
    for more in range(1, _SEEDS_TRIED + 1):
        for smaller in _fewer_people(plan, verdict):
            yield msgspec.structs.replace(smaller, seed=plan.seed + 1_000_003 * more)


def _fewer_tables(plan: Plan, verdict: Verdict) -> Iterator[Plan]:
    used = {person.table for person in plan.people}
    for table in plan.tables:
        rest = [each for each in plan.tables if each is not table]
        if rest and table["name"] not in used:
            yield msgspec.structs.replace(plan, tables=rest)


def _less_time(plan: Plan, verdict: Verdict) -> Iterator[Plan]:
    for part in (0.25, 0.5, 0.8):
        if plan.seconds * part >= 2:
            yield msgspec.structs.replace(plan, seconds=round(plan.seconds * part, 1))


def _with(plan: Plan, person: PersonPlan, **changes: object) -> Plan:
    changed = msgspec.structs.replace(person, **changes)
    people = [changed if each is person else each for each in plan.people]
    return msgspec.structs.replace(plan, people=people)


def _fewer_acts(plan: Plan, verdict: Verdict) -> Iterator[Plan]:
    for person in plan.people:
        for acts in (person.acts // 4, person.acts // 2, person.acts - 1):
            if 0 < acts < person.acts:
                yield _with(plan, person, acts=acts)


def _without_acts(plan: Plan, verdict: Verdict) -> Iterator[Plan]:
    """Acts are left out in runs that grow shorter, so that a long evening is thinned out in few tries."""
    for person in plan.people:
        kept = _kept(person)
        size = len(kept) // 2
        while size:
            for start in range(0, len(kept), size):
                run = kept[start : start + size]
                if len(run) < len(kept):
                    yield _with(plan, person, without=sorted({*person.without, *run}))
            size //= 2


def _without_strikes(plan: Plan, verdict: Verdict) -> Iterator[Plan]:
    for kind in plan.faults:
        struck = verdict.figures.get(f"struck {kind}", 0)
        gone = plan.without.get(kind, [])
        for number in range(struck):
            if number not in gone:
                without = {**plan.without, kind: sorted({*gone, number})}
                yield msgspec.structs.replace(plan, without=without)
