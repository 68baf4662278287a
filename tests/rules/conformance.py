"""Every clause of every rulebook with the tests that prove it: `python -m tests.rules.conformance`.

Prints rulebook × clause × tests and writes docs/conformance.md. A clause is proved by the tests of this
folder that carry it as a mark; one that says nothing about behaviour stands in without_behaviour.toml with
the reason.
"""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import taisai
from tests.rules.table import RULEBOOKS

HERE = Path(__file__).parent
PAGE = HERE.parent.parent / "docs" / "conformance.md"

_INTRODUCTION = """\
# Conformance: every clause, and what proves it

Made by `make conformance`; do not edit. Each numbered clause of the five approved rulebooks stands here in
our words, with the tests of `tests/rules/` that prove it, or with the reason why there is nothing to prove.
A clause that has neither fails the test run, and so does a stale copy of this page.
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
        return {number: clauses[number] for number in sorted(clauses, key=_as_numbers)}

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


def conformance() -> dict[str, Conformance]:
    """What is known of each rulebook, from marks and reasons."""
    reasons = tomllib.loads((HERE / "without_behaviour.toml").read_text(encoding="utf-8"))
    found = {name: Conformance(name, reasons=reasons.pop(name, {})) for name in RULEBOOKS}
    assert not reasons, f"reasons for unknown rulebooks: {', '.join(reasons)}"
    for name, _, rulebook, clauses in marked_tests():
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
    lines.append(f"\n{total} clauses in all.")
    for book in books:
        lines += [f"\n## {book.rulebook}\n", "| clause | what it says | proved by |", "| --- | --- | --- |"]
        for number, words in book.clauses.items():
            tests = "<br>".join(f"`{test}`" for test in book.tests.get(number, []))
            proof = tests or f"no behaviour: {book.reasons.get(number, 'MISSING')}"
            lines.append(f"| {number} | {words} | {proof} |")
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
