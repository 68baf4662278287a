"""A disk that remembers every write and sync, that can lose its power, and that can fail."""

import itertools
import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import apsw

SECTOR = 512
_DURABLE_SUFFIXES = (".db", ".db-wal", ".db-journal")


class Op(NamedTuple):
    """Something that happened: a write, truncate, sync or delete of a file, or an acknowledgement."""

    kind: str
    file: str
    offset: int = 0
    data: bytes = b""


class Disk(apsw.VFS):
    """Passes everything on to the real disk, remembers it, and fails or kills the process when told to."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ops: list[Op] = []
        self.kill_at: int | None = None
        self.fail: dict[str, type[apsw.Error]] = {}
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> "File":  # noqa: N802 - SQLite's own name
        return File(self, name, flags)

    def xDelete(self, name: str, syncdir: bool) -> None:  # noqa: N802 - SQLite's own name
        self.note(Op("delete", Path(name).name))
        super().xDelete(name, syncdir)

    def note(self, op: Op) -> None:
        """Remember an operation that is about to happen; it may be the last."""
        if op.file.endswith(_DURABLE_SUFFIXES):
            self.ops.append(op)
            if self.kill_at is not None and len(self.ops) >= self.kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
        if op.kind in self.fail:
            raise self.fail[op.kind](f"injected: {op.kind} of {op.file}")

    def acknowledge(self, name: str) -> None:
        self.ops.append(Op("ack", name))


class File(apsw.VFSFile):
    """A file on such a disk."""

    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._disk = disk
        shown = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._name = Path(shown).name if shown else "temporary"
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's own name
        self._disk.note(Op("write", self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:  # noqa: N802 - SQLite's own name
        self._disk.note(Op("truncate", self._name, size))
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's own name
        self._disk.note(Op("sync", self._name))
        super().xSync(flags)


class State(NamedTuple):
    """A disk at the moment of a power loss: what is surely there, and what may be there or not."""

    sure: dict[str, bytes]
    maybe: list[Op]
    acknowledged: list[str]


def states(ops: list[Op]) -> Iterator[State]:
    """The state before the first operation, and after each."""
    sure: dict[str, bytearray] = {}
    maybe: list[Op] = []
    acknowledged: list[str] = []
    yield State({}, [], [])
    for op in ops:
        if op.kind == "ack":
            acknowledged.append(op.file)
        elif op.kind == "sync":
            _apply(sure, [one for one in maybe if _made_sure(one, op)])
            maybe = [one for one in maybe if not _made_sure(one, op)]
        else:
            maybe.append(op)
        yield State({name: bytes(data) for name, data in sure.items()}, list(maybe), list(acknowledged))


def _made_sure(op: Op, sync: Op) -> bool:
    """A log that is synced for the first time has its folder synced too, and with it what was deleted."""
    return op.file == sync.file or (op.kind == "delete" and sync.file.endswith("-wal"))


def _apply(files: dict[str, bytearray], ops: list[Op]) -> None:
    for op in ops:
        if op.kind == "delete":
            files.pop(op.file, None)
            continue
        data = files.setdefault(op.file, bytearray())
        if op.kind == "truncate":
            del data[op.offset :]
            continue
        if len(data) < op.offset:
            data.extend(bytes(op.offset - len(data)))
        data[op.offset : op.offset + len(op.data)] = op.data


def survivors(state: State, chance: random.Random, limit: int) -> Iterator[dict[str, bytes]]:
    """What the disk may hold when the power is back: any subset of what was not synced, torn or whole.

    All subsets where there are few; else none, all, each one alone, each one missing, and some at random.
    """
    count = len(state.maybe)
    if 2**count <= limit:
        choices = [
            set(kept) for size in range(count + 1) for kept in itertools.combinations(range(count), size)
        ]
    else:
        everything = set(range(count))
        choices = [set(), everything]
        choices += [{one} for one in chance.sample(sorted(everything), min(count, limit // 4))]
        choices += [everything - {one} for one in chance.sample(sorted(everything), min(count, limit // 4))]
        choices += [{one for one in everything if chance.random() < 0.5} for _ in range(limit // 4)]
    for kept in choices:
        yield _held(state, [op for place, op in enumerate(state.maybe) if place in kept])
    if count:
        yield _held(state, [part for op in state.maybe for part in _torn(op, chance)])


def _held(state: State, ops: list[Op]) -> dict[str, bytes]:
    files = {name: bytearray(data) for name, data in state.sure.items()}
    _apply(files, ops)
    return {name: bytes(data) for name, data in files.items()}


def _torn(op: Op, chance: random.Random) -> Iterator[Op]:
    """Those sectors of a write that reached the disk."""
    if op.kind != "write":
        yield op
        return
    for start in range(0, len(op.data), SECTOR):
        if chance.random() < 0.5:
            yield Op("write", op.file, op.offset + start, op.data[start : start + SECTOR])
