"""A bounded queue for password hashes: guessing by strangers does not keep those who are known waiting.

A hash takes 64 MiB and a good part of 0.1 s. Two are made at once; strangers wait in a line of their own,
which is short, and whoever comes from a device that logged in before goes first.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final, TypeVar

T = TypeVar("T")
AT_ONCE: Final = 2
STRANGERS_WAITING_MAX: Final = 8
KNOWN_WAITING_MAX: Final = 64


class HashingBusy(Exception):
    """Too many wait already; try again in a few seconds."""


class Hashing:
    """Makes hashes on threads, so many at once."""

    def __init__(self) -> None:
        self._running = 0
        self._known: deque[asyncio.Future[None]] = deque()
        self._strangers: deque[asyncio.Future[None]] = deque()

    async def run(self, work: Callable[..., T], *args: Any, known: bool) -> T:
        """Do it when it is its turn, off the loop."""
        await self._turn(known=known)
        try:
            return await asyncio.to_thread(work, *args)
        finally:
            self._next()

    async def _turn(self, *, known: bool) -> None:
        # One of the two places is never a stranger's while somebody known may come.
        if self._running < (AT_ONCE if known else AT_ONCE - 1) and not (
            self._known if known else self._strangers
        ):
            self._running += 1
            return
        line, most = (self._known, KNOWN_WAITING_MAX) if known else (self._strangers, STRANGERS_WAITING_MAX)
        if len(line) >= most:
            raise HashingBusy
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._next()  # the turn had come already
            raise

    def _next(self) -> None:
        """Hand the place on: to somebody known, else to a stranger if one of the places may be theirs."""
        self._running -= 1
        for line, places in ((self._known, AT_ONCE), (self._strangers, AT_ONCE - 1)):
            while line and self._running < places:
                turn = line.popleft()
                if not turn.done():
                    self._running += 1
                    turn.set_result(None)
