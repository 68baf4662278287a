"""A house in memory that makes proofs, for tests."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from taisai.adapters.signing.keys import SigningKey
from taisai.floor.proofs.log_files import LogFiles
from taisai.floor.proofs.log_keeping import LogKeeping
from taisai.floor.table.notary import Notarising
from taisai.proof.notes import note_key

ORIGIN = "house.example/taisai"
RECEIPTS_KEY = bytes(range(0x20, 0x40))


def _seal(about: str, secret: bytes) -> str:
    return f"{about}|{secret.hex()[::-1]}"


def _unseal(about: str, sealed: str) -> bytes:
    assert sealed.startswith(f"{about}|")
    return bytes.fromhex(sealed.rpartition("|")[2][::-1])


def notarising() -> Notarising:
    """What a house makes its proofs with; the seal only turns a secret round."""
    return Notarising(ORIGIN, RECEIPTS_KEY, _seal, _unseal)


LOG_SIGNER = SigningKey(Ed25519PrivateKey.from_private_bytes(b"\x01" * 32))
LOG_KEY = note_key(ORIGIN, LOG_SIGNER.public)


def log_keeping(files: LogFiles) -> LogKeeping:
    """What a house keeps its log with."""
    return LogKeeping(LOG_KEY, LOG_SIGNER.sign, files)
