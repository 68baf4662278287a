"""The record in memory: for tests, simulations, and as the plainest reading of the port."""

from bisect import bisect_left, bisect_right
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from copy import copy

from msgspec.structs import replace

from taisai.errors import InputError, StoreConflict
from taisai.ledger import Transfer
from taisai.record.chain import checked, tip_of
from taisai.record.checks import check_batch
from taisai.record.group_commit import Known, Planner
from taisai.record.journal import Answer, Batch, Commit, Committed, Event, Head, Tip, answers_digest
from taisai.record.order import in_order
from taisai.record.ports import BodiesCut, Clock, Counts, Positions, Signer


class MemoryDisk:
    """What outlives a `MemoryStore`: several of them can share one, as processes share a database."""

    def __init__(self) -> None:
        self.chains: dict[str, list[Commit]] = {}
        self.streams: dict[str, list[Event]] = {}
        self.answers: dict[tuple[str, str], Answer] = {}
        self.transfer_ids: set[str] = set()
        self.views: dict[str, dict[str, bytes]] = {}
        self.positions: dict[str, dict[str, int]] = {}

    def write(self, commit: Commit) -> None:
        self.chains.setdefault(commit.writer, []).append(commit)
        for event in commit.events:
            self.streams.setdefault(event.stream, []).append(event)
        self.answers.update({(answer.sender, answer.id): answer for answer in commit.answers})
        self.transfer_ids.update(transfer.id for transfer in commit.transfers)

    def let_go(self, cut: BodiesCut) -> None:
        """Let the bodies of a cut go."""
        for writer, (after, last) in cut.writers.items():
            for answered in self.chains[writer][after:last]:
                self.answers |= {(a.sender, a.id): replace(a, answer=b"") for a in answered.answers}
        for writer, chain in self.chains.items():
            after, last = cut.writers.get(writer, (0, 0))
            self.chains[writer] = [
                without_bodies(each, cut, answers=after < each.number <= last) for each in chain
            ]
        self.streams = {}
        for commit in (each for chain in self.chains.values() for each in chain):
            for event in commit.events:
                self.streams.setdefault(event.stream, []).append(event)
        for events in self.streams.values():
            events.sort(key=lambda event: event.version)

    def frozen(self) -> "MemoryDisk":
        """The disk as it stands now. Events, answers and commits are read through the chains alone."""
        other = copy(self)
        other.chains = {writer: list(chain) for writer, chain in self.chains.items()}
        other.views = {view: dict(rows) for view, rows in self.views.items()}
        other.positions = {view: dict(positions) for view, positions in self.positions.items()}
        return other


def without_bodies(commit: Commit, cut: BodiesCut, *, answers: bool) -> Commit:
    """A commit after a cut, of whose answers only the ids stay too if they are part of it."""
    events = []
    for event in commit.events:
        after, last = cut.streams.get(event.stream, (0, 0))
        leaves = after < event.version <= last and event.type in cut.types
        events.append(replace(event, body=b"") if leaves else event)
    if not answers or not commit.answers:
        return replace(commit, events=tuple(events))
    gone = tuple(replace(answer, answer=b"") for answer in commit.answers)
    sealed = answers_digest(commit.answers) if commit.sealed_answers is None else commit.sealed_answers
    return replace(commit, events=tuple(events), answers=gone, sealed_answers=sealed)


class _Reads:
    """What stores and snapshots read alike."""

    def __init__(self, disk: MemoryDisk) -> None:
        self._disk = disk

    async def tips(self) -> dict[str, Tip]:
        return {writer: tip_of(chain[-1]) for writer, chain in self._disk.chains.items()}

    async def commits(self, writer: str, *, after: int, limit: int) -> list[Commit]:
        return self._disk.chains.get(writer, [])[after : after + limit]

    async def view_positions(self, view: str) -> dict[str, int]:
        return dict(self._disk.positions.get(view, {}))

    async def events(self, stream: str, *, after: int = 0) -> AsyncIterator[Event]:
        events = self._disk.streams.get(stream, [])
        before = events[after - 1] if 0 < after <= len(events) else None
        for event in checked(stream, before, events[after:]):
            yield event

    async def view_rows(
        self, view: str, prefix: str = "", *, after: str = ""
    ) -> AsyncIterator[tuple[str, bytes]]:
        rows = self._disk.views.get(view, {})
        keys = sorted(rows)
        for key in keys[max(bisect_left(keys, prefix), bisect_right(keys, after)) :]:
            if not key.startswith(prefix):
                return
            yield key, rows[key]


