"""A table that deals itself and has no clock: betting closes when everyone who has bets wants the dice.

One who never says anything cannot keep the others waiting: the dice roll some seconds after the first wish.

Who wants them is not on the record, since nothing is decided by it but the moment; the closing is. A wish
belongs to the slip on the felt when it was said: whoever changes their bets has to say it again, and nobody
waits for a terminal that has lost its connection.
"""

import asyncio
import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from taisai.errors import TaisaiError
from taisai.game.acts import Phase
from taisai.server import wire
from taisai.server.live.feed import Feed
from taisai.server.live.outbox import Outbox
from taisai.server.live.table_view import millis

# How long whoever wants the dice waits for the others.
PATIENCE_SECONDS: Final = 20.0

log = logging.getLogger("taisai.untimed")


@dataclass(eq=False)
class Untimed:
    """Who wants the dice at one such table; looks again at every change of it."""

    feed: Feed
    _ready: dict[str, int] = field(default_factory=dict)  # by terminal: the version of its slip
    _told: dict[Outbox, wire.Readiness] = field(default_factory=dict)
    _closing: asyncio.Task[None] | None = None
    patience: float = PATIENCE_SECONDS
    _rolls_at: datetime | None = None
    _waiting: asyncio.Task[None] | None = None

    @property
    def waiting_round(self) -> int | None:
        """The round that waits for its players; none where a clock or a dealer closes."""
        current = self.feed.table.round
        if not self.feed.table.untimed or current is None or current.held or current.closes_at is not None:
            return None
        return current.number if current.phase == Phase.BETTING else None

    def say(self, terminal: str, *, ready: bool) -> None:
        """A terminal wants the dice, or no longer."""
        if ready:
            self._ready[terminal] = self.feed.seats.boards[terminal].slip_version
        else:
            self._ready.pop(terminal, None)
        self.look()

    def look(self) -> None:
        """Count again, tell whoever does not know it, and close when nobody is waited for."""
        number = self.waiting_round
        if number is None:
            self._ready.clear()
            self._told.clear()
            self.stop_waiting()
            return
        seats = self.feed.seats
        slips = {
            terminal: board.slip_version
            for terminal, board in seats.boards.items()
            if terminal in seats.connected and board.on_felt and board.slip_round == number
        }
        self._ready = {
            terminal: version for terminal, version in self._ready.items() if slips.get(terminal) == version
        }
        waits = len(slips) - len(self._ready)
        if self._ready and waits:
            self._wait(number)
        else:
            self.stop_waiting()
        rolls_at = millis(self._rolls_at) if self._rolls_at else None
        before, self._told = self._told, {}
        for terminal, client in seats.connected.items():
            counted = wire.Readiness(
                round=number, ready=terminal in self._ready, waits_for=waits, rolls_at=rolls_at
            )
            self._told[client] = counted
            if before.get(client) != counted:
                client.say(counted)
        if self._ready and not waits:
            self._begin_closing()

    def _begin_closing(self) -> None:
        if self._closing is None or self._closing.done():
            self._closing = asyncio.create_task(self._close())

    def _wait(self, number: int) -> None:
        """From the first wish on the others have some seconds; a wish that is taken back stops the clock."""
        if self._waiting is None:
            self._rolls_at = self.feed.house.now() + timedelta(seconds=self.patience)
            self._waiting = asyncio.create_task(self._roll_at(self._rolls_at, number))

    def stop_waiting(self) -> None:
        """Nobody wants the dice any more, or they roll already."""
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = self._rolls_at = None

    async def _roll_at(self, moment: datetime, number: int) -> None:
        await self.feed.house.timer.sleep_until(moment)
        self._waiting = None
        if self.waiting_round == number and self._ready:
            self._begin_closing()

    async def _close(self) -> None:
        try:
            await self.feed.house.close_betting(self.feed.plan.name)
        except TaisaiError as error:
            log.warning("%s: betting could not be closed: %s", self.feed.plan.name, error)
            self._ready.clear()  # whoever still wants the dice says so again
            self.look()
