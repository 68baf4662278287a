"""Records that released versions wrote: each is opened, verified, told again and continued.

A folder of tests/fixtures/records is named by the version that wrote it. It holds a whole record with its
key, which signs nothing else, and one event of every type as bytes (`events.json`).
"""

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from taisai.adapters.clock import ManualClock
from taisai.adapters.signing.keys import load_key, load_public_keys
from taisai.adapters.sqlite.store import SqliteStore
from taisai.dice import Roll
from taisai.floor import cage
from taisai.floor.approvals.messages import AnyApprovalEvent
from taisai.floor.audit.whole import audit
from taisai.floor.cluster.messages import AnyClusterEvent
from taisai.floor.desks.desk import DeskTaken
from taisai.floor.pit.messages import AnyPitEvent
from taisai.floor.players.messages import AnyPlayersEvent
from taisai.floor.staff.messages import AnyStaffEvent
from taisai.floor.table.messages import StartRound
from taisai.floor.tickets import AnyTicketEvent
from taisai.floor.views.timeline import round_in_record, tell_round
from taisai.record.ports import Store
from tests.evening import DEALER, Floor, Script
from tests.record import START

RECORDS = sorted((Path(__file__).parents[1] / "fixtures" / "records").iterdir())
STREAMS: dict[str, Any] = {
    "table": AnyClusterEvent | DeskTaken,
    "ticket": AnyTicketEvent,
    "cage": cage.AnyCageEvent,
    "staff": AnyStaffEvent,
    "players": AnyPlayersEvent,
    "pit": AnyPitEvent,
    "approvals": AnyApprovalEvent,
}

every_version = pytest.mark.parametrize("folder", RECORDS, ids=[folder.name for folder in RECORDS])


def _holds(now: Any, then: Any) -> bool:
    """Whether all that was written stands there still; later versions may add fields."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(_holds(now.get(name), value) for name, value in then.items())
    if isinstance(then, list):
        return len(now) == len(then) and all(map(_holds, now, then))
    return bool(now == then)


@every_version
def test_every_event_that_was_ever_written_is_read_as_it_was(folder: Path) -> None:
    """Each type of event, from its bytes: nothing that it said is lost or changed."""
    for kept in json.loads((folder / "events.json").read_text(encoding="utf-8")):
        event = msgspec.json.decode(kept["body"], type=STREAMS[kept["stream"]])
        said, now = json.loads(kept["body"]), msgspec.to_builtins(event)
        assert _holds(now, said), kept["type"]
        assert msgspec.json.decode(msgspec.json.encode(event), type=STREAMS[kept["stream"]]) == event


async def _opened(folder: Path, place: Path) -> Store:
    shutil.copy(folder / "record.sqlite", place / "record.sqlite")
    key = place / "signing.pem"
    shutil.copy(folder / "signing.pem", key)
    key.chmod(0o600)
    clock = ManualClock(START)
    return await SqliteStore.open(place / "record.sqlite", writer="main", signer=load_key(key), clock=clock)


async def _assert_sound(store: Store, folder: Path) -> None:
    async with store.snapshot() as snapshot:
        report = await audit(snapshot, load_public_keys([folder / "signing-public.pem"]))
    assert report.rounds.rounds > 0


@every_version
async def test_an_old_record_is_verified_and_told_again(folder: Path, tmp_path: Path) -> None:
    """Signatures, chains, books and every settlement hold; a round is told with its bets."""
    store = await _opened(folder, tmp_path)
    await _assert_sound(store, folder)
    async with store.snapshot() as snapshot:
        told = tell_round("T1", 1, await round_in_record(snapshot, "T1", 1))
    assert told.state == "concluded"
    assert told.results
    await store.close()


@every_version
async def test_an_old_record_is_continued(folder: Path, tmp_path: Path) -> None:
    """Its desks come back, a new round is played on them, and the whole is sound."""
    store = await _opened(folder, tmp_path)
    floor = Floor(store, ManualClock(START))
    await floor.start()
    script = Script()
    script._asked = 10_000
    script.wave(script.ask("C1", "console-C1", StartRound, DEALER))
    script.deal("C1", Roll(2, 3, 5))
    answers = await floor.play(script.waves)
    assert all(json.loads(answer)["type"] == "Accepted" for answer in answers.values()), answers
    await floor.stop()
    await _assert_sound(store, folder)
    await store.close()
