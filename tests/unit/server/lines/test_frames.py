"""Frames: what a client may send, in any pieces, and what it may not; and that the library agrees."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from taisai.server.lines.frames import (
    BINARY,
    CLOSE,
    CONTINUED,
    PING,
    PONG,
    TEXT,
    FrameFault,
    FrameReader,
    closed_with,
    closing,
    framed,
)

BYTES_MAX = 300


def sent(kind: int, payload: bytes = b"", *, fin: bool = True, mask: bytes = b"\x01\x02\x03\x04") -> bytes:
    """A frame as a client makes it."""
    size = len(payload)
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 1 << 16:
        length = b"\xfe" + struct.pack("!H", size)
    else:
        length = b"\xff" + struct.pack("!Q", size)
    masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
    return bytes([kind | (0x80 if fin else 0)]) + length + mask + masked


def read(data: bytes, *, step: int = 0, bytes_max: int = BYTES_MAX) -> list[tuple[int, bytes]]:
    """All messages, fed at once or in pieces."""
    reader, found = FrameReader(bytes_max), []
    for start in range(0, len(data), step or max(1, len(data))):
        found += reader.feed(data[start : start + step] if step else data)
    return found


CONVERSATION = (
    sent(TEXT, "大 and 小".encode())
    + sent(PING, b"still there")
    + sent(TEXT, b"one, ", fin=False)
    + sent(PONG)  # control frames come between the parts of a message
    + sent(CONTINUED, b"", fin=False)
    + sent(CONTINUED, b"two", mask=b"\0\0\0\0")
    + sent(BINARY, bytes(range(200)))
    + sent(TEXT)
    + sent(CLOSE, struct.pack("!H", 1000) + b"bye")
)
HEARD = [
    (TEXT, "大 and 小".encode()),
    (PING, b"still there"),
    (PONG, b""),
    (TEXT, b"one, two"),
    (BINARY, bytes(range(200))),
    (TEXT, b""),
    (CLOSE, struct.pack("!H", 1000) + b"bye"),
]


@pytest.mark.parametrize("step", [0, *range(1, 40)])
def test_a_conversation_is_the_same_in_whatever_pieces_it_comes(step: int) -> None:
    """TCP cuts where it likes: in the head, in the mask, in the middle of a letter."""
    assert read(CONVERSATION, step=step) == HEARD


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(b"\xc1\x80\0\0\0\0", 1002, id="a reserved bit"),
        pytest.param(sent(0x3), 1002, id="a reserved kind of data"),
        pytest.param(sent(0xB), 1002, id="a reserved kind of control"),
        pytest.param(b"\x81\x02hi", 1002, id="not masked"),
        pytest.param(sent(CONTINUED, b"x"), 1002, id="goes on with nothing"),
        pytest.param(sent(TEXT, b"x", fin=False) + sent(TEXT, b"y"), 1002, id="a message within a message"),
        pytest.param(sent(PING, b"x", fin=False), 1002, id="a ping in parts"),
        pytest.param(sent(PING, b"x" * 126), 1002, id="a long ping"),
        pytest.param(sent(TEXT, b"x" * (BYTES_MAX + 1)), 1009, id="a long text"),
        pytest.param(b"\x81\xff" + b"\xff" * 8, 1009, id="sixteen exabytes, announced"),
        pytest.param(
            sent(TEXT, b"x" * 200, fin=False) + sent(CONTINUED, b"x" * 200), 1009, id="long in all its parts"
        ),
    ],
)
def test_what_is_no_websocket_is_said_with_its_code(data: bytes, code: int) -> None:
    """And at once: nobody waits for the bytes that a head announces."""
    with pytest.raises(FrameFault) as fault:
        read(data)
    assert fault.value.code == code
    with pytest.raises(FrameFault) as fault:
        read(data, step=1)
    assert fault.value.code == code


@pytest.mark.parametrize(
    ("payload", "told"),
    [
        (b"", (1005, "")),
        (struct.pack("!H", 1001), (1001, "")),
        (struct.pack("!H", 4321) + "再見".encode(), (4321, "再見")),
    ],
)
def test_a_client_says_how_it_closes(payload: bytes, told: tuple[int, str]) -> None:
    """With a code, with words, or with neither."""
    assert closed_with(payload) == told


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (b"\x03", 1002),
        (struct.pack("!H", 999), 1002),
        (struct.pack("!H", 1005), 1002),
        (struct.pack("!H", 5000), 1002),
        (struct.pack("!H", 1000) + b"\xff", 1007),
    ],
)
def test_a_closing_that_makes_no_sense_is_a_fault(payload: bytes, code: int) -> None:
    """Codes that nobody may send, and words that are no text."""
    with pytest.raises(FrameFault) as fault:
        closed_with(payload)
    assert fault.value.code == code


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536, 70_000])
def test_what_the_server_sends_is_read_by_the_library(size: int) -> None:
    """At every width of the length."""
    frame = framed(TEXT, b"x" * size)
    assert frame == Frame(Opcode.TEXT, b"x" * size).serialize(mask=False)


def test_a_closing_has_room_for_its_words() -> None:
    """A control frame has at most 125 bytes, whatever there is to say."""
    assert closing(1009, "w" * 400) == Frame(Opcode.CLOSE, struct.pack("!H", 1009) + b"w" * 123).serialize(
        mask=False
    )
    assert closing(1005) == Frame(Opcode.CLOSE, b"").serialize(mask=False)


FRAMES = st.lists(
    st.builds(
        sent,
        st.sampled_from([CONTINUED, TEXT, BINARY, PING, PONG, 0x3, 0xB]),
        st.binary(max_size=140),
        fin=st.booleans(),
        mask=st.binary(min_size=4, max_size=4),
    ),
    max_size=6,
)


def by_library(data: bytes) -> tuple[list[tuple[int, bytes]], int | None]:
    """What the library hears: messages put together, control frames, and the code of its first fault."""
    library = ServerProtocol(max_size=BYTES_MAX, state=OPEN)
    library.receive_data(data)
    heard: list[tuple[int, bytes]] = []
    parts: list[bytes] = []
    begun = TEXT
    for event in library.events_received():
        assert isinstance(event, Frame)
        if event.opcode >= CLOSE:
            heard.append((int(event.opcode), bytes(event.data)))
            continue
        begun = begun if event.opcode is Opcode.CONT else int(event.opcode)
        parts.append(bytes(event.data))
        if event.fin:
            heard.append((begun, b"".join(parts)))
            parts = []
    return heard, library.close_sent.code if library.parser_exc and library.close_sent else None


@given(FRAMES, st.integers(0, 2000), st.integers(0, 255), st.integers(1, 60))
def test_the_library_hears_the_same(frames: list[bytes], place: int, flip: int, step: int) -> None:
    """Any frames, with a byte turned over somewhere: the same messages, then the same fault."""
    data = bytearray(b"".join(frames))
    if data:
        data[place % len(data)] ^= flip
    data += bytes(BYTES_MAX + 100)  # frames that are cut short come to their end, and zeros are a fault
    reader, ours, code = FrameReader(BYTES_MAX), [], None
    try:
        for start in range(0, len(data), step):
            for kind, payload in reader.feed(bytes(data[start : start + step])):
                if kind == CLOSE:
                    closed_with(payload)  # as the line does at once: half a code is a fault, too
                ours.append((kind, payload))
    except FrameFault as fault:
        code = fault.code
    theirs, their_code = by_library(bytes(data))
    if not any(kind == CLOSE for kind, _ in theirs):  # behind a closing the library hears nothing more
        assert ours == theirs[: len(ours)]  # of the bytes that bring a fault, we take none
        assert {code, their_code} <= {1002, 1007, 1009}  # a frame can have two faults
