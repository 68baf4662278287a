"""A witness that is a file: a line for each tip, kept where those who keep the store cannot write."""

import asyncio
import logging
import os
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec

from taisai.errors import InputError, StoreError
from taisai.floor.table.dealing import Timer
from taisai.record.journal import Tip, micros
from taisai.record.ports import CommitSource, Witness

log = logging.getLogger("taisai.witness")

EVERY: Final = timedelta(minutes=1)
_SOON: Final = timedelta(seconds=1)


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    kept_at: int
    writer: str
    number: int
    at: int
    key: str
    digest: str
    signature: str


class FileWitness:
    """Appends tips to a file and reads them back. Each is signed, so the file need not be trusted."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def keep(self, at: datetime, tips: Iterable[Tip]) -> None:
        self.add(witness_lines(at, tips))

    def add(self, lines: bytes) -> None:
        """Add lines as they are, and sync them."""
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "ab") as file:
                file.write(lines)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InputError(f"cannot write the witness {self._path}: {error.strerror}") from None

    def kept(self) -> list[Tip]:
        try:
            raw = self._path.read_bytes()
        except OSError as error:
            raise InputError(f"cannot read the witness {self._path}: {error.strerror}") from None
        return read_lines(raw, str(self._path))


def witness_lines(at: datetime, tips: Iterable[Tip]) -> bytes:
    """Tips as a witness keeps them, a line each."""
    return b"".join(_line(at, tip) for tip in tips)


def read_lines(raw: bytes, source: str) -> list[Tip]:
    """The tips in a witness's lines."""
    return [_read(source, number, line) for number, line in enumerate(raw.splitlines(), 1) if line.strip()]


def _read(source: str, number: int, line: bytes) -> Tip:
    try:
        read = msgspec.json.decode(line, type=_Line)
        digest, signature = bytes.fromhex(read.digest), bytes.fromhex(read.signature)
    except ValueError as error:
        raise InputError(f"{source} line {number}: {error}") from None
    return Tip(read.writer, read.number, read.at, read.key, digest, signature)


def _line(at: datetime, tip: Tip) -> bytes:
    line = _Line(micros(at), tip.writer, tip.number, tip.at, tip.key, tip.digest.hex(), tip.signature.hex())
    return msgspec.json.encode(line) + b"\n"


def witness_at(place: str, token: str = "", ca: str = "") -> Witness:
    """A witness by its place: a file, or the address of another machine that keeps tips."""
    if "://" not in place:
        return FileWitness(Path(place))
    from taisai.adapters.witnesses.https import HttpsWitness

    return HttpsWitness(place, token, ca)


class Telling:
    """Hands a record's tips to a witness whenever they have moved, for as long as a house is open.

    A witness that cannot be reached does not stop the house: the next minute tells it all the same, and what
    it missed is covered by the tip that it gets then.
    """

    def __init__(
        self,
        store: CommitSource,
        witness: Witness,
        timer: Timer,
        count: Callable[[str], None] = lambda outcome: None,
    ) -> None:
        self._store, self._witness, self._timer, self._count = store, witness, timer, count
        self._told: dict[str, int] = {}
        self.trouble = ""  # why the witness could not be told the last time
        self.told_at: datetime | None = None

    @property
    def told(self) -> dict[str, int]:
        """The last commit of each writer that the witness has heard of."""
        return dict(self._told)

    async def run(self) -> None:
        while True:
            await self.tell()
            # A new record has nothing to tell until the house has begun to write it.
            await self._timer.sleep_until(self._timer.now() + (EVERY if self._told else _SOON))

    async def tell(self) -> None:
        """Hand over what has moved since the last time."""
        try:
            tips = await self._store.tips()
            moved = [tip for tip in tips.values() if tip.number != self._told.get(tip.writer)]
            if moved:
                await asyncio.to_thread(self._witness.keep, self._timer.now(), moved)
        except (InputError, StoreError) as error:
            log.warning("the witness could not be told of the newest commits: %s", error)
            self._count("failed")
            self.trouble = str(error)
            return
        self.trouble = ""
        self.told_at = self._timer.now()
        if moved:
            self._count("told")
        self._told.update({tip.writer: tip.number for tip in moved})


def witness_warnings(telling: Telling | None, missed: str) -> list[str]:
    """What `/readyz` says of the witness, though wagers are taken."""
    trouble = telling.trouble if telling else ""
    said = [f"the witness was not asked at the start: {missed}"] if missed else []
    return [*said, *([f"the witness is not told: {trouble}"] if trouble else [])]
