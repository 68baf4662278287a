"""The log's files in a folder, which the house serves as they are; what was signed last is with the keys."""

import asyncio
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import msgspec

from taisai.errors import InputError
from taisai.floor.proofs.log_files import LogPosition
from taisai.proof.tiles import TileFile

_POSITION: Final = "position.json"
LAST_CHECKPOINT: Final = "log-checkpoint"


class FolderLog:
    """Writes each file whole or not at all. What a crash leaves behind is written again at the next start."""

    def __init__(self, folder: Path, keys: Path) -> None:
        self._folder, self._last = folder, keys / LAST_CHECKPOINT
        # The house and each of its witnesses publish: one after the other, so that the last one stays.
        self._publisher = ThreadPoolExecutor(1, "log-checkpoint")

    def read(self, path: str) -> bytes | None:
        try:
            return (self._folder / path).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(f"cannot read the log's file {path}: {error.strerror}") from None

    async def write(self, files: Iterable[TileFile], position: LogPosition) -> None:
        await asyncio.to_thread(self._write, files, position)

    def _write(self, files: Iterable[TileFile], position: LogPosition) -> None:
        for path, body in files:
            _put(self._folder / path, body)
            if ".p/" not in path:
                _forget_parts(self._folder / f"{path}.p")
        _put(self._folder / _POSITION, msgspec.json.encode(position))

    def position(self) -> LogPosition:
        raw = self.read(_POSITION)
        return msgspec.json.decode(raw, type=LogPosition) if raw else LogPosition()

    async def publish(self, checkpoint: bytes) -> None:
        await asyncio.get_running_loop().run_in_executor(self._publisher, self._publish, checkpoint)

    def _publish(self, checkpoint: bytes) -> None:
        _put(self._last, checkpoint)
        _put(self._folder / "checkpoint", checkpoint)

    def last_signed(self) -> str:
        try:
            return self._last.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""


def _put(path: Path, body: bytes) -> None:
    """Whole or not at all, and the owner's alone like all files of the record: the house serves it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(path.name + ".new")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise InputError(f"cannot write the log's file {path}: {error.strerror}") from None


def _forget_parts(folder: Path) -> None:
    """A tile that is full takes the place of its parts."""
    if folder.is_dir():
        for part in folder.iterdir():
            part.unlink(missing_ok=True)
        folder.rmdir()
