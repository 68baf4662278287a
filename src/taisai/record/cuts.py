"""What left a store for archives: which bodies may be missing, and that the rest is what stayed then."""

from collections.abc import Iterable
from typing import Final

from taisai.ledger import Book
from taisai.record.anchor import ANCHOR, RecordArchived, anchor_event
from taisai.record.faults import RecordFault
from taisai.record.journal import Commit, Event, digest
from taisai.record.ports import BodiesCut, RecordCorrupt, RecordSnapshot

_NOTHING: Final = (0, 0)


class Claims:
    """The archives that the record itself names."""

    def __init__(self, archived: Iterable[RecordArchived] = ()) -> None:
        self.archived = tuple(archived)

    def covers(self, event: Event) -> bool:
        """Whether an event's body has lawfully left."""
        return any(
            _within(claim.streams.get(event.stream, _NOTHING), event.version) and event.type in claim.types
            for claim in self.archived
        )

    def covers_answers(self, commit: Commit) -> bool:
        """Whether the bodies of a commit's answers have lawfully left."""
        writer, number = commit.writer, commit.number
        return any(_within(claim.writers.get(writer, _NOTHING), number) for claim in self.archived)


async def claims_of(snapshot: RecordSnapshot) -> Claims:
    """What a record says of its archives; what cannot be read there is found by the verifier."""
    try:
        events = [anchor_event(stored) async for stored in snapshot.events(ANCHOR)]
    except RecordCorrupt:
        return Claims()
    return Claims(event for event in events if isinstance(event, RecordArchived))


def not_archived(where: str) -> RecordFault:
    """Something is missing, and nobody has put on the record that it left."""
    return RecordFault(where, "it is missing, and no archive on the record has it", "body_gone")


def _within(bounds: tuple[int, int], number: int) -> bool:
    return bounds[0] < number <= bounds[1]


class Kept:
    """Digests of what stays in the store of a cut, and of all balances at it."""

    def __init__(self, cut: BodiesCut) -> None:
        self._cut = cut
        self._streams = dict.fromkeys(cut.streams, b"")
        self._answers = dict.fromkeys(cut.writers, b"")
        self._book = Book()

    def feed(self, commit: Commit) -> None:
        for event in commit.events:
            if _within(self._cut.streams.get(event.stream, _NOTHING), event.version):
                self._streams[event.stream] = digest(
                    b"taisai kept event 1",
                    self._streams[event.stream],
                    b"%d" % event.version,
                    b"%d" % event.at,
                    event.type.encode(),
                    event.digest,
                )
        after, last = self._cut.writers.get(commit.writer, _NOTHING)
        if commit.number > last:
            return
        self._book.apply(commit.transfers)
        self._book.forget_settled(commit.transfers)
        if commit.number > after:
            for each in commit.answers:
                self._answers[commit.writer] = digest(
                    b"taisai kept answer 1",
                    self._answers[commit.writer],
                    b"%d" % commit.number,
                    each.sender.encode(),
                    each.id.encode(),
                    each.request,
                )

    def kept(self) -> str:
        """What stays, in one digest."""
        fields = [b"taisai kept 1"]
        for found in (self._streams, self._answers):
            fields.append(b"%d" % len(found))
            for name, state in sorted(found.items()):
                fields += (name.encode(), state)
        return digest(*fields).hex()

    def balances(self) -> str:
        """All balances at the cut, in one digest."""
        fields = [b"taisai balances 1"]
        for account in self._book.accounts():
            fields += (account.encode(), *(b"%d" % total for total in self._book.totals(account)))
        return digest(*fields).hex()


class ArchiveCheck:
    """A `Check` that the rows whose bodies left, and the balances at each cut, are those of that day."""

    def __init__(self, claims: Claims) -> None:
        self._claims = [
            (claim, Kept(BodiesCut(claim.writers, claim.streams, claim.types))) for claim in claims.archived
        ]

    def feed(self, commit: Commit) -> None:
        for _, kept in self._claims:
            kept.feed(commit)

    def finish(self) -> None:
        for claim, kept in self._claims:
            if kept.kept() != claim.kept:
                what = "what stayed in the store is not what stayed when its bodies were archived"
                raise RecordFault(f"archive {claim.name}", what, "archive_altered", name=claim.name)
            if kept.balances() != claim.balances:
                what = "the balances at its cut are not those of the books"
                raise RecordFault(f"archive {claim.name}", what, "archive_altered", name=claim.name)
