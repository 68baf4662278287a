"""One process's connection to the bus: core NATS, which carries and never remembers."""

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from taisai.errors import InputError, StoreUnavailable

log = logging.getLogger("taisai.bus")

_RETRY_SECONDS: Final = 0.25
_PING_SECONDS: Final = 5
_CLOSE_SECONDS: Final = 5.0
_LEAVE_SECONDS: Final = 2.0
# Below the servers' own limit of a megabyte, with room for the envelope.
PAYLOAD_MAX: Final = 1_000_000

Counted = Callable[[str], None]


def not_counted(what: str) -> None:
    """Where nobody keeps figures."""


class NoAnswer(StoreUnavailable):
    """Nobody answered in time, or nobody is there; what is `untaken` surely reached nobody."""

    def __init__(self, why: str, *, untaken: bool = False) -> None:
        super().__init__(why)
        self.untaken = untaken


@dataclass(frozen=True)
class BusAccess:
    """How a process shows the bus who it is, and knows that it is the house's: files, none of them needed.

    A user and a password may stand in the address of a server.
    """

    credentials: str = ""
    ca: str = ""
    certificate: str = ""
    certificate_key: str = ""

    def tls(self) -> ssl.SSLContext | None:
        """Nothing where no file is named: an address with `tls://` then trusts what the machine trusts."""
        if not (self.ca or self.certificate):
            return None
        try:
            context = ssl.create_default_context(cafile=self.ca or None)
            if self.certificate:
                context.load_cert_chain(self.certificate, self.certificate_key)
        except OSError as error:  # ssl's own errors are of this kind too
            files = ", ".join(filter(None, (self.ca, self.certificate, self.certificate_key)))
            raise InputError(f"the bus's certificates {files}: {error.strerror or error}") from None
        return context


class BusLink:
    """Begin with `open`, which waits for the bus however long it is away and says so; end with `close`."""

    def __init__(
        self,
        servers: Sequence[str],
        name: str,
        *,
        counted: Counted = not_counted,
        access: BusAccess | None = None,
    ) -> None:
        self.counted = counted
        self._servers, self._name, self._access = list(servers), name, access or BusAccess()
        self._client = Client()
        self._is_away = False

    @property
    def is_up(self) -> bool:
        return self._client.is_connected

    @property
    def traffic(self) -> dict[str, int]:
        """Messages since the link was made, by the way they went."""
        return {"in": self._client.stats["in_msgs"], "out": self._client.stats["out_msgs"]}

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
            user_credentials=self._access.credentials or None,
            tls=self._access.tls(),
        )
        if self._is_away:
            await self._back()

    async def close(self) -> None:
        """Say no more and hear no more."""
        try:
            await asyncio.wait_for(self._client.close(), _CLOSE_SECONDS)
        except (TimeoutError, nats.errors.Error, OSError) as error:
            log.debug("the bus was left without goodbye: %s", error)

    async def say(self, subject: str, payload: bytes, *, reply: str = "") -> bool:
        """To whoever listens; False when it could not be said."""
        if not self.is_up:
            return False
        try:
            await self._client.publish(subject, payload, reply=reply)
        except (nats.errors.Error, OSError) as error:
            log.debug("%s could not be said: %s", subject, error)
            return False
        return True

    async def ask(self, subject: str, payload: bytes, seconds: float) -> bytes:
        """One question, one answer; `NoAnswer` when there is none."""
        if not self.is_up:
            raise NoAnswer(f"the bus at {self.where} is away", untaken=True)
        try:
            answer = await self._client.request(subject, payload, timeout=seconds)
        except nats.errors.NoRespondersError:
            raise NoAnswer(f"nobody answers for {subject}", untaken=True) from None
        except (TimeoutError, nats.errors.Error, OSError) as error:
            raise NoAnswer(f"{subject} does not answer: {error}") from None
        return answer.data

    async def hear(self, subject: str, call: Callable[[Msg], Awaitable[None]]) -> Subscription:
        """Be called for each message, one after the other."""
        return await self._client.subscribe(subject, cb=call)

    async def leave(self, subscription: Subscription) -> None:
        """Hear no more of a subject; what the server has sent by now is still heard, and nothing is lost."""
        try:
            if self.is_up:
                async with asyncio.timeout(_LEAVE_SECONDS):
                    await subscription.drain()  # type: ignore[no-untyped-call] # nats-py has no types for it
            else:
                await subscription.unsubscribe()
        except (TimeoutError, nats.errors.Error, OSError) as error:
            log.debug("a subject was left without goodbye: %s", error)
            # The client would ask for it again when it is back, and two would answer for one desk.
            self._client._remove_sub(subscription._id)

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
