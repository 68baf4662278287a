"""Runs the application: one process, one loop, sockets that give up on peers that never read."""

import asyncio
import gc
import logging
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from functools import partial
from importlib import import_module
from signal import SIGINT, SIGTERM, signal
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Final

import uvicorn
import uvloop
from litestar import Litestar

from taisai.errors import InputError
from taisai.server.config import Config
from taisai.server.lines.line import BoundedSocket
from taisai.server.ops.connections import Connections
from taisai.server.ops.metrics import METRICS
from taisai.server.ops.notify import keep_telling
from taisai.server.protocols import BoundedHttp

# A peer that acknowledges nothing for so long is gone.
_PEER_TIMEOUT_MS: Final = 20_000
_BACKLOG: Final = 4096
# Longer than a proxy or a client keeps an idle connection (nginx 60, httpx 5): whoever uses one again must
# not meet our closing of it, which looks as if a request had been lost.
KEEP_ALIVE_SECONDS: Final = 75
_SWITCH_SECONDS: Final = 0.0005
# While people are served: what is new is looked at fifty thousand at a time, some milliseconds, and what has
# lasted hardly ever, since each look is a pause for everyone. Nearly all that a slip makes is gone without
# the collector: looked at more often, slips of a thousand terminals on their way are looked at for nothing.
_COLLECTED_AT: Final = (50_000, 1, 100_000)
MESSAGE_BYTES_MAX: Final = 65_536


def listen(host: str, port: int) -> socket.socket:
    """A socket that is ready before anything else starts, so that a taken port is said at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _PEER_TIMEOUT_MS)
    try:
        opened.bind((host, port))
    except OSError as error:
        opened.close()
        raise InputError(f"cannot listen at {host}:{port}: {error.strerror}") from None
    opened.listen(_BACKLOG)
    return opened


def make_server(app: Litestar, config: Config) -> "Server":
    """A server that is not started yet."""
    server = config.server
    proxies = [one.strip() for one in server.trusted_proxies.split(",") if one.strip()]
    bounds = Connections(most=server.connections_max, per_place=server.strangers_per_address, proxies=proxies)
    METRICS.strangers.set_function(lambda: len(bounds))
    METRICS.let_go.set_function(lambda: bounds.let_go)
    made = Server(
        uvicorn.Config(
            app,
            loop="uvloop",
            http=partial(BoundedHttp, bounds=bounds),  # type: ignore[arg-type] # it only calls it
            ws=BoundedSocket,
            ws_per_message_deflate=False,
            ws_max_size=MESSAGE_BYTES_MAX,
            ws_ping_interval=20.0,
            ws_ping_timeout=20.0,
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(server.trusted_proxies),
            forwarded_allow_ips=server.trusted_proxies or None,
            ssl_certfile=server.certificate or None,
            ssl_keyfile=server.certificate_key or None,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=5,
            limit_concurrency=server.connections_max,
            backlog=_BACKLOG,
        )
    )

    async def farewell() -> None:
        await app.state.hub.stop()  # it is there once the application has started

    made.on_stopping = farewell
    return made


class Server(uvicorn.Server):
    """A server that tells when it is up, and says goodbye before it closes its connections."""

    on_started: Callable[[], Any] | None = None
    on_stopping: Callable[[], Awaitable[None]] | None = None
    _serving: "asyncio.Task[Any] | None" = None

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.on_stopping:
            await self.on_stopping()
        await super().shutdown(sockets)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        self._serving = asyncio.current_task()
        await super().serve(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Whoever is told to end while the house is still being opened waits for nothing any more."""
        super().handle_exit(sig, frame)
        if not self.started and self._serving is not None:
            self._serving.get_loop().call_soon_threadsafe(self._serving.cancel)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End in order when told to, and be done with the signal then: an asked-for end is a success."""
        if current_thread() is not main_thread():
            yield
            return
        before = {number: signal(number, self.handle_exit) for number in (SIGINT, SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self.on_started:
            self.on_started()


def tune() -> None:
    """Keep the collector out of the slow percentiles, and let the store's thread in when it asks.

    What is here stays, and the collector looks seldom. The writing thread needs the interpreter a few times
    in each commit, and would wait five milliseconds for it every time. The first round with a multitude of
    bets must not be the one that waits for an import.
    """
    import_module("taisai.game.columns")
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTED_AT)


class ServerEnding(Enum):
    """How a server that ran has ended."""

    STOPPED = "stopped"
    NOT_STARTED = "not-started"
    TAKEN_OVER = "taken-over"


def _start_fault(app: Litestar) -> Exception | None:
    """What kept the house from opening, if anything did."""
    fault: Exception | None = app.state.get("start_fault")
    return fault


def _in_one_line(fault: Exception) -> Exception:
    """A file that is not there, or may not be read, is somebody's to put right: it is named in one line."""
    if not isinstance(fault, OSError):
        return fault
    named = f"{fault.filename}: " if fault.filename else ""
    return InputError(f"{named}{fault.strerror or fault}")


def _load_certificate(server: Server, config: Config) -> None:
    """What uvicorn reads before it serves, so that a fault in it is said like any other."""
    try:
        server.config.load()
    except OSError as error:  # ssl's own errors are of this kind too
        files = f"{config.server.certificate} with {config.server.certificate_key}"
        raise InputError(f"the certificate {files}: {error.strerror or error}") from None


async def _end_when_fenced(server: Server, hub: Any) -> None:
    """Another process has taken the record: this one has nothing left to say."""
    await hub.house.ownership.lost.wait()
    server.should_exit = True


def listen_for_ops(config: Config) -> list[socket.socket]:
    """The address that `/metrics` and `/readyz` have to themselves, where the settings name one."""
    server = config.server
    return [] if server.ops_port is None else [listen(server.ops_host, server.ops_port)]


def run(app: Litestar, config: Config, *opened: socket.socket) -> ServerEnding:
    """Serve until told to stop, or until another process has taken the record."""
    # While desks are made again from the record, nearly all that is made stays.
    gc.set_threshold(50_000, 50, 100)
    server = make_server(app, config)
    _load_certificate(server, config)

    def started() -> None:
        tune()
        app.state.hub.spawn(keep_telling(app.state.hub))
        app.state.hub.spawn(_end_when_fenced(server, app.state.hub))

    server.on_started = started

    def is_told(record: logging.LogRecord) -> bool:
        return _start_fault(app) is None  # whoever started the server says it, in one line

    logging.getLogger("uvicorn.error").addFilter(is_told)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(server.serve(sockets=list(opened)))
    except asyncio.CancelledError:
        return ServerEnding.STOPPED
    except SystemExit:  # uvicorn's own way to say that the start failed, with a code of its own
        if not _start_fault(app):
            return ServerEnding.NOT_STARTED
    if (fault := _start_fault(app)) is not None:
        raise _in_one_line(fault) from None
    if not server.started:
        return ServerEnding.NOT_STARTED
    return ServerEnding.TAKEN_OVER if app.state.hub.house.ownership.lost.is_set() else ServerEnding.STOPPED
