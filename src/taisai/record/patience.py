"""Trying again while the store is away: soon at first, then every second."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import Final, TypeVar

from taisai.errors import StoreUnavailable

log = logging.getLogger("taisai.store")

_PAUSE_FIRST: Final = 0.05
_PAUSE_MAX: Final = 1.0
# How often a step of a start is tried: about half a minute of pauses.
TRIES_AT_START: Final = 32

T = TypeVar("T")


def pauses() -> Iterator[float]:
    """How long to wait before each further try, in seconds."""
    pause = _PAUSE_FIRST
    while True:
        yield pause
        pause = min(2 * pause, _PAUSE_MAX)


async def patiently(what: str, work: Callable[[], Awaitable[T]], *, tries: int = TRIES_AT_START) -> T:
    """Do what can be done again from its beginning, until the store lets it be done."""
    for left, pause in zip(range(tries - 1, -1, -1), pauses(), strict=False):
        try:
            return await work()
        except StoreUnavailable as error:
            if not left or not error.passing:
                raise
            log.warning("%s: %s; it is tried again", what, error)
        await asyncio.sleep(pause)
    raise StoreUnavailable(f"{what}: expected at least one try")
