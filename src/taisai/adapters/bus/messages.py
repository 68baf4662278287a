"""What processes of one house say to one another over the bus: msgpack, with a kind and a version on each.

Nothing here is Python's own, so that a gateway in another language can take part. A message of a kind or a
version that is not known here is refused by name and never dropped.

Processes of two releases work side by side while a house is upgraded. So a message only ever gets new fields
at its end, each with a default: an older process leaves them, a newer one does without. Any other change is a
new version, which a release must understand before the next one may say it.
"""

from typing import Any, Final
from urllib.parse import quote

import msgspec

from taisai.errors import InputError, InvariantBroken, StoreUnavailable, UnknownName, WireError
from taisai.floor.desks.copy import Carried
from taisai.floor.desks.endings import DeskStopped, Fenced, OperatorNeeded
from taisai.floor.desks.incidents import OurFault
from taisai.floor.door.answers import Answer
from taisai.floor.ports import Asked, Contact
from taisai.floor.proofs.proven_rounds import NoReceiptYet
from taisai.record.ports import AnswerArchived, CommandAltered, FateUnknown, InArchive, RecordCorrupt

# What this release understands.
NEWEST: Final = 1
OLDEST: Final = 1


class Envelope(msgspec.Struct, frozen=True, array_like=True):
    """A message with its kind, and the version in which that took its form; then what is inside is read."""

    kind: str
    v: int
    body: msgspec.Raw


class AskMany(msgspec.Struct, frozen=True, array_like=True):
    """Acts for one desk, each an `Asked`, packed on its own: one that cannot be read is no other's fault."""

    asked: tuple[msgspec.Raw, ...]


class AnswerMany(msgspec.Struct, frozen=True, array_like=True):
    """The answers to an `AskMany`, in its order, and where all streams stood for the owner that gave them."""

    answers: tuple[msgspec.Raw, ...]
    versions: dict[str, int] = {}


class NotTaken(msgspec.Struct, frozen=True, array_like=True):
    """A message was not taken, with the reason; one that may be taken later is to be sent again."""

    why: str
    again: bool


class Stands(msgspec.Struct, frozen=True, array_like=True):
    """Where the streams of an owner's desks stand, said again and again, with the owner's time then.

    To whoever asked it names the question. It says, too, which release the owner is and what it understands.
    """

    owner: str
    versions: dict[str, int]
    at_ms: int = 0
    asked: int = 0
    release: str = ""
    oldest: int = 1
    newest: int = 1


class Where(msgspec.Struct, frozen=True, array_like=True):
    """Asked of all owners: where do your streams stand?"""

    asked: int


class Enquire(msgspec.Struct, frozen=True, array_like=True):
    """Something asked of an owner that is no act: a question by its name, and what it is about."""

    what: str
    about: msgspec.Raw


class ToldOne(msgspec.Struct, frozen=True, array_like=True):
    """The answer to an `Enquire`, or the error in its place."""

    answer: msgspec.Raw
    failed: "Failed | None" = None


class Here(msgspec.Struct, frozen=True, array_like=True):
    """All connections that one gateway has at a table, in the order in which they came."""

    table: str
    gateway: str
    epoch: int
    contacts: tuple[Contact, ...]


class Replaced(msgspec.Struct, frozen=True, array_like=True):
    """Another connection of the same terminal has taken the place of this one."""

    contact: Contact


class Gathered(msgspec.Struct, frozen=True, array_like=True):
    """Who is at the terminals of a table, all that holds and not what changed."""

    table: str
    connected: frozenset[str]
    attendants: dict[str, int]
    waiting_round: int | None
    ready: frozenset[str]
    waits_for: int
    rolls_at: int | None


class NameSaid(msgspec.Struct, frozen=True, array_like=True):
    """What people call a pseudonym of a live table; nothing, where the name was erased."""

    pseudonym: str
    name: str


class StaffActed(msgspec.Struct, frozen=True, array_like=True):
    """When people of the staff last acted, by the digest of their session, in milliseconds."""

    seen: dict[str, int]


class Failed(msgspec.Struct, frozen=True, tag=True, tag_field="type"):
    """An act that met an error instead of an answer, by its name, with its text and what it knows."""

    error: str
    text: str
    facts: dict[str, Any] = {}


