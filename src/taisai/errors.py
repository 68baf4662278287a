"""The error tree, drawn once.

TaisaiError
├── InputError(ValueError)       an argument that makes no sense: names what was expected and what came
│   └── UnknownName              no such rulebook, pay table, box, clause…: suggests the nearest
├── RulebookError(ValueError)    a rule file is wrong; lists every fault with key and line
├── Refused                      an actor asked for what the rules forbid (raised only at the library's edge)
├── StoreError                   the outside failed
│   ├── StoreConflict              same id with other content, or a lost race: rebuild and retry
│   └── StoreUnavailable           stop accepting wagers
└── WireError                    a message that cannot be understood
InvariantBroken(AssertionError)  our bug: the command is undone, the evidence kept, and the desk goes on
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import NamedTuple, TypeGuard

# What a refusal repeats of what came: enough to find it again, never a page of digits.
_BRIEF_MAX = 60


def brief(raw: object) -> str:
    """What came, as a refusal repeats it: on one line, cut where it is long, in signs that any screen has."""
    # Python refuses to write numbers of thousands of digits.
    text = f"a number of {raw.bit_length()} bits" if _is_endless(raw) else repr(raw)
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= _BRIEF_MAX else f"{text[: _BRIEF_MAX - 20]}… ({len(text)} signs)"


def _is_endless(raw: object) -> TypeGuard[int]:
    return isinstance(raw, int) and raw.bit_length() > 1_000


class TaisaiError(Exception):
    """The root of all that taisai raises on purpose."""


class InputError(TaisaiError, ValueError):
    """An argument outside what is possible."""


class UnknownName(InputError):
    """A name that stands for nothing, with the nearest one that does."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        known = sorted(map(str, known))
        self.what, self.name, self.nearest = what, name, _nearest(name, known)
        if self.nearest:
            hint = f"did you mean {self.nearest!r}?"
        elif len(known) <= 12:
            hint = f"there is: {', '.join(known) or 'none'}"
        else:
            hint = f"there are {len(known)}, from {known[0]!r} to {known[-1]!r}"
        super().__init__(f"unknown {what} {brief(name)}: {hint}")


def _nearest(name: str, known: list[str]) -> str | None:
    """The name that was probably meant: its digits in another order (domino-41), else the most alike."""
    name = name.casefold()
    same_signs = (other for other in known if sorted(other) == sorted(name))
    alike = get_close_matches(name, known, n=1, cutoff=0.5)
    return next(same_signs, alike[0] if alike else None)


class Fault(NamedTuple):
    """One thing wrong in a rule file."""

    key: str
    line: int | None
    message: str

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.key}: {self.message}"


class RulebookError(TaisaiError, ValueError):
    """A rule file that cannot be used, with every fault in it."""

    def __init__(self, source: str, faults: Iterable[Fault]) -> None:
        self.source = source
        self.faults = tuple(faults)
        lines = "".join(f"\n  {fault}" for fault in self.faults)
        super().__init__(f"{source}: {len(self.faults)} fault(s){lines}")


class SettingsError(InputError):
    """Settings that no house can be run with, with every fault in them."""

    def __init__(self, source: str, faults: Iterable[Fault]) -> None:
        self.source = source
        self.faults = tuple(faults)
        lines = "".join(f"\n  {fault}" for fault in self.faults)
        super().__init__(f"{source}: {len(self.faults)} fault(s){lines}")


class StoreError(TaisaiError):
    """The store failed."""


class StoreConflict(StoreError):
    """The same id with other content, or another writer was first."""


class StoreUnavailable(StoreError):
    """The store cannot be written: stop accepting wagers."""

    passing = True  # whether it may be otherwise in a moment


class WireError(TaisaiError):
    """A message that cannot be understood."""


class InvariantBroken(AssertionError):
    """Something that can never be: a bug of ours, so nothing of the command that met it may stand."""
