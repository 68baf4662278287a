"""From an evening that fails to the least that still does: a story in sentences, and a plan to keep.

What came after the violation goes first, then whole kinds of faults, people, tables and time; where more than
three people are left, other seeds of the same house are tried with fewer. Then each fault is held to the
moments at which it struck, so that it stays where it is whoever goes, and what is left is thinned out one act
and one strike at a time. Before that, where much is left, other seeds are tried with three of the first
evening's people, few acts, many faults; after it, with half of the acts. A change stays when the evening
still fails by the same sort of violation.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from random import Random

import msgspec

from tests.evenings.evening import Verdict
from tests.evenings.plan import PersonPlan, Plan
from tests.evenings.playing import Before, play_beside

Tell = Callable[[str], None]
Size = tuple[int, int]  # people, acts
SMALL: Size = (3, 20)
_TRIES_MAX, _ROUNDS_MAX = 600, 4
_SEEDS_TRIED = 6
_FRESH_TRIED, _FRESH_ACTS, _STRONGER = 100, 6, 5
_RARE = 1_000  # a checkpoint after so many events is none in an evening


def sort_of(violation: str) -> str:
    """A violation without names, numbers and amounts, to know it again."""
    plain = re.sub(r"\(.*|\[.*|\{.*", "", violation)
    return re.sub(r"\S*[\d:@/]\S*", "…", plain).strip()[:60]


class Shrinking:
    """Makes a plan smaller for as long as it fails in the same way, or until it is small `enough`."""

    def __init__(
        self, plan: Plan, verdict: Verdict, tell: Tell, before: Before = None, *,
        jobs: int = 2, enough: Size = (0, 0),
    ) -> None:  # fmt: skip
        self.plan, self.verdict, self._tell, self._before = plan, verdict, tell, before
        self._sort, self._jobs, self._enough = sort_of(verdict.violations[0]), jobs, enough
        self._whole = plan
        self.tries = 0

    def shrink(self) -> Plan:
        """The least plan that was found."""
        for step in (_until_it_failed, _fewer_faults, _fewer_people, _only_what_was_done, _other_evenings):
            self._run(step)
        for step in (_fewer_tables, _less_time, _closer_checkpoints, self._afresh, _at_its_moments):
            self._run(step)
        for _ in range(_ROUNDS_MAX):
            before = (self.size(), self.plan.faults)
            for step in (_only_what_was_done, _fewer_acts_of_all):
                self._run(step)
            self._thin_out()
            for step in (_without_strikes, _until_it_failed, _fewer_people, _fewer_faults, _other_acts):
                self._run(step)
            if (self.size(), self.plan.faults) == before:
                break
        return self.plan

    def _afresh(self, plan: Plan, verdict: Verdict) -> Iterator[Plan]:
        """Too much is left: three of the first evening's people by other seeds, and faults come often."""
        if _is_within(self.size(), SMALL):
            return
        whole = self._whole
        stronger = {kind: min(0.5, rate * _STRONGER) for kind, rate in whole.faults.items()}
        for more in range(1, _FRESH_TRIED + 1):
            chosen = Random(more).sample(whole.people, min(SMALL[0], len(whole.people)))
            people = [msgspec.structs.replace(each, acts=_FRESH_ACTS) for each in chosen]
            faults = stronger if more % 2 else plan.faults
            yield msgspec.structs.replace(
                whole, people=people, faults=faults, checkpoints=plan.checkpoints,
                seed=whole.seed + 1_000_003 * more,
            )  # fmt: skip

    def size(self) -> Size:
        """How many people and how many acts are left."""
        return len(self.plan.people), _acts(self.plan)

    @property
    def is_small(self) -> bool:
        return _is_within(self.size(), self._enough)

    def _run(self, step: Callable[[Plan, Verdict], Iterator[Plan]]) -> None:
        """Try what a step offers; after each success it begins again with the smaller plan."""
        while self._fails(step(self.plan, self.verdict)):
            pass

    def _thin_out(self) -> None:
        """Leave acts out in runs that grow shorter; after a success the rest goes on from the same place."""
        for name in [person.name for person in self.plan.people]:
            size = max(1, len(self._kept_of(name)) // 2)
            while size:
                start = 0
                while start < len(self._kept_of(name)):
                    if not self._fails(_without_runs(self.plan, name, start, size, self._jobs)):
                        start += size * self._jobs
                size //= 2

    def _kept_of(self, name: str) -> list[int]:
        return next((_kept(person) for person in self.plan.people if person.name == name), [])

    def _fails(self, smaller: Iterable[Plan]) -> bool:
        """Whether one of these fails by the same sort of violation; the first that does is kept."""
        waiting = iter(smaller)
        while self.tries < _TRIES_MAX and not self.is_small and (some := list(islice(waiting, self._jobs))):
            self.tries += len(some)
            for plan, verdict in zip(some, play_beside(some, before=self._before), strict=True):
                if any(sort_of(each) == self._sort for each in verdict.violations):
                    self.plan, self.verdict = plan, verdict
                    people, acts = self.size()
                    self._tell(f"still fails with {people} people, {acts} acts, {len(plan.faults)} faults")
                    return True
        return False


def _is_within(size: Size, enough: Size) -> bool:
    return all(left <= most for left, most in zip(size, enough, strict=True))


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


def _only_what_was_done(plan: Plan, verdict: Verdict) -> Iterator[Plan]:
    """Acts that nobody came to before the end are none, and whoever did nothing need not be there."""
    if not verdict.done:
        return
    done = {each.name: verdict.done.get(each.name, []) for each in plan.people}
    cut = [
        msgspec.structs.replace(each, without=[n for n in range(each.acts) if n not in done[each.name]])
        for each in plan.people
    ]
    ended = [
        msgspec.structs.replace(
            each,
            acts=done[each.name][-1] + 1,
            without=[number for number in each.without if number <= done[each.name][-1]],
        )
        for each in cut
        if done[each.name]
    ]
    for people in (ended, cut):
        smaller = msgspec.structs.replace(plan, people=people)
        if (len(people), _acts(smaller)) < (len(plan.people), _acts(plan)):
            yield smaller


def _at_its_moments(plan: Plan, verdict: Verdict) -> Iterator[Plan]:
    """Each fault strikes when it struck, and no longer by chance: who is there does not move it then."""
    if any(kind not in plan.struck_at for kind in plan.faults):
        moments = {kind: verdict.struck_at.get(kind, []) for kind in plan.faults}
        yield msgspec.structs.replace(plan, struck_at=moments, without={})


def _fewer_acts_of_all(plan: Plan, verdict: Verdict) -> Iterator[Plan]:
    """A half, a quarter or an eighth of everybody's evening is left out at once."""
    for parts in (2, 4, 8):
        for part in range(parts):
            people = []
            for person in plan.people:
                kept = _kept(person)
                out = kept[len(kept) * part // parts : len(kept) * (part + 1) // parts]
                people.append(msgspec.structs.replace(person, without=sorted({*person.without, *out})))
            smaller = msgspec.structs.replace(plan, people=people)
            if 0 < _acts(smaller) < _acts(plan):
                yield smaller


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
    if len(plan.people) <= SMALL[0]:
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


def _closer_checkpoints(plan: Plan, verdict: Verdict) -> Iterator[Plan]:
    """Where a desk makes checkpoints, it makes them sooner: what happens after one takes fewer acts then."""
    if 1 < plan.checkpoints < _RARE:
        for events in (1, plan.checkpoints // 2):
            yield msgspec.structs.replace(plan, checkpoints=events)


def _other_acts(plan: Plan, verdict: Verdict) -> Iterator[Plan]:
    """While there are too many acts, the same people by other seeds with half as many each."""
    if _acts(plan) <= SMALL[1]:
        return
    half = [
        msgspec.structs.replace(each, acts=max(1, len(_kept(each)) // 2), without=[]) for each in plan.people
    ]
    for more in range(1, _SEEDS_TRIED + 1):
        yield msgspec.structs.replace(plan, people=half, seed=plan.seed + 1_000_003 * more)


def _with(plan: Plan, person: PersonPlan, **changes: object) -> Plan:
    changed = msgspec.structs.replace(person, **changes)
    people = [changed if each is person else each for each in plan.people]
    return msgspec.structs.replace(plan, people=people)


def _without_runs(plan: Plan, name: str, start: int, size: int, runs: int) -> Iterator[Plan]:
    """One person without a run of their acts, or without the next one, or without the one after that."""
    for person in plan.people:
        kept = _kept(person) if person.name == name else []
        for begins in range(start, min(start + size * runs, len(kept)), size):
            run = kept[begins : begins + size]
            if len(run) == len(kept):
                return  # without any act they need not be there
            yield _with(plan, person, without=sorted({*person.without, *run}))


def _without_strikes(plan: Plan, verdict: Verdict) -> Iterator[Plan]:
    for kind, moments in plan.struck_at.items():
        size = len(moments)
        while size := (size + 1) // 2 if size > 1 else 0:
            for start in range(0, len(moments), size):
                rest = {**plan.struck_at, kind: moments[:start] + moments[start + size :]}
                yield msgspec.structs.replace(plan, struck_at=rest)
    for kind in plan.faults:
        if kind in plan.struck_at:
            continue
        struck = verdict.figures.get(f"struck {kind}", 0)
        gone = plan.without.get(kind, [])
        left = [number for number in range(struck) if number not in gone]
        size = len(left)
        while size := size // 2:
            for start in range(0, len(left), size):
                without = {**plan.without, kind: sorted({*gone, *left[start : start + size]})}
                yield msgspec.structs.replace(plan, without=without)
