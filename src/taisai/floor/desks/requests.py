"""What tells two commands with one id apart: a digest of what was asked, whenever and however spelled.

A command is written from what was read of it, in one order, without its time and without whatever is as it is
when nobody says it. So the same command has the same digest after an upgrade that gave it another member.
Digests of earlier forms are known again: with a key and all members, and those of 0.1.0 without a key.
"""

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

import msgspec

from taisai.game.people import Actor

_encode = msgspec.json.Encoder().encode
_encode_ordered = msgspec.json.Encoder(order="deterministic").encode
_TITLE: Final = b"taisai request 2\n"
_BLOCK: Final = 64  # bytes that SHA-256 takes at once

# What commands have had since 0.1.0: that release wrote them without.
_LATER: Final[dict[str, tuple[str, ...]]] = {
    "AddStaff": ("second", "reason"),
    "CashOut": ("identity", "second", "reason"),
    "CashOutToTicket": ("session",),
    "ChangePassword": ("where",),
    "ChangeRole": ("second", "reason"),
    "CloseBetting": ("excess",),
    "CollectOwed": ("source", "drawer", "second", "reason", "identity"),
    "CorrectBets": ("chips",),
    "CountDrop": ("reason",),
    "CountFloat": ("reason",),
    "CreditTable": ("reason",),
    "EnableStaff": ("second", "reason"),
    "FillTable": ("reason",),
    "HandPay": ("identity", "drawer"),
    "InterruptRound": ("second", "reason"),
    "LogIn": ("known", "open"),
    "OpenBetting": ("commitment",),
    "OpenTable": ("effective",),
    "PlaceBets": ("on_request",),
    "RecordDraw": ("share",),
    "RecordFigures": ("evidence",),
    "ReportDamagedDice": ("elsewhere",),
    "ResetPassword": ("second", "reason"),
    "SetStaffPolicy": ("second", "reason"),
    "SetTotp": ("second", "reason", "password_mark", "old_step", "where"),
    "StartRound": ("number", "commitment", "sealed"),
    "VoidRound": ("second", "reason"),
    "VoidTicket": ("identity",),
}

Kinds = tuple[type[msgspec.Struct], ...]
Replacements = tuple[tuple[bytes, bytes], ...]


def request_digest(command: Any, key: bytes = b"") -> bytes:
    """The digest of a command; none of nothing.

    With the house's key nobody who has the record can try out which name or number a command had.
    """
    return b"" if command is None else _hashed(_TITLE + said_of(command), key)


_said_last: tuple[Any, bytes] = (None, b"")


def said_of(command: Any) -> bytes:
    """What somebody said, as the digest covers it: made once for the door and the desk, who both ask."""
    global _said_last  # noqa: PLW0603 # of the last command alone, which nobody can change
    if command is not _said_last[0]:
        shortly = getattr(command, "said_shortly", None)
        _said_last = command, (shortly and shortly()) or said_by_members(command)
    return _said_last[1]


def said_by_members(command: Any) -> bytes:
    """The long way, which is any command's; one that knows a shorter way comes to the same bytes by it."""
    said = _written(command)
    for unsaid, rest in _unsaid(_kinds(command)):
        said = said.replace(unsaid, rest)
    return said


def is_same_request(known: bytes, command: Any, asked: bytes, key: bytes = b"") -> bool:
    """Whether a digest on the record, of this form or an earlier one, is of this command."""
    return known == asked or (command is not None and known in _earlier(command, key))


def _earlier(command: Any, key: bytes) -> Iterator[bytes]:
    """The digests that earlier releases made of a command."""
    said = _written(command)
    yield _hashed(said, key)
    yield sha256(said).digest()
    for kind in _kinds(command):
        later = _LATER.get(kind.__name__, ())
        for unsaid, rest in _unsaid((kind,), later):
            said = said.replace(unsaid, rest)
    yield sha256(said).digest()


def _written(command: Any) -> bytes:
    """All members in one order, but for the time of arrival, which is not part of what was asked."""
    said = _encode_ordered(command)
    return said.replace(_encode(command.at), b"") if hasattr(command, "at") else said


def _kinds(command: Any) -> Kinds:
    """A command, the act that it asks a second person for, and the act of a round inside."""
    kinds = []
    while isinstance(command, msgspec.Struct):
        kinds.append(type(command))
        command = getattr(command, "command", None) or getattr(command, "asked", None)
    return tuple(kinds)


@lru_cache(512)
def _unsaid(kinds: Kinds, only: tuple[str, ...] | None = None) -> Replacements:
    """How members look that nobody has said, each with what stays of it.

    A quote inside of a text has a backslash before it, so nothing but a member looks like one. After a number
    more digits could follow: there the end of the member is looked at, too.
    """
    found: dict[bytes, bytes] = {}
    every: Kinds = (*kinds, Actor)
    for kind in every:
        for field in msgspec.structs.fields(kind):
            if field.required or (only is not None and field.name not in only):
                continue
            usual = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
            member = b"," + _encode(field.encode_name) + b":" + _encode(usual)
            ends = (b",", b"}") if type(usual) in (int, float) else (b"",)
            found |= {member + end: end for end in ends}
    return tuple(found.items())


@lru_cache(16)
def _begun(key: bytes) -> Any:
    """Both halves of HMAC-SHA-256 with its key taken in: half of the work, and the same for every command."""
    block = (key if len(key) <= _BLOCK else sha256(key).digest()).ljust(_BLOCK, b"\0")
    return sha256(bytes(byte ^ 0x36 for byte in block)), sha256(bytes(byte ^ 0x5C for byte in block))


def _hashed(said: bytes, key: bytes) -> bytes:
    """HMAC-SHA-256 with the key; without one SHA-256."""
    if not key:
        return sha256(said).digest()
    begun, around = _begun(key)
    inner, outer = begun.copy(), around.copy()
    inner.update(said)
    outer.update(inner.digest())
    digest: bytes = outer.digest()
    return digest
