"""Where the log's files are: a port, and a store in memory that tests and small houses use."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from taisai.proof.tiles import TileFile


class LogPosition(NamedTuple):
    """How far the files follow the stream of the log."""

    size: int = 0
    version: int = 0


class LogFiles(Protocol):
    """The tiles and the checkpoint that anybody may read. All of it can be made again from the record."""

    def read(self, path: str) -> bytes | None: ...

    async def write(self, files: Iterable[TileFile], position: LogPosition) -> None:
        """Keep files, and then how far they reach."""
        ...

    def position(self) -> LogPosition: ...

    async def publish(self, checkpoint: bytes) -> None:
        """Show a checkpoint, whose tiles are all there."""
        ...

    def last_signed(self) -> str:
        """The last checkpoint that was signed, kept with the keys and not with the record."""
        ...


class MemoryLog:
    """The log's files in memory."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self._position, self._signed = LogPosition(), ""

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    async def write(self, files: Iterable[TileFile], position: LogPosition) -> None:
        self.files.update(files)
        self._position = position

    def position(self) -> LogPosition:
        return self._position

    async def publish(self, checkpoint: bytes) -> None:
        self.files["checkpoint"] = checkpoint
        self._signed = checkpoint.decode()

    def last_signed(self) -> str:
        return self._signed
