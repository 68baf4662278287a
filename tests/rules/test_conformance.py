"""Every clause has its test or its reason, and the page that says so is up to date."""

import taisai
from tests.rules.conformance import (
    DEFINITIONS,
    PAGE,
    conformance,
    marked_elsewhere,
    marked_tests,
    modules,
    page,
)
from tests.rules.table import ETG, OPEN, RULEBOOKS, V3, V4, V6


def test_every_clause_has_a_test_or_a_reason() -> None:
    """184 numbered clauses in five documents: none is left over, none is made up."""
    books = conformance()
    assert [fault for book in books.values() for fault in book.faults()] == []
    definitions = sum(map(len, DEFINITIONS.values()))
    assert sum(len(book.clauses) for book in books.values()) - definitions == 184
    assert {name for name in taisai.shipped_rulebooks() if taisai.rulebook(name).approved} == set(RULEBOOKS)


def test_a_test_runs_under_every_rulebook_that_it_is_marked_with() -> None:
    """A test over several pay tables proves a clause of a rulebook only if one of them is that rulebook's."""
    for name, test, rulebook, _ in marked_tests():
        runs_under = set()
        for mark in test.pytestmark:
            if mark.name == "parametrize" and "pay_table" in mark.args[0]:
                names = [mark.args[0]] if isinstance(mark.args[0], str) else list(mark.args[0])
                at = names.index("pay_table")
                values = mark.args[1]
                cases = values if len(names) == 1 else [case[at] for case in values]
                runs_under |= {case.partition("/")[0] for case in cases}
        assert not runs_under or rulebook in runs_under, f"{name} does not run under {rulebook}"


# Clauses about a page, a terminal or money: a test of the round alone could not fail when those break.
ON_THE_FLOOR = {
    V3: ["2.1.1", "3.3", "Colour Chips"],
    OPEN: ["2.1.1", "3.3", "Colour Chips"],
    V4: ["2.1.1", "3.3", "5.6", "5.10"],
    V6: ["2.1.1", "3.3", "5.6", "5.10"],
    ETG: ["1.3", "1.7", "1.8", "2.1.1", "3.2", "3.3", "3.5", "5.2.2", "5.4", "5.5"],
}


def test_clauses_about_pages_and_money_are_proved_on_pages_and_money() -> None:
    """Each has a test in the browser, over a real socket, or on a whole house."""
    proved = {
        (rulebook, number)
        for name, rulebook, numbers in marked_elsewhere()
        for number in numbers
        if name.startswith(("browser/", "server/", "floor/"))
    }
    wanted = {(rulebook, number) for rulebook, numbers in ON_THE_FLOOR.items() for number in numbers}
    assert wanted - proved == set()


def test_every_test_of_the_rules_says_what_it_claims() -> None:
    """One sentence each, so that the page can be read beside the code."""
    for module in modules():
        for name, test in vars(module).items():
            if name.startswith("test_"):
                assert test.__doc__, name


def test_the_page_is_up_to_date() -> None:
    """`make conformance` writes it anew."""
    assert PAGE.read_text(encoding="utf-8") == page(), "stale: run `make conformance` and review the diff"
