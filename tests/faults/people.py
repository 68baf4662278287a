"""Those who use the house during a fault run, and what each of them was told."""

import asyncio
import random
from contextlib import suppress
from time import monotonic
from typing import Literal

import msgspec
from websockets.exceptions import WebSocketException

from taisai.client import Refused, Terminal, TerminalKey, Unanswered, fresh_id
from taisai.server import wire

CREDIT = 1_000_000
# What the house says of itself and not of the bet: it is asked again under the same id.
_PASSING = frozenset({"store_unavailable", "internal"})
_BOXES = ("big", "small", "odd", "even", "single-2", "sum-11", "domino-23")


Outcome = Literal["unknown", "registered", "refused"]


class Asked(msgspec.Struct):
    """One slip and its fate, as its terminal knows it."""

    id: str
    round: int
    version: int
    slip: dict[str, int]
    outcome: Outcome = "unknown"
    code: str = ""


class Bettor:
    """A terminal that bets in every round, and asks again what was not answered."""

    def __init__(self, address: str, key: TerminalKey, seed: int) -> None:
        self.terminal = self.make_terminal(address, key)
        self.log: list[Asked] = []
        self.registered_at = 0.0
        self.waited = 0.0  # the longest time between two slips
        self.patience = True
        self.chance = random.Random(seed)

    def make_terminal(self, address: str, key: TerminalKey) -> Terminal:
        return Terminal(address, key, seconds=5)

    def lost(self) -> None:
        """The connection is gone; where the next one goes is for those who know more than one house."""

    async def run(self) -> None:
        """Play until told otherwise; what was asked last is brought to an end."""
        while self.patience or self._open:
            try:
                if not self.terminal.connected:
                    await self.terminal.open()
                await self._play()
            except (Unanswered, OSError, TimeoutError, WebSocketException):
                with suppress(Exception):
                    await self.terminal.cut()
                self.lost()
                await asyncio.sleep(0.1)

    @property
    def _open(self) -> Asked | None:
        return self.log[-1] if self.log and self.log[-1].outcome == "unknown" else None

    async def _play(self) -> None:
        asked = self._open
        if asked is None:
            if not self.terminal.credit:
                await self.terminal.cash_in(CREDIT, message_id="credit")
            last = self.log[-1].round if self.log else 0
            number = (await self.terminal.betting(after=last, seconds=2)).number
            boxes = self.chance.sample(_BOXES, 2)
            slip = {box: 100 * self.chance.randint(1, 5) for box in boxes}
            asked = Asked(fresh_id(), number, 1, slip)
            self.log.append(asked)
        await self._ask(asked)

    async def _ask(self, asked: Asked) -> None:
        try:
            answer = await self.terminal.place(
                asked.round, asked.slip, version=asked.version, message_id=asked.id
            )
        except Refused as refused:
            if refused.code in _PASSING:
                await asyncio.sleep(0.1)
                return
            asked.outcome, asked.code = "refused", refused.code
            if refused.code == "reality_check_due":  # a clock that was set forward has hours pass
                await self.terminal.ask(wire.ConfirmCheck(id=fresh_id()))
        else:
            asked.slip, asked.outcome = answer.slip, "registered"
            now = monotonic()
            self.waited, self.registered_at = max(self.waited, now - self.registered_at), now
