"""WebSockets of terminals and consoles."""

import asyncio
from collections.abc import Callable
from ssl import SSLContext
from types import TracebackType
from typing import Any, Final, TypeVar

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from taisai.client.refusing import SECONDS, Refused, TerminalKey, Unanswered, fresh_id
from taisai.server import wire

_decode = msgspec.json.Decoder(wire.FromServer).decode
# What nobody takes out of the inbox is let go, the oldest first: a client that runs for days does not grow.
INBOX_MAX: Final = 1_000
ROUNDS_KEPT: Final = 100
_encode = msgspec.json.Encoder().encode

T = TypeVar("T")

# A round that takes no bets any more; the next one will.
_TOO_LATE = frozenset(
    ("betting_closed", "roll_declared", "round_settled", "round_concluded", "round_void", "round_unknown")
)


class _Link:
    """A WebSocket to the server: requests answered by id, and everything else in the order it came."""

    path = ""

    def __init__(
        self, address: str, table: str, *, seconds: float = SECONDS, verify: SSLContext | None = None
    ) -> None:
        self.address, self.table, self.seconds = address.rstrip("/"), table, seconds
        self._verify = verify
        self.snapshot: wire.Snapshot | None = None
        self.round: wire.RoundView | None = None
        self.last_seq: int | None = None
        self.bye: str | None = None
        self.inbox: asyncio.Queue[wire.Wire] = asyncio.Queue(INBOX_MAX)
        self._socket: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None
        self._asked: dict[str, asyncio.Future[Any]] = {}
        self._moved = asyncio.Condition()

    async def __aenter__(self) -> Any:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _hello(self) -> wire.Hello:
        return wire.Hello(table=self.table, last_seq=self.last_seq)

    def _headers(self) -> dict[str, str]:
        return {}

    async def open(self) -> None:
        """Connect, or connect again; what was missed comes by itself."""
        address = self.address.replace("http", "ws", 1) + self.path
        self._socket = await connect(
            address,
            additional_headers=self._headers(),
            compression=None,
            max_size=2**22,
            proxy=None,
            ssl=self._verify,
            open_timeout=self.seconds,
        )
        self.bye = None
        await self.send(self._hello())
        self._reading = asyncio.create_task(self._read(self._socket))
        await self.wait_until(lambda: self.snapshot is not None)

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close()
        await self._end_reading()

    async def cut(self) -> None:
        """Lose the connection as a pulled cable does: without a word."""
        if self._socket is not None:
            self._socket.transport.abort()
        await self._end_reading()

    async def _end_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
            self._reading = None

    async def send(self, message: wire.Wire) -> None:
        await self.send_text(_encode(message).decode())

    async def send_text(self, raw: str) -> None:
        """Send any text; whether it makes sense is for the server to find out."""
        if self._socket is None:
            raise Unanswered("not connected")
        try:
            await self._socket.send(raw)
        except ConnectionClosed as error:
            raise Unanswered(str(error)) from None

    async def ask(self, message: Any) -> Any:
        """Send a message that has an id, and wait for its answer."""
        future = asyncio.get_running_loop().create_future()
        self._asked[message.id] = future
        try:
            await self.send(message)
            return await asyncio.wait_for(future, self.seconds)
        except TimeoutError:
            raise Unanswered(f"no answer in {self.seconds} seconds") from None
        finally:
            self._asked.pop(message.id, None)

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for raw in socket:
                self._take(_decode(raw))
                async with self._moved:
                    self._moved.notify_all()
        except ConnectionClosed:
            pass
        finally:
            lost = Unanswered(f"the connection was lost ({self.bye or 'without a word'})")
            for future in self._asked.values():
                if not future.done():
                    future.set_exception(lost)
            async with self._moved:
                self._moved.notify_all()

    def _take(self, message: Any) -> None:
        future = self._asked.get(getattr(message, "id", ""))
        if future is not None and not future.done():
            if isinstance(message, wire.Refused):
                future.set_exception(Refused(message.code, message.clause, message.facts, message.sentences))
            else:
                future.set_result(message)
        if not isinstance(message, wire.ConsoleView):
            self.last_seq = getattr(message, "seq", self.last_seq)
        match message:
            case wire.Snapshot():
                self.snapshot, self.round = message, message.table.round
            case wire.RoundChanged():
                self.round = message.round
            case wire.TableChanged():
                self.round = message.table.round
            case wire.Bye():
                self.bye = message.reason
        if self.inbox.full():
            self.inbox.get_nowait()
        self.inbox.put_nowait(message)

    @property
    def connected(self) -> bool:
        return self._reading is not None and not self._reading.done()

    async def wait_until(self, is_so: Callable[[], bool], seconds: float | None = None) -> None:
        """Wait for something to become true by what the server sends."""

        async def waiting() -> None:
            async with self._moved:
                await self._moved.wait_for(lambda: is_so() or not self.connected)

        await asyncio.wait_for(waiting(), seconds or self.seconds)
        if not is_so():
            raise Unanswered(f"the connection was lost ({self.bye or 'without a word'})")

    async def receive(self, kind: type[T], seconds: float | None = None) -> T:
        """The next message of a kind; others before it are let go."""

        async def waiting() -> T:
            while True:
                message = await self.inbox.get()
                if isinstance(message, kind):
                    return message

        return await asyncio.wait_for(waiting(), seconds or self.seconds)

    async def phase(self, *phases: str, seconds: float = 30.0, after: int = 0) -> wire.RoundView:
        """Wait until the round stands in one of these phases; `after` skips rounds up to a number."""

        def there() -> bool:
            return self.round is not None and self.round.number > after and self.round.phase in phases

        await self.wait_until(there, seconds)
        if self.round is None:
            raise Unanswered("there is no round")
        return self.round

    async def betting(self, *, after: int = 0, seconds: float = 30.0) -> wire.RoundView:
        """Wait until bets are taken."""

        def there() -> bool:
            now = self.round
            return now is not None and now.number > after and now.phase == "betting" and not now.held

        await self.wait_until(there, seconds)
        if self.round is None:
            raise Unanswered("there is no round")
        return self.round


