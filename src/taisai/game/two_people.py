"""The one rule for acts of two people: in a round, at the cage, in the pit and for what waits."""

from typing import Any, NamedTuple

from taisai.game.people import Actor, Role
from taisai.game.refusals import RefusalCode


class Lack(NamedTuple):
    """What keeps an act from being two people's, with the facts that a person needs."""

    code: RefusalCode
    facts: dict[str, Any]


def lacking(
    by: Actor,
    second: Actor | None,
    *,
    least: Role,
    reason: str | None = None,
    also: frozenset[Role] = frozenset(),
    seconds: frozenset[Role] = frozenset(),
) -> Lack | None:
    """None when two different people act, pit employees (or in `also`), one of them `least` or above.

    Where `seconds` are named, the second person has one of those positions instead. With a `reason` given, be
    it empty, the act takes one.
    """

    def belongs(person: Actor) -> bool:
        return person.is_pit_employee or person.role in also

    if not belongs(by):
        return Lack(RefusalCode.ROLE_NOT_ALLOWED, {"least": str(least), "role": str(by.role)})
    if second is None:
        return Lack(RefusalCode.SECOND_PERSON_MISSING, {})
    if by.is_same_person(second):
        return Lack(RefusalCode.SECOND_PERSON_IS_FIRST, {"name": by.name})
    if seconds and second.role not in seconds:
        named = ", ".join(sorted(map(str, seconds)))
        return Lack(RefusalCode.SECOND_PERSON_NOT_ALLOWED, {"least": named, "role": str(second.role)})
    if not seconds and not (belongs(second) and (by.is_at_least(least) or second.is_at_least(least))):
        return Lack(RefusalCode.SECOND_PERSON_NOT_ALLOWED, {"least": str(least), "role": str(second.role)})
    return None if reason is None or reason.strip() else Lack(RefusalCode.REASON_MISSING, {})
