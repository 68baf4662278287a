"""Group commit, without the store: many waiting batches become one signed commit.

Every store uses the same plan. A batch is refused on its own; those behind it in the group are judged as if
it had never come. What the store has not told us (a stream's head, an answer) is taken to be new: the store's
unique keys find the mistake, the adapter reads what it needs, and the group is planned again.
"""

from collections.abc import Sequence

import msgspec

from taisai.errors import StoreConflict
from taisai.ledger import Transfer
from taisai.record.checks import check_writer
from taisai.record.journal import (
    Answer,
    Batch,
    Commit,
    Committed,
    Event,
    Head,
    Span,
    StreamEvents,
    Tip,
    commit_digest,
    event_digest,
    micros,
    signed_bytes,
    stream_genesis,
)
from taisai.record.ports import (
    BackDated,
    Clock,
    CommandAltered,
    CommandRepeated,
    Signer,
    StreamMoved,
    TransferRepeated,
)

HEADS_MAX = 100_000


class Known(msgspec.Struct):
    """What the store already holds of the commands and transfers in a group, when it was asked."""

    answers: dict[tuple[str, str], Answer] = {}
    transfers: set[str] = set()


class Plan(msgspec.Struct):
    """One commit for a group (none when every batch was refused) and what becomes of each batch."""

    commit: Commit | None
    outcomes: list[Committed | StoreConflict]
    heads: dict[str, Head]


