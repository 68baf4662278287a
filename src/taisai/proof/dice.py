"""Dice that follow from a secret that was fixed before the bets and from the root of all bets.

The house commits to 32 random bytes at the opening. After the closing the dice follow from the secret, the
round, the root and, where a second party took part, its signature; anybody can do it again once the secret is
published.
"""

import hmac
from hashlib import sha256
from itertools import count
from typing import Final

from taisai.dice import Roll, roll_of_byte
from taisai.record.journal import digest

SECRET_BYTES: Final = 32


def commitment(origin: str, table: str, number: int, secret: bytes) -> bytes:
    """What the house shows of its secret at the opening."""
    return digest(b"taisai dice commitment 1", origin.encode(), table.encode(), b"%d" % number, secret)


def committed_dice(secret: bytes, context: bytes, root: bytes, share: bytes = b"") -> Roll:
    """The dice of a round: the first byte below 216 of a stream that the secret and all bets determine."""
    for block in count():
        seed = digest(b"taisai dice 1", context, root, share, b"%d" % block)
        for byte in hmac.digest(secret, seed, sha256):
            roll = roll_of_byte(byte)
            if roll is not None:
                return roll
    raise AssertionError("unreachable")


def drawn_digest(secret: bytes, roll: Roll) -> bytes:
    """What the record holds of a draw before it is shown: nothing that could be read without the secret."""
    return digest(b"taisai drawn 1", secret, str(roll).encode())


def share_text(origin: str, table: str, number: int, commitment_base64: str, root_base64: str) -> bytes:
    """What a second party signs after the closing; its signature is its share in the dice."""
    lines = ("taisai dice share 1", origin, table, str(number), commitment_base64, root_base64)
    return "".join(f"{line}\n" for line in lines).encode()
