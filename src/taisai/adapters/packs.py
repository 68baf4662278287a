"""Many events and answers of one commit as one row.

What a crowd of terminals says in one moment is nearly alike: written one after the other and compressed it
takes a fifth of the room that rows take, and a fifth of the work. Digests are random to any compressor and
stand beside it as they are. A pack says nothing that a commit does not say: what is hashed and signed is the
commit that is read from it.
"""

import zlib
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import repeat

import msgspec

from taisai.record.checks import BODY_BYTES_MAX
from taisai.record.journal import Commit
from taisai.record.ports import RecordCorrupt

# From so many events and answers on. Fewer are rows, which anybody with a SQL prompt can read.
PACKED_FROM = 16
# So much a pack says at most: four of the largest bodies. What says more is rows, and a pack that claims to
# say more is nobody's but a forger's, who wants the memory of whoever reads it.
SAID_BYTES_MAX = 4 * BODY_BYTES_MAX
_DIGEST_BYTES = 32
_KEY_BYTES = 16
_FASTEST = 1  # of zlib's levels: the slower ones save hardly anything here

EventRow = tuple[str, int, int, str, bytes, bytes]
AnswerRow = tuple[str, str, bytes, bytes]


class Said(msgspec.Struct, array_like=True, frozen=True):
    """The part of a pack that is compressed: by columns, since like follows like there."""

    streams: list[tuple[str, int, int]]  # name, first version and how many events
    ats: list[int]
    types: list[str]
    bodies: list[bytes]
    senders: list[str]
    ids: list[str]
    answers: list[bytes]


class Pack(msgspec.Struct, frozen=True):
    """The events and answers of one commit. `where` is what its faults call it."""

    where: str
    said: Said
    digests: bytes
    requests: bytes

    def events(self, wanted: str | None = None) -> Iterator[EventRow]:
        """All events, or those of one stream, as rows of the table of events."""
        said, place = self.said, 0
        for stream, first, count in said.streams:
            here = slice(place, place + count)
            place += count
            if wanted is None or stream == wanted:
                digests = _digests(self.digests, here)
                versions = range(first, first + count)
                columns = (versions, said.ats[here], said.types[here], said.bodies[here], digests)
                yield from zip(repeat(stream, count), *columns, strict=True)

    def answers(self) -> Iterator[AnswerRow]:
        """Sender, id, request and answer of each."""
        said = self.said
        requests = _digests(self.requests, slice(0, len(said.ids)))
        return zip(said.senders, said.ids, requests, said.answers, strict=True)

    def without_bodies(self, has_left: Callable[[str, int, str], bool]) -> "Pack":
        """The same once the bodies of these (stream, version, type) have left."""
        bodies = [
            b"" if has_left(stream, version, kind) else body
            for stream, version, _, kind, body, _ in self.events()
        ]
        return msgspec.structs.replace(self, said=msgspec.structs.replace(self.said, bodies=bodies))

    def without_answers(self) -> "Pack":
        """The same once its answers have left."""
        answers = [b""] * len(self.said.answers)
        return msgspec.structs.replace(self, said=msgspec.structs.replace(self.said, answers=answers))


def _digests(joined: bytes, here: slice) -> list[bytes]:
    """Some of many digests that stand one after the other."""
    ends = range(here.start * _DIGEST_BYTES, here.stop * _DIGEST_BYTES, _DIGEST_BYTES)
    return [joined[start : start + _DIGEST_BYTES] for start in ends]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Said).decode


def is_packed(commit: Commit) -> bool:
    """Whether a commit is large enough to be kept as a pack."""
    return len(commit.events) + len(commit.answers) >= PACKED_FROM


def pack_of(commit: Commit) -> Pack:
    """A commit's events, which stand by its spans, and its answers."""
    events, answers = commit.events, commit.answers
    said = Said(
        [(span.stream, span.first, span.last - span.first + 1) for span in commit.spans],
        [event.at for event in events],
        [event.type for event in events],
        [event.body for event in events],
        [answer.sender for answer in answers],
        [answer.id for answer in answers],
        [answer.answer for answer in answers],
    )
    digests = b"".join([event.digest for event in events])
    requests = b"".join([answer.request for answer in answers])
    return Pack(f"commit {commit.writer}/{commit.number}", said, digests, requests)


class PackTooLarge(Exception):
    """So much is said that nobody would read it from a pack again."""


def compressed(said: Said) -> bytes:
    """As it stands in the store."""
    plain = _encode(said)
    if len(plain) > SAID_BYTES_MAX:
        raise PackTooLarge
    return zlib.compress(plain, _FASTEST)


def _unpacked(where: str, raw: bytes) -> Said:
    """What is said, if it is all there, nothing stands behind it, and it is not too much to be ours."""
    unpacking = zlib.decompressobj()
    try:
        plain = unpacking.decompress(raw, SAID_BYTES_MAX + 1)
        if len(plain) > SAID_BYTES_MAX:
            raise RecordCorrupt(f"{where}: its pack says more than {SAID_BYTES_MAX} bytes in {len(raw)}")
        said = _decode(plain)
    except (zlib.error, msgspec.DecodeError) as error:
        raise RecordCorrupt(f"{where}: its pack cannot be read: {error}") from None
    if not unpacking.eof or unpacking.unused_data:
        raise RecordCorrupt(f"{where}: its pack is cut short, or something stands behind it")
    return said


def read_pack(where: str, events: int, answers: int, raw: bytes, digests: bytes, requests: bytes) -> Pack:
    """A pack from its row, if all of its columns fit together."""
    said = _unpacked(where, raw)
    columns: Sequence[tuple[Sequence[object], int]] = (
        (said.ats, events),
        (said.types, events),
        (said.bodies, events),
        (said.senders, answers),
        (said.ids, answers),
        (said.answers, answers),
    )
    fits = all(len(column) == count for column, count in columns)
    counted = sum(count for _, _, count in said.streams)
    sizes = (len(digests), len(requests)) == (events * _DIGEST_BYTES, answers * _DIGEST_BYTES)
    if not (fits and sizes and counted == events):
        raise RecordCorrupt(f"{where}: the parts of its pack do not fit together")
    return Pack(where, said, digests, requests)


def command_key(sender: str, command_id: str) -> bytes:
    """Under what a command is found. Neither name has a line feed, so no two commands look alike."""
    return sha256(f"{sender}\n{command_id}".encode()).digest()[:_KEY_BYTES]
