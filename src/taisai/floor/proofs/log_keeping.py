"""What a house keeps its log with, and who else signs."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from taisai.floor.desks.desk import Desk
from taisai.floor.proofs.cosigning import Cosigning, LogWitness
from taisai.floor.proofs.log_files import LogFiles
from taisai.floor.proofs.log_state import log_desk
from taisai.floor.proofs.registrar import Registrar
from taisai.floor.table.dealing import Timer
from taisai.proof.notes import NoteKey, Sign, Verify
from taisai.record.ports import Store

# The text that a second party signs for its share in a round's dice: its signature.
AskShare = Callable[[str, int, bytes], Awaitable[bytes]]


@dataclass(frozen=True, slots=True)
class LogKeeping:
    """The log's key and files, how often it is signed at most, and who has a share in the dice."""

    key: NoteKey
    sign: Sign = field(repr=False)
    files: LogFiles
    pause_seconds: float = 1.0
    ask_share: AskShare | None = None
    witnesses: tuple[LogWitness, ...] = ()
    verify: Verify = lambda public, signature, message: False

    def registrar(self, store: Store, timer: Timer) -> Registrar:
        """Who writes the log."""
        return Registrar(
            Desk(log_desk(), store, timer),
            store,
            timer,
            key=self.key,
            sign=self.sign,
            files=self.files,
            pause_seconds=self.pause_seconds,
        )

    def cosigning(self, registrar: Registrar) -> Cosigning:
        """Who has its checkpoints cosigned."""
        return Cosigning(registrar, self.witnesses, self.verify)
