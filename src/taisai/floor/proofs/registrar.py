"""The registrar: puts the opening, closing and result of every round into the house's log, and signs it.

It follows the tables and never stands in their way: what a table did is durable before the log hears of it.
What was not entered when the process ended is found on the tables' streams at the next start.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from itertools import count
from typing import Any, Final
from uuid import uuid4

import msgspec

from taisai.errors import InputError, StoreError
from taisai.floor.desks.decider import SYSTEM, Done
from taisai.floor.desks.desk import Desk
from taisai.floor.events import table_event
from taisai.floor.proofs.log_files import LogFiles
from taisai.floor.proofs.log_state import EnterLog, KeepCheckpoint, KeepCosignatures, LogState, RoundPlaces
from taisai.floor.proofs.log_tiles import follow_stream, no_rollback, places_of
from taisai.floor.proofs.round_entries import LOGGED, entry_of
from taisai.floor.streams import table_stream
from taisai.floor.table.dealing import Timer
from taisai.floor.table.messages import RoundEvent
from taisai.floor.views.round_reading import round_row
from taisai.proof.entries import Tips, spelled
from taisai.proof.notes import (
    LogCheckpoint,
    NoteKey,
    NoteLine,
    Sign,
    SignedNote,
    read_checkpoint,
    signed,
)
from taisai.record.journal import Event
from taisai.record.ports import Store

replace = msgspec.structs.replace

log = logging.getLogger("taisai.registrar")

TIPS_EVERY: Final = timedelta(seconds=10)
_RETRY: Final = timedelta(seconds=1)


class Registrar:
    """Owns the log. `heard` is told what tables did; `run` enters it, signs and shows it."""

    def __init__(
        self,
        desk: Desk[LogState],
        store: Store,
        timer: Timer,
        *,
        key: NoteKey,
        sign: Sign,
        files: LogFiles,
        pause_seconds: float = 1.0,
    ) -> None:
        self.desk, self.key, self.files = desk, key, files
        self.signed: list[Callable[[SignedNote], None]] = []  # who wants to know of a checkpoint
        self._store, self._timer, self._sign = store, timer, sign
        self._pause = timedelta(seconds=pause_seconds)
        self._heard: list[tuple[str, int, RoundEvent]] = []
        # What comes while the log catches up: the record tells what was before it, and goes first.
        self._meanwhile: list[tuple[str, int, RoundEvent]] | None = None
        self._secrets: dict[tuple[str, int], tuple[str, str]] = {}
        self._moved = asyncio.Event()
        self._busy = asyncio.Lock()
        self._prefix, self._numbers = uuid4().hex, count()
        self._signed_at: datetime | None = None
        self._tips_at: datetime | None = None
        # Commits in all at the last tips, and how many since then were the log's own.
        self._commits = self._own = 0
        self._task: asyncio.Task[None] | None = None

    @property
    def state(self) -> LogState:
        return self.desk.state

    async def start(self, tables: Mapping[str, int]) -> None:
        """Catch up with what the tables did. A record that is behind what was signed stays shut."""
        self._heard.clear()
        self._meanwhile = self._meanwhile or []
        no_rollback(self.state, self.files, self.key.name)
        await follow_stream(self._store, self.files)
        for table, number in tables.items():
            await self._catch_up(table, number)
        self._heard += self._meanwhile
        self._meanwhile = None
        await self._enter_heard()
        await self._checkpoint()
        await self._show_last()

    async def _show_last(self) -> None:
        """Files that were lost and made again show the last checkpoint, too."""
        last = self.state.checkpoint
        if last is None or read_checkpoint(last.text).origin != self.key.name:
            return
        if self.files.read("checkpoint") != str(last).encode():
            await self.files.publish(str(last).encode())

    def begin(self) -> None:
        """From here on the log follows the tables."""
        self._task = asyncio.create_task(self._run(), name="taisai-registrar")

    async def stop(self) -> None:
        """Enter and sign what was heard, then end."""
        async with self._busy:  # what is being written is written whole
            if self._task is not None:
                self._task.cancel()
                await asyncio.gather(self._task, return_exceptions=True)
                self._task = None
        try:
            await self._enter_heard()
            await self._checkpoint()
        except StoreError as error:
            log.warning("the log waits for the next start: %s", error)

    def heard(self, table: str, events: list[Any], version: int) -> None:
        """A table did something, durably."""
        first = version - len(events) + 1
        heard = self._heard if self._meanwhile is None else self._meanwhile
        for place, event in enumerate(events):
            if isinstance(event, RoundEvent) and isinstance(event.event, LOGGED):
                heard.append((table, first + place, event))
                self._moved.set()

    def holds(self, table: str, number: int) -> bool:
        """Whether a signed checkpoint holds a round's closing, or the round was never in the log."""
        places = self.state.rounds.get((table, number))
        waits = any(each[0] == table and each[2].round == number for each in self._heard)
        if places is None:
            return not waits
        return places.closing is not None and places.closing < self.state.signed_size

    async def _run(self) -> None:
        while True:
            try:
                await self._wait()
                self._moved.clear()
                async with self._busy:
                    await self._enter_heard()
                    await self._enter_tips()
                    await self._checkpoint()
            except (StoreError, InputError) as error:
                log.warning("the log cannot go on: %s", error)
                await self._timer.sleep_until(self._timer.now() + _RETRY)

    async def _wait(self) -> None:
        """For news, a checkpoint that may be signed now, or the time of the tips."""
        now, due = self._timer.now(), [self._timer.now() + TIPS_EVERY]
        if self.state.edge.size > self.state.signed_size and self._signed_at is not None:
            due.append(max(now, self._signed_at + self._pause))
        if self._heard or min(due) <= now:
            return
        sleeping = asyncio.ensure_future(self._timer.sleep_until(min(due)))
        moving = asyncio.ensure_future(self._moved.wait())
        try:
            await asyncio.wait({sleeping, moving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            moving.cancel()

    async def _catch_up(self, table: str, number: int) -> None:
        """What a table did that is not in the log. The log begins with the round that is in play."""
        after = self.state.versions.get(table)
        if after is None:
            row = await round_row(self._store, table, number) if number else None
            after = row.first - 1 if row else 0
        async for stored in self._store.events(table_stream(table), after=after):
            event = table_event(stored)
            if isinstance(event, RoundEvent) and isinstance(event.event, LOGGED):
                self._heard.append((table, stored.version, event))

    async def _enter_heard(self) -> None:
        """Everything that was heard, in its order, as one event of the log's stream."""
        while self._heard:
            waiting = list(self._heard)
            entries: list[bytes] = []
            places: dict[tuple[str, int], RoundPlaces] = {}
            latest = dict(self.state.versions)
            for table, version, event in waiting:
                self._learn(table, event)
                await self._bring_places(places, table, event.round)
                stored = await self._stored(table, version, event)
                index = self.state.edge.size + len(entries)
                made = None
                if latest.get(table, 0) < stored.version:
                    made = entry_of(table, event, stored, places, index, self._secrets)
                if made is not None:
                    entries.append(spelled(made))
                    latest[table] = stored.version
            await self._enter(entries)
            del self._heard[: len(waiting)]

    async def _bring_places(
        self, places: dict[tuple[str, int], RoundPlaces], table: str, number: int
    ) -> None:
        """Where a round is in the log so far; one of long ago is looked for in the whole of it."""
        key = (table, number)
        if key in places:
            return
        known = self.state.rounds.get(key)
        if known is None and self.state.versions.get(table) and number < self._number_of(table):
            known = await places_of(self._store, table, number)
        if known is not None:
            places[key] = replace(known)

    def _number_of(self, table: str) -> int:
        return max((number for named, number in self.state.rounds if named == table), default=0)

    def _learn(self, table: str, event: RoundEvent) -> None:
        """The secret of a round's dice is published before its result."""
        secret = getattr(event.event, "secret", "")
        if secret:
            self._secrets[table, event.round] = (secret, event.event.share)  # type: ignore[union-attr]  # it has both
            while len(self._secrets) > 1_024:
                del self._secrets[next(iter(self._secrets))]

    async def _stored(self, table: str, version: int, event: RoundEvent) -> Event:
        """The event as the record has it, with its digest."""
        async for stored in self._store.events(table_stream(table), after=version - 1):
            if table_event(stored) == event:
                return stored
            break
        async for stored in self._store.events(table_stream(table), after=self.state.versions.get(table, 0)):
            if table_event(stored) == event:
                return stored
        raise InputError(f"{table} version {version} is not what was heard")

    async def _enter(self, entries: list[bytes]) -> None:
        if not entries:
            return
        texts = [entry.decode() for entry in entries]
        await self._ask(EnterLog(by=SYSTEM, at=self._timer.now(), entries=texts))
        await follow_stream(self._store, self.files)

    async def _enter_tips(self) -> None:
        """Where the writers stand, every ten seconds, if anything but the log moved."""
        now = self._timer.now()
        if self._tips_at is not None and now < self._tips_at + TIPS_EVERY:
            return
        tips = await self._store.tips()
        commits = sum(tip.number for tip in tips.values())
        if commits - self._commits > self._own:
            said = [(tip.writer, tip.number, tip.digest.hex(), tip.signature.hex()) for tip in tips.values()]
            await self._enter([spelled(Tips(said))])
            self._commits, self._own = commits, 1
        self._tips_at = now

    async def _checkpoint(self) -> None:
        """Sign the log as it is, at most once in a while; it is durable before anybody sees it."""
        state, now = self.state, self._timer.now()
        if state.edge.size <= state.signed_size:
            return
        if self._signed_at is not None and now < self._signed_at + self._pause:
            return
        await follow_stream(self._store, self.files)
        note = signed(LogCheckpoint(self.key.name, state.edge.size, state.edge.root()), self.key, self._sign)
        await self._ask(KeepCheckpoint(by=SYSTEM, at=now, note=str(note)))
        self._signed_at = now
        await self.files.publish(str(note).encode())
        for tell in self.signed:
            tell(note)

    async def cosign(self, size: int, lines: list[NoteLine]) -> None:
        """Keep what witnesses signed."""
        texts = [str(line) for line in lines]
        await self._ask(KeepCosignatures(by=SYSTEM, at=self._timer.now(), size=size, lines=texts))
        if size == self.state.signed_size and self.state.checkpoint is not None:
            await self.files.publish(str(self.state.checkpoint).encode())

    async def _ask(self, command: Any) -> None:
        answer = await self.desk.ask(SYSTEM.name, f"log.{self._prefix}.{next(self._numbers)}", command)
        if not isinstance(answer, Done):
            raise InputError(f"the log refused an entry: {answer}")
        self._own += 1
