"""One process's connection to the bus: core NATS, which carries and never remembers."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from taisai.errors import StoreUnavailable

log = logging.getLogger("taisai.bus")

_RETRY_SECONDS: Final = 0.25
_PING_SECONDS: Final = 5
_CLOSE_SECONDS: Final = 5.0
# Below the servers' own limit of a megabyte, with room for the envelope.
PAYLOAD_MAX: Final = 1_000_000

Counted = Callable[[str], None]


def not_counted(what: str) -> None:
    """Where nobody keeps figures."""


class NoAnswer(StoreUnavailable):
    """Nobody answered in time, or nobody is there."""


class BusLink:
    """Begin with `open`, which waits for the bus however long it is away and says so; end with `close`."""

    def __init__(self, servers: Sequence[str], name: str, *, counted: Counted = not_counted) -> None:
        self.counted = counted
        self._servers, self._name = list(servers), name
        self._client = Client()
        self._is_away = False

    @property
    def is_up(self) -> bool:
        return self._client.is_connected

    @property
    def where(self) -> str:
        """The servers, as a line of the log names them; a user's name and password are not told."""
        return ", ".join(server.rpartition("@")[2].removeprefix("nats://") for server in self._servers)

    async def open(self) -> None:
        """Connect, and come back by itself after each loss."""
        await self._client.connect(
            servers=self._servers,
            name=self._name,
            error_cb=self._failed,
            disconnected_cb=self._lost,
            reconnected_cb=self._back,
            max_reconnect_attempts=-1,
            reconnect_time_wait=_RETRY_SECONDS,  # type: ignore[arg-type] # it is slept, and may be a fraction
            ping_interval=_PING_SECONDS,
            pending_size=4 * PAYLOAD_MAX,
        )
        if self._is_away:
            await self._back()

    async def close(self) -> None:
        """Say no more and hear no more."""
        try:
            await asyncio.wait_for(self._client.close(), _CLOSE_SECONDS)
        except (TimeoutError, nats.errors.Error, OSError) as error:
            log.debug("the bus was left without goodbye: %s", error)

    async def say(self, subject: str, payload: bytes) -> bool:
        """To whoever listens; False when it could not be said."""
        if not self.is_up:
            return False
        try:
            await self._client.publish(subject, payload)
        except (nats.errors.Error, OSError) as error:
            log.debug("%s could not be said: %s", subject, error)
            return False
        return True

    async def ask(self, subject: str, payload: bytes, seconds: float) -> bytes:
        """One question, one answer; `NoAnswer` when there is none."""
        if not self.is_up:
            raise NoAnswer(f"the bus at {self.where} is away")
        try:
            answer = await self._client.request(subject, payload, timeout=seconds)
        except nats.errors.NoRespondersError:
            raise NoAnswer(f"nobody answers for {subject}") from None
        except (TimeoutError, nats.errors.Error, OSError) as error:
            raise NoAnswer(f"{subject} does not answer: {error}") from None
        return answer.data

    async def hear(self, subject: str, call: Callable[[Msg], Awaitable[None]]) -> Subscription:
        """Be called for each message, one after the other."""
        return await self._client.subscribe(subject, cb=call)

    async def flush(self) -> None:
        """Wait until the server has what was asked of it, such as a subscription."""
        await self._client.flush()

    async def _failed(self, error: Exception) -> None:
        if isinstance(error, nats.errors.SlowConsumerError):
            self.counted("slow")
            log.warning("messages of the bus were lost: this process does not keep up")
        elif not self.is_up:
            self._say_away(error)
        else:
            log.warning("the bus: %s", error)

    async def _lost(self) -> None:
        if not self._client.is_closed:
            self._say_away("the connection was lost")

    async def _back(self) -> None:
        self._is_away = False
        log.warning("the bus at %s is there again", self.where)

    def _say_away(self, why: Any) -> None:
        if not self._is_away:
            self._is_away = True
            self.counted("away")
            log.error("the bus at %s is away, waiting for it: %s", self.where, why)
