"""Reading a stream with its digests checked on the way."""

from collections.abc import Iterable, Iterator

from taisai.record.journal import Commit, Event, Tip, event_digest, stream_genesis
from taisai.record.ports import InArchive, RecordCorrupt


def checked(stream: str, before: Event | None, events: Iterable[Event]) -> Iterator[Event]:
    """The events, each compared with its digest, from the one that stands before them."""
    version = before.version if before else 0
    digest = before.digest if before else stream_genesis(stream)
    for event in events:
        version += 1
        if event.version != version:
            raise RecordCorrupt(f"{stream} version {version} is missing")
        digest = event_digest(digest, version, event.at, event.type, event.body)
        if digest != event.digest:
            if not event.body:
                raise InArchive(f"{stream} version {version}")
            raise RecordCorrupt(f"{stream} version {version} is not what was recorded")
        yield event


def tip_of(commit: Commit) -> Tip:
    """A commit as the last of its chain."""
    return Tip(commit.writer, commit.number, commit.at, commit.key, commit.digest, commit.signature)
