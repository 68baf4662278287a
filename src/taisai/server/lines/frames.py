"""Frames of a WebSocket (RFC 6455): from a client's bytes to whole messages, from ours to bytes.

Nothing here knows of sockets or tasks. Extensions are never agreed on, so a reserved bit is a fault.
"""

from struct import Struct
from typing import Final

from websockets.frames import EXTERNAL_CLOSE_CODES

try:
    from websockets.speedups import apply_mask
except ImportError:  # the library was built without its C part
    from websockets.utils import apply_mask

CONTINUED: Final = 0x0
TEXT: Final = 0x1
BINARY: Final = 0x2
CLOSE: Final = 0x8
PING: Final = 0x9
PONG: Final = 0xA

PROTOCOL_BROKEN: Final = 1002
NO_CODE: Final = 1005
NOT_UTF8: Final = 1007
TOO_BIG: Final = 1009

_KINDS: Final = frozenset({CONTINUED, TEXT, BINARY, CLOSE, PING, PONG})
_FIN, _RESERVED, _KIND, _MASKED, _SIZE = 0x80, 0x70, 0x0F, 0x80, 0x7F
_TWO_BYTES, _EIGHT_BYTES = 126, 127
_CONTROL_MAX: Final = 125
_MASK_BYTES: Final = 4
_SHORT_HEAD: Final = 2 + _MASK_BYTES  # of a frame whose size takes no bytes of its own
_WHOLE_TEXT: Final = _FIN | TEXT
_short, _long = Struct("!H"), Struct("!Q")


class FrameFault(Exception):
    """What a client sent is no WebSocket: the code and the words with which its connection is closed."""

    def __init__(self, code: int, words: str) -> None:
        super().__init__(words)
        self.code, self.words = code, words


class FrameReader:
    """Cuts a client's bytes into messages: texts and bytes whole, control frames as they come."""

    __slots__ = ("_kind", "_max", "_needed", "_parts", "_rest", "_size")

    def __init__(self, bytes_max: int) -> None:
        self._max = bytes_max
        self._rest = bytearray()  # of a frame that has not come whole
        self._needed = 0  # bytes until it is worth another look
        self._kind = CONTINUED  # of the message whose parts have come so far
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """Messages that are complete now, each with its kind. Raises FrameFault at the first wrong frame."""
        text = self.text_alone(data)
        return self._cut(data) if text is None else [(TEXT, text)]

    def text_alone(self, data: bytes) -> bytes | None:
        """One masked text, short and whole, if that is what has come: nearly always it is all there is."""
        size = len(data) - _SHORT_HEAD
        if not 0 <= size < _TWO_BYTES or data[0] != _WHOLE_TEXT or data[1] - _MASKED != size:
            return None
        if self._rest or self._kind != CONTINUED or size > self._max:
            return None
        return apply_mask(data[_SHORT_HEAD:], data[2:_SHORT_HEAD])

    def _cut(self, data: bytes) -> list[tuple[int, bytes]]:
        """Whatever has come, frame by frame."""
        buffer = data
        if self._rest:
            self._rest += data
            if len(self._rest) < self._needed:
                return []
            buffer = bytes(self._rest)
        found: list[tuple[int, bytes]] = []
        at, end, self._needed = 0, len(buffer), 2
        while end - at >= 2:
            first, second = buffer[at], buffer[at + 1]
            size, start = second & _SIZE, at + 2 + _MASK_BYTES
            self._check(first, second)
            if size == _TWO_BYTES:
                if end - at < 4:
                    break
                size, start = _short.unpack_from(buffer, at + 2)[0], start + 2
            elif size == _EIGHT_BYTES:
                if end - at < 10:
                    break
                size, start = _long.unpack_from(buffer, at + 2)[0], start + 8
            if size + self._size > self._max and not first & CLOSE:
                raise FrameFault(TOO_BIG, f"a message has at most {self._max} bytes")
            if end - start < size:
                self._needed = start + size - at
                break
            payload = apply_mask(buffer[start : start + size], buffer[start - _MASK_BYTES : start])
            at = start + size
            message = self._whole(first & _KIND, payload, bool(first & _FIN))
            if message is not None:
                found.append(message)
        if self._rest or at < end:
            self._rest = bytearray(buffer[at:])
        return found

    def _check(self, first: int, second: int) -> None:
        """What the first two bytes of a frame tell."""
        kind = first & _KIND
        if first & _RESERVED or kind not in _KINDS:
            raise FrameFault(PROTOCOL_BROKEN, "a reserved bit or kind of frame")
        if not second & _MASKED:
            raise FrameFault(PROTOCOL_BROKEN, "a client masks its frames")
        if kind & CLOSE:
            if not first & _FIN or second & _SIZE > _CONTROL_MAX:
                raise FrameFault(PROTOCOL_BROKEN, "a control frame is whole and short")
        elif (kind == CONTINUED) != (self._kind != CONTINUED):
            raise FrameFault(PROTOCOL_BROKEN, "a frame that does not go on with its message")

    def _whole(self, kind: int, payload: bytes, last: bool) -> tuple[int, bytes] | None:
        """The message that a frame completes, if it does."""
        if kind & CLOSE or (last and kind != CONTINUED):
            return kind, payload
        if kind != CONTINUED:
            self._kind = kind
        if payload:  # empty parts are lawful, and nothing to keep
            self._parts.append(payload)
            self._size += len(payload)
        if not last:
            return None
        message = self._kind, b"".join(self._parts)
        self._kind, self._parts, self._size = CONTINUED, [], 0
        return message


def framed(kind: int, payload: bytes) -> bytes:
    """A server's frame, which is not masked."""
    size = len(payload)
    return (TEXT_HEADS[size] if kind == TEXT and size < HEADS_KEPT else _head(kind, size)) + payload


def _head(kind: int, size: int) -> bytes:
    if size < _TWO_BYTES:
        return bytes((_FIN | kind, size))
    if size <= 0xFFFF:
        return bytes((_FIN | kind, _TWO_BYTES)) + _short.pack(size)
    return bytes((_FIN | kind, _EIGHT_BYTES)) + _long.pack(size)


HEADS_KEPT: Final = 1_024
TEXT_HEADS: Final = [_head(TEXT, size) for size in range(HEADS_KEPT)]


def closing(code: int, words: str = "") -> bytes:
    """A close frame; without a code where the client gave none."""
    if code == NO_CODE:
        return framed(CLOSE, b"")
    return framed(CLOSE, _short.pack(code) + words.encode()[: _CONTROL_MAX - 2])


def closed_with(payload: bytes) -> tuple[int, str]:
    """The code and the words of a client's close frame."""
    if not payload:
        return NO_CODE, ""
    if len(payload) < _short.size:
        raise FrameFault(PROTOCOL_BROKEN, "half a close code")
    code = _short.unpack_from(payload)[0]
    if not (code in EXTERNAL_CLOSE_CODES or 3000 <= code < 5000):
        raise FrameFault(PROTOCOL_BROKEN, f"{code} is no close code")
    try:
        return code, payload[_short.size :].decode()
    except UnicodeDecodeError:
        raise FrameFault(NOT_UTF8, "the reason of a closing is UTF-8") from None
