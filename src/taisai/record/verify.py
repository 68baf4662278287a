"""Proof that nothing was altered, from the record, a public key and what a witness kept.

The verifier reads the commits once, in causal order. It holds a digest for each stream and a balance for each
account, nothing for each event, so its memory does not grow with the number of bets.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Protocol

import msgspec

from taisai.errors import InvariantBroken
from taisai.ledger import Book
from taisai.record.anchor import (
    ANCHOR,
    KeyRotated,
    RestoreDeclared,
    anchor_event,
    unknown_key,
    with_rotation,
)
from taisai.record.cuts import ArchiveCheck, Claims, claims_of, not_archived
from taisai.record.faults import RecordFault
from taisai.record.journal import (
    Commit,
    Event,
    Head,
    Span,
    Tip,
    commit_digest,
    event_digest,
    is_cut,
    signed_bytes,
    stream_genesis,
)
from taisai.record.order import in_order
from taisai.record.ports import Counts, KeyRing, RecordCorrupt, RecordSnapshot
from taisai.record.views import BALANCES, Rows, View, moved_in
from taisai.record.witnessed import contradiction, is_excused

# Signatures stand in the chain, so only the last one must be checked; a few between them say where it broke.
_SIGNATURE_EVERY = 64


# What reading raises where a value is not of the sort that was stored.
_UNREADABLE = (TypeError, ValueError, LookupError, AttributeError, OverflowError, msgspec.MsgspecError)


_NO_MORE: tuple[None, bytes] = (None, b"")


class Check(Protocol):
    """A further check that reads along, such as the recomputing of settlements."""

    def feed(self, commit: Commit) -> None: ...

    def finish(self) -> None: ...


class Elsewhere:
    """A check that another process makes: here it only keeps its place among the others."""

    def feed(self, commit: Commit) -> None:
        """Somebody else looks."""

    def finish(self) -> None:
        """Somebody else says."""


# Where a fault is found: how far the audit is, which commit it reads, and which of its checks looks at it.
# Of several faults that which stands first is the one that is told, however many processes look.
Place = tuple[int, int, int]
READING, ENDING, COUNTING, COMPARING, AGAIN = range(5)
_BEFORE, _CHAINS = -2, -1  # nobody looks yet; the verifier itself


class Findings(msgspec.Struct):
    """How much was checked."""

    commits: int = 0
    streams: int = 0
    events: int = 0
    transfers: int = 0
    answers: int = 0
    spans: int = 0
    accounts: int = 0
    transferred_minor: int = 0
    signatures: int = 0
    witnessed: int = 0
    left_behind: int = 0  # what a witness saw and a declared restore left behind
    archived: int = 0  # events whose bodies are in archives

    def counts(self) -> Counts:
        return Counts(self.commits, self.spans, self.events, self.transfers, self.answers)


class Verifier:
    """Reads commits in causal order and raises `RecordFault` at the first that cannot be.

    With `chains` off it leaves chains, signatures, witness and ledger to another process.
    """

    def __init__(
        self,
        keys: KeyRing,
        witnessed: Iterable[Tip] = (),
        checks: Sequence[Check] = (),
        *,
        chains: bool = True,
    ) -> None:
        self.claims = Claims()
        self.findings = Findings()
        self.book = Book()
        self.checks: list[Check] = list(checks)
        self.where = "journal"
        self.place: Place = (READING, 0, _BEFORE)
        self.chains = chains
        self._keys = keys
        self._tips: dict[str, Tip] = {}
        self._proven: dict[str, int] = {}
        self._heads: dict[str, Head] = {}
        self._in_use: dict[str, str] = {}  # the key of each writer that a rotation has named
        self._restores: list[RestoreDeclared] = []
        self._contradicting: list[tuple[Tip, bool]] = []  # what a witness saw, and whether another is there
        self._witnessed: dict[tuple[str, int], list[Tip]] = {}
        for tip in witnessed:
            self._witnessed.setdefault((tip.writer, tip.number), []).append(tip)

    def begin(
        self, tips: Mapping[str, Tip], heads: Mapping[str, Head], balances: Mapping[str, tuple[int, int]]
    ) -> None:
        """Go on from where writers, streams and accounts stood."""
        self._tips, self._heads = dict(tips), dict(heads)
        self._proven = {writer: tip.number for writer, tip in tips.items()}
        for account, (debits, credits) in balances.items():
            self.book.open(account, debits_minor=debits, credits_minor=credits)

    def feed(self, commit: Commit) -> None:
        """Check one commit against everything before it."""
        self.where = where = f"commit {commit.writer}/{commit.number}"
        number = self.place[1]
        self.place = (READING, number, _CHAINS)
        if self.chains:
            self._check_commit(where, commit)
        for rank, check in enumerate(self.checks):
            self.place = (READING, number, rank)
            check.feed(commit)
        self.where = f"journal after {where}"
        self.place = (READING, number + 1, _BEFORE)

    def _check_commit(self, where: str, commit: Commit) -> None:
        before = self._tips.get(commit.writer)
        self._check_place(where, commit, before)
        self._check_events(commit)
        if commit.sealed_answers is not None and not self.claims.covers_answers(commit):
            raise not_archived(f"answers of {where}")
        if commit_digest(commit, before) != commit.digest:
            raise RecordFault(where, "its streams, transfers, answers or time are not those that were sealed")
        tip = Tip(commit.writer, commit.number, commit.at, commit.key, commit.digest, commit.signature)
        anchored = [anchor_event(stored) for stored in commit.events if stored.stream == ANCHOR]
        for event in anchored:
            if isinstance(event, RestoreDeclared):
                self._restores.append(event)
                self._in_use.clear()  # a copy from before a rotation goes on with the key that is at hand
        self._check_key(where, before, tip)
        self._tips[commit.writer] = tip
        for event in anchored:
            if isinstance(event, KeyRotated):
                self._keys = with_rotation(self._keys, event)
                self._in_use[event.writer] = event.new
        self._check_witnessed(tip)
        self._enter(where, commit)

    def finish(self) -> Findings:
        """Check what can only be seen at the end: the last signatures, the witness, the whole book."""
        self.place = (ENDING, 0, _CHAINS)
        if self.chains:
            self._check_end()
        for rank, check in enumerate(self.checks):
            self.place = (ENDING, 0, rank)
            check.finish()
        self.findings.streams = len(self._heads)
        self.findings.accounts = len(self.book.accounts())
        return self.findings

    def _check_end(self) -> None:
        for tip in self._tips.values():
            self._check_signature(tip)
        missing = [(seen, False) for _, tips in sorted(self._witnessed.items()) for seen in tips]
        for seen, is_there in (*self._contradicting, *missing):
            if is_excused(seen, self._restores):
                self.findings.left_behind += 1
                continue
            last = self._tips.get(seen.writer)
            raise contradiction(seen, self._keys, ends=last.number if last else 0, is_there=is_there)
        try:
            self.book.assert_whole()
        except InvariantBroken as broken:
            raise RecordFault("ledger", str(broken)) from broken

    def _check_place(self, where: str, commit: Commit, before: Tip | None) -> None:
        number, at = (before.number, before.at) if before else (0, commit.at)
        if commit.number != number + 1:
            raise RecordFault(where, f"expected number {number + 1} of {commit.writer}")
        if commit.at < at:
            raise RecordFault(where, f"it is back-dated: {commit.at} after {at}")

    def _check_events(self, commit: Commit) -> None:
        events = iter(commit.events)
        for span in commit.spans:
            self._check_span(span, events)
        if (extra := next(events, None)) is not None:
            raise RecordFault(f"{extra.stream} version {extra.version}", "it belongs to no commit")

    def _check_span(self, span: Span, events: Iterable[Event]) -> None:
        stream = span.stream
        head = self._heads.get(stream) or Head(stream, 0, -(2**63), stream_genesis(stream))
        if span.first != head.version + 1 or span.last < span.first:
            where = f"{stream} versions {span.first} to {span.last}"
            raise RecordFault(where, f"they do not follow version {head.version}")
        version, at, digest = head.version, head.at, head.digest
        for event in events:
            version += 1
            if event.version != version or event.stream != stream:
                raise RecordFault(f"{stream} version {version}", "the event is missing")
            digest = event_digest(digest, version, event.at, event.type, event.body)
            if digest != event.digest:
                digest = self._archived(event)
            if event.at < at:
                raise RecordFault(f"{stream} version {version}", f"it is back-dated: {event.at} after {at}")
            at = event.at
            if version == span.last:
                break
        if version != span.last:
            raise RecordFault(f"{stream} version {version + 1}", "the event is missing")
        if digest != span.digest:
            raise RecordFault(
                f"{stream} versions {span.first} to {span.last}", "they are not those that were sealed"
            )
        self._heads[stream] = Head(stream, version, at, digest)

    def _archived(self, event: Event) -> bytes:
        """The digest of an event that has another: right if its body is in an archive."""
        where = f"{event.stream} version {event.version}"
        if event.body:
            raise RecordFault(where, "the event or one before it was altered")
        if not self.claims.covers(event):
            raise not_archived(f"body of {where}")
        self.findings.archived += 1
        return event.digest

    def _check_key(self, where: str, before: Tip | None, tip: Tip) -> None:
        """The chain's signatures, a few of them, and that a writer keeps to the key that it was handed."""
        expected = self._in_use.get(tip.writer)
        if expected is not None and tip.key != expected:
            what = f"it is signed by key {tip.key} after that was handed over to {expected}"
            raise RecordFault(where, what, "key_retired", key=tip.key, expected=expected)
        if before is None:
            return
        if before.key != tip.key or before.number % _SIGNATURE_EVERY == 0:
            self._check_signature(before)

    def _check_signature(self, tip: Tip) -> None:
        last = self._proven.get(tip.writer, 0)
        where = f"commits {tip.writer}/{last + 1} to {tip.number}"
        if not self._keys.knows(tip.key):
            raise unknown_key(where, tip.key)
        if not self._keys.verifies(tip.key, tip.signature, signed_bytes(tip.digest)):
            raise RecordFault(where, f"the signature is not by key {tip.key}", "signature_false", key=tip.key)
        self.findings.signatures += 1
        self._proven[tip.writer] = tip.number

    def _check_witnessed(self, tip: Tip) -> None:
        for seen in self._witnessed.pop((tip.writer, tip.number), ()):
            if (seen.digest, seen.signature) == (tip.digest, tip.signature):
                self.findings.witnessed += 1
            else:
                self._contradicting.append((seen, True))

    def _enter(self, where: str, commit: Commit) -> None:
        try:
            self.book.apply(commit.transfers, moved_in(commit))
            self.book.forget_settled(commit.transfers)
        except (InvariantBroken, ValueError) as broken:
            raise RecordFault(where, str(broken)) from broken
        findings = self.findings
        findings.commits += 1
        findings.spans += len(commit.spans)
        findings.events += len(commit.events)
        findings.transfers += len(commit.transfers)
        findings.answers += len(commit.answers)
        findings.transferred_minor += sum([transfer.amount_minor for transfer in commit.transfers])


