"""What may be appended: names that read alike in every store and file, and parts that fit together."""

import re
from collections.abc import Hashable, Sequence
from functools import lru_cache

from taisai.errors import InputError
from taisai.ledger import check_transfers
from taisai.record.journal import Answer, Batch, StreamEvents

_STREAM = re.compile(r"[a-z][a-z-]{0,31}(:[A-Za-z0-9][A-Za-z0-9._@-]{0,95}){0,2}")
_WRITER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_TYPE = re.compile(r"[A-Za-z][A-Za-z0-9]{0,63}")
_SENDER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@:/-]{0,127}")
_SENDERS = re.compile(rf"{_SENDER.pattern}(?:\n{_SENDER.pattern})*")
BODY_BYTES_MAX = 64 * 1024 * 1024
_NAMES_REMEMBERED = 16_384


@lru_cache(_NAMES_REMEMBERED)
def _is_stream(name: str) -> bool:
    return _STREAM.fullmatch(name) is not None


@lru_cache(_NAMES_REMEMBERED)
def _is_type(name: str) -> bool:
    return _TYPE.fullmatch(name) is not None


@lru_cache(_NAMES_REMEMBERED)
def _is_sender(name: str) -> bool:
    return _SENDER.fullmatch(name) is not None


def check_writer(writer: str) -> None:
    """Refuse a writer's name that would not read alike everywhere."""
    if not _WRITER.fullmatch(writer):
        raise InputError(f"expected a writer's name of letters, digits and . _ -, got {writer!r}")


def check_batch(batch: Batch) -> None:
    """Refuse what no store could keep."""
    if not (batch.streams or batch.transfers or batch.answers):
        raise InputError("expected events, transfers or answers, got an empty batch")
    for part in batch.streams:
        _check_stream_events(part)
    if batch.transfers:
        check_transfers(batch.transfers)
    _check_answers(batch.answers)
    if len(batch.streams) > 1:
        _check_distinct("stream", [part.stream for part in batch.streams])
    if len(batch.transfers) > 1:
        _check_distinct("transfer", [transfer.id for transfer in batch.transfers])
    if len(batch.answers) > 1:
        _check_distinct("command", [(answer.sender, answer.id) for answer in batch.answers])


def check_stream(stream: str) -> None:
    """Refuse a stream's name that would not read alike everywhere."""
    if not _is_stream(stream):
        raise InputError(f"expected a stream such as 'table:T1', got {stream!r}")


def _check_stream_events(part: StreamEvents) -> None:
    check_stream(part.stream)
    if part.expected_version < 0 or not part.events:
        raise InputError(
            f"{part.stream}: expected events after a version from 0, got {part.expected_version}"
        )
    at = part.events[0].at
    for event in part.events:
        if not _is_type(event.type):
            raise InputError(
                f"{part.stream}: expected an event type such as 'BetsPlaced', got {event.type!r}"
            )
        if len(event.body) > BODY_BYTES_MAX:
            raise InputError(
                f"{part.stream}: a body has at most {BODY_BYTES_MAX} bytes, got {len(event.body)}"
            )
        if event.at < at:
            raise InputError(f"{part.stream}: events go forward in time, got {event.at} after {at}")
        at = event.at


def check_command(sender: str, command_id: str) -> None:
    """Refuse names under which an answer could not be kept."""
    if not (_is_sender(sender) and _SENDER.fullmatch(command_id)):
        raise InputError(
            f"expected a sender and a command id of letters and digits, got {sender!r}, {command_id!r}"
        )


def _check_answers(answers: Sequence[Answer]) -> None:
    """All names in one look; which of them is wrong is asked only when one is."""
    names = "\n".join([f"{answer.sender}\n{answer.id}" for answer in answers])
    if answers and not (_SENDERS.fullmatch(names) and names.count("\n") == 2 * len(answers) - 1):
        for answer in answers:
            check_command(answer.sender, answer.id)
    for answer in answers:
        if len(answer.request) != 32:
            raise InputError(
                f"expected the SHA-256 of the command {answer.id}, got {len(answer.request)} bytes"
            )


def _check_distinct(what: str, names: Sequence[Hashable]) -> None:
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"expected each {what} once in a batch, got {twice!r} twice")