class Planner:
    """One writer's side of the journal: its chain, and the heads of the streams that it writes."""

    def __init__(self, writer: str, signer: Signer, clock: Clock) -> None:
        check_writer(writer)
        self.writer = writer
        self.tip: Tip | None = None
        self._signer = signer
        self._clock = clock
        self._heads: dict[str, Head] = {}
        self._seen: dict[str, int] = {}
        self._news: dict[str, int] = {}

    def start(self, tips: dict[str, Tip]) -> None:
        """Take up the chain where the store has it, and forget everything else."""
        self.tip = tips.get(self.writer)
        self._heads.clear()
        for tip in tips.values():
            self.observe(tip.writer, tip.number)

    def observe(self, writer: str, number: int) -> None:
        """Another writer's commit was seen: what is written from now on comes after it."""
        if writer != self.writer and number > self._seen.get(writer, 0):
            self._seen[writer] = self._news[writer] = number

    def know(self, head: Head) -> None:
        """Where the store says that a stream stands."""
        if len(self._heads) >= HEADS_MAX:
            for stream in list(self._heads)[: HEADS_MAX // 2]:
                del self._heads[stream]
        self._heads[head.stream] = head

    def forget(self, streams: Sequence[str]) -> None:
        """Ask the store again before writing to these."""
        for stream in streams:
            self._heads.pop(stream, None)

    def unknown(self, batches: Sequence[Batch]) -> list[str]:
        """The streams that must be looked up first. One that should be new need not be: its key is unique."""
        return list(
            {
                part.stream: None
                for batch in batches
                for part in batch.streams
                if part.expected_version and part.stream not in self._heads
            }
        )

    def plan(self, batches: Sequence[Batch], known: Known) -> Plan:
        """Decide for each batch, and seal those that stand together as one commit."""
        draft = _Draft(self._heads, known)
        number = self.tip.number + 1 if self.tip else 1
        outcomes: list[Committed | StoreConflict] = []
        for batch in batches:
            refusal = draft.refuse(batch)
            outcomes.append(refusal or Committed(self.writer, number, draft.enter(batch)))
        if not draft.entered:
            return Plan(None, outcomes, {})
        return Plan(self._seal(number, draft), outcomes, draft.heads)

    def _seal(self, number: int, draft: "_Draft") -> Commit:
        at = max(micros(self._clock.now()), self.tip.at if self.tip else 0)
        unsigned = Commit(
            self.writer,
            number,
            at,
            dict(self._news),
            self._signer.key_id,
            b"",
            b"",
            draft.spans(),
            draft.events_by_stream(),
            tuple(draft.transfers),
            tuple(draft.answers.values()),
        )
        digest = commit_digest(unsigned, self.tip)
        signature = self._signer.sign(signed_bytes(digest))
        return msgspec.structs.replace(unsigned, digest=digest, signature=signature)

    def accept(self, plan: Plan) -> None:
        """The store has made the plan durable."""
        commit = plan.commit
        if commit is None:
            return
        self.tip = Tip(commit.writer, commit.number, commit.at, commit.key, commit.digest, commit.signature)
        for writer, number in commit.after.items():
            if self._news.get(writer) == number:
                del self._news[writer]
        for head in plan.heads.values():
            self.know(head)


class _Draft:
    """A commit in the making."""

    def __init__(self, known_heads: dict[str, Head], known: Known) -> None:
        self.heads: dict[str, Head] = {}
        self.events: list[Event] = []
        self.transfers: list[Transfer] = []
        self.answers: dict[tuple[str, str], Answer] = {}
        self.entered = False
        self._known_heads = known_heads
        self._known = known
        self._firsts: dict[str, int] = {}
        self._transfer_ids: set[str] = set()
        self._entered_last: tuple[Transfer, ...] = ()  # whose ids are wanted only if another batch follows

    def refuse(self, batch: Batch) -> StoreConflict | None:
        """The first reason, by precedence, why a batch cannot stand: command, stream, time, transfer."""
        entered, known = self.answers, self._known.answers
        for answer in batch.answers if entered or known else ():
            key = (answer.sender, answer.id)
            first = entered.get(key) or known.get(key)
            if first is not None:
                same = first.request == answer.request
                return CommandRepeated(first) if same else CommandAltered(answer.sender, answer.id)
        for part in batch.streams:
            head = self._head(part.stream)
            if part.expected_version != head.version:
                return StreamMoved(part.stream, expected=part.expected_version, found=head.version)
            if part.events[0].at < head.at:
                return BackDated(part.stream, at=part.events[0].at, last=head.at)
        self._transfer_ids.update([transfer.id for transfer in self._entered_last])
        self._entered_last = ()
        if self._transfer_ids or self._known.transfers:
            for transfer in batch.transfers:
                if transfer.id in self._transfer_ids or transfer.id in self._known.transfers:
                    return TransferRepeated(transfer.id)
        return None

    def enter(self, batch: Batch) -> tuple[Head, ...]:
        """Add a batch that nothing refuses; returns where its streams then stand."""
        self.entered = True
        self.transfers += batch.transfers
        self._entered_last = batch.transfers
        for answer in batch.answers:
            self.answers[answer.sender, answer.id] = answer
        return tuple([self._extend(part) for part in batch.streams])

    def _extend(self, part: StreamEvents) -> Head:
        head = self._head(part.stream)
        version, at, digest = head.version, head.at, head.digest
        self._firsts.setdefault(part.stream, version + 1)
        for event in part.events:
            version, at = version + 1, event.at
            digest = event_digest(digest, version, at, event.type, event.body)
            self.events.append(Event(part.stream, version, at, event.type, event.body, digest))
        self.heads[part.stream] = head = Head(part.stream, version, at, digest)
        return head

    def _head(self, stream: str) -> Head:
        head = self.heads.get(stream) or self._known_heads.get(stream)
        # Long before any clock: a first event may carry any time.
        return head or Head(stream, 0, -(2**63), stream_genesis(stream))

    def events_by_stream(self) -> tuple[Event, ...]:
        """The events in the order of the spans."""
        if len(self.heads) > 1:
            self.events.sort(key=lambda event: (event.stream, event.version))
        return tuple(self.events)

    def spans(self) -> tuple[Span, ...]:
        """What the commit adds to each stream, by name."""
        return tuple(
            Span(stream, self._firsts[stream], head.version, head.digest)
            for stream, head in sorted(self.heads.items())
        )