class ViewCheck:
    """Makes a view again, as far as it has come, and compares."""

    def __init__(self, view: View, positions: dict[str, int], rows: Rows) -> None:
        self.name = view.name
        self._view = view
        self._positions = positions
        self._rows = rows
        self._is_whole = True  # whether all that the view is made of is in the store

    def feed(self, commit: Commit) -> None:
        if self._view is not BALANCES and is_cut(commit):
            self._is_whole = False
        elif commit.number <= self._positions.get(commit.writer, 0):
            self._view.apply(commit, self._rows)

    def finish(self) -> None:
        """The rows are compared by `compare`, which needs the store."""

    async def compare(self, snapshot: RecordSnapshot) -> None:
        """Raise at the first row that is not what the journal makes it."""
        tips = await snapshot.tips()
        for writer, number in self._positions.items():
            if writer not in tips or number > tips[writer].number:
                raise RecordFault(f"view {self._view.name}", f"it claims to have read {writer}/{number}")
        if not self._is_whole:  # only with the archives can it be made again
            return
        # Both stand in the order of their keys, so that they are read side by side and nothing is looked up.
        made = iter(self._made())
        key_made, expected = next(made, _NO_MORE)
        missing: tuple[str, bytes] | None = None
        async for key, value in snapshot.view_rows(self._view.name):
            while key_made is not None and key_made < key:
                missing = missing or (key_made, expected)
                key_made, expected = next(made, _NO_MORE)
            if key_made != key or expected != value:
                right = expected if key_made == key else None
                what = f"expected {_say(right)}, found {_say(value)}"
                raise RecordFault(f"{self._view.name} of {key}", what)
            key_made, expected = next(made, _NO_MORE)
        if missing is None and key_made is not None:
            missing = (key_made, expected)
        if missing is not None:
            what = f"expected {_say(missing[1])}, found no row"
            raise RecordFault(f"{self._view.name} of {missing[0]}", what)

    def _made(self) -> Iterator[tuple[str, bytes]]:
        """The rows that the journal makes, by key; a mapping on disk gives them in that order itself."""
        rows = self._rows
        items = sorted(rows.items(), key=itemgetter(0)) if isinstance(rows, dict) else rows.items()
        return ((key, value) for key, value in items if value is not None)


