"""How a process shows the bus who it is, and knows that the bus is the house's: by files, if at all.

What says who we are is read again for every connection: what was renewed on disk holds from the next on.
"""

import base64
import binascii
import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import nats.errors
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from taisai.errors import InputError

# A seed of an nkey: two bytes that say whose it is, 32 of the key, two that check the others.
_SEED_BYTES: Final = 36
_OF_A_USER: Final = b"\x95\x00"
_PART: Final = r"-----BEGIN {0}-----\s+(\S+)\s+-+END {0}-+"

Said = TypeVar("Said", str, bytes)


class BusRefused(nats.errors.Error):
    """A server of the bus and this process do not take one another."""


@dataclass(frozen=True)
class BusAccess:
    """A user with a password, a token, or a file of credentials; and whose certificates count.

    A user and a password may stand in the address of a server, too.
    """

    user: str = ""
    password_file: str = ""
    token_file: str = ""
    credentials: str = ""
    ca: str = ""
    certificate: str = ""
    certificate_key: str = ""

    def options(self) -> dict[str, Any]:
        """What the client is to connect with. A file that cannot be used is said by its setting."""
        found: dict[str, Any] = {"tls": self._tls()}
        if self.user:
            found |= {"user": self.user, "password": _checked("nats_password_file", self._password)}
        if self.token_file:
            found["token"] = _checked("nats_token_file", self._token)
        if self.credentials:
            found["user_jwt_cb"] = _checked("nats_credentials", self._jwt)
            self._sign("")  # the seed beside it is sound, too
            found["signature_cb"] = self._sign
        return found

    def _password(self) -> str:
        return _line_of(self.password_file)

    def _token(self) -> str:
        return _line_of(self.token_file)

    def _jwt(self) -> bytes:
        _key_in(self.credentials)
        return _part_of(self.credentials, "NATS USER JWT")

    def _sign(self, nonce: str) -> bytes:
        return base64.b64encode(_key_in(self.credentials).sign(nonce.encode()))

    def _tls(self) -> ssl.SSLContext | None:
        """Nothing where no file is named: an address with `tls://` then trusts what the machine trusts."""
        if not (self.ca or self.certificate):
            return None
        try:
            context = ssl.create_default_context(cafile=self.ca or None)
        except OSError as error:  # ssl's own errors are of this kind, too
            raise InputError(f"cluster.nats_ca: {self.ca} cannot be used: {_why(error)}") from None
        try:
            if self.certificate:
                context.load_cert_chain(self.certificate, self.certificate_key)
        except OSError as error:
            files = f"{self.certificate} and {self.certificate_key}"
            raise InputError(
                f"cluster.nats_certificate: {files} cannot be used together: {_why(error)}"
            ) from None
        return context


def _checked(setting: str, read: Callable[[], Said]) -> Callable[[], Said]:
    """The same, which was tried once."""
    try:
        read()
    except (OSError, BusRefused) as error:
        raise InputError(f"cluster.{setting}: {_why(error)}") from None
    return read


def _line_of(path: str) -> str:
    said = Path(path).read_text(encoding="utf-8").strip()
    if not said:
        raise BusRefused(f"expected a file with a line in it, {path} is empty")
    return said


def _part_of(path: str, name: str) -> bytes:
    found = re.search(_PART.format(name).encode(), Path(path).read_bytes())
    if found is None:
        raise BusRefused(f"expected a file of credentials (.creds), {path} has no {name}")
    return found[1]


def _key_in(path: str) -> Ed25519PrivateKey:
    seed = _part_of(path, "USER NKEY SEED")
    try:
        raw = base64.b32decode(seed + b"=" * (-len(seed) % 8))
    except binascii.Error:
        raw = b""
    checked = binascii.crc_hqx(raw[:-2], 0).to_bytes(2, "little")
    if len(raw) != _SEED_BYTES or raw[-2:] != checked or raw[:2] != _OF_A_USER:
        raise BusRefused(f"the seed in {path} is not one of a user of the bus")
    return Ed25519PrivateKey.from_private_bytes(raw[2:-2])


def _why(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename} cannot be read: {error.strerror}"
    return str(getattr(error, "strerror", None) or error)
