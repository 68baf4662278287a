"""The one rule for two people, and that everybody keeps it."""

import ast
from pathlib import Path

import pytest

from taisai.game.people import Actor, Role
from taisai.game.refusals import RefusalCode
from taisai.game.two_people import lacking

SRC = Path(__file__).parents[3] / "src" / "taisai"
MEI, MEI_SMALL = Actor("Mei", Role.DEALER), Actor("mei", Role.CASINO_MANAGER)
SUE, KIM, ADA = Actor("Sue", Role.PIT_SUPERVISOR), Actor("Kim", Role.CASHIER), Actor("Ada", Role.AUDITOR)
CASHIER = frozenset({Role.CASHIER})


@pytest.mark.parametrize(
    ("by", "second", "also", "reason", "code"),
    [
        (MEI, SUE, frozenset(), "why", None),
        (SUE, MEI, frozenset(), None, None),
        (KIM, SUE, CASHIER, "why", None),
        (KIM, SUE, frozenset(), "why", RefusalCode.ROLE_NOT_ALLOWED),
        (MEI, None, frozenset(), "why", RefusalCode.SECOND_PERSON_MISSING),
        (MEI, MEI_SMALL, frozenset(), "why", RefusalCode.SECOND_PERSON_IS_FIRST),
        (MEI_SMALL, MEI, CASHIER, "why", RefusalCode.SECOND_PERSON_IS_FIRST),
        (MEI, Actor("Dan", Role.DEALER), frozenset(), "why", RefusalCode.SECOND_PERSON_NOT_ALLOWED),
        (SUE, ADA, CASHIER, "why", RefusalCode.SECOND_PERSON_NOT_ALLOWED),
        (MEI, SUE, frozenset(), "  ", RefusalCode.REASON_MISSING),
    ],
)
def test_two_people_are_two_whatever_the_case_of_their_names(
    by: Actor, second: Actor | None, also: frozenset[Role], reason: str | None, code: RefusalCode | None
) -> None:
    """Mei and mei are one person; both belong there, and one of them is high enough."""
    lack = lacking(by, second, least=Role.PIT_SUPERVISOR, also=also, reason=reason)
    assert (lack.code if lack else None) is code


def test_nobody_compares_names_of_people_in_a_way_of_their_own() -> None:
    """Who is the same person is said in one place."""
    found = [
        f"{path.relative_to(SRC)}:{node.lineno}"
        for path in sorted(SRC.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Compare)
        for sides in [[ast.unparse(side) for side in (node.left, *node.comparators)]]
        if sum(side.endswith(("by.name", "second.name")) for side in sides) > 1
    ]
    assert found == []


def test_a_refusal_by_house_procedure_is_made_in_one_way() -> None:
    """`by_house` alone writes that no clause forbids it."""
    found = [
        f"{path.relative_to(SRC)}:{node.lineno}"
        for path in sorted(SRC.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "Refusal"
        and any(word.arg == "clause" and ast.unparse(word.value) == "HOUSE" for word in node.keywords)
    ]
    assert [place.partition(":")[0] for place in found] == ["game/refusals.py"]
