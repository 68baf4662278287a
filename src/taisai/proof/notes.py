"""Signed notes and checkpoints as C2SP has them: signed-note, tlog-checkpoint, tlog-cosignature.

A verifier never guesses: a note is read in one spelling only, and a line by a key that is known must be good.
Lines by keys that are not known are carried along and count for nothing.
"""

import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Final, NamedTuple

from taisai.errors import InputError
from taisai.proof.merkle import HASH_BYTES

ED25519: Final = 0x01
COSIGNATURE: Final = 0x04
NOTE_BYTES_MAX: Final = 16_384
SIZE_MAX: Final = 2**53 - 1
_NAME: Final = re.compile(r"[^\s+\x00-\x1f\x7f]{1,128}")
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,15}")
_SIGNATURE: Final = 64
_LINES_MAX: Final = 32

# The points of small order in every encoding that some library reads: a key that proves nothing.
SMALL_ORDER: Final = frozenset(
    bytes.fromhex(text)
    for text in (
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    )
)

# A public key, a signature and a message: whether they belong together.
Verify = Callable[[bytes, bytes, bytes], bool]
Sign = Callable[[bytes], bytes]


class NoteKey(NamedTuple):
    """A key that signs notes: its name, what kind of signature it makes, its raw public half."""

    name: str
    kind: int
    public: bytes

    @property
    def hint(self) -> bytes:
        """The four bytes by which a line names its key."""
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:4]

    def __str__(self) -> str:
        raw = b64encode(bytes([self.kind]) + self.public).decode()
        return f"{self.name}+{self.hint.hex()}+{raw}"


def note_key(name: str, public: bytes, kind: int = ED25519) -> NoteKey:
    """A key under its name; one of small order, which anybody could sign with, is refused."""
    if not _NAME.fullmatch(name):
        raise InputError(f"expected a key's name without blanks and +, got {name!r}")
    if len(public) != 32 or public in SMALL_ORDER:
        raise InputError(f"the key of {name} is no Ed25519 key that proves anything")
    return NoteKey(name, kind, public)


def read_key(text: str) -> NoteKey:
    """A verifier key such as `house.example/taisai+f714bf17+AYqI...`."""
    name, _, rest = text.strip().partition("+")
    hint, _, encoded = rest.partition("+")
    raw = strict_base64(encoded)
    if raw is None or len(raw) != 33 or raw[0] not in (ED25519, COSIGNATURE):
        raise InputError(f"expected a key such as NAME+HASH+KEY, got {text.strip()[:80]!r}")
    key = note_key(name, raw[1:], raw[0])
    if key.hint.hex() != hint:
        raise InputError(f"the key of {name} does not fit its own hash {hint!r}")
    return key


def strict_base64(text: str) -> bytes | None:
    """Bytes in their one spelling, or none: no blanks, no missing padding, no spare bits."""
    try:
        raw = b64decode(text, validate=True)
    except (Base64Error, ValueError):
        return None
    return raw if b64encode(raw).decode() == text else None


class NoteLine(NamedTuple):
    """One signature line: the name, and the key's hint before the signature."""

    name: str
    hint: bytes
    signature: bytes

    def __str__(self) -> str:
        return f"\u2014 {self.name} {b64encode(self.hint + self.signature).decode()}\n"


class SignedNote(NamedTuple):
    """A text and who signed it."""

    text: str
    lines: tuple[NoteLine, ...]

    def __str__(self) -> str:
        return self.text + "\n" + "".join(map(str, self.lines))


def read_note(raw: str) -> SignedNote:
    """A note in its one spelling."""
    if len(raw.encode()) > NOTE_BYTES_MAX:
        raise InputError("a signed note has at most 16384 bytes")
    if any(ord(letter) < 0x20 and letter != "\n" for letter in raw) or "\ufeff" in raw:
        raise InputError("a signed note has no control characters")
    text, found, rest = raw.rpartition("\n\n")
    if not found or not rest.endswith("\n"):
        raise InputError("a signed note is a text, an empty line and signatures")
    lines = [_read_line(line) for line in rest[:-1].split("\n")]
    if len(lines) > _LINES_MAX:
        raise InputError(f"a signed note has at most {_LINES_MAX} signatures")
    return SignedNote(text + "\n", tuple(lines))


