"""The ports: what the floor needs from the outside, and how the outside says that it failed."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

import msgspec

from taisai.errors import InputError, StoreConflict, StoreUnavailable
from taisai.ledger import Transfer
from taisai.record.journal import Answer, Batch, Commit, Committed, Event, Head, Tip


class StreamMoved(StoreConflict):
    """Another writer was first: drop the state, rebuild it from the journal, decide again."""

    def __init__(self, stream: str, *, expected: int, found: int) -> None:
        self.stream, self.expected, self.found = stream, expected, found
        super().__init__(f"{stream} stands at version {found}, not at {expected}")


class BackDated(StoreConflict):
    """An event older than the last one of its stream."""

    def __init__(self, stream: str, *, at: int, last: int) -> None:
        self.stream, self.at, self.last = stream, at, last
        super().__init__(f"{stream}: an event at {at} cannot follow one at {last}")


class CommandRepeated(StoreConflict):
    """This command was answered before: here is that answer."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        super().__init__(f"command {answer.id} of {answer.sender} was answered before")


class CommandAltered(StoreConflict):
    """A command id that came before with other content."""

    def __init__(self, sender: str, command_id: str) -> None:
        self.sender, self.command_id = sender, command_id
        super().__init__(f"command {command_id} of {sender} came before with other content")


class AnswerArchived(CommandAltered):
    """A command that was answered long ago: it is not done again, and what was answered is in an archive."""

    def __init__(self, sender: str, command_id: str) -> None:
        StoreConflict.__init__(
            self, f"command {command_id} of {sender} was answered before; its answer is in an archive"
        )
        self.sender, self.command_id = sender, command_id


class InArchive(InputError):
    """What is asked for left the store for an archive."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is in an archive and no longer in the store")


class TransferRepeated(StoreConflict):
    """A transfer id that is already in the books."""

    def __init__(self, transfer_id: str) -> None:
        self.transfer_id = transfer_id
        super().__init__(f"transfer {transfer_id} is already in the books")


class FateUnknown(StoreUnavailable):
    """The store was lost while it committed: look the command ids up before deciding anything again."""


class RecordCorrupt(StoreUnavailable):
    """Stored bytes are not what was stored."""

    passing = False


class RecordInUse(StoreUnavailable):
    """Another process writes this record."""

    passing = False


class Counts(msgspec.Struct, frozen=True):
    """How many rows of each kind a record holds."""

    commits: int
    spans: int
    events: int
    transfers: int
    answers: int


class BodiesCut(msgspec.Struct, frozen=True):
    """Which bodies leave: of answers by writer, of events of some types by stream; after and up to."""

    writers: Mapping[str, tuple[int, int]]
    streams: Mapping[str, tuple[int, int]]
    types: Sequence[str]


Positions = Mapping[str, int]  # writer -> number of its last commit that was read


class CommitSource(Protocol):
    """Commits, one writer at a time."""

    async def tips(self) -> dict[str, Tip]: ...

    async def commits(self, writer: str, *, after: int, limit: int) -> list[Commit]: ...

    def events(self, stream: str, *, after: int = 0) -> AsyncIterator[Event]:
        """The events of a stream, each checked against the digest chain."""
        ...


class RecordSnapshot(CommitSource, Protocol):
    """The record as it stood at one moment, for audits, exports and backups."""

    async def seals(self, writer: str, numbers: Sequence[int]) -> dict[int, tuple[bytes, bytes]]:
        """Digest and signature of those of a writer's commits that there are."""
        ...

    async def counts(self) -> Counts: ...

    async def strays(self) -> list[str]:
        """Rows that belong to no commit, each said in words; only the first of each kind."""
        ...

    async def misled(self) -> list[str]:
        """A command that the record does not lead to by its sender and id, said in words; only the first."""
        ...

    async def view_positions(self, view: str) -> dict[str, int]: ...

    def view_rows(self, view: str, prefix: str = "", *, after: str = "") -> AsyncIterator[tuple[str, bytes]]:
        """Rows by key, from the one that follows `after`."""
        ...


