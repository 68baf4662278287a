"""docs/reference/acts.md: every act, where it exists, who may do it and who seconds it."""

from collections.abc import Iterator

from taisai.floor.permits import PERMITS, ActPlace, Permit, SecondRule
from taisai.game.people import Role

_INTRODUCTION = """\
# Acts and permits

Made from `taisai.floor.permits` by `make golden`; do not edit. Everything that anybody can ask of the
house comes in by one door, which reads this table: an act that has no ✓ at a kind of table does not exist
there and is refused with `not_at_this_table`. Acts of a round are also bound by [the table of
acts](table-of-acts.md), which has their phases and clauses.

`player` is a Player Terminal acting for its session, or a player for themselves; `system` is the house
itself, the table's clock and the automatic dealer. Where an act takes two people, they are two whatever
the case of their names, both pit employees (or cashiers where that is said), and a reason is given. An
act marked with * is the system's alone at a table that deals itself.
"""

_SHORT = {
    Role.PIT_SUPERVISOR: "supervisor",
    Role.PIT_MANAGER: "pit manager",
    Role.SHIFT_MANAGER: "shift manager",
    Role.CASINO_MANAGER: "casino manager",
}
_OF_TABLES = (ActPlace.LIVE, ActPlace.CLUSTER)


def permits_page() -> str:
    """The page, one table for the tables and one for each other desk."""
    return "\n".join([_INTRODUCTION, *_tables(), *_desks()])


def _head(places: tuple[ActPlace, ...]) -> Iterator[str]:
    titles = ["act", *(str(place) for place in places), *(_SHORT.get(role, str(role)) for role in Role)]
    yield f"| {' | '.join(titles)} | two people |"
    yield "| --- |" + " :-: |" * (len(places) + len(Role)) + " --- |"


def _tables() -> Iterator[str]:
    yield "## At the tables\n"
    yield from _head(_OF_TABLES)
    for name, permit in PERMITS.items():
        if permit.at & set(_OF_TABLES):
            yield _row(name, permit, _OF_TABLES)
    yield ""


def _desks() -> Iterator[str]:
    for place in ActPlace:
        if place in _OF_TABLES:
            continue
        yield f"## {str(place).capitalize()}\n"
        yield from _head(())
        for name, permit in PERMITS.items():
            if place in permit.at:
                yield _row(name, permit, ())
        yield ""


def _row(name: str, permit: Permit, places: tuple[ActPlace, ...]) -> str:
    title = f"`{name}`" + ("*" if permit.deals else "")
    cells = [*(place in permit.at for place in places), *(role in permit.who for role in Role)]
    marks = " | ".join("✓" if cell else "" for cell in cells)
    return f"| {title} | {marks} | {_two(permit.second)} |"


def _two(rule: SecondRule | None) -> str:
    if rule is None:
        return ""
    when = f"; {rule.when}" if rule.when else ""
    if rule.seconds:
        return f"seconded by {' or '.join(sorted(map(str, rule.seconds)))}, or whom the house names{when}"
    among = ", cashiers too" if rule.also else ""
    return f"one {_SHORT.get(rule.least, str(rule.least))} or above{among}{when}"
