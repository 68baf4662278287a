"""The receipt: everything that a player needs to prove a bet, in one file with one spelling."""

import re
from base64 import b64encode
from collections.abc import Iterable
from typing import Annotated, Any, Final

import msgspec

from taisai.proof.entries import INTEGER_MAX
from taisai.proof.merkle import parted
from taisai.proof.notes import strict_base64

FORMAT: Final = "taisai receipt 1"
RECEIPT_BYTES_MAX: Final = 65_536

# JavaScript puts names like numbers first, and sorts letters beyond these otherwise.
_BOX: Final = re.compile(r"[\x20-\x7e]*")

Whole = Annotated[int, msgspec.Meta(ge=0, le=INTEGER_MAX)]


class LoggedEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the log and its proof."""

    entry: str
    index: Whole
    proof: str


class ProvenSlip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A slip as it was closed, and its proof."""

    body: str
    salt: str
    index: Whole
    proof: str


class ProvenResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result's entry with its proof, and what the slip brought with its own."""

    entry: str
    index: Whole
    proof: str
    body: str
    salt: str
    path: str


class Receipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bet, proved: between two checkpoints of the house's log."""

    format: str
    opening: LoggedEntry
    closing: LoggedEntry
    before: str
    slip: ProvenSlip
    result: ProvenResult
    after: str
    consistency: str


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Receipt).decode


class NoReceipt(Exception):
    """Not a receipt at all."""


def receipt_bytes(receipt: Receipt) -> bytes:
    """A receipt in its one spelling."""
    return _encode(receipt)


def read_receipt(raw: bytes) -> Receipt:
    """A receipt, or `NoReceipt`: what is read differently by two programs is none."""
    if len(raw) > RECEIPT_BYTES_MAX or b"\\u" in raw:
        raise NoReceipt
    try:
        receipt = _decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise NoReceipt from None
    if receipt.format != FORMAT or _encode(receipt) != raw:
        raise NoReceipt
    return receipt


def one_spelling(text: str) -> Any:
    """A JSON text that is spelled as everybody spells it."""
    try:
        found = msgspec.json.decode(text.encode())
        if msgspec.json.encode(found) == text.encode():
            return found
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        pass
    raise NoReceipt


def proof_text(proof: Iterable[bytes]) -> str:
    """A proof as one text."""
    return b64encode(b"".join(proof)).decode()


def read_proof(text: str) -> list[bytes]:
    """The hashes of a proof."""
    raw = strict_base64(text)
    proof = None if raw is None else parted(raw)
    if proof is None:
        raise NoReceipt
    return proof


def read_bytes(text: str, size: int) -> bytes:
    """Bytes of a known length."""
    raw = strict_base64(text)
    if raw is None or len(raw) != size:
        raise NoReceipt
    return raw


def is_stakes(value: Any) -> bool:
    """Whether it is boxes with their stakes, in the order of their names: one order in all languages."""
    return (
        isinstance(value, dict)
        and list(value) == sorted(value)
        and all(_BOX.fullmatch(box) and not box.isdigit() for box in value)
        and all(type(stake) is int and 0 < stake <= INTEGER_MAX for stake in value.values())
    )


def read_slip(text: str) -> tuple[str, int, dict[str, int]]:
    """Player, version and stakes of a slip."""
    found = one_spelling(text)
    if not isinstance(found, list) or len(found) != 3 or not isinstance(found[0], str):
        raise NoReceipt
    if not _is_whole(found[1]) or not is_stakes(found[2]):
        raise NoReceipt
    return found[0], found[1], found[2]


class ReadResult(msgspec.Struct, frozen=True):
    """What a slip brought, by box in the order of their names."""

    player: str
    version: int
    returned: int
    effective: list[int]
    back: list[int]
    clauses: list[str]
    corrected: dict[str, int] | None


def read_result(text: str) -> ReadResult:
    """The body of a result."""
    found = one_spelling(text)
    if not isinstance(found, list) or len(found) not in (6, 7) or not isinstance(found[0], str):
        raise NoReceipt
    numbers = [*found[1:3], *(found[3] if isinstance(found[3], list) else [None])]
    numbers += found[4] if isinstance(found[4], list) else [None]
    clauses = found[5]
    if not all(map(_is_whole, numbers)) or not isinstance(clauses, list):
        raise NoReceipt
    if not all(isinstance(clause, str) for clause in clauses):
        raise NoReceipt
    corrected = found[6] if len(found) == 7 else None
    if (corrected is not None and not is_stakes(corrected)) or (len(found) == 7 and corrected is None):
        raise NoReceipt
    return ReadResult(found[0], found[1], found[2], found[3], found[4], clauses, corrected)


def _is_whole(value: Any) -> bool:
    return type(value) is int and 0 <= value <= INTEGER_MAX
