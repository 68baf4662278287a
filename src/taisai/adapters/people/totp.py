"""One-time codes by time (RFC 6238), as authenticator apps make them: SHA-1, 30 seconds, six digits."""

import base64
import hmac
from datetime import datetime
from hashlib import sha1
from typing import Final
from urllib.parse import quote

from taisai.errors import InputError
from taisai.record.ports import Entropy

STEP_S: Final = 30
DIGITS: Final = 6
WINDOW: Final = 1  # steps that a phone's clock may be off, either way
# What the secret of a second factor is sealed to.
TOTP_ABOUT: Final = "second factor of {name}"
_SECRET_LEN = 20


def new_secret(entropy: Entropy) -> str:
    """A secret in the form in which it is typed or scanned."""
    return base64.b32encode(entropy.random_bytes(_SECRET_LEN)).decode()


def provisioning_uri(secret: str, name: str, issuer: str) -> str:
    """What a QR code shows to an authenticator app."""
    label = f"{quote(issuer)}:{quote(name)}"
    return f"otpauth://totp/{label}?secret={secret}&issuer={quote(issuer)}&digits={DIGITS}&period={STEP_S}"


def step_at(moment: datetime) -> int:
    """The number of the time step."""
    if moment.tzinfo is None:
        raise InputError(f"expected a time with its zone, got {moment.isoformat()}")
    return int(moment.timestamp()) // STEP_S


def code_at(secret: str, step: int, *, digits: int = DIGITS) -> str:
    """The code of one time step (RFC 4226, dynamic truncation)."""
    try:
        key = base64.b32decode(secret, casefold=True)
    except ValueError:
        raise InputError("expected a secret in base 32") from None
    mac = hmac.digest(key, step.to_bytes(8, "big"), sha1)
    offset = mac[-1] & 0xF
    number = int.from_bytes(mac[offset : offset + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**digits:0{digits}d}"


def matching_step(secret: str, code: str, now: datetime, *, after: int = 0) -> int | None:
    """The time step whose code this is, within the window and after the last one used; none when wrong.

    Every step of the window is compared, so the time taken tells nothing.
    """
    given = code.replace(" ", "").encode()
    here = step_at(now)
    matched = None
    for step in range(here - WINDOW, here + WINDOW + 1):
        is_equal = hmac.compare_digest(code_at(secret, step).encode(), given)
        if is_equal and step > after and matched is None:
            matched = step
    return matched
