"""The lines between people and the house: HTTP exchanges and WebSockets, straight into the application.

Frames inside a living WebSocket are neither lost nor swapped, as TCP promises; what is under way when a line
is cut is lost. A line can be half open, its other end gone and nobody told, and a reader can be slow.
"""

import asyncio
from collections import deque
from collections.abc import Coroutine, Mapping
from http.cookies import SimpleCookie
from typing import Any

import msgspec

from tests.evenings.faults import Faults
from tests.evenings.loop import VirtualLoop
from tests.evenings.process import Server

# uvicorn finds a silent peer by its pings.
_PING_SECONDS = 40.0
_ANSWER_SECONDS = 12.0
_UNREAD_MAX = 64
# Frames of one line never arrive at the same moment, or nobody could say which came first.
_APART = 1e-6
HOST = "house.test"


class Lost(Exception):
    """The line broke, or no answer came in time: nobody knows whether it was done."""


class Response(msgspec.Struct):
    """What came back over HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """What was said, if it was said as JSON."""
        is_json = (
            "json" in self.headers.get("content-type", "") and "ndjson" not in self.headers["content-type"]
        )
        return msgspec.json.decode(self.body) if self.body and is_json else None


async def in_time(awaited: "asyncio.Future[Any] | Coroutine[Any, Any, Any]") -> Any:
    """What comes while somebody still waits for it; `Lost` when they give up."""
    try:
        return await asyncio.wait_for(awaited, _ANSWER_SECONDS)
    except TimeoutError:
        raise Lost("nothing came in time") from None


class Network:
    """Carries what people ask to whichever process serves now."""

    def __init__(self, loop: VirtualLoop, faults: Faults) -> None:
        self.loop, self.faults = loop, faults
        self.server: Server | None = None  # the house, or its desks where gateways serve
        self.gateways: list[Server] | None = None

    def delay(self) -> float:
        if self.faults.strikes("delay"):
            return self.faults.draw("delay", 0.1, 6)
        return self.faults.draw("latency", 0.001, 0.03)

    def serving(self) -> Server:
        """Whoever takes what people ask: any gateway that is there, since none remembers anybody."""
        if self.gateways is not None:
            ready = [gateway for gateway in self.gateways if gateway.ready]
            if not ready:
                raise Lost("no gateway answers")
            return ready[int(self.faults.draw("which gateway", 0, len(ready)))]
        if self.server is None or not self.server.ready:
            raise Lost("nobody answers")
        return self.server

    async def ask(
        self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Response:
        """One HTTP exchange; `Lost` when no answer came."""
        await asyncio.sleep(self.delay())
        server = self.serving()
        if self.faults.strikes("request lost"):
            raise Lost("the request was lost")
        exchange = _Exchange(self, server, _scope(method, path, headers or {}))
        raw = b"" if body is None else msgspec.json.encode(body)
        self.loop.start_in(server.process, exchange.run(raw), f"{method} {path}")
        server.exchanges[exchange] = None
        try:
            return await asyncio.wait_for(exchange.answer, _ANSWER_SECONDS)
        except TimeoutError:
            exchange.hang_up()
            raise Lost("no answer came in time") from None
        finally:
            server.exchanges.pop(exchange, None)


def _scope(method: str, path: str, headers: Mapping[str, str], kind: str = "http") -> dict[str, Any]:
    where, _, query = path.partition("?")
    raw = [(b"host", HOST.encode())]
    raw += [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    if method in ("POST", "DELETE"):
        raw.append((b"content-type", b"application/json"))
    scope: dict[str, Any] = {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "path": where,
        "raw_path": where.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": raw,
        "client": ("203.0.113.7", 50_000),
        "server": (HOST, 80),
        "state": {},
    }
    if kind == "http":
        scope["method"] = method
    else:
        scope["subprotocols"] = []
    return scope


class _Exchange:
    """One request on its way through the application."""

    def __init__(self, network: Network, server: Server, scope: dict[str, Any]) -> None:
        self._network, self._server, self._scope = network, server, scope
        self.answer: asyncio.Future[Response] = network.loop.create_future()
        self._gone = asyncio.Event()
        self._status, self._headers, self._body = 0, {}, b""

    async def run(self, body: bytes) -> None:
        sent = False

        async def receive() -> dict[str, Any]:
            nonlocal sent
            if not sent:
                sent = True
                return {"type": "http.request", "body": body, "more_body": False}
            await self._gone.wait()
            return {"type": "http.disconnect"}

        await self._server.app(self._scope, receive, self._send)

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            for name, value in message["headers"]:
                known = self._headers.get(name.decode())
                self._headers[name.decode()] = f"{known}\n{value.decode()}" if known else value.decode()
            return
        self._body += message.get("body", b"")
        if message.get("more_body"):
            return
        network = self._network
        delay = network.delay()
        if network.faults.strikes("answer lost"):
            network.loop.after(delay, self.lose, "the answer was lost")
        else:
            network.loop.after(delay, self._deliver)

    def _deliver(self) -> None:
        if not self.answer.done():
            self.answer.set_result(Response(self._status, self._headers, self._body))

    def hang_up(self) -> None:
        self._gone.set()

    def lose(self, why: str) -> None:
        self._gone.set()
        if not self.answer.done():
            self.answer.set_exception(Lost(why))


def cookie_of(response: Response) -> str:
    """The cookies that a response sets, as they are sent back."""
    jar: SimpleCookie = SimpleCookie()
    for cookie in response.headers.get("set-cookie", "").splitlines():
        jar.load(cookie)
    return "; ".join(f"{name}={morsel.value}" for name, morsel in jar.items())


class Line:
    """A WebSocket as a person holds it."""

    def __init__(self, network: Network, path: str, headers: Mapping[str, str]) -> None:
        self._network, self._server = network, network.serving()
        self._scope = _scope("GET", path, headers, "websocket")
        self._to_server: deque[dict[str, Any]] = deque([{"type": "websocket.connect"}])
        self._to_client: deque[str] = deque()
        self._server_wakes, self._client_wakes, self._drained = (
            asyncio.Event(),
            asyncio.Event(),
            asyncio.Event(),
        )
        self._arrives_there = self._arrives_here = 0.0
        self.accepted: asyncio.Future[bool] = network.loop.create_future()
        self.cut_here = self.cut_there = False
        self.cut_at: float | None = None  # when the house's end found it broken
        self.slow_until = 0.0
        self._server.lines[self] = None

    @property
    def process(self) -> str:
        """The process at the other end."""
        return self._server.process.name

    @property
    def served(self) -> bool:
        """Whether that process still serves."""
        return self._server.ready

    async def open(self) -> None:
        """Wait until the house has taken the connection; `Lost` when it does not."""
        task = self._server.app(self._scope, self._receive, self._send)
        self._network.loop.start_in(self._server.process, self._serve(task), "websocket")
        if not await in_time(self.accepted):
            raise Lost("the connection was not taken")

    async def _serve(self, work: Any) -> None:
        try:
            await work
        finally:
            self._network.loop.after(self._network.delay(), self._end_here)

    # --- the house's end

    async def _receive(self) -> dict[str, Any]:
        while not self._to_server:
            if self.cut_there:
                return {"type": "websocket.disconnect", "code": 1006}
            self._server_wakes.clear()
            await self._server_wakes.wait()
        return self._to_server.popleft()

    async def _send(self, message: Any) -> None:
        match message["type"]:
            case "websocket.accept":
                self._taken(True)
            case "websocket.send":
                await self._send_frame(message["text"])
            case "websocket.close":
                self._taken(False)
                self._network.loop.after(self._network.delay(), self._end_here)
            case "websocket.http.response.start":
                self._taken(False)

    def _taken(self, taken: bool) -> None:
        if not self.accepted.done():
            self.accepted.set_result(taken)

    async def _send_frame(self, text: str) -> None:
        loop, faults = self._network.loop, self._network.faults
        if self.cut_there:
            raise OSError("the connection is closed")
        if faults.strikes("line cut"):
            self.cut()
            return
        if faults.strikes("line half open"):
            self.cut_here = True
            self._client_wakes.set()
            loop.after(faults.draw("ping", 1, _PING_SECONDS), self.cut)
            return
        if faults.strikes("slow reader"):
            self.slow_until = loop.time() + faults.draw("slow", 1, 15)
        while len(self._to_client) >= _UNREAD_MAX and not self.cut_there:
            self._drained.clear()
            await self._drained.wait()
        moment = max(self._arrives_here + _APART, loop.time() + self._network.delay(), self.slow_until)
        self._arrives_here = moment
        loop.after(moment - loop.time(), self._arrive_here, text)

    def _arrive_here(self, text: str) -> None:
        if not self.cut_here:
            self._to_client.append(text)
            self._client_wakes.set()

    def _end_here(self) -> None:
        """The house has closed; what it said before is still heard."""
        wait = max(0.0, self._arrives_here - self._network.loop.time())
        if wait:
            self._network.loop.after(wait, self._end_here)
            return
        self.cut()

    # --- the person's end

    async def say(self, message: Any) -> None:
        """Send a frame; it arrives in its turn, or not at all."""
        loop = self._network.loop
        if self.cut_here:
            raise Lost("the line is cut")
        if self._network.faults.strikes("line cut"):
            self.cut()
            raise Lost("the line was cut")
        moment = max(self._arrives_there + _APART, loop.time() + self._network.delay())
        self._arrives_there = moment
        loop.after(moment - loop.time(), self._arrive_there, msgspec.json.encode(message).decode())

    def _arrive_there(self, text: str) -> None:
        if not self.cut_there:
            self._to_server.append({"type": "websocket.receive", "text": text})
            self._server_wakes.set()

    async def hear(self) -> str:
        """The next frame; `Lost` when the line is cut and nothing is left to hear."""
        while not self._to_client:
            if self.cut_here:
                raise Lost("the line is cut")
            self._client_wakes.clear()
            await self._client_wakes.wait()
        text = self._to_client.popleft()
        self._drained.set()
        return text

    def cut(self) -> None:
        """Both ends find the line broken; what was under way is lost."""
        self.cut_here = self.cut_there = True
        self.cut_at = self._network.loop.time() if self.cut_at is None else self.cut_at
        self._taken(False)
        for event in (self._server_wakes, self._client_wakes, self._drained):
            event.set()
        self._server.lines.pop(self, None)
