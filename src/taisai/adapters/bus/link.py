"""One process's connection to the bus: core NATS, which carries and never remembers."""

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import Any, Final

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from taisai.adapters.bus.access import BusAccess, BusRefused
from taisai.errors import InputError, StoreUnavailable

log = logging.getLogger("taisai.bus")

_RETRY_SECONDS: Final = 0.25
# What a server says that ends no connection, or that nats-py answers by connecting anew.
_GOES_ON: Final = ("stale connection", "permissions violation", "invalid subject")
_PING_SECONDS: Final = 5
_CLOSE_SECONDS: Final = 5.0
_SHUT_OUT_SECONDS: Final = 0.2  # a handshake that failed is waited for in vain
_LEAVE_SECONDS: Final = 2.0
_SLOW_SECONDS: Final = 10.0
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


class _Client(Client):
    """nats-py's own, which never gives up and says nothing in the clear where it is to be encrypted."""

    is_encrypted = False

    async def _connect_to_server(self, s: Any) -> None:
        if self._transport:  # what was refused is left open
            self._transport.close()  # type: ignore[no-untyped-call] # nats-py has no types for it
        await super()._connect_to_server(s)

    async def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> None:
        if initial_connection and self.is_encrypted and not info.get("tls_required"):
            raise BusRefused("it does not encrypt, and nothing is said to it in the clear")
        await super()._process_info(info, initial_connection)

    async def _process_err(self, err_msg: str) -> None:
        """A server that throws us out is asked again, as after any loss; nats-py would close for ever."""
        if any(each in err_msg.lower() for each in _GOES_ON):
            await super()._process_err(err_msg)
        else:
            await self._error_cb(nats.errors.Error(err_msg.strip("'")))
            await self._process_op_err(nats.errors.Error(err_msg))


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
        self._client = _Client()
        self._begun = self._is_opening = self._is_away = False
        self._slow_at = -_SLOW_SECONDS
        self._refusing: dict[str, str] = {}  # by server, what it or we do not take, until we are let in

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
        """Connect, and come back by itself after each loss. Who is refused by every server is told so."""
        options = self._access.options()
        self._client.is_encrypted = bool(options["tls"]) or any(map(_is_encrypted, self._servers))
        self._is_opening = True
        try:
            await self._connect(options)
        except InputError:
            await self.close(_SHUT_OUT_SECONDS)
            raise
        self._is_opening = False
        if self._is_away:
            await self._back()

    async def _connect(self, options: dict[str, Any]) -> None:
        self._begun = True
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
            **options,
        )

    async def close(self, seconds: float = _CLOSE_SECONDS) -> None:
        """Say no more and hear no more."""
        if not self._begun:
            return
        try:
            await asyncio.wait_for(self._client.close(), seconds)
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
            self._say_slow()
        elif _is_refusal(error):
            self._say_refused(error)
        elif not self.is_up:
            self._say_away(error)
        else:
            log.warning("the bus: %s", error)

    def _say_slow(self) -> None:
        """Not for every message of a flood."""
        now = monotonic()
        if now - self._slow_at > _SLOW_SECONDS:
            log.warning("messages of the bus were lost: this process does not keep up")
        self._slow_at = now

    async def _lost(self) -> None:
        if not self._client.is_closed:
            self._say_away("the connection was lost")

    async def _back(self) -> None:
        self._is_away = False
        self._refusing.clear()
        log.warning("the bus at %s is there again", self.where)

    def _say_away(self, why: Any) -> None:
        if not self._is_away:
            self._is_away = True
            self.counted("away")
            log.error("the bus at %s is away, waiting for it: %s", self.where, why)

    def _say_refused(self, why: Exception) -> None:
        """One that is let in nowhere waits all the same once it was: the bus's settings may be mended."""
        at = self._client._current_server
        server = at.uri.netloc.rpartition("@")[2] if at is not None else self.where
        said = _in_words(why)
        if self._refusing.get(server) != said:
            self._refusing[server] = said
            self._is_away = True
            self.counted("refused")
            log.error("the bus at %s does not let this process in: %s", server, said)
        if self._is_opening and len(self._refusing) >= len(self._servers):
            every = "; ".join(f"{each}: {why}" for each, why in sorted(self._refusing.items()))
            raise InputError(f"the bus does not let this process in, see cluster.nats: {every}")


def _is_encrypted(server: str) -> bool:
    return server.startswith("tls://")


def _is_refusal(error: Exception) -> bool:
    """Whether a server and this process do not take one another, and not merely cannot speak now."""
    if isinstance(error, BusRefused | ssl.SSLError | nats.errors.AuthorizationError):
        return True
    return isinstance(error, nats.errors.Error) and "auth" in str(error).lower()


def _in_words(refusal: Exception) -> str:
    if isinstance(refusal, ssl.SSLCertVerificationError):
        return f"its certificate does not count here: {refusal.verify_message}"
    if isinstance(refusal, ssl.SSLError):
        return (refusal.reason or str(refusal)).replace("_", " ").lower()
    return str(refusal).removeprefix("nats: ").strip("'")
