"""Has the house's checkpoints cosigned: each witness gets the last one, with a proof from what it knows."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from taisai.errors import TaisaiError
from taisai.floor.proofs.log_state import read_lines
from taisai.floor.proofs.registrar import Registrar
from taisai.proof.merkle import consistency
from taisai.proof.notes import NoteKey, SignedNote, Verify, cosigners, read_checkpoint, with_lines
from taisai.proof.tiles import TileReader
from taisai.proof.witnessing import request_text

log = logging.getLogger("taisai.cosigning")

_TRIES: Final = 3
_WAITING_MAX: Final = 16  # checkpoints that a slow witness is told of

# A request's text: the status and the text of the answer.
Post = Callable[[str], Awaitable[tuple[int, str]]]


class LogWitness(NamedTuple):
    """Somebody who cosigns: their key, and how they are asked."""

    key: NoteKey
    post: Post


@dataclass
class Cosigning:
    """Follows the registrar; a witness that is slow or away is told of the last checkpoints afterwards."""

    registrar: Registrar
    witnesses: tuple[LogWitness, ...]
    verify: Verify
    _sizes: dict[str, int] = field(default_factory=dict)
    _tasks: dict[str, "asyncio.Task[None]"] = field(default_factory=dict)
    _waiting: dict[str, deque[SignedNote]] = field(default_factory=dict)

    def signed(self, note: SignedNote) -> None:
        """The house signed a checkpoint."""
        for witness in self.witnesses:
            name = witness.key.name
            self._waiting.setdefault(name, deque(maxlen=_WAITING_MAX)).append(note)
            running = self._tasks.get(name)
            if running is None or running.done():
                self._tasks[name] = asyncio.get_running_loop().create_task(self._ask_all(witness))

    async def stop(self) -> None:
        """Nobody is asked any more."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _ask_all(self, witness: LogWitness) -> None:
        """One checkpoint after the other: each of them may be the only one with a closing and no dice yet."""
        waiting = self._waiting[witness.key.name]
        while waiting:
            await self._ask(witness, waiting.popleft())

    async def _ask(self, witness: LogWitness, note: SignedNote) -> None:
        name, size = witness.key.name, read_checkpoint(note.text).size
        try:
            for _ in range(_TRIES):
                old = min(self._sizes.get(name, 0), size)
                status, text = await witness.post(request_text(old, self._proof(old, size), note))
                known = int(text) if status == 409 and text.strip().isdigit() else size + 1
                if known < size or known == size != old:  # the same: it signed this, and its answer was lost
                    self._sizes[name] = known
                    continue
                if status == 200:
                    await self._keep(witness, note, size, text)
                else:
                    log.warning(
                        "%s did not sign the checkpoint at %d: %d %s", name, size, status, text.strip()
                    )
                return
            log.warning("%s says each time that it knows another part of the log; left at %d", name, size)
        except (TaisaiError, OSError) as error:
            log.warning("%s could not be asked to sign: %s", name, error)

    def _proof(self, old: int, size: int) -> list[bytes]:
        files = self.registrar.files
        return consistency(TileReader(files.position().size, files.read).node, old, size)

    async def _keep(self, witness: LogWitness, note: SignedNote, size: int, text: str) -> None:
        """Only what is good is kept."""
        lines = [line for line in read_lines([text]) if line.name == witness.key.name]
        if not cosigners(with_lines(note, lines), [witness.key], self.verify):
            log.warning("%s answered with a signature that is not good", witness.key.name)
            return
        self._sizes[witness.key.name] = size
        await self.registrar.cosign(size, lines)
