"""What the tests of the record share: small batches, keys, and places where a store can be opened again."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from taisai.adapters.clock import ManualClock
from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.adapters.signing.keys import PublicKeys, SigningKey
from taisai.ledger import Transfer, credit, stakes
from taisai.record.group_commit import Planner
from taisai.record.journal import Answer, Batch, Commit, NewEvent, StreamEvents, micros
from taisai.record.ports import Store

START = datetime(2024, 5, 4, 20, 0, tzinfo=UTC)
START_AT = micros(START)
SIGNER = SigningKey(Ed25519PrivateKey.from_private_bytes(b"a key for the tests, not secret."))
KEYS = PublicKeys([SIGNER.public])
OTHER_SIGNER = SigningKey(Ed25519PrivateKey.from_private_bytes(b"another key, of somebody else..."))


def events(count: int = 1, *, at: int = START_AT, body: bytes = b'{"n":1}') -> tuple[NewEvent, ...]:
    return tuple(NewEvent("BetsPlaced", at + n, body) for n in range(count))


def on(stream: str, version: int, count: int = 1, **more: Any) -> StreamEvents:
    return StreamEvents(stream, version, events(count, **more))


def answer(name: str, said: bytes = b'{"ok":true}', *, asked: bytes = b"asked", sender: str = "t1") -> Answer:
    return Answer(sender, name, sha256(asked).digest(), said)


def buy_in(who: str, amount: int, name: str) -> Transfer:
    return Transfer(name, "cash", credit(who), amount, "buy_in", START_AT, "T1")


def bet(who: str, amount: int, name: str, *, number: int = 1) -> Transfer:
    return Transfer(name, credit(who), stakes("T1", number), amount, "stake", START_AT, f"T1/{number}")


def slip(number: int, *, stream: str = "table:T1", version: int | None = None) -> Batch:
    """A bet as a desk records it: an event, a transfer, an answer."""
    return Batch(
        (on(stream, number - 1 if version is None else version, at=START_AT + number),),
        (buy_in(f"p{number % 7}", 100 + number, f"{stream}.{number}"),),
        (answer(f"{stream}/c{number}"),),
    )


def told(commit: Commit | Batch, answer: Answer) -> Any:
    """An answer in full, where it is only the place of its slip's event in the same commit."""
    said = msgspec.json.decode(answer.answer)
    if said["type"] != "ToldBy":
        return said
    event = msgspec.json.decode(_bodies(commit)[said["stream"], said["version"]])
    placed = event["event"]
    return {
        "type": "Accepted",
        "happened": [placed["type"]],
        "round": event["round"],
        "slip": placed["slip"],
        "cuts": placed["cuts"],
        "slip_version": placed["version"],
        "amount": None,
        "player": None,
        "rounds": [],
        "skipped": [],
        "elsewhere": {},
    }


def _bodies(commit: Commit | Batch) -> dict[tuple[str, int], bytes]:
    if isinstance(commit, Commit):
        return {(event.stream, event.version): event.body for event in commit.events}
    return {
        (part.stream, version): event.body
        for part in commit.streams
        for version, event in enumerate(part.events, part.expected_version + 1)
    }


class Place:
    """Somewhere that a record is kept: open it, close it, open it again."""

    def __init__(self, where: Path | str | MemoryDisk) -> None:
        self.where = where
        self.clock = ManualClock(START)
        self._open: list[Store] = []

    async def open(self, *, writer: str = "main", signer: SigningKey = SIGNER, **more: Any) -> Store:
        store = await self._opened(writer=writer, signer=signer, clock=self.clock, **more)
        self._open.append(store)
        return store

    async def _opened(self, **settings: Any) -> Store:
        if isinstance(self.where, MemoryDisk):
            return MemoryStore(self.where, **settings)
        if isinstance(self.where, Path):
            from taisai.adapters.sqlite.store import SqliteStore

            return await SqliteStore.open(self.where, **settings)
        from taisai.adapters.postgres.store import PostgresStore

        return await PostgresStore.open(self.where, **settings)

    async def reopen(self, store: Store, **settings: Any) -> Store:
        await store.close()
        self._open.remove(store)
        return await self.open(**settings)

    async def close(self) -> None:
        for store in self._open:
            await store.close()

    def later(self, seconds: float = 1) -> None:
        self.clock.move(self.clock.now() + timedelta(seconds=seconds))


def planner() -> Planner:
    """A writer's side of the journal, without a store."""
    return Planner("main", SIGNER, ManualClock(START))


@asynccontextmanager
async def place(where: Path | str | MemoryDisk) -> AsyncIterator[Place]:
    found = Place(where)
    try:
        yield found
    finally:
        await found.close()