class Terminal(_Link):
    """A Player Terminal."""

    path = "/ws/terminal"

    def __init__(
        self, address: str, key: TerminalKey, *, seconds: float = SECONDS, verify: SSLContext | None = None
    ) -> None:
        super().__init__(address, key.table, seconds=seconds, verify=verify)
        self.key = key
        self.session: wire.SessionView | None = None
        self.credit = self.owed = 0
        self.settled: dict[int, wire.PlayedRoundView] = {}
        self.readiness: wire.Readiness | None = None
        self._versions: dict[int, int] = {}

    def _hello(self) -> wire.Hello:
        return wire.Hello(
            table=self.key.table, terminal=self.key.terminal, key=self.key.key, last_seq=self.last_seq
        )

    def _take(self, message: Any) -> None:
        match message:
            case wire.Snapshot() | wire.SessionChanged():
                self.session = message.session
                self.credit = message.session.credit if message.session else 0
                self.owed = message.session.owed if message.session else 0
                for played in message.session.recall if message.session else ():
                    self._keep(played)
            case wire.Settled():
                self.credit, self.owed = message.credit, message.owed
                self._keep(message.played)
            case wire.CreditChanged():
                self.credit, self.owed = message.credit, message.owed
            case wire.SlipRegistered() | wire.TicketPaper():
                self.credit = message.credit
            case wire.Readiness():
                self.readiness = message
        super()._take(message)

    def _keep(self, played: wire.PlayedRoundView) -> None:
        self.settled[played.round] = played
        for kept in (self.settled, self._versions):
            while len(kept) > ROUNDS_KEPT:
                del kept[next(iter(kept))]

    async def place(
        self,
        number: int,
        slip: dict[str, int],
        *,
        version: int | None = None,
        message_id: str = "",
        all_or_nothing: bool = False,
    ) -> wire.SlipRegistered:
        """The whole slip as it should be; the answer is the slip as it is registered."""
        if version is None:
            version = self._versions[number] = self._versions.get(number, 0) + 1
        message = wire.Place(
            id=message_id or fresh_id(),
            round=number,
            version=version,
            slip=slip,
            all_or_nothing=all_or_nothing,
        )
        answer: wire.SlipRegistered = await self.ask(message)
        return answer

    async def stake(
        self, slip: dict[str, int], *, after: int = 0, seconds: float = 30.0
    ) -> wire.SlipRegistered:
        """The slip in the next round that takes it: one that closes under our hands is left out."""
        while True:
            number = (await self.betting(after=after, seconds=seconds)).number
            try:
                return await self.place(number, slip)
            except Refused as turned:
                if turned.code not in _TOO_LATE:
                    raise
                after = number

    async def ready(self, number: int, *, ready: bool = True) -> None:
        """At a table without a clock: want the dice for the slip on the felt, or no longer."""
        await self.ask(wire.Ready(id=fresh_id(), round=number, ready=ready))

    async def cash_in(self, amount: int, *, message_id: str = "") -> int:
        """Put money in; the credit afterwards."""
        answer: wire.CreditChanged = await self.ask(wire.CashIn(id=message_id or fresh_id(), amount=amount))
        return answer.credit

    async def ticket_in(self, number: str, *, message_id: str = "") -> int:
        """Put a ticket in; the credit afterwards."""
        answer: wire.CreditChanged = await self.ask(wire.TicketIn(id=message_id or fresh_id(), number=number))
        return answer.credit

    async def cash_out(self, *, message_id: str = "") -> wire.TicketView:
        """All credits as a ticket."""
        answer: wire.TicketPaper = await self.ask(wire.CashOutAll(id=message_id or fresh_id()))
        return answer.ticket

    async def result(self, number: int, seconds: float = 30.0) -> wire.PlayedRoundView:
        """Wait for what a round brought."""
        await self.wait_until(lambda: number in self.settled, seconds)
        return self.settled[number]


class Console(_Link):
    """A Game Console."""

    path = "/ws/console"

    def __init__(
        self,
        address: str,
        table: str,
        cookies: str,
        *,
        seconds: float = SECONDS,
        verify: SSLContext | None = None,
    ) -> None:
        super().__init__(address, table, seconds=seconds, verify=verify)
        self._cookies = cookies
        self.view: wire.ConsoleView | None = None

    def _headers(self) -> dict[str, str]:
        return {"Cookie": self._cookies}

    def _take(self, message: Any) -> None:
        if isinstance(message, wire.ConsoleView):
            self.view = message
        super()._take(message)

    async def act(
        self, act: str, *, round_: int | None = None, message_id: str = "", **fields: Any
    ) -> wire.Acknowledged | wire.NeedsApproval:
        """Do an act."""
        answer: wire.Acknowledged | wire.NeedsApproval = await self.ask(
            wire.ConsoleAct(id=message_id or fresh_id(), act=act, fields=fields, round=round_)
        )
        return answer
