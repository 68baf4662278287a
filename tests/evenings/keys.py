"""A key that is quick: evenings test what is signed and when, and the crash tests test signatures."""

from hashlib import blake2b
from hmac import compare_digest

KEY_ID = "evenings"
_SECRET = b"a signing key for evenings only"


class QuickSigner:
    """Signs by a keyed hash, a small part of the time of a real signature."""

    key_id = KEY_ID
    public = _SECRET.ljust(32)

    def sign(self, message: bytes) -> bytes:
        return blake2b(message, key=_SECRET).digest()


class QuickKeys:
    """Verifies what `QuickSigner` signed."""

    def __init__(self) -> None:
        self.raw = {KEY_ID: _SECRET.ljust(32)}

    def knows(self, key_id: str) -> bool:
        return key_id == KEY_ID

    def extended(self, public: bytes) -> "QuickKeys":
        return self

    def verifies(self, key_id: str, signature: bytes, message: bytes) -> bool:
        signed = blake2b(message, key=_SECRET).digest()
        return key_id == KEY_ID and compare_digest(signature, signed)