AnyMessage = (
    AskMany
    | AnswerMany
    | NotTaken
    | Stands
    | Where
    | Enquire
    | ToldOne
    | StaffActed
    | Gathered
    | NameSaid
    | Carried
    | Here
    | Replaced
)
_KINDS: Final = AnyMessage.__args__
_DECODERS: Final[dict[str, Any]] = {kind.__name__: msgspec.msgpack.Decoder(kind).decode for kind in _KINDS}
_ERRORS: Final[dict[str, type[Exception]]] = {
    kind.__name__: kind
    for kind in (
        InputError,
        NoReceiptYet,
        UnknownName,
        StoreUnavailable,
        DeskStopped,
        Fenced,
        OperatorNeeded,
        FateUnknown,
        RecordCorrupt,
        CommandAltered,
        AnswerArchived,
        InArchive,
        OurFault,
        WireError,
        InvariantBroken,
    )
}
_encode = msgspec.msgpack.Encoder().encode
_decode_envelope = msgspec.msgpack.Decoder(Envelope).decode
_decode_asked = msgspec.msgpack.Decoder(Asked).decode
_decode_answer = msgspec.msgpack.Decoder(Answer | Failed).decode


def pack(message: AnyMessage) -> bytes:
    """A message as it travels."""
    return _encode(Envelope(type(message).__name__, OLDEST, msgspec.Raw(_encode(message))))


def unpack(raw: bytes) -> AnyMessage:
    """A message of any kind that is known here; `WireError` names what it is otherwise."""
    try:
        envelope = _decode_envelope(raw)
    except msgspec.DecodeError as error:
        raise WireError(f"expected a message with kind and version, got {len(raw)} bytes: {error}") from None
    decode = _DECODERS.get(envelope.kind)
    if decode is None:
        raise WireError(f"unknown kind of message {envelope.kind!r}: there are {', '.join(_DECODERS)}")
    if not OLDEST <= envelope.v <= NEWEST:
        raise WireError(f"{envelope.kind}: expected version {spoken(OLDEST, NEWEST)}, got {envelope.v}")
    try:
        message: AnyMessage = decode(envelope.body)
    except msgspec.DecodeError as error:
        raise WireError(f"{envelope.kind}: {error}") from None
    return message


def spoken(oldest: int, newest: int) -> str:
    """Versions in words."""
    return str(newest) if oldest == newest else f"{oldest} to {newest}"


def unexpected(message: AnyMessage, wanted: str) -> WireError:
    """What to say of a message that is known and has no place here."""
    return WireError(f"expected {wanted}, got {type(message).__name__}")


def pack_asked(asked: Asked) -> msgspec.Raw:
    """An act; one whose texts no wire can carry is the asker's fault."""
    try:
        return msgspec.Raw(_encode(asked))
    except (UnicodeEncodeError, OverflowError, TypeError) as error:
        raise InputError(f"an act that cannot be sent: {error}") from None


def unpack_asked(raw: msgspec.Raw) -> Asked:
    """An act; one of an unknown kind or form is refused by what is unknown in it."""
    try:
        return _decode_asked(raw)
    except msgspec.DecodeError as error:
        raise WireError(f"an act that this process does not know: {error}") from None


def pack_answer(answer: Answer | Exception) -> msgspec.Raw:
    """An answer, or the error in its place with the plain values that it has."""
    return msgspec.Raw(_encode(failed_with(answer) if isinstance(answer, Exception) else answer))


def failed_with(error: Exception) -> Failed:
    """An error as it travels. One of another kind is told by its parent, as whoever asks would treat it."""
    names = (each.__name__ for each in type(error).__mro__)
    kind = next((name for name in names if name in _ERRORS), InvariantBroken.__name__)
    facts = {name: value for name, value in vars(error).items() if isinstance(value, str | int | None)}
    return Failed(kind, str(error), facts)


def unpack_answer(raw: msgspec.Raw) -> Answer | Exception:
    """What an act was answered, or the error that it met, as if it had been met here."""
    try:
        answer: Answer | Failed = _decode_answer(raw)
    except msgspec.DecodeError as unknown:
        return WireError(f"an answer that this process does not know: {unknown}")
    return error_of(answer) if isinstance(answer, Failed) else answer


def error_of(failed: Failed) -> Exception:
    """An error that was met elsewhere, as if it had been met here."""
    kind = _ERRORS.get(failed.error)
    if kind is None:
        return WireError(f"unknown error {failed.error!r}: {failed.text}")
    error = kind.__new__(kind)
    error.args = (failed.text,)
    error.__dict__.update(failed.facts)
    return error


def subject(*parts: str) -> str:
    """Where something is said; a name's own dots and signs are no part of the address."""
    return ".".join(("ts", *(quote(part, safe="").replace(".", "%2E").replace("~", "%7E") for part in parts)))
