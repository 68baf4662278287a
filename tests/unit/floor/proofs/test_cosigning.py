"""Witnesses get each checkpoint with a proof from what they know, and only good lines are kept."""

import asyncio
from pathlib import Path

import pytest

from taisai.adapters.clock import ManualClock
from taisai.adapters.signing.keys import verifies_raw
from taisai.adapters.witnesses.service import WitnessBook
from taisai.floor.proofs.cosigning import Cosigning, LogWitness, Post
from taisai.floor.proofs.log_files import MemoryLog
from taisai.floor.proofs.registrar import Registrar
from taisai.proof.entries import Entry
from taisai.proof.notes import SignedNote, cosigners
from taisai.proof.witnessing import request_text
from tests.floor.houses import settle_down
from tests.record import START
from tests.unit.floor.kept_evening import empty_store
from tests.unit.floor.proofs.played import checkpoint, closing, cosigned, log_of, opening, result
from tests.unit.floor.proofs_house import LOG_KEY, log_keeping
from tests.unit.proof.test_notes import WITNESS, WITNESS_KEY

FIRST: list[Entry] = [opening(), closing(0)]
BOTH: list[Entry] = [*FIRST, result(1)]


class Log:
    """A registrar whose log has two checkpoints, and what a witness was asked."""

    def __init__(self, registrar: Registrar) -> None:
        self.registrar = registrar
        self.asked: list[str] = []

    def cosigning(self, post: Post) -> Cosigning:
        async def heard(text: str) -> tuple[int, str]:
            self.asked.append(text)
            return await post(text)

        return Cosigning(self.registrar, (LogWitness(WITNESS_KEY, heard),), verifies_raw)

    def witnesses(self, size: int) -> list[str]:
        found = cosigners(self.registrar.state.checkpoints[size], [WITNESS_KEY], verifies_raw)
        return [each.name for each in found or ()]


async def a_log() -> Log:
    store = empty_store()
    await log_of(store, FIRST, checkpoint(*FIRST), [BOTH[2]], checkpoint(*BOTH))
    registrar = log_keeping(MemoryLog()).registrar(store, ManualClock(START))
    await registrar.desk.start()
    await registrar.start({})
    return Log(registrar)


async def told(cosigning: Cosigning, *notes: SignedNote) -> None:
    for note in notes:
        cosigning.signed(note)
        await settle_down()
    await cosigning.stop()


async def test_a_witness_is_led_from_what_it_knows_to_the_last_checkpoint(tmp_path: Path) -> None:
    """A real one signs both, and its lines are shown under the last."""
    log = await a_log()
    book = WitnessBook(tmp_path / "signed.db", WITNESS_KEY, WITNESS, {LOG_KEY.name: LOG_KEY}, lambda: 1)

    async def post(text: str) -> tuple[int, str]:
        answer = book.add_checkpoint(text.encode())
        return answer.status, answer.text

    await told(log.cosigning(post), checkpoint(*FIRST), checkpoint(*BOTH))
    assert (log.witnesses(2), log.witnesses(3)) == ([WITNESS_KEY.name], [WITNESS_KEY.name])
    assert [text.partition("\n")[0] for text in log.asked] == ["old 0", "old 2"]
    assert WITNESS_KEY.name in log.registrar.files.last_signed()
    log.asked.clear()
    await told(log.cosigning(post), checkpoint(*BOTH))  # a house that did not hear how far its witness is
    assert [text.partition("\n")[0] for text in log.asked] == ["old 0", "old 3"]


async def test_a_signature_whose_answer_was_lost_is_given_again(tmp_path: Path) -> None:
    """The witness kept what it signed and was not heard: asked from there it signs the same log again."""
    log, note = await a_log(), checkpoint(*BOTH)
    book = WitnessBook(tmp_path / "signed.db", WITNESS_KEY, WITNESS, {LOG_KEY.name: LOG_KEY}, lambda: 1)
    lost = request_text(0, [], note)
    assert book.add_checkpoint(lost.encode()).status == 200

    async def post(text: str) -> tuple[int, str]:
        answer = book.add_checkpoint(text.encode())
        return answer.status, answer.text

    await told(log.cosigning(post), note)
    assert log.witnesses(3) == [WITNESS_KEY.name]

    async def forked(text: str) -> tuple[int, str]:
        return 409, "3\n"

    log.asked.clear()
    await told(log.cosigning(forked), note)
    assert len(log.asked) == 2


async def test_a_witness_that_knows_more_says_so_and_is_asked_again(caplog: pytest.LogCaptureFixture) -> None:
    """From there; one that says it time after time is left until the next checkpoint."""
    log, note = await a_log(), checkpoint(*BOTH)
    answers = [(409, "2\n"), (200, str(cosigned(note)))]

    async def post(text: str) -> tuple[int, str]:
        return answers.pop(0)

    await told(log.cosigning(post), note)
    assert [text.partition("\n")[0] for text in log.asked] == ["old 0", "old 2"]
    assert log.witnesses(3) == [WITNESS_KEY.name]

    async def always(text: str) -> tuple[int, str]:
        return 409, "1\n"

    log.asked.clear()
    await told(log.cosigning(always), note)
    assert len(log.asked) == 3
    assert "left at 3" in caplog.text


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((200, str(cosigned(checkpoint(*FIRST)))), "a signature that is not good"),
        ((200, ""), "could not be asked to sign: a signed note is"),
        ((403, "unknown log\n"), "did not sign the checkpoint at 3: 403 unknown log"),
        ((409, "9\n"), "did not sign the checkpoint at 3: 409 9"),
        (OSError("no way there"), "could not be asked to sign: no way there"),
    ],
)
async def test_whatever_else_a_witness_answers_is_said_and_not_kept(
    answer: tuple[int, str] | OSError, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A line under another checkpoint, a refusal, a log that is longer than ours, or nobody there."""
    log = await a_log()

    async def post(text: str) -> tuple[int, str]:
        if isinstance(answer, OSError):
            raise answer
        return answer

    await told(log.cosigning(post), checkpoint(*BOTH))
    assert said in caplog.text
    assert log.witnesses(3) == []
    assert len(log.asked) == 1


async def test_a_witness_that_takes_its_time_is_asked_once_at_a_time() -> None:
    """And nobody waits for it at the end."""
    log, never = await a_log(), asyncio.Event()

    async def post(text: str) -> tuple[int, str]:
        await never.wait()
        return 500, ""

    await told(log.cosigning(post), checkpoint(*FIRST), checkpoint(*BOTH))
    assert len(log.asked) == 1
    assert log.witnesses(3) == []


async def test_checkpoints_that_come_while_a_witness_is_slow_are_put_before_it_afterwards() -> None:
    """One of them may hold a closing and no dice yet: none is left out, and each comes in its turn."""
    log, free = await a_log(), asyncio.Event()

    async def slow(text: str) -> tuple[int, str]:
        await free.wait()
        return 503, "busy"

    cosigning = log.cosigning(slow)
    notes = [checkpoint(*FIRST), checkpoint(*BOTH), checkpoint(*BOTH)]
    for note in notes:
        cosigning.signed(note)
    await settle_down()
    assert len(log.asked) == 1
    free.set()
    await settle_down()
    await cosigning.stop()
    assert [text.rpartition("\n\n")[0].splitlines()[-2] for text in log.asked] == ["2", "3", "3"]
