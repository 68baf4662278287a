"""Every clause of every rulebook with the tests that prove it: `python -m tests.rules.conformance`.

Prints rulebook × clause × tests and writes docs/conformance.md. A clause is proved by the tests that carry it
as a mark, of the rules, the floor, the server and the pages; one that says nothing about behaviour stands in
without_behaviour.toml with the reason. Definitions that have no number stand here by their names.
"""

import ast
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import taisai
from taisai.game.acts import Act, Phase, cell
from tests.rules.table import ETG, OPEN, RULEBOOKS, V3, V4, V6

HERE = Path(__file__).parent
TESTS = HERE.parent
# Where tests that carry clauses stand besides this folder; the pages' and the server's are there too.
ELSEWHERE = ("unit", "floor", "server", "browser")
BOOKS = {"V3": V3, "OPEN": OPEN, "V4": V4, "V6": V6, "ETG": ETG}
# Definitions that the documents give without a number, in our words.
DEFINITIONS = {
    book: {
        "Colour Chips": "Colour chips are a table's own set, marked so that they differ from other tables'."
    }
    for book in (V3, OPEN)
}
PAGE = HERE.parent.parent / "docs" / "conformance.md"

_INTRODUCTION = """\
# Conformance: every clause, and what proves it

Made by `make conformance`; do not edit. Each numbered clause of the five approved rulebooks stands here in
our words, with the acts that are done under it, and with the tests that prove it, or with the reason why
there is nothing to prove. Tests without a folder are those of `tests/rules/`; `browser/` means the pages in a
real browser, `server/` the interface over real sockets, `floor/` a whole house, `unit/` one part. A clause
that has neither fails the test run, and so does a stale copy of this page.
"""


@dataclass
class Conformance:
    """What is known of one rulebook's clauses."""

    rulebook: str
    tests: dict[str, list[str]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    @property
    def clauses(self) -> dict[str, str]:
        """Number and words of every clause, in the order of the document."""
        clauses = taisai.rulebook(self.rulebook).clauses
        numbered = {number: clauses[number] for number in sorted(clauses, key=_as_numbers)}
        return {**DEFINITIONS.get(self.rulebook, {}), **numbered}

    def acts(self, number: str) -> list[str]:
        """The acts that are legal, void the round or are refused under a clause."""
        book = taisai.rulebook(self.rulebook)
        cells = [cell(book, act, phase) for act in Act for phase in Phase]
        found = dict.fromkeys(str(each.act) for each in cells if each.clause == number and each.legal)
        found |= {f"void: {ground}": None for ground, clause in book.void.items() if clause == number}
        return list(found)

    def faults(self) -> Iterator[str]:
        """Clauses with neither test nor reason, with both, and numbers that the rulebook does not have."""
        for number in self.clauses:
            if number not in self.tests and number not in self.reasons:
                yield f"{self.rulebook} {number} has no test and no reason why not"
            if number in self.tests and number in self.reasons:
                yield f"{self.rulebook} {number} has a test, so it says something about behaviour"
        for number in (*self.tests, *self.reasons):
            if number not in self.clauses:
                yield f"{self.rulebook} has no clause {number}"


def _as_numbers(clause: str) -> tuple[int, ...]:
    return tuple(map(int, clause.split(".")))


@cache
def modules() -> tuple[ModuleType, ...]:
    """The test modules of this folder, in the order of their names."""
    return tuple(import_module(f"tests.rules.{path.stem}") for path in sorted(HERE.glob("test_*.py")))


def marked_tests() -> Iterator[tuple[str, Callable[..., object], str, tuple[str, ...]]]:
    """Every test that carries a clause: its name, the test, the rulebook and the clauses."""
    for module in modules():
        for name, test in vars(module).items():
            if name.startswith("test_"):
                for mark in getattr(test, "pytestmark", []):
                    if mark.name == "clause":
                        yield (
                            f"{module.__name__.rpartition('.')[2]}.py::{name}",
                            test,
                            mark.args[0],
                            mark.args[1:],
                        )


@cache
def marked_elsewhere() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Tests of other folders that carry a clause, read from their source: nothing there need be imported."""
    found = []
    for folder in ELSEWHERE:
        for path in sorted((TESTS / folder).rglob("test_*.py")):
            text = path.read_text(encoding="utf-8")
            if "mark.clause" not in text:
                continue
            for node in ast.parse(text).body:
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    name = f"{path.relative_to(TESTS)}::{node.name}"
                    found += [(name, *_clause(mark)) for mark in node.decorator_list if _is_clause(mark)]
    return tuple(found)


def _is_clause(mark: ast.expr) -> bool:
    return isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.clause"


def _clause(mark: ast.expr) -> tuple[str, tuple[str, ...]]:
    assert isinstance(mark, ast.Call)
    book, *numbers = (
        BOOKS[each.id] if isinstance(each, ast.Name) else ast.literal_eval(each) for each in mark.args
    )
    return book, tuple(numbers)


def conformance() -> dict[str, Conformance]:
    """What is known of each rulebook, from marks and reasons."""
    reasons = tomllib.loads((HERE / "without_behaviour.toml").read_text(encoding="utf-8"))
    found = {name: Conformance(name, reasons=reasons.pop(name, {})) for name in RULEBOOKS}
    assert not reasons, f"reasons for unknown rulebooks: {', '.join(reasons)}"
    here = [(name, rulebook, clauses) for name, _, rulebook, clauses in marked_tests()]
    for name, rulebook, clauses in (*here, *marked_elsewhere()):
        assert rulebook in found, f"{name} is marked with an unknown rulebook {rulebook!r}"
        for number in clauses:
            tests = found[rulebook].tests.setdefault(number, [])
            if name not in tests:
                tests.append(name)
    return found


def page() -> str:
    """docs/conformance.md."""
    lines = [
        _INTRODUCTION,
        "| rulebook | clauses | with tests | no behaviour |",
        "| --- | ---: | ---: | ---: |",
    ]
    books = conformance().values()
    for book in books:
        counts = len(book.clauses), len(book.tests), len(book.reasons)
        lines.append(f"| [{book.rulebook}](#{book.rulebook}) | " + " | ".join(map(str, counts)) + " |")
    total = sum(len(book.clauses) for book in books)
    unnumbered = sum(map(len, DEFINITIONS.values()))
    lines.append(
        f"\n{total - unnumbered} numbered clauses in all, and {unnumbered} definitions without a number."
    )
    for book in books:
        head = "| clause | what it says | acts under it | proved by |"
        lines += [f"\n## {book.rulebook}\n", head, "| --- | --- | --- | --- |"]
        for number, words in book.clauses.items():
            tests = "<br>".join(f"`{test}`" for test in book.tests.get(number, []))
            proof = tests or f"no behaviour: {book.reasons.get(number, 'MISSING')}"
            lines.append(f"| {number} | {words} | {', '.join(book.acts(number))} | {proof} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    books = conformance()
    for book in books.values():
        for number in book.clauses:
            proof = book.tests.get(number) or [f"({book.reasons.get(number, 'MISSING')})"]
            for test in proof:
                print(f"{book.rulebook:<20} {number:<7} {test}")
    faults = [fault for book in books.values() for fault in book.faults()]
    PAGE.write_text(page(), encoding="utf-8")
    if faults:
        raise SystemExit("\n".join(faults))


if __name__ == "__main__":
    main()