def _read_line(line: str) -> NoteLine:
    dash, _, rest = line.partition(" ")
    name, _, encoded = rest.partition(" ")
    raw = strict_base64(encoded)
    if dash != "\u2014" or not _NAME.fullmatch(name) or raw is None or len(raw) < 5:
        raise InputError("expected a signature line with a name and base64")
    return NoteLine(name, raw[:4], raw[4:])


class LogCheckpoint(NamedTuple):
    """What a log was at one size."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"


def read_checkpoint(text: str) -> LogCheckpoint:
    """The three lines of a checkpoint's text; more of them are allowed and say nothing here."""
    lines = text.split("\n")
    if len(lines) < 4 or lines[-1] or not _NAME.fullmatch(lines[0]) or not _SIZE.fullmatch(lines[1]):
        raise InputError("a checkpoint is an origin, a size and a root, each on its line")
    root = strict_base64(lines[2])
    if root is None or len(root) != HASH_BYTES or int(lines[1]) > SIZE_MAX or "" in lines[3:-1]:
        raise InputError("a checkpoint is an origin, a size and a root, each on its line")
    return LogCheckpoint(lines[0], int(lines[1]), root)


def signed(checkpoint: LogCheckpoint, key: NoteKey, sign: Sign) -> SignedNote:
    """A checkpoint with its log's own signature."""
    return signed_text(checkpoint.text, key, sign)


def signed_text(text: str, key: NoteKey, sign: Sign) -> SignedNote:
    """A text with one signature."""
    return SignedNote(text, (NoteLine(key.name, key.hint, sign(text.encode())),))


def cosigned_text(time: int, text: str) -> bytes:
    """What a witness signs."""
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def cosignature(text: str, time: int, key: NoteKey, sign: Sign) -> NoteLine:
    """A witness's line under a checkpoint."""
    return NoteLine(key.name, key.hint, time.to_bytes(8, "big") + sign(cosigned_text(time, text)))


class Cosigned(NamedTuple):
    """A witness that saw a checkpoint, and when it says so (in seconds since 1970)."""

    name: str
    time: int


def is_by(line: NoteLine, key: NoteKey) -> bool:
    """Whether a line says that it is by a key."""
    return line.name == key.name and line.hint == key.hint


def is_signed(note: SignedNote, key: NoteKey, verify: Verify) -> bool:
    """Whether a note has a line of the key, and every such line is good."""
    lines = [line for line in note.lines if is_by(line, key)]
    return bool(lines) and all(
        len(line.signature) == _SIGNATURE and verify(key.public, line.signature, note.text.encode())
        for line in lines
    )


def cosigners(note: SignedNote, keys: Iterable[NoteKey], verify: Verify) -> list[Cosigned] | None:
    """The known witnesses of a checkpoint; none at all where a line by one of them is not good."""
    seen: list[Cosigned] = []
    for key in keys:
        for line in note.lines:
            if not is_by(line, key):
                continue
            time = int.from_bytes(line.signature[:8], "big")
            signature, message = line.signature[8:], cosigned_text(time, note.text)
            if time > SIZE_MAX or len(signature) != _SIGNATURE or not verify(key.public, signature, message):
                return None
            seen.append(Cosigned(key.name, time))
    return seen


def with_lines(note: SignedNote, more: Iterable[NoteLine]) -> SignedNote:
    """A note with further signatures; one by a key that signed already takes the place of that line."""
    lines = {(line.name, line.hint): line for line in note.lines}
    lines.update({(line.name, line.hint): line for line in more})
    return SignedNote(note.text, tuple(lines.values()))
