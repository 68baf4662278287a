"""What the house shows of its log: its keys, its files, and receipts."""

import asyncio
from dataclasses import dataclass

from taisai.floor.proofs.receipts import Receipts
from taisai.game.state import RoundState


@dataclass(frozen=True)
class HouseProofs:
    """Of a house that writes its log itself."""

    receipts: Receipts

    async def keys(self) -> list[str]:
        """The verifier keys of the log: the present one, then those of its names before restores."""
        key = self.receipts.registrar.key
        former = self.receipts.notarising.former
        return [str(key), *(str(key._replace(name=each)) for each in former)]

    async def file(self, name: str) -> bytes | None:
        """A tile, or the checkpoint."""
        return await asyncio.to_thread(self.receipts.registrar.files.read, name)

    async def receipt(self, table: str, number: int, place: int, salt: str) -> bytes:
        """The receipt of a slip by its place and its salt in hex."""
        return await self.receipts.by_salt(table, number, place, salt)

    async def closed(self, table: str, number: int) -> RoundState:
        """A round of a table whose bets are closed, with its trees."""
        return await self.receipts.closed(table, number)
