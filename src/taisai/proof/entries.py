"""The entries of the house's log: JSON in one spelling, each naming those that it follows."""

from typing import Any, Final, NamedTuple

import msgspec

from taisai.errors import InputError
from taisai.proof.tiles import ENTRY_BYTES_MAX

OPENING: Final = "taisai opening 1"
CLOSING: Final = "taisai closing 1"
RESULT: Final = "taisai result 1"
TIPS: Final = "taisai tips 1"
INTEGER_MAX: Final = 2**53 - 1

_encode = msgspec.json.Encoder().encode


class Opening(NamedTuple):
    """A round began, by these rules and with this commitment."""

    table: str
    number: int
    opened_at: int
    rulebook: str
    pay_table: str
    commitment: str
    version: int
    stream_digest: str


class Closing(NamedTuple):
    """No more bets: so many slips, under this root."""

    table: str
    number: int
    at: int
    opening_index: int
    slips: int
    root: str
    version: int
    stream_digest: str


class Result(NamedTuple):
    """What the dice were, what they came from, and the root of what every slip brought."""

    table: str
    number: int
    at: int
    closing_index: int | None
    attempt: int
    previous_index: int | None
    dice: list[int] | None
    clause: str
    secret: str
    share: str
    results: int
    root: str
    version: int
    stream_digest: str


class Tips(NamedTuple):
    """Where the writers of the record stand: writer, number, digest, signature."""

    tips: list[tuple[str, int, str, str]]


Entry = Opening | Closing | Result | Tips
_KINDS: Final[dict[str, type]] = {OPENING: Opening, CLOSING: Closing, RESULT: Result, TIPS: Tips}
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}


def spelled(entry: Entry) -> bytes:
    """An entry in its one spelling."""
    raw = _encode([_NAMES[type(entry)], *entry])
    if len(raw) > ENTRY_BYTES_MAX:
        raise InputError(f"an entry of the log has at most {ENTRY_BYTES_MAX} bytes, got {len(raw)}")
    return raw


def read_entry(raw: bytes) -> Entry:
    """An entry, if it is one in its one spelling."""
    try:
        found: Any = msgspec.json.decode(raw)
        kind = _KINDS[found[0]]
        entry: Entry = msgspec.convert(found[1:], kind)
    except (msgspec.MsgspecError, KeyError, IndexError, TypeError):
        raise InputError("expected an entry of the log") from None
    if spelled(entry) != raw:
        raise InputError("expected an entry of the log in its one spelling")
    return entry
