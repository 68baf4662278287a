"""What a house keeps its log with, and that none of it tells the key."""

from dataclasses import replace
from datetime import timedelta

from taisai.adapters.clock import ManualClock
from taisai.adapters.signing.keys import verifies_raw
from taisai.floor.proofs.cosigning import LogWitness
from taisai.floor.proofs.log_files import MemoryLog
from taisai.proof.notes import is_signed, read_note
from tests.record import START
from tests.unit.floor.kept_evening import empty_store
from tests.unit.floor.proofs.played import closing, log_of, opening
from tests.unit.floor.proofs_house import LOG_KEY, log_keeping
from tests.unit.proof.test_notes import WITNESS_KEY


async def nobody(text: str) -> tuple[int, str]:
    raise OSError(f"nobody hears {len(text)} signs")


async def test_the_registrar_writes_these_files_and_signs_with_this_key() -> None:
    """What the record's log has is signed at the start, under the house's name."""
    store, files = empty_store(), MemoryLog()
    await log_of(store, [opening(), closing(0)])
    registrar = log_keeping(files).registrar(store, ManualClock(START))
    await registrar.desk.start()
    await registrar.start({})
    assert registrar.files is files
    assert files.position().size == 2
    note = read_note(files.last_signed())
    assert is_signed(note, LOG_KEY, verifies_raw)
    await registrar.stop()
    await registrar.desk.stop()


def test_how_often_it_signs_is_the_houses_to_say() -> None:
    """At most once a second where it does not."""
    for keeping, pause in (
        (log_keeping(MemoryLog()), 1),
        (replace(log_keeping(MemoryLog()), pause_seconds=7.5), 7.5),
    ):
        registrar = keeping.registrar(empty_store(), ManualClock(START))
        assert registrar._pause == timedelta(seconds=pause)


def test_its_witnesses_are_asked_about_its_registrars_checkpoints() -> None:
    """A house that names no way to check signatures takes none for good."""
    witness = LogWitness(WITNESS_KEY, nobody)
    keeping = replace(log_keeping(MemoryLog()), witnesses=(witness,))
    registrar = keeping.registrar(empty_store(), ManualClock(START))
    cosigning = keeping.cosigning(registrar)
    assert cosigning.registrar is registrar
    assert cosigning.witnesses == (witness,)
    assert cosigning.verify(b"", b"", b"") is False
    assert "sign=" not in repr(keeping)