class Store(CommitSource, Protocol):
    """The record. The journal is the truth; views are read models that can be rebuilt from it."""

    async def append(self, batch: Batch) -> Committed:
        """Make a batch durable, whole, or raise `StoreConflict` or `StoreUnavailable`."""
        ...

    async def archive(self, batch: Batch, cut: BodiesCut) -> Committed:
        """Append a batch and let the bodies of a cut go with it: nothing else ever leaves a store."""
        ...

    async def head(self, stream: str) -> Head | None: ...

    def heads(self, prefix: str = "") -> AsyncIterator[Head]: ...

    async def answers(self, commands: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Answer]:
        """What was answered to these (sender, command id)."""
        ...

    def transfers(self, account: str) -> AsyncIterator[Transfer]:
        """All transfers that touch an account, in commit order."""
        ...

    async def moved(self, stream: str, *, after: int, upto: int) -> dict[str, tuple[int, int]]:
        """Debits and credits by account in the commits that moved a stream past a version, up to another."""
        ...

    async def view_positions(self, view: str) -> dict[str, int]: ...

    async def view_get(self, view: str, keys: Iterable[str]) -> dict[str, bytes]: ...

    def view_rows(self, view: str, prefix: str = "", *, after: str = "") -> AsyncIterator[tuple[str, bytes]]:
        """Rows by key, from the one that follows `after`."""
        ...

    async def view_put(
        self, view: str, rows: Mapping[str, bytes | None], *, before: Positions, after: Positions
    ) -> None:
        """Write rows (none deletes) and move the positions; `StoreConflict` when others moved them."""
        ...

    async def view_clear(self, view: str) -> None: ...

    def snapshot(self) -> AbstractAsyncContextManager[RecordSnapshot]: ...

    async def restore(self, commits: AsyncIterator[Commit], *, onto: bool = False) -> int:
        """Fill a store with commits as they are, signatures and all; returns how many.

        It must be empty, unless they go `onto` what an earlier backup held.
        """
        ...

    async def close(self) -> None: ...


class Clock(Protocol):
    """What time it is. It never goes back."""

    def now(self) -> datetime: ...


class Entropy(Protocol):
    """Bytes that nobody can foresee."""

    def random_bytes(self, count: int) -> bytes: ...


class Signer(Protocol):
    """A key that is kept outside the store: an Ed25519 key, in a file or inside a security module."""

    @property
    def public(self) -> bytes:
        """The raw 32 bytes of its public half."""
        ...

    @property
    def key_id(self) -> str: ...

    def sign(self, message: bytes) -> bytes: ...


class KeyRing(Protocol):
    """Public keys, to verify with."""

    def knows(self, key_id: str) -> bool: ...

    def verifies(self, key_id: str, signature: bytes, message: bytes) -> bool: ...

    def extended(self, public: bytes) -> "KeyRing":
        """These keys and one more."""
        ...


class Witness(Protocol):
    """Somebody else who keeps what the record's tips were, so that a truncation shows."""

    def keep(self, at: datetime, tips: Iterable[Tip]) -> None: ...

    def kept(self) -> Iterable[Tip]: ...


class NamesStore(Protocol):
    """Who stands behind a player's pseudonym. Kept apart from the record, so that it can be erased."""

    async def put(self, pseudonym: str, name: str) -> None:
        """Keep a name, in the place of one that was kept before."""
        ...

    async def get(self, pseudonym: str) -> str | None: ...

    async def find(self, part: str, *, limit: int = 50) -> list[tuple[str, str]]:
        """Pseudonyms and names in which the part occurs, by name."""
        ...

    async def erase(self, pseudonym: str) -> bool:
        """Forget a name for good; False when none was kept."""
        ...

    async def close(self) -> None: ...
