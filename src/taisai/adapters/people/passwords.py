"""Passwords: Argon2id hashes, sealed, so that neither the record nor an export of it can be guessed at."""

import secrets
import unicodedata
from collections.abc import Iterable
from functools import cached_property

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from taisai.adapters.sealing import Sealer
from taisai.errors import InputError
from taisai.floor.staff.messages import PasswordFacts

PASSWORD_LEN_MAX = 256
# No sign that can be mistaken for another when a one-time password is read from paper.
_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"


def plain(password: str) -> str:
    """The same password from every keyboard: one form of each sign."""
    return unicodedata.normalize("NFKC", password)


def one_time_password() -> str:
    """A password to be changed at the first login: four groups of five, 99 bits."""
    return "-".join("".join(secrets.choice(_SIGNS) for _ in range(5)) for _ in range(4))


class Passwords:
    """Makes and verifies hashes. Each is sealed to the name it belongs to."""

    def __init__(self, sealer: Sealer, hasher: PasswordHasher | None = None) -> None:
        self._sealer = sealer
        self._hasher = hasher or PasswordHasher()

    def hash(self, name: str, password: str) -> str:
        """What the staff list keeps. It takes a good part of 0.1 s: call it off the event loop."""
        if len(password) > PASSWORD_LEN_MAX:
            raise InputError(f"a password has at most {PASSWORD_LEN_MAX} characters, got {len(password)}")
        return self._sealer.seal(self._hasher.hash(plain(password)), about=f"password of {name}")

    def verify(self, name: str, stored: str | None, password: str) -> bool:
        """Whether the password is right. A name without a hash costs the same work, and is never right."""
        if len(password) > PASSWORD_LEN_MAX:
            password = ""
        hashed = self._nobody if stored is None else self._open(name, stored)
        return self._matches(hashed, password) and stored is not None

    def needs_rehash(self, name: str, stored: str) -> bool:
        """Whether the hash was made with other settings than those of today."""
        return self._hasher.check_needs_rehash(self._open(name, stored))

    def facts(self, name: str, password: str, earlier: Iterable[str] = ()) -> PasswordFacts:
        """What the staff list may know of a new password; `earlier` are hashes that it must not match."""
        text = plain(password)
        return PasswordFacts(
            length=len(text),
            signs=len(set(text)),
            holds_name=name.casefold() in text.casefold(),
            reused=any(self._matches(self._open(name, stored), password) for stored in earlier),
        )

    def _open(self, name: str, stored: str) -> str:
        return self._sealer.open(stored, about=f"password of {name}")

    def _matches(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, plain(password))
        except (VerificationError, InvalidHashError):
            return False

    @cached_property
    def _nobody(self) -> str:
        return self._hasher.hash(secrets.token_hex(16))
