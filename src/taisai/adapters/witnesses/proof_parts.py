"""What a house makes its proofs with, put together from its folder of keys and its settings."""

from collections.abc import Sequence
from pathlib import Path

from taisai.adapters.sealing import Sealer
from taisai.adapters.signing.keys import generate_key, load_key, verifies_raw
from taisai.adapters.stores import is_postgres, sqlite_path
from taisai.adapters.witnesses.asking import dice_witness, log_witness
from taisai.errors import InputError
from taisai.floor.proofs.log_files import LogFiles
from taisai.floor.proofs.log_keeping import LogKeeping
from taisai.floor.table.notary import Notarising
from taisai.proof.notes import note_key
from taisai.record.ports import Signer


def log_key(keys: Path, *, begun: bool) -> Signer:
    """The key of the house's log: one of its own, which signs no commits.

    With `begun` the log has a key already, and it must be here: nobody takes another one for the house's.
    """
    folder = keys / "log"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / "log.pem"
    if path.exists():
        return load_key(path)
    if begun:
        raise InputError(f"{path} is not there, and the log was begun with it: put the copy of the keys back")
    return generate_key(path)


def log_folder(wanted: str, database: str, keys: Path) -> Path:
    """Where the log's tiles are: as set, or beside the record, or beside the keys."""
    if wanted:
        return Path(wanted)
    if is_postgres(database):
        return keys.with_name("log")
    path = sqlite_path(database)
    return path.with_name(path.name + ".log")


def log_keeping(
    origin: str,
    signer: Signer | None,
    files: LogFiles | None,
    *,
    pause_seconds: float,
    witnesses: Sequence[str],
    share_of: str,
) -> LogKeeping | None:
    """What the house keeps its log with, where it has a key for it."""
    if signer is None or files is None:
        return None
    key = note_key(origin, signer.public)
    return LogKeeping(
        key,
        signer.sign,
        files,
        pause_seconds=pause_seconds,
        ask_share=dice_witness(share_of, key, signer.sign) if share_of else None,
        witnesses=tuple(map(log_witness, witnesses)),
        verify=verifies_raw,
    )


def notarising(origin: str, secret: bytes, sealer: Sealer, former: tuple[str, ...] = ()) -> Notarising | None:
    """What the house makes the trees of its rounds with, where it has a key for their salts."""
    if not secret:
        return None

    def seal(about: str, text: bytes) -> str:
        return sealer.seal_random(text.hex(), about=about)

    def unseal(about: str, sealed: str) -> bytes:
        return bytes.fromhex(sealer.open(sealed, about=about))

    return Notarising(origin, secret, seal, unseal, former)
