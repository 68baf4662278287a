"""The questions that a gateway asks of owners, beside acts: about names, the log, and what no record has."""

from typing import Final

import msgspec

from taisai.adapters.bus.enquiries import Question
from taisai.floor.owners.units import OFFICE as OFFICE


class DiceWanted(msgspec.Struct, frozen=True, array_like=True):
    """A terminal wants the dice of a round, or no longer."""

    table: str
    terminal: str
    number: int
    ready: bool


class AttendantCalled(msgspec.Struct, frozen=True, array_like=True):
    """A terminal calls for somebody, or no longer."""

    table: str
    terminal: str
    wanted: bool


class NameInRecord(msgspec.Struct, frozen=True, array_like=True):
    """Whom the record of a live table has for a name as it was typed."""

    typed: str
    table: str


class NameForgotten(msgspec.Struct, frozen=True, array_like=True):
    """A name is kept no longer."""

    pseudonym: str


class NamesPage(msgspec.Struct, frozen=True, array_like=True):
    """Pseudonyms of live tables with their names, some at a time."""

    after: str
    limit: int


class NamePut(msgspec.Struct, frozen=True, array_like=True):
    """A name is to be kept for a pseudonym."""

    pseudonym: str
    name: str


class NameGet(msgspec.Struct, frozen=True, array_like=True):
    """Whose pseudonym is it?"""

    pseudonym: str


class NameFind(msgspec.Struct, frozen=True, array_like=True):
    """Pseudonyms and names in which a part occurs."""

    part: str
    limit: int


class NameErase(msgspec.Struct, frozen=True, array_like=True):
    """A name is to be kept no longer."""

    pseudonym: str


class LogKeys(msgspec.Struct, frozen=True, array_like=True):
    """The verifier keys of the house's log."""


class LogFile(msgspec.Struct, frozen=True, array_like=True):
    """A tile of the log, or its checkpoint."""

    name: str


class ReceiptOf(msgspec.Struct, frozen=True, array_like=True):
    """The receipt of a slip by its place and its salt."""

    table: str
    number: int
    place: int
    salt: str


class TryCounted(msgspec.Struct, frozen=True, array_like=True):
    """A try from a place is counted: how long to wait, if it is one too many?"""

    what: str
    place: str
    most: int
    seconds: float


class ToCount(msgspec.Struct, frozen=True, array_like=True):
    """Something happened, and is counted."""

    what: str
    place: str


class HowOften(msgspec.Struct, frozen=True, array_like=True):
    """How often something happened lately."""

    what: str
    place: str
    seconds: float


class ToKeep(msgspec.Struct, frozen=True, array_like=True):
    """Something is to be kept for a while."""

    what: str
    key: str
    value: str
    seconds: float


class WhatIsKept(msgspec.Struct, frozen=True, array_like=True):
    """What was kept; one who takes it is the last who finds it."""

    what: str
    key: str
    take: bool = False


DICE_WANTED: Final = Question[bool](DiceWanted, bool)
ATTENDANT_CALLED: Final = Question[None](AttendantCalled, None)
NAME_IN_RECORD: Final = Question[str](NameInRecord, str)
NAME_ERASED: Final = Question[None](NameForgotten, None)
NAMES_PAGE: Final = Question[list[tuple[str, str]]](NamesPage, list[tuple[str, str]])
NAME_PUT: Final = Question[None](NamePut, None)
NAME_GET: Final = Question["str | None"](NameGet, str | None)
NAME_FIND: Final = Question[list[tuple[str, str]]](NameFind, list[tuple[str, str]])
NAME_ERASE: Final = Question[bool](NameErase, bool)
LOG_KEYS: Final = Question[list[str]](LogKeys, list[str])
LOG_FILE: Final = Question["bytes | None"](LogFile, bytes | None)
RECEIPT_OF: Final = Question[bytes](ReceiptOf, bytes)
TRIES: Final = Question[float](TryCounted, float)
NOTE: Final = Question[None](ToCount, None)
NOTED: Final = Question[int](HowOften, int)
KEEP: Final = Question[None](ToKeep, None)
KEPT: Final = Question["str | None"](WhatIsKept, str | None)
