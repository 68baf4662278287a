"""Sealing of small secrets: the record holds them, and only who has the key can read them.

AES-256-GCM. What a secret is about is bound to it, so that one person's cannot be put in another's place.
"""

import base64
import hmac
import os
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from taisai.errors import InputError

_PREFIX = "sealed1:"
_NONCE_LEN = 12
KEY_LEN = 32


class Sealer:
    """Seals and opens texts with one key, which lies outside the store."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_LEN:
            raise InputError(f"a sealing key has {KEY_LEN} bytes, got {len(key)}")
        self._key, self._cipher = key, AESGCM(key)

    def derived(self, purpose: str) -> bytes:
        """A key for one purpose, from which this one does not follow."""
        return derived(self._key, purpose)

    def seal(self, text: str, *, about: str) -> str:
        return self._seal(text, about, os.urandom(_NONCE_LEN))

    def seal_random(self, text: str, *, about: str) -> str:
        """Seal what is random itself: the same twice is sealed alike, so that what is simulated repeats."""
        return self._seal(
            text, about, hmac.digest(self._key, f"{about}\n{text}".encode(), "sha256")[:_NONCE_LEN]
        )

    def _seal(self, text: str, about: str, nonce: bytes) -> str:
        sealed = self._cipher.encrypt(nonce, text.encode(), about.encode())
        return _PREFIX + base64.b64encode(nonce + sealed).decode()

    def open(self, sealed: str, *, about: str) -> str:
        """The text, or an error when it was sealed with another key or about something else."""
        if not sealed.startswith(_PREFIX):
            raise InputError("expected a sealed secret, got something else")
        try:
            raw = base64.b64decode(sealed[len(_PREFIX) :], validate=True)
            return self._cipher.decrypt(raw[:_NONCE_LEN], raw[_NONCE_LEN:], about.encode()).decode()
        except (InvalidTag, ValueError):
            raise InputError(
                f"the secret about {about} cannot be opened: another key, or it was altered"
            ) from None


def derived(secret: bytes, purpose: str) -> bytes:
    """A key for one purpose, from which the secret does not follow."""
    return hmac.digest(secret, f"taisai derived key 1\n{purpose}".encode(), "sha256")


def load_secret(path: Path, length: int = KEY_LEN) -> bytes:
    """The random bytes of a file that only its owner can read."""
    return _load(path, length)


def load_secret_text(path: Path) -> str:
    """The text of a file that only its owner can read, such as a PIN; blanks around it do not count."""
    try:
        text = _read_private(path).decode().strip()
    except UnicodeDecodeError:
        raise InputError(f"expected a text in {path}") from None
    if not text:
        raise InputError(f"expected a text in {path}, it is empty")
    return text


def load_or_make_secret(path: Path, length: int = KEY_LEN) -> bytes:
    """Random bytes in a file that only its owner can read, made on first use and never overwritten."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _load(path, length)
    except OSError as error:
        raise InputError(f"cannot write the secret {path}: {error.strerror}") from None
    secret = os.urandom(length)
    with os.fdopen(descriptor, "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
    return secret


def house_secret(path: Path, *, begun: bool) -> bytes:
    """A secret of the house. A record that has begun was made with one; another is of no use to it."""
    if begun and not path.exists():
        raise InputError(
            f"{path} is not there, and the record was made with it: put the copy of the keys back"
        )
    return load_or_make_secret(path)


def _load(path: Path, length: int) -> bytes:
    secret = _read_private(path)
    if len(secret) != length:
        raise InputError(f"expected {length} bytes in {path}, got {len(secret)}")
    return secret


def _read_private(path: Path) -> bytes:
    try:
        mode = path.stat().st_mode & 0o777
        secret = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the secret {path}: {error.strerror}") from None
    if mode & 0o077:
        raise InputError(f"the secret {path} can be read by others (mode {mode:o}); expected mode 600")
    return secret
