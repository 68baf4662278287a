"""The record as JSON Lines, for those who have nothing of this system (docs/reference/journal-format.md).

The first line names the format and the public keys, then comes a line for each commit in causal order, and
the last line counts them, so that a file that was cut short is seen.
"""

from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping

import msgspec

from taisai.errors import InputError
from taisai.ledger import Transfer
from taisai.record.journal import Answer, Commit, Event, Span
from taisai.record.order import in_order
from taisai.record.ports import CommitSource, Counts

FORMAT = "taisai journal 1"
# The same, of a record some of whose bodies are in archives.
FORMAT_CUT = "taisai journal 2"
_KEY_BYTES = 32


class _Form(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a line."""


class _Header(_Form, tag="journal", tag_field="line", kw_only=True):
    format: str
    exported_at: int
    keys: dict[str, str]


class _SpanForm(_Form):
    stream: str
    first: int
    last: int
    digest: str


class _EventForm(_Form):
    stream: str
    version: int
    at: int
    type: str
    digest: str
    body: str = ""
    body_base64: str | None = None


class _AnswerForm(_Form):
    sender: str
    id: str
    request: str
    answer: str = ""
    answer_base64: str | None = None


# All members of a transfer, none left out and none more: as they were sealed.
_TransferForm = tuple[str, str, str, int, str, int, str, str | None]


class _CommitLine(_Form, tag="commit", tag_field="line"):
    writer: str
    number: int
    at: int
    key: str
    digest: str
    signature: str
    after: dict[str, int] = {}
    streams: list[_SpanForm] = []
    events: list[_EventForm] = []
    transfers: list[_TransferForm] = []
    answers: list[_AnswerForm] = []
    answers_digest: str = ""  # where the answers themselves are in an archive


class _End(_Form, tag="end", tag_field="line"):
    """`streams` counts streams; before 0.2.0, where there is no `spans`, it counted what `spans` counts."""

    commits: int
    streams: int
    events: int
    transfers: int
    answers: int
    spans: int | None = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Header | _CommitLine | _End).decode


async def export(
    source: CommitSource, *, at: int, keys: Mapping[str, bytes], cut: bool = False
) -> AsyncIterator[bytes]:
    """The lines of a record, with the raw public keys that it is signed with; `cut` if bodies have left."""
    yield _line(
        _Header(
            format=FORMAT_CUT if cut else FORMAT,
            exported_at=at,
            keys={name: raw.hex() for name, raw in keys.items()},
        )
    )
    seen, streams = Counts(0, 0, 0, 0, 0), set[str]()
    async for commit in in_order(source):
        seen = counted_with(seen, commit)
        streams.update(span.stream for span in commit.spans)
        yield commit_line(commit)
    yield _line(_End(seen.commits, len(streams), seen.events, seen.transfers, seen.answers, spans=seen.spans))


def commit_line(commit: Commit) -> bytes:
    """One commit as a line."""
    form = _CommitLine(
        commit.writer,
        commit.number,
        commit.at,
        commit.key,
        commit.digest.hex(),
        commit.signature.hex(),
        dict(commit.after),
        [_SpanForm(span.stream, span.first, span.last, span.digest.hex()) for span in commit.spans],
        [_EventForm(e.stream, e.version, e.at, e.type, e.digest.hex(), *_say(e.body)) for e in commit.events],
        [msgspec.structs.astuple(transfer) for transfer in commit.transfers],
        [_AnswerForm(a.sender, a.id, a.request.hex(), *_say(a.answer)) for a in commit.answers],
        commit.sealed_answers.hex() if commit.sealed_answers else "",
    )
    return _line(form)


def read_export(lines: Iterable[bytes], *, source: str = "export") -> Iterator[Commit]:
    """The commits of an export. They are not verified here, but a file that was cut short is refused."""
    end: _End | None = None
    seen, streams = Counts(0, 0, 0, 0, 0), set[str]()
    for number, raw in enumerate(lines, 1):
        form = _read(raw, f"{source} line {number}")
        if (number == 1) is not isinstance(form, _Header) or end is not None:
            raise InputError(f"{source} line {number}: expected a header, then commits, then an end")
        if isinstance(form, _End):
            end = form
        elif isinstance(form, _CommitLine):
            commit = _commit(form, f"{source} line {number}")
            seen = counted_with(seen, commit)
            streams.update(span.stream for span in commit.spans)
            yield commit
    if end is None:
        raise InputError(f"{source}: expected an end line; the file was cut short")
    spans = end.streams if end.spans is None else end.spans
    if seen != Counts(end.commits, spans, end.events, end.transfers, end.answers):
        raise InputError(f"{source}: the end line counts {end.commits} commits, found {seen.commits}")
    if end.spans is not None and len(streams) != end.streams:
        raise InputError(f"{source}: the end line counts {end.streams} streams, found {len(streams)}")


def _read(raw: bytes, where: str) -> _Header | _CommitLine | _End:
    try:
        form: _Header | _CommitLine | _End = _decode(raw)
    except msgspec.MsgspecError as error:
        raise InputError(f"{where}: {error}") from None
    if isinstance(form, _Header):
        if form.format not in (FORMAT, FORMAT_CUT):
            raise InputError(f"{where}: expected format {FORMAT!r}, got {form.format!r}")
        _check_keys(form, where)
    return form


def _check_keys(header: _Header, where: str) -> None:
    try:
        sizes = {len(_of_hex(key)) for key in header.keys.values()}
    except ValueError as error:
        raise InputError(f"{where}: {error}") from None
    if sizes - {_KEY_BYTES}:
        raise InputError(f"{where}: expected keys of {_KEY_BYTES} bytes")


def read_commit(raw: bytes, where: str) -> Commit:
    """One commit from its line."""
    form = _read(raw, where)
    if not isinstance(form, _CommitLine):
        raise InputError(f"{where}: expected a commit")
    return _commit(form, where)


def _commit(form: _CommitLine, where: str) -> Commit:
    try:
        return Commit(
            form.writer,
            form.number,
            form.at,
            form.after,
            form.key,
            _of_hex(form.digest),
            _of_hex(form.signature),
            tuple(Span(s.stream, s.first, s.last, _of_hex(s.digest)) for s in form.streams),
            tuple(
                Event(e.stream, e.version, e.at, e.type, _heard(e.body, e.body_base64), _of_hex(e.digest))
                for e in form.events
            ),
            tuple(Transfer(*transfer) for transfer in form.transfers),
            tuple(
                Answer(a.sender, a.id, _of_hex(a.request), _heard(a.answer, a.answer_base64))
                for a in form.answers
            ),
            _of_hex(form.answers_digest) if form.answers_digest else None,
        )
    except ValueError as error:
        raise InputError(f"{where}: {error}") from None


def counted_with(seen: Counts, commit: Commit) -> Counts:
    """These counts and those of one more commit."""
    return Counts(
        seen.commits + 1,
        seen.spans + len(commit.spans),
        seen.events + len(commit.events),
        seen.transfers + len(commit.transfers),
        seen.answers + len(commit.answers),
    )


def _of_hex(text: str) -> bytes:
    """Bytes in their one spelling: what two programs might read differently is no export."""
    raw = bytes.fromhex(text)
    if raw.hex() != text:
        raise ValueError(f"expected lower-case hex without blanks, got {text[:80]!r}")
    return raw


def _say(raw: bytes) -> tuple[str, str | None]:
    """Bytes as text where they are text, else in base64."""
    try:
        return raw.decode(), None
    except UnicodeDecodeError:
        return "", b64encode(raw).decode()


def _heard(text: str, base64: str | None) -> bytes:
    if base64 is None:
        return text.encode()
    raw = b64decode(base64, validate=True)
    if b64encode(raw).decode() != base64:
        raise ValueError(f"expected base64 without spare bits, got {base64[:80]!r}")
    return raw


def _line(form: msgspec.Struct) -> bytes:
    return _encode(form) + b"\n"
