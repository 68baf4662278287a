"""One audit of a record, for the command, the audit page and the keeper: the same checks, whoever asks."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from taisai.adapters.scratch import Scratch
from taisai.adapters.witness import FileWitness
from taisai.floor.audit.whole import Report, audit
from taisai.record.ports import KeyRing, RecordSnapshot


async def audited(
    read_record: Callable[[], AbstractAsyncContextManager[RecordSnapshot]],
    keys: KeyRing,
    witness: Path | None = None,
) -> Report:
    """Audit a record with all that is known of it from outside; raises the first fault."""
    witnessed = FileWitness(witness).kept() if witness else ()
    async with read_record() as snapshot:
        return await audit(snapshot, keys, witnessed=witnessed, scratch=Scratch)
