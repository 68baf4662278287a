"""Ed25519 keys in files: the private one outside the store, the public one for whoever wants to verify."""

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from taisai.errors import InputError

_BEGIN = b"-----BEGIN PUBLIC KEY-----"


def key_id(public: bytes) -> str:
    """The name of a key: the first half of the SHA-256 of its 32 raw bytes, in hex."""
    return sha256(public).hexdigest()[:32]


class SigningKey:
    """Signs commits."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self._public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self._id = key_id(self._public)

    @property
    def public(self) -> bytes:
        return self._public

    @property
    def key_id(self) -> str:
        return self._id

    def sign(self, message: bytes) -> bytes:
        return self._private.sign(message)


class PublicKeys:
    """Verifies signatures by any of these keys."""

    def __init__(self, keys: Iterable[bytes]) -> None:
        self.raw = {key_id(public): public for public in keys}
        self._keys = {name: Ed25519PublicKey.from_public_bytes(raw) for name, raw in self.raw.items()}

    def knows(self, key_id: str) -> bool:
        return key_id in self.raw

    def verifies(self, key_id: str, signature: bytes, message: bytes) -> bool:
        key = self._keys.get(key_id)
        if key is None:
            return False
        try:
            key.verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def extended(self, public: bytes) -> "PublicKeys":
        """These keys and one more."""
        return PublicKeys([*self.raw.values(), public])


def generate_key(path: Path) -> SigningKey:
    """Make a key file that only its owner can read, and `PATH.pub` beside it; never overwrites one."""
    if public_path(path).exists() and not path.exists():
        raise InputError(f"{public_path(path)} is already there, so its key is elsewhere; none is made")
    private = Ed25519PrivateKey.generate()
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise InputError(f"{path} is already there; a key is never overwritten") from None
    except OSError as error:
        raise InputError(f"cannot write the key {path}: {error.strerror}") from None
    with os.fdopen(descriptor, "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())
    key = SigningKey(private)
    public_path(path).write_bytes(public_pem(key.public))
    return key


def public_pem(public: bytes) -> bytes:
    """A raw public key in PEM form."""
    key = Ed25519PublicKey.from_public_bytes(public)
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def public_path(path: Path) -> Path:
    """Where the public half of a key file lies."""
    return path.with_name(path.name + ".pub")


def load_key(path: Path) -> SigningKey:
    """Read a key file; one that others can read is refused."""
    try:
        mode = path.stat().st_mode & 0o777
        pem = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the key {path}: {error.strerror}") from None
    if mode & 0o077:
        raise InputError(f"the key {path} can be read by others (mode {mode:o}); expected mode 600")
    try:
        private = load_pem_private_key(pem, None)
    except (ValueError, TypeError):
        raise InputError(f"expected an Ed25519 key in PEM form in {path}") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise InputError(f"expected an Ed25519 key in {path}, got {type(private).__name__}")
    return SigningKey(private)


def load_public_keys(paths: Iterable[Path]) -> PublicKeys:
    """Public keys from PEM files, each with one or several of them."""
    return PublicKeys([public for path in paths for public in _load_public(path)])


def public_keys_in(folder: Path) -> PublicKeys:
    """All public keys of a folder: the one in use, and those that a house has used before."""
    return load_public_keys(sorted(folder.glob("*.pub")))


def _load_public(path: Path) -> list[bytes]:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the key {path}: {error.strerror}") from None
    parts = [_BEGIN + part for part in raw.split(_BEGIN) if part.strip()] if raw.count(_BEGIN) > 1 else [raw]
    return [_read_public(path, part) for part in parts]


def _read_public(path: Path, pem: bytes) -> bytes:
    try:
        public = load_pem_public_key(pem)
    except ValueError:
        raise InputError(f"expected a public key in PEM form in {path}") from None
    if not isinstance(public, Ed25519PublicKey):
        raise InputError(f"expected an Ed25519 key in {path}, got {type(public).__name__}")
    return public.public_bytes(Encoding.Raw, PublicFormat.Raw)


def verifies_raw(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether a signature is by the key of these raw 32 bytes."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