def _say(value: bytes | None) -> str:
    return "no row" if value is None else value.decode("utf-8", "backslashreplace")


async def verify(
    snapshot: RecordSnapshot,
    keys: KeyRing,
    *,
    witnessed: Iterable[Tip] = (),
    checks: Sequence[Check] = (),
    views: Iterable[View] = (),
    scratch: Callable[[], Rows] = dict,
) -> Findings:
    """Check a whole record; returns what was checked, or raises `RecordFault` at the first fault.

    Views are made again in `scratch`: a mapping on disk keeps memory flat where there are very many rows.
    """
    return await run(snapshot, Verifier(keys, witnessed, checks), views, scratch)


async def run(
    snapshot: RecordSnapshot,
    verifier: Verifier,
    views: Iterable[View | None],
    scratch: Callable[[], Rows] = dict,
) -> Findings:
    """Let a verifier read a record; none stands for a view that another process makes."""
    try:
        return await _run(snapshot, verifier, views, scratch)
    except RecordCorrupt as corrupt:
        raise RecordFault("journal", str(corrupt)) from corrupt
    except _UNREADABLE as error:
        raise RecordFault(verifier.where, f"it cannot be read: {error}") from error


async def _run(
    snapshot: RecordSnapshot, verifier: Verifier, views: Iterable[View | None], scratch: Callable[[], Rows]
) -> Findings:
    view_checks = [
        ViewCheck(view, await snapshot.view_positions(view.name), scratch()) if view else Elsewhere()
        for view in views
    ]
    verifier.claims = await claims_of(snapshot)
    archives = ArchiveCheck(verifier.claims) if verifier.chains else Elsewhere()
    verifier.checks += [*view_checks, archives]
    async for commit in in_order(snapshot):
        verifier.feed(commit)
    findings = verifier.finish()
    verifier.place = (COUNTING, 0, _CHAINS)
    if verifier.chains and await snapshot.counts() != findings.counts():
        for stray in await snapshot.strays():
            raise RecordFault(stray, "it belongs to no commit")
        raise RecordFault("journal", "there are rows that belong to no commit")
    if verifier.chains:
        for command in await snapshot.misled():
            raise RecordFault(command, "asked again it would not get its answer")
    for rank, check in enumerate(view_checks):
        if isinstance(check, ViewCheck):
            verifier.where, verifier.place = f"view {check.name}", (COMPARING, 0, rank)
            await check.compare(snapshot)
    return findings
