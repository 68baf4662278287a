"""A part of a record as JSON Lines: what was committed in a span of time, and how things stood before it.

The first line names the format and says where each writer, each stream and each account stood when the part
began, so that whoever has nothing else can check every chain and the books from there on. An archive is a
part with one line more: a signature over all lines before it.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Final

import msgspec

from taisai.errors import InputError, InvariantBroken
from taisai.ledger import Book
from taisai.record.anchor import unknown_key
from taisai.record.chain import tip_of
from taisai.record.export import commit_line, counted_with, read_commit
from taisai.record.faults import RecordFault
from taisai.record.journal import Commit, Event, Head, Tip, digest
from taisai.record.order import in_order
from taisai.record.ports import CommitSource, Counts, KeyRing, Positions, Signer
from taisai.record.verify import Findings, Verifier

FORMAT: Final = "taisai journal part 1"
# What came after an earlier backup: only the tips are said, and it is verified with what it goes onto.
SINCE: Final = "taisai journal since 1"
_SIGNED: Final = b"taisai archive 1"

Takes = Callable[[Commit], bool]


class Part(msgspec.Struct):
    """How a record stood where a part of it begins, and which commits it ends with."""

    tips: dict[str, Tip] = {}
    heads: dict[str, Head] = {}
    balances: dict[str, tuple[int, int]] = {}
    ends: dict[str, Tip] = {}
    touched: set[str] = set()

    @property
    def after(self) -> dict[str, int]:
        """The commits before the first, by writer."""
        return {writer: tip.number for writer, tip in self.tips.items()}


def until(at: int) -> Takes:
    """Takes what was committed before a time, and nothing that follows from what was committed later."""
    taken, over = dict[str, int](), set[str]()

    def takes(commit: Commit) -> bool:
        late = any(taken.get(other, 0) < number for other, number in commit.after.items())
        if commit.writer in over or commit.at >= at or late:
            over.add(commit.writer)
            return False
        taken[commit.writer] = commit.number
        return True

    return takes


def up_to(positions: Positions) -> Takes:
    """Takes the commits up to these."""
    return lambda commit: commit.number <= positions.get(commit.writer, 0)


async def surveyed(
    source: CommitSource, before: Takes, within: Takes, also: Callable[[Commit], None] | None = None
) -> Part:
    """Read a record once, and say how it stood after what is `before` and where what is `within` ends."""
    part, book = Part(), Book()
    async for commit in in_order(source):
        is_before, is_within = before(commit), within(commit)
        if is_before:
            _stand(part, book, commit)
        elif is_within:
            part.touched.update(span.stream for span in commit.spans)
        if is_within:
            part.ends[commit.writer] = tip_of(commit)
            if also is not None:
                also(commit)
    part.balances = {account: book.totals(account) for account in book.accounts()}
    return part


def _stand(part: Part, book: Book, commit: Commit) -> None:
    part.tips[commit.writer] = tip_of(commit)
    last: dict[str, Event] = {event.stream: event for event in commit.events}
    for span in commit.spans:
        part.heads[span.stream] = Head(span.stream, span.last, last[span.stream].at, span.digest)
    book.apply(commit.transfers)
    book.forget_settled(commit.transfers)


class _Ending:
    """A source that ends with a part."""

    def __init__(self, source: CommitSource, ends: dict[str, Tip]) -> None:
        self._source, self._ends = source, ends
        self.events = source.events

    async def tips(self) -> dict[str, Tip]:
        return self._ends

    async def commits(self, writer: str, *, after: int, limit: int) -> list[Commit]:
        return await self._source.commits(writer, after=after, limit=limit)


def commits_of(source: CommitSource, part: Part) -> AsyncIterator[Commit]:
    """The commits of a part, causes before effects."""
    return in_order(_Ending(source, part.ends), after=part.after)


# --- As lines --------------------------------------------------------------------------------------------


class _PartLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A line that is no commit."""


class PartHeader(_PartLine, tag="part", tag_field="line", kw_only=True):
    """The first line of a part; bytes are in hex, times in microseconds since 1970."""

    format: str
    exported_at: int
    since: int | None = None
    until: int | None = None
    keys: dict[str, str]
    tips: list[tuple[str, int, int, str, str, str]]
    streams: list[tuple[str, int, int, str]]
    balances: dict[str, tuple[int, int]]

    def part(self) -> Part:
        """Where the part begins."""
        tips = {
            writer: Tip(writer, number, at, key, bytes.fromhex(sealed), bytes.fromhex(signature))
            for writer, number, at, key, sealed, signature in self.tips
        }
        heads = {
            stream: Head(stream, version, at, bytes.fromhex(sealed))
            for stream, version, at, sealed in self.streams
        }
        return Part(tips, heads, self.balances)


class PartEnd(_PartLine, tag="end", tag_field="line"):
    """The line that counts, so that a file that was cut short is seen."""

    commits: int
    spans: int
    events: int
    transfers: int
    answers: int


class ArchiveSignature(_PartLine, tag="signature", tag_field="line"):
    """The last line of an archive: the key, and its signature over every byte before this line."""

    key: str
    signature: str


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(PartEnd | ArchiveSignature).decode
_COMMIT: Final = b'{"line":"commit"'


def signed_over(lines: bytes) -> bytes:
    """What is signed for an archive, from the SHA-256 of its lines."""
    return digest(_SIGNED, lines)


