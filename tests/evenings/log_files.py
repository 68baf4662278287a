"""The files of the house's log, which outlive every process, and everything that they ever showed."""

import asyncio
from collections.abc import Iterable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from taisai.floor.proofs.log_files import LogPosition, MemoryLog
from taisai.proof.tiles import TileFile

_WRITING = 0.002  # seconds, in which a process can die


class LogSigner:
    """The log's own key, a real one: whoever checks a receipt checks its signature."""

    key_id = "evenings-log"

    def __init__(self) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(b"a log key for evenings only!!!!!")
        self.public = self._key.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


class ShownLog(MemoryLog):
    """Keeps every checkpoint that it showed: somebody may have seen it."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[bytes] = []

    async def write(self, files: Iterable[TileFile], position: LogPosition) -> None:
        await asyncio.sleep(_WRITING)
        await super().write(files, position)

    async def publish(self, checkpoint: bytes) -> None:
        await asyncio.sleep(_WRITING)
        await super().publish(checkpoint)
        self.shown.append(checkpoint)
