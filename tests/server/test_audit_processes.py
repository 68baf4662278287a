"""An audit by several processes finds what one finds; a process that is lost is never taken for a proof."""

import asyncio
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from re import sub

import apsw
import msgspec
import pytest

from taisai.adapters.auditing import processes as audit_processes
from taisai.adapters.auditing.processes import audited_by
from taisai.adapters.clock import ManualClock
from taisai.adapters.signing.trust import Trust
from taisai.adapters.sqlite.store import SqliteStore
from taisai.errors import InputError, StoreUnavailable
from taisai.floor.views.house_views import VIEWS
from taisai.record.faults import RecordFault
from taisai.record.journal import Batch, NewEvent
from taisai.record.ports import RecordSnapshot
from taisai.record.views import catch_up
from tests.evening import Floor, batches_of, evening, steps
from tests.record import KEYS, SIGNER, START

TRUST = Trust(KEYS)


async def record(path: Path) -> None:
    clock = ManualClock(START)
    store = await SqliteStore.open(path, writer="main", signer=SIGNER, clock=clock)
    floor = Floor(store, clock)
    await floor.start()
    await floor.play(evening())
    await floor.stop()
    for view in VIEWS:
        await catch_up(store, view)
    await store.close()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("audited") / "record.db"
    asyncio.run(record(path))
    return path


@pytest.fixture
def path(played: Path, tmp_path: Path) -> Path:
    """A copy that a test may alter."""
    copy = tmp_path / "record.db"
    copy.write_bytes(played.read_bytes())
    return copy


async def said(processes: int, path: Path) -> str:
    with pytest.raises(RecordFault) as found:
        await audited_by(processes, str(path), TRUST)
    return str(found.value)


async def test_two_processes_report_what_one_reports_and_say_how_far_they_are(path: Path) -> None:
    """Rounds are recomputed by the second, all else by the first, and the sums are those of both."""
    seen: list[tuple[int, int]] = []
    one = await audited_by(1, str(path), TRUST)
    two = await audited_by(2, str(path), TRUST, watch=lambda read, whole: seen.append((read, whole)))
    assert two == one
    assert one.rounds.bets == 48
    assert {whole for _, whole in seen} == {one.record.commits}
    assert len(seen) == one.record.commits


@pytest.mark.parametrize(
    "alter",
    [
        "UPDATE events SET body = CAST(replace(body, 'paid', 'pAid') AS BLOB) WHERE type = 'BetsSettled'",
        "UPDATE view_rows SET value = x'5b302c305d' WHERE view = 'balances'",
        "DELETE FROM view_rows WHERE view = 'plays'",
    ],
)
async def test_an_altered_record_is_told_in_the_same_words(path: Path, alter: str) -> None:
    """The chain breaks in one process and the settlement in the other: the first of the two is told."""
    db = apsw.Connection(str(path))
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    db.execute(alter)
    assert db.changes()
    db.close()
    assert await said(2, path) == await said(1, path)


async def test_a_wrong_payout_that_was_signed_is_found_by_the_helper_that_recomputes(tmp_path: Path) -> None:
    """Chains, ledger and views are sound: only the share of the rounds can see it."""
    path = tmp_path / "record.db"
    store = await SqliteStore.open(path, writer="main", signer=SIGNER, clock=ManualClock(START))
    for batch in await batches_of(steps(evening())):
        await store.append(_paying_more(batch))
    await store.close()
    fault = await said(2, path)
    assert "was paid 99999" in fault
    assert fault == await said(1, path)


def _paying_more(batch: Batch) -> Batch:
    def paying(event: NewEvent) -> NewEvent:
        body = (
            event.body if event.type != "PayoutsMade" else sub(rb'"ann":[0-9]+', b'"ann":99999', event.body)
        )
        return msgspec.structs.replace(event, body=body)

    parts = [msgspec.structs.replace(part, events=tuple(map(paying, part.events))) for part in batch.streams]
    return msgspec.structs.replace(batch, streams=tuple(parts))


async def test_a_process_that_is_killed_is_said_and_proves_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever kills it must not get a sound report for that."""
    start: Callable[..., object] = asyncio.create_subprocess_exec

    async def killed(*arguments: str, **pipes: object) -> object:
        program = "import os, signal, sys; sys.stdin.readline(); os.kill(os.getpid(), signal.SIGKILL)"
        return await start(sys.executable, "-c", program, **pipes)  # type: ignore[misc] # as it is called

    monkeypatch.setattr(asyncio, "create_subprocess_exec", killed)
    with pytest.raises(StoreUnavailable, match=f"ended by {signal.SIGKILL.name}, so nothing is proved"):
        await audited_by(2, str(path), TRUST)


async def test_what_stops_a_helper_is_told_by_whoever_started_it(path: Path, tmp_path: Path) -> None:
    """An archive that is not there is bad input, by however many processes."""
    for processes in (1, 2):
        with pytest.raises(InputError, match="cannot read the archive"):
            await audited_by(processes, str(path), TRUST, archives=[tmp_path / "none"])


async def test_a_record_that_moves_between_them_is_looked_at_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All see one moment; and where they never do, one process sees it alone."""
    right = audit_processes.moment_of
    for same_from in (3, 99):
        asked: list[object] = []

        async def moved(
            snapshot: RecordSnapshot, asked: list[object] = asked, same_from: int = same_from
        ) -> str:
            asked.append(snapshot)
            return "another" if len(asked) < same_from else await right(snapshot)

        monkeypatch.setattr(audit_processes, "moment_of", moved)
        monkeypatch.setattr(audit_processes, "_TRIES", 4)
        assert (await audited_by(2, str(path), TRUST)).rounds.bets == 48
        assert len(asked) == (3 if same_from == 3 else 5)


async def test_a_long_record_is_shared_by_the_cores_and_a_short_one_is_not(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a number the record's own length decides."""
    counted: list[int] = []
    shares = audit_processes.shares

    def asked(processes: int) -> list[frozenset[str]]:
        counted.append(processes)
        return shares(1)

    monkeypatch.setattr(audit_processes, "shares", asked)
    monkeypatch.setattr(audit_processes, "cores", lambda: 7)
    await audited_by(None, str(path), TRUST)
    monkeypatch.setattr(audit_processes, "_EVENTS_WORTH_IT", 10)
    await audited_by(None, str(path), TRUST)
    assert counted == [1, 7]
