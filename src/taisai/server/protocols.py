"""The protocols under the application, with bounds that hold before it is asked: no proxy is needed for them.

The head of a request has so many bytes and so many seconds, its body so many seconds; a connection that
nobody vouches for may have to make room.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from taisai.server.lines.line import BoundedSocket
from taisai.server.ops.connections import Connections, Lease

HEAD_BYTES_MAX: Final = 65_536
HEAD_SECONDS: Final = 10.0
BODY_SECONDS: Final = 30.0
# Under which name an application finds the place of a connection, to vouch for it.
LEASE: Final = "lease"


class BoundedHttp(HttpToolsProtocol):
    """HTTP/1.1 for strangers: what they send is counted, and what they do not send is not waited for."""

    def __init__(self, *args: Any, bounds: Connections, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._bounds = bounds
        self._lease: Lease | None = None
        self._head_bytes = 0
        self._in_head = True
        self._due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        super().connection_made(transport)
        self._lease = self._bounds.join(self.client[0] if self.client else "unknown", transport.abort)
        # Per connection, so that one that is let in by its session is found by the application.
        self.app_state = {**self.app_state, LEASE: self._lease}
        self._wait(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait(None)
        if self._lease is not None:
            self._lease.end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > HEAD_BYTES_MAX and not self.transport.is_closing():
            self._refuse()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True
        self._wait(HEAD_SECONDS)

    def on_headers_complete(self) -> None:
        self._in_head, self._head_bytes = False, 0
        self._wait(BODY_SECONDS)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._wait(None)
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._wait(None)
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        if isinstance(protocol, BoundedSocket):
            protocol.lease = self._lease

    def _wait(self, seconds: float | None) -> None:
        """Close the connection unless something else is waited for by then."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        if seconds is not None:
            self._due = self.loop.call_later(seconds, self._too_slow)

    def _too_slow(self) -> None:
        self._due = None
        if not self.transport.is_closing():
            self.transport.abort()

    def _refuse(self) -> None:
        words = b"the head of a request has at most 65536 bytes"
        self.transport.write(
            b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain; charset=utf-8\r\n"
            b"content-length: %d\r\nconnection: close\r\n\r\n%s" % (len(words), words)
        )
        self.transport.close()


def vouch(scope: Any) -> None:
    """Whoever is connected has shown a session or a key; under another protocol there is nothing to do."""
    lease = scope.get("state", {}).get(LEASE)
    if lease is not None:
        lease.known()
