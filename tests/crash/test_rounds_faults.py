"""A house on a store that fails: betting stops with a clear error, and goes on when the store is back.

Whoever was not answered asks again under the same id. In the end the evening is on the record as if nothing
had ever been wrong.
"""

import asyncio
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import asyncpg
import pytest

from taisai.adapters.clock import ManualClock
from taisai.adapters.postgres import journal as postgres_journal
from taisai.adapters.sqlite.store import SqliteStore
from taisai.errors import StoreUnavailable
from taisai.record.ports import RecordCorrupt, Store
from tests.crash.disk import Disk
from tests.crash.proxy import DeafLine, line_to
from tests.evening import (
    Floor,
    Step,
    Wave,
    check_evening,
    evening,
    expected,
    expected_answers,
    expected_streams,
    whole_streams,
)
from tests.postgres import own_server
from tests.record import SIGNER, START, Place, place


class Patient:
    """Players and dealers who ask again, under the same id, until they are answered."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.answers: dict[tuple[str, str], bytes] = {}
        self.failures: list[Exception] = []

    async def once(self, wave: Wave) -> None:
        """Ask what of a wave was not answered yet; failures are kept."""
        left = [step for step in wave if step.key not in self.answers]
        await asyncio.gather(*map(self._ask, left))

    async def until_done(self, wave: Wave) -> None:
        while any(step.key not in self.answers for step in wave):
            await self.once(wave)

    async def _ask(self, step: Step) -> None:
        try:
            self.answers[step.key] = await self.floor.do(step)
        except StoreUnavailable as error:
            self.failures.append(error)


async def check_as_if_nothing_had_happened(store: Store, patient: Patient) -> None:
    assert patient.answers == expected_answers()
    async with store.snapshot() as snapshot:
        assert await check_evening(snapshot, expected(), patient.answers) == set(expected())
        assert await whole_streams(snapshot) == expected_streams(expected())


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    made = Disk(f"failing-{tmp_path.name}")
    yield made
    made.fail.clear()
    made.unregister()


@pytest.mark.parametrize(
    ("what", "error", "said"),
    [
        ("write", apsw.FullError, "injected: write"),
        ("write", apsw.IOError, "injected: write"),
        ("sync", apsw.IOError, "injected: sync"),
    ],
)
async def test_a_disk_that_fails_in_every_wave_stops_acceptance_and_loses_nothing(
    tmp_path: Path, disk: Disk, what: str, error: type[apsw.Error], said: str
) -> None:
    """A full disk, a write that fails, a sync that fails: nobody is answered before all is well again."""
    async with place(tmp_path / "record.db") as at:
        store = await at.open(vfs=disk.name)
        floor = Floor(store, at.clock)
        await floor.start()
        patient = Patient(floor)
        for wave in evening():
            before = len(patient.answers)
            disk.fail = {what: error}
            await patient.once(wave)
            assert len(patient.answers) == before, "answered without a disk"
            disk.fail.clear()
            await patient.until_done(wave)
        assert len(patient.failures) >= len(evening())
        assert all(said in str(failure) for failure in patient.failures)
        assert not any(desk.stopped for desk in floor.desks.values())
        await floor.stop()
        await check_as_if_nothing_had_happened(store, patient)


async def test_damaged_bytes_stop_a_desk_with_their_place_until_they_are_repaired(
    tmp_path: Path, disk: Disk
) -> None:
    """A desk that must rebuild its state from a damaged journal says which event it is, and takes no bets."""
    path = tmp_path / "record.db"
    async with place(path) as at:
        store = await at.open(vfs=disk.name)
        floor = Floor(store, at.clock)
        await floor.start()
        patient = Patient(floor)
        waves = evening()
        for wave in waves[:12]:
            await patient.until_done(wave)
        vandal = apsw.Connection(str(path))
        kept = vandal.execute("SELECT body FROM events WHERE stream = 'table:T1' AND version = 9").get
        vandal.execute("DROP TRIGGER events_stay")
        vandal.execute("UPDATE events SET body = ? WHERE stream = 'table:T1' AND version = 9", (kept + b" ",))
        disk.fail = {"write": apsw.FullError}
        await patient.once(waves[12])
        disk.fail.clear()
        patient.failures.clear()
        await patient.once(waves[12])
        assert [str(failure) for failure in patient.failures if isinstance(failure, RecordCorrupt)] == [
            "table:T1 version 9 is not what was recorded"
        ]
        with pytest.raises(RecordCorrupt, match="table:T1 version 9"):
            await Floor(store, at.clock).start()
        vandal.execute("UPDATE events SET body = ? WHERE stream = 'table:T1' AND version = 9", (kept,))
        vandal.close()
        for wave in waves[12:]:
            await patient.until_done(wave)
        await floor.stop()
        await check_as_if_nothing_had_happened(store, patient)


async def test_a_damaged_page_keeps_a_house_from_opening(tmp_path: Path) -> None:
    """SQLite's own structures are broken: the error names the file."""
    path = tmp_path / "record.db"
    async with place(path) as at:
        floor = Floor(await at.open(), at.clock)
        await floor.start()
        await floor.play(evening()[:20])
        await floor.stop()
    data = bytearray(path.read_bytes())
    for page in range(1, len(data) // 4096):
        data[page * 4096 : page * 4096 + 8] = b"\xff" * 8
    path.write_bytes(data)
    with pytest.raises(RecordCorrupt, match=r"record\.db"):
        await _open_house(path)


async def _open_house(path: Path) -> None:
    clock = ManualClock(START)
    store = await SqliteStore.open(path, writer="main", signer=SIGNER, clock=clock)
    try:
        await Floor(store, clock).start()
    finally:
        await store.close()


async def _terminate(admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    await admin.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )


@pytest.mark.slow
async def test_connections_that_are_dropped_in_every_wave_lose_nothing(postgres_url: str) -> None:
    """The server ends every connection while the desks commit; they find out what became of it."""
    chance = random.Random(3)
    async with place(postgres_url) as at:
        store = await at.open()
        floor = Floor(store, at.clock)
        await floor.start()
        patient = Patient(floor)
        admin = await asyncpg.connect(postgres_url)
        for wave in evening():
            asking = asyncio.create_task(patient.once(wave))
            for _ in range(chance.randrange(40)):
                await asyncio.sleep(0)
            await _terminate(admin)
            await asking
            await patient.until_done(wave)
        await admin.close()
        await floor.stop()
        await check_as_if_nothing_had_happened(store, patient)


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A socket's path must be short."""
    folder = Path(tempfile.mkdtemp(prefix="taisai-line-"))
    yield folder
    shutil.rmtree(folder)


async def _through_a_bad_line(
    url: str, folder: Path, trouble: Callable[[DeafLine, int], None], after: Callable[[DeafLine], None]
) -> tuple[Patient, DeafLine]:
    """The evening over a line that has trouble in every wave."""
    async with line_to(url, folder) as (address, line):
        at = Place(address)
        store = await at.open()
        floor = Floor(store, at.clock)
        await floor.start()
        patient = Patient(floor)
        for number, wave in enumerate(evening()):
            trouble(line, number)
            await patient.once(wave)
            after(line)
            await patient.until_done(wave)
        assert not any(desk.stopped for desk in floor.desks.values())
        await floor.stop()
        await check_as_if_nothing_had_happened(store, patient)
        await at.close()
    return patient, line


@pytest.mark.slow
async def test_a_line_that_goes_dead_after_the_commit_was_sent_does_it_once(
    postgres_url: str, short_folder: Path
) -> None:
    """The server has committed and its answer is lost: the fate is found out, and nobody notices."""

    def deafen(line: DeafLine, number: int) -> None:
        line.deaf = True

    patient, line = await _through_a_bad_line(postgres_url, short_folder, deafen, lambda line: None)
    assert line.cuts >= len(evening())
    assert len(patient.failures) < line.cuts // 4, "nearly all of it heals unseen"


@pytest.mark.slow
async def test_a_line_that_stays_dead_stops_acceptance_until_it_is_back(
    postgres_url: str, short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When nobody can find out what became of a commit, the caller is told, and finds out by asking again."""
    monkeypatch.setattr(postgres_journal, "_GIVE_UP_S", 0.0)

    def deafen(line: DeafLine, number: int) -> None:
        line.deaf, line.dead = True, True
        if number % 3 == 0:
            line.cut()

    def heal(line: DeafLine) -> None:
        line.deaf = line.dead = False

    patient, _ = await _through_a_bad_line(postgres_url, short_folder, deafen, heal)
    assert len(patient.failures) >= len(evening())


@pytest.mark.slow
async def test_a_server_that_crashes_during_the_evening_comes_back() -> None:
    """Its power is cut twice; the house waits, goes on, and has lost nothing."""
    with own_server() as server:
        async with place(server.url()) as at:
            store = await at.open()
            floor = Floor(store, at.clock)
            await floor.start()
            patient = Patient(floor)
            crashes = {10, 35}
            for number, wave in enumerate(evening()):
                if number not in crashes:
                    await patient.until_done(wave)
                    continue
                asking = asyncio.create_task(patient.once(wave))
                await asyncio.to_thread(server.stop, "immediate")
                await asyncio.to_thread(server.start)
                await asking
                await patient.until_done(wave)
            await floor.stop()
            await check_as_if_nothing_had_happened(store, patient)
