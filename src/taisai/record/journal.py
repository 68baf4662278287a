"""The journal's forms: what is appended, what is stored, and how it is hashed.

Every digest is SHA-256 over fields that are each preceded by their length, the first field naming what is
hashed. Bodies are bytes: what is hashed is what is stored. docs/reference/journal-format.md says the same for
outsiders.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from operator import attrgetter

import msgspec

from taisai.errors import InputError
from taisai.ledger import Transfer

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class NewEvent(msgspec.Struct, frozen=True, gc=False):
    """An event that waits to be appended. `at` is in microseconds since 1970 (UTC)."""

    type: str
    at: int
    body: bytes


class StreamEvents(msgspec.Struct, frozen=True):
    """Events for one stream, which must still stand at `expected_version`; a new stream stands at 0."""

    stream: str
    expected_version: int
    events: tuple[NewEvent, ...]


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What was answered, acceptance or refusal, to the command `id` of `sender`.

    `request` is the digest of the command as it was sent: the same id with another digest is another command.
    """

    sender: str
    id: str
    request: bytes
    answer: bytes


class Batch(msgspec.Struct, frozen=True):
    """What becomes durable together or not at all."""

    streams: tuple[StreamEvents, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    answers: tuple[Answer, ...] = ()


class Event(msgspec.Struct, frozen=True, gc=False):
    """An event as it is stored. `digest` covers it and everything before it in its stream."""

    stream: str
    version: int
    at: int
    type: str
    body: bytes
    digest: bytes


class Head(msgspec.Struct, frozen=True, gc=False):
    """Where a stream stands."""

    stream: str
    version: int
    at: int
    digest: bytes


class Span(msgspec.Struct, frozen=True, gc=False):
    """The events that one commit added to one stream, and the stream's digest after them."""

    stream: str
    first: int
    last: int
    digest: bytes


class Commit(msgspec.Struct, frozen=True):
    """All that one transaction made durable, with its signature.

    Each writer numbers its own commits and chains them. `after` names commits of other writers that this
    writer had seen, so that readers can put the commits of all writers into an order in which causes precede
    effects. Events stand by stream and version. `sealed_answers` is the digest of the answers where their
    bodies are in an archive; events whose bodies are there have none.
    """

    writer: str
    number: int
    at: int
    after: Mapping[str, int]
    key: str
    digest: bytes
    signature: bytes
    spans: tuple[Span, ...] = ()
    events: tuple[Event, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    answers: tuple[Answer, ...] = ()
    sealed_answers: bytes | None = None


_body = attrgetter("body")


def is_cut(commit: Commit) -> bool:
    """Whether bodies of a commit are in an archive."""
    return commit.sealed_answers is not None or not all(map(_body, commit.events))


class Tip(msgspec.Struct, frozen=True):
    """The last commit of a writer."""

    writer: str
    number: int
    at: int
    key: str
    digest: bytes
    signature: bytes


class Committed(msgspec.Struct, frozen=True):
    """The receipt for a batch: it is durable, in this commit, and its streams now stand here."""

    writer: str
    number: int
    heads: tuple[Head, ...]


def micros(moment: datetime) -> int:
    """A moment as microseconds since 1970 (UTC)."""
    if moment.tzinfo is None:
        raise InputError(f"expected a time with its zone, got {moment.isoformat()}")
    since = moment - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def moment(at: int) -> datetime:
    """Microseconds since 1970 as a moment."""
    return _EPOCH + timedelta(microseconds=at)


# Looking a length up is cheaper than writing it, and nearly all fields are short.
_LENGTHS_KEPT = 1_024
_LENGTHS = [length.to_bytes(8, "big") for length in range(_LENGTHS_KEPT)]


def digest(*fields: bytes) -> bytes:
    """SHA-256 over fields, each preceded by its length in eight bytes: no two lists of fields look alike."""
    lengths = [
        _LENGTHS[length] if length < _LENGTHS_KEPT else length.to_bytes(8, "big")
        for length in map(len, fields)
    ]
    return sha256(b"".join(chain.from_iterable(zip(lengths, fields, strict=True)))).digest()


def stream_genesis(stream: str) -> bytes:
    """The digest of a stream without events."""
    return digest(b"taisai stream 1", stream.encode())


@lru_cache(maxsize=256)
def _named(kind: str) -> bytes:
    """A type of event as a field: there are few."""
    name = kind.encode()
    return len(name).to_bytes(8, "big") + name


_EVENT = b"taisai event 1"
_EVENT_HEAD = _LENGTHS[len(_EVENT)] + _EVENT


def event_digest(before: bytes, version: int, at: int, kind: str, body: bytes) -> bytes:
    """The digest of a stream after one more event: as `digest`, in one go, since every event has one."""
    number, moment_, size, lengths = b"%d" % version, b"%d" % at, len(body), _LENGTHS
    fields = (
        _EVENT_HEAD,
        lengths[len(before)],
        before,
        lengths[len(number)],
        number,
        lengths[len(moment_)],
        moment_,
        _named(kind),
        lengths[size] if size < _LENGTHS_KEPT else size.to_bytes(8, "big"),
        body,
    )
    return sha256(b"".join(fields)).digest()


def spans_digest(spans: Iterable[Span]) -> bytes:
    """The digest of the streams that a commit moved, in the order of their names."""
    fields = [b"taisai spans 1"]
    for span in spans:
        fields += (span.stream.encode(), b"%d" % span.first, b"%d" % span.last, span.digest)
    return digest(*fields)


_lines = msgspec.json.Encoder().encode_lines


def transfers_digest(transfers: Iterable[Transfer]) -> bytes:
    """The digest of a commit's transfers, written as JSON arrays on a line each."""
    return digest(b"taisai transfers 1", _lines(transfers))


def answers_digest(answers: Iterable[Answer]) -> bytes:
    """The digest of a commit's answers, in their order."""
    fields = [b"taisai answers 1"]
    for answer in answers:
        fields += (answer.sender.encode(), answer.id.encode(), answer.request, answer.answer)
    return digest(*fields)


def commit_digest(commit: Commit, before: Tip | None) -> bytes:
    """What a commit's signature signs: it covers the commit and, through its chain, all before it."""
    return digest(
        b"taisai commit 1",
        before.digest if before else b"",
        before.signature if before else b"",
        commit.writer.encode(),
        b"%d" % commit.number,
        b"%d" % commit.at,
        commit.key.encode(),
        say_after(commit.after).encode(),
        spans_digest(commit.spans),
        transfers_digest(commit.transfers),
        answers_digest(commit.answers) if commit.sealed_answers is None else commit.sealed_answers,
    )


def signed_bytes(commit: bytes) -> bytes:
    """What is signed for a commit's digest."""
    return b"taisai signature 1\n" + commit


def say_after(after: Mapping[str, int]) -> str:
    """`writer=number`, comma-separated, by name."""
    return ",".join(f"{writer}={number}" for writer, number in sorted(after.items()))


def read_after(raw: str) -> dict[str, int]:
    """The inverse of `say_after`."""
    pairs = (pair.rpartition("=") for pair in raw.split(",") if pair)
    return {writer: int(number) for writer, _, number in pairs}
