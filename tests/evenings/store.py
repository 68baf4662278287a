"""The record in memory behind a store that fails as real ones do; what is committed is watched."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager

from taisai.adapters.memory import MemoryDisk, MemorySnapshot, MemoryStore
from taisai.errors import StoreUnavailable
from taisai.ledger import Transfer
from taisai.record.journal import Answer, Batch, Commit, Committed, Event, Head, Tip
from taisai.record.ports import FateUnknown, Positions
from tests.evenings.faults import Faults
from tests.evenings.log_files import ShownLog
from tests.evenings.loop import Process
from tests.evenings.standby import Standby

Kill = Callable[[Process, str], None]


class Disk(MemoryDisk):
    """What survives every process. Whoever watches sees each commit the moment it is durable."""

    def __init__(self) -> None:
        super().__init__()
        self.watchers: list[Callable[[Commit], None]] = []
        self.names: dict[str, str] = {}
        self.gone_until = self.full_until = 0.0
        self.holder: Process | None = None  # the process that has the record open for writing
        self.written = 0
        self.standby: Standby | None = None  # where one follows the record
        self.log: ShownLog | None = None  # the files of the house's log, where it keeps one
        # Streams whose last commit nobody in the house knows of yet, and how many there were before it.
        self.unseen: dict[str, int] = {}

    def write(self, commit: Commit) -> None:
        super().write(commit)
        for event in commit.events:
            self.unseen.setdefault(event.stream, self.written)
        self.written += 1
        for watch in self.watchers:
            watch(commit)


class Names:
    """Players' names, on the same disk and apart from the record."""

    def __init__(self, disk: Disk) -> None:
        self._names = disk.names

    async def put(self, pseudonym: str, name: str) -> None:
        self._names[pseudonym] = name

    async def get(self, pseudonym: str) -> str | None:
        return self._names.get(pseudonym)

    async def find(self, part: str, *, limit: int = 50) -> list[tuple[str, str]]:
        return [(who, name) for who, name in self._names.items() if part in name][:limit]

    async def erase(self, pseudonym: str) -> bool:
        return self._names.pop(pseudonym, None) is not None

    async def close(self) -> None:
        """Nothing to let go of."""


class EveningStore:
    """One process's way to the disk, through the plain store in memory."""

    def __init__(self, inner: MemoryStore, disk: Disk, process: Process, faults: Faults, kill: Kill) -> None:
        self._inner, self._disk, self._process, self._faults, self._kill = inner, disk, process, faults, kill

    async def _reach(self) -> None:
        """Every way to the store begins here; it takes a moment, or does not get there."""
        loop, faults, disk = asyncio.get_running_loop(), self._faults, self._disk
        now = loop.time()
        if faults.strikes("store gone for a while"):
            disk.gone_until = faults.last_at = now + faults.draw("store gone", 0.5, 8)
        elif faults.strikes("store full for a while"):
            disk.full_until = faults.last_at = now + faults.draw("store full", 0.5, 8)
        if faults.strikes("store slow"):
            await asyncio.sleep(faults.draw("store slow", 0.01, 3))
        if not faults.calm and loop.time() < disk.gone_until:
            raise StoreUnavailable("the store is gone")

    async def _read(self) -> None:
        await self._reach()
        if self._faults.strikes("read fails"):
            raise StoreUnavailable("a read failed")

    async def append(self, batch: Batch) -> Committed:
        faults = self._faults
        await self._reach()
        if not faults.calm and asyncio.get_running_loop().time() < self._disk.full_until:
            raise StoreUnavailable("the store is full")
        if faults.strikes("killed before a commit"):
            await self._die("before a commit")
        if faults.strikes("append fails"):
            raise StoreUnavailable("an append failed")
        if faults.strikes("append lost, end not seen"):
            raise FateUnknown("lost while committing")
        if self._disk.standby is not None:
            committed = await self._disk.standby.commit(lambda: self._inner.append(batch))
        else:
            committed = await self._inner.append(batch)
        if faults.strikes("killed in a commit"):
            await self._die("in a commit")
        if faults.strikes("append kept, end not seen"):
            raise FateUnknown("lost while committing")
        await asyncio.sleep(faults.draw("commit", 0.0005, 0.01))
        if faults.strikes("killed after a commit"):
            delay = faults.draw("kill after", 0, 0.02)
            asyncio.get_running_loop().after(delay, self._kill, self._process, "after a commit")
        for stream in batch.streams:
            self._disk.unseen.pop(stream.stream, None)
        return committed

    async def _die(self, when: str) -> None:
        self._kill(self._process, when)
        await asyncio.get_running_loop().create_future()

    async def tips(self) -> dict[str, Tip]:
        await self._read()
        return await self._inner.tips()

    async def commits(self, writer: str, *, after: int, limit: int) -> list[Commit]:
        await self._read()
        return await self._inner.commits(writer, after=after, limit=limit)

    async def head(self, stream: str) -> Head | None:
        await self._read()
        return await self._inner.head(stream)

    async def heads(self, prefix: str = "") -> AsyncIterator[Head]:
        await self._read()
        async for head in self._inner.heads(prefix):
            yield head

    async def events(self, stream: str, *, after: int = 0) -> AsyncIterator[Event]:
        await self._read()
        self._disk.unseen.pop(stream, None)
        async for event in self._inner.events(stream, after=after):
            yield event

    async def answers(self, commands: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Answer]:
        await self._read()
        return await self._inner.answers(commands)

    async def transfers(self, account: str) -> AsyncIterator[Transfer]:
        await self._read()
        async for transfer in self._inner.transfers(account):
            yield transfer

    async def moved(self, stream: str, *, after: int, upto: int) -> dict[str, tuple[int, int]]:
        await self._read()
        return await self._inner.moved(stream, after=after, upto=upto)

    async def view_positions(self, view: str) -> dict[str, int]:
        await self._read()
        return await self._inner.view_positions(view)

    async def view_get(self, view: str, keys: Iterable[str]) -> dict[str, bytes]:
        await self._read()
        return await self._inner.view_get(view, keys)

    async def view_rows(
        self, view: str, prefix: str = "", *, after: str = ""
    ) -> AsyncIterator[tuple[str, bytes]]:
        await self._read()
        async for row in self._inner.view_rows(view, prefix, after=after):
            yield row

    async def view_put(
        self, view: str, rows: Mapping[str, bytes | None], *, before: Positions, after: Positions
    ) -> None:
        await self._reach()
        await self._inner.view_put(view, rows, before=before, after=after)

    async def view_clear(self, view: str) -> None:
        await self._reach()
        await self._inner.view_clear(view)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[MemorySnapshot]:
        await self._read()
        async with self._inner.snapshot() as snapshot:
            yield snapshot

    async def restore(self, commits: AsyncIterator[Commit], *, onto: bool = False) -> int:
        return await self._inner.restore(commits, onto=onto)

    async def close(self) -> None:
        """The record is free for another process."""
        if self._disk.holder is self._process:
            self._disk.holder = None