class MemorySnapshot(_Reads):
    """The record as it stood."""

    async def seals(self, writer: str, numbers: Sequence[int]) -> dict[int, tuple[bytes, bytes]]:
        chain, wanted = self._disk.chains.get(writer, []), set(numbers)
        return {each.number: (each.digest, each.signature) for each in chain if each.number in wanted}

    async def counts(self) -> Counts:
        commits = [commit for chain in self._disk.chains.values() for commit in chain]
        return Counts(
            len(commits),
            sum(len(commit.spans) for commit in commits),
            sum(len(commit.events) for commit in commits),
            sum(len(commit.transfers) for commit in commits),
            sum(len(commit.answers) for commit in commits),
        )

    async def strays(self) -> list[str]:
        return []

    async def misled(self) -> list[str]:
        return []


class MemoryStore(_Reads):
    """A store whose every append is durable at once, as long as the disk object lives."""

    def __init__(self, disk: MemoryDisk, *, writer: str, signer: Signer, clock: Clock) -> None:
        super().__init__(disk)
        self._planner = Planner(writer, signer, clock)
        self._planner.start({name: tip_of(chain[-1]) for name, chain in disk.chains.items()})

    async def append(self, batch: Batch) -> Committed:
        check_batch(batch)
        disk, planner = self._disk, self._planner
        for name, chain in disk.chains.items():
            planner.observe(name, chain[-1].number)
        if own := disk.chains.get(planner.writer):
            planner.tip = tip_of(own[-1])
        for part in batch.streams:
            head = await self.head(part.stream)
            if head is not None:
                planner.know(head)
        plan = planner.plan([batch], Known(disk.answers, disk.transfer_ids))
        outcome = plan.outcomes[0]
        if isinstance(outcome, StoreConflict):
            raise outcome
        if plan.commit is not None:
            disk.write(plan.commit)
        planner.accept(plan)
        return outcome

    async def archive(self, batch: Batch, cut: BodiesCut) -> Committed:
        committed = await self.append(batch)
        self._disk.let_go(cut)
        return committed

    async def head(self, stream: str) -> Head | None:
        events = self._disk.streams.get(stream)
        if not events:
            return None
        last = events[-1]
        return Head(stream, last.version, last.at, last.digest)

    async def heads(self, prefix: str = "") -> AsyncIterator[Head]:
        for stream in sorted(self._disk.streams):
            head = await self.head(stream)
            if head is not None and stream.startswith(prefix):
                yield head

    async def answers(self, commands: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Answer]:
        return {key: self._disk.answers[key] for key in commands if key in self._disk.answers}

    async def transfers(self, account: str) -> AsyncIterator[Transfer]:
        async for commit in in_order(self):
            for transfer in commit.transfers:
                if account in (transfer.debit, transfer.credit):
                    yield transfer

    async def moved(self, stream: str, *, after: int, upto: int) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for chain in self._disk.chains.values():
            for commit in chain:
                if any(span.stream == stream and after < span.last <= upto for span in commit.spans):
                    for each in commit.transfers:
                        debits, credits = found.get(each.debit, (0, 0))
                        found[each.debit] = (debits + each.amount_minor, credits)
                        debits, credits = found.get(each.credit, (0, 0))
                        found[each.credit] = (debits, credits + each.amount_minor)
        return found

    async def view_get(self, view: str, keys: Iterable[str]) -> dict[str, bytes]:
        rows = self._disk.views.get(view, {})
        return {key: rows[key] for key in keys if key in rows}

    async def view_put(
        self, view: str, rows: Mapping[str, bytes | None], *, before: Positions, after: Positions
    ) -> None:
        if self._disk.positions.get(view, {}) != before:
            raise StoreConflict(f"view {view} has moved")
        held = self._disk.views.setdefault(view, {})
        for key, value in rows.items():
            if value is None:
                held.pop(key, None)
            else:
                held[key] = value
        self._disk.positions[view] = dict(after)

    async def view_clear(self, view: str) -> None:
        self._disk.views.pop(view, None)
        self._disk.positions.pop(view, None)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[MemorySnapshot]:
        yield MemorySnapshot(self._disk.frozen())

    async def restore(self, commits: AsyncIterator[Commit], *, onto: bool = False) -> int:
        if self._disk.chains and not onto:
            raise InputError("expected an empty store to restore into")
        count = 0
        async for commit in commits:
            self._disk.write(commit)
            count += 1
        self._planner.start(await self.tips())
        return count

    async def close(self) -> None:
        """Nothing to let go of."""