async def part_lines(
    source: CommitSource, part: Part, header: PartHeader, signer: Signer | None = None
) -> AsyncIterator[bytes]:
    """The lines of a part; with a signer, of an archive."""
    sha, seen = sha256(), Counts(0, 0, 0, 0, 0)
    line = _encode(header) + b"\n"
    sha.update(line)
    yield line
    async for commit in commits_of(source, part):
        seen = counted_with(seen, commit)
        line = commit_line(commit)
        sha.update(line)
        yield line
    counts = msgspec.structs.asdict(seen)
    line = _encode(PartEnd(**counts)) + b"\n"
    sha.update(line)
    yield line
    if signer is not None:
        signature = signer.sign(signed_over(sha.digest()))
        yield _encode(ArchiveSignature(key=signer.key_id, signature=signature.hex())) + b"\n"


def header_of(
    part: Part,
    *,
    at: int,
    since: int | None = None,
    until: int | None = None,
    keys: Mapping[str, bytes],
    form: str = FORMAT,
) -> PartHeader:
    """The first line for a part."""
    return PartHeader(
        format=form,
        exported_at=at,
        since=since,
        until=until,
        keys={name: raw.hex() for name, raw in keys.items()},
        tips=[
            (tip.writer, tip.number, tip.at, tip.key, tip.digest.hex(), tip.signature.hex())
            for _, tip in sorted(part.tips.items())
        ],
        streams=[
            (head.stream, head.version, head.at, head.digest.hex())
            for _, head in sorted(part.heads.items())
            if head.stream in part.touched
        ],
        balances=part.balances,
    )


# --- Verified by itself ----------------------------------------------------------------------------------


def read_header(raw: bytes, where: str, form: str = FORMAT) -> PartHeader:
    """The first line of a part."""
    try:
        header = msgspec.json.decode(raw, type=PartHeader)
    except msgspec.MsgspecError as error:
        raise InputError(f"{where} line 1: expected the header of a {form!r}: {error}") from None
    if header.format != form:
        raise InputError(f"{where} line 1: expected format {form!r}, got {header.format!r}")
    return header


def commits_since(lines: Iterable[bytes], where: str) -> Iterator[Commit]:
    """The commits after an earlier backup; a file that was cut short is refused."""
    seen = Counts(0, 0, 0, 0, 0)
    for number, raw in enumerate(lines, 2):
        if is_commit(raw):
            commit = read_commit(raw, f"{where} line {number}")
            seen = counted_with(seen, commit)
            yield commit
            continue
        form = _read(raw, f"{where} line {number}")
        if not isinstance(form, PartEnd) or Counts(**msgspec.structs.asdict(form)) != seen:
            raise InputError(f"{where} line {number}: expected an end that counts {seen.commits} commits")
        return
    raise InputError(f"{where}: expected an end line; the file was cut short")


def _read(raw: bytes, where: str) -> PartEnd | ArchiveSignature:
    try:
        form: PartEnd | ArchiveSignature = _decode(raw)
    except msgspec.MsgspecError as error:
        raise InputError(f"{where}: {error}") from None
    return form


def is_commit(raw: bytes) -> bool:
    """Whether a line of a part is a commit."""
    return raw.startswith(_COMMIT)


def verify_part(lines: Iterable[bytes], keys: KeyRing, *, where: str, signed: bool = True) -> Findings:
    """Check a part by itself: chains, signatures and books from where it begins, and its own signature."""
    reading = iter(lines)
    first = next(reading, b"")
    header = read_header(first, where)
    verifier = Verifier(keys)
    try:
        part = header.part()
        verifier.begin(part.tips, part.heads, part.balances)
    except (ValueError, InvariantBroken) as error:
        raise RecordFault(f"{where} line 1", f"it cannot be begun from: {error}") from None
    sha = sha256(first)
    end: PartEnd | None = None
    for number, raw in enumerate(reading, 2):
        if end is not None:
            _check_signature(raw, sha.digest(), keys, f"{where} line {number}")
            if next(reading, None) is not None:
                raise InputError(f"{where}: nothing follows a signature")
            return _counted(verifier, end, where)
        sha.update(raw)
        if is_commit(raw):
            verifier.feed(read_commit(raw, f"{where} line {number}"))
            continue
        form = _read(raw, f"{where} line {number}")
        if not isinstance(form, PartEnd):
            raise InputError(f"{where} line {number}: expected commits, then an end")
        end = form
    if end is None:
        raise InputError(f"{where}: expected an end line; the file was cut short")
    if signed:
        raise RecordFault(where, "no key has signed it as an archive", "archive_unsigned")
    return _counted(verifier, end, where)


def _check_signature(raw: bytes, lines: bytes, keys: KeyRing, where: str) -> None:
    form = _read(raw, where)
    if not isinstance(form, ArchiveSignature):
        raise InputError(f"{where}: expected a signature after the end")
    if not keys.knows(form.key):
        raise unknown_key(where, form.key)
    try:
        signature = bytes.fromhex(form.signature)
    except ValueError as error:
        raise InputError(f"{where}: {error}") from None
    if not keys.verifies(form.key, signature, signed_over(lines)):
        raise RecordFault(where, f"the signature is not by key {form.key}", "signature_false", key=form.key)


def _counted(verifier: Verifier, end: PartEnd, where: str) -> Findings:
    findings = verifier.finish()
    if findings.counts() != Counts(**msgspec.structs.asdict(end)):
        raise RecordFault(where, f"its end counts {end.commits} commits, found {findings.commits}")
    return findings
