"""A key that is quick: evenings test what is signed and when, and the crash tests test signatures."""

import hmac

KEY_ID = "evenings"
_SECRET = b"a signing key for evenings only"


class QuickSigner:
    """Signs by HMAC, a tenth of the time of a real signature."""

    key_id = KEY_ID
    public = _SECRET.ljust(32)

    def sign(self, message: bytes) -> bytes:
        return hmac.digest(_SECRET, message, "sha512")


class QuickKeys:
    """Verifies what `QuickSigner` signed."""

    def __init__(self) -> None:
        self.raw = {KEY_ID: _SECRET.ljust(32)}

    def knows(self, key_id: str) -> bool:
        return key_id == KEY_ID

    def extended(self, public: bytes) -> "QuickKeys":
        return self

    def verifies(self, key_id: str, signature: bytes, message: bytes) -> bool:
        signed = hmac.digest(_SECRET, message, "sha512")
        return key_id == KEY_ID and hmac.compare_digest(signature, signed)
