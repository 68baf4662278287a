"""Whose turn it is, of all who have heard something on their lines."""

import asyncio
from collections import deque
from typing import Final
from weakref import WeakKeyDictionary

# So many go on before everybody else in the process has a turn: some milliseconds.
AT_ONCE: Final = 50


class Turns:
    """Lets those who have heard something go on in the order of their hearing, so many in a turn of the loop.

    However many clients speak at once, everybody else in the process has a turn in between.
    """

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._is_due = False

    def wake(self, waiter: "asyncio.Future[None]") -> None:
        """Let somebody go on when it is their turn."""
        self._waiting.append(waiter)
        if not self._is_due:
            self._is_due = True
            waiter.get_loop().call_soon(self._turn)

    def _turn(self) -> None:
        waiting = self._waiting
        for _ in range(min(AT_ONCE, len(waiting))):
            waiter = waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
        self._is_due = bool(waiting)
        if waiting:
            waiting[0].get_loop().call_soon(self._turn)


_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, Turns] = WeakKeyDictionary()


def turns_of(loop: asyncio.AbstractEventLoop) -> Turns:
    """The one order of turns in a loop."""
    if (turns := _turns.get(loop)) is None:
        turns = _turns[loop] = Turns()
    return turns
