"""Packs: a commit comes back from one as it went in, and one that does not fit together is refused."""

import zlib
from pathlib import Path

import apsw
import msgspec
import pytest

from taisai.adapters import packs
from taisai.adapters.clock import ManualClock
from taisai.adapters.packs import PACKED_FROM, Pack, command_key, compressed, is_packed, pack_of, read_pack
from taisai.adapters.sqlite.store import SqliteStore
from taisai.record.group_commit import Known, Planner
from taisai.record.journal import Answer, Batch, Commit, Event
from taisai.record.ports import RecordCorrupt
from taisai.record.verify import verify
from tests.record import KEYS, SIGNER, START, answer, on


def _commit(streams: int = 2, each: int = 8, answers: int = 5) -> Commit:
    parts = tuple(on(f"table:T{number}", 0, each, body=b'{"n":%d}' % number) for number in range(streams))
    batch = Batch(parts, (), tuple(answer(f"c{number}", b"\xff%d" % number) for number in range(answers)))
    commit = Planner("main", SIGNER, ManualClock(START)).plan([batch], Known()).commit
    assert commit is not None
    return commit


def _columns(pack: Pack) -> list[object]:
    said = pack.said
    return [len(said.ats), len(said.ids), compressed(said), pack.digests, pack.requests]


def test_a_commit_comes_back_as_it_went_in() -> None:
    """Events by stream and version, answers in their order, bytes that are no text."""
    commit = _commit()
    pack = read_pack("commit main/1", *_columns(pack_of(commit)))  # type: ignore[arg-type]  # as from a row
    assert tuple(Event(*row) for row in pack.events()) == commit.events
    assert tuple(Answer(*row) for row in pack.answers()) == commit.answers
    assert [row[:2] for row in pack.events("table:T1")] == [("table:T1", n) for n in range(1, 9)]
    assert list(pack.events("table:T9")) == []


@pytest.mark.parametrize(("events", "answers"), [(0, PACKED_FROM - 1), (PACKED_FROM - 1, 0)])
def test_few_are_rows_and_many_a_pack(events: int, answers: int) -> None:
    """Counted together, up to the bound and from it on."""
    assert not is_packed(_commit(1 if events else 0, events, answers))
    assert is_packed(_commit(1, max(1, events), answers + 1))


def test_only_what_has_left_is_gone() -> None:
    """The one stream's bodies up to a version, and the answers; digests and requests stay."""
    pack = pack_of(_commit())
    cut = pack.without_bodies(lambda stream, version, kind: stream == "table:T1" and version <= 3)
    gone = [(row[0], row[1]) for row in cut.events() if not row[4]]
    assert gone == [("table:T1", 1), ("table:T1", 2), ("table:T1", 3)]
    assert [row[5] for row in cut.events()] == [row[5] for row in pack.events()]
    assert [row[2:] for row in cut.without_answers().answers()] == [(row[2], b"") for row in pack.answers()]


@pytest.mark.parametrize("spoilt", range(7))
def test_a_pack_that_does_not_fit_together_is_refused(spoilt: int) -> None:
    """Each column by itself, and what stands inside of the compressed one."""
    pack = pack_of(_commit())
    columns = _columns(pack)
    said = pack.said
    columns[:] = {
        0: [columns[0] + 1, *columns[1:]],  # type: ignore[operator]  # a number
        1: [columns[0], columns[1] - 1, *columns[2:]],  # type: ignore[operator]  # a number
        2: [*columns[:2], b"no pack", *columns[3:]],
        3: [*columns[:2], compressed(said) + b"more", *columns[3:]],
        4: [*columns[:2], zlib.compress(b"\x91\xc0"), *columns[3:]],
        5: [*columns[:3], pack.digests[:-1], columns[4]],
        6: [*columns[:2], compressed(msgspec.structs.replace(said, types=said.types[1:])), *columns[3:]],
    }[spoilt]
    with pytest.raises(RecordCorrupt, match=r"commit main/1: .* pack "):
        read_pack("commit main/1", *columns)  # type: ignore[arg-type]  # as from a row


def test_a_pack_that_was_cut_short_is_refused() -> None:
    """Its first columns could still be read."""
    columns = _columns(pack_of(_commit()))
    columns[2] = columns[2][:-4]  # type: ignore[index]  # bytes
    with pytest.raises(RecordCorrupt):
        read_pack("commit main/1", *columns)  # type: ignore[arg-type]  # as from a row


def test_a_pack_that_would_take_all_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small row can claim a thousand times its size: no more than the bound is ever unpacked."""
    pack = pack_of(_commit())
    columns = _columns(pack)
    size = len(zlib.decompress(columns[2]))  # type: ignore[call-overload]  # bytes
    monkeypatch.setattr(packs, "SAID_BYTES_MAX", size)
    assert read_pack("commit main/1", *columns).said == pack.said  # type: ignore[arg-type]  # as from a row
    monkeypatch.setattr(packs, "SAID_BYTES_MAX", size - 1)
    with pytest.raises(RecordCorrupt, match=f"commit main/1: its pack says more than {size - 1} bytes in "):
        read_pack("commit main/1", *columns)  # type: ignore[arg-type]  # as from a row
    columns[2] = zlib.compress(bytes(64 * 1024 * 1024), 9)
    with pytest.raises(RecordCorrupt, match="says more than"):
        read_pack("commit main/1", *columns)  # type: ignore[arg-type]  # as from a row


async def test_what_is_too_much_for_a_pack_is_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is kept, read and verified all the same, and the next commit is a pack again."""
    clock = ManualClock(START)
    store = await SqliteStore.open(tmp_path / "record.db", writer="main", signer=SIGNER, clock=clock)
    monkeypatch.setattr(packs, "SAID_BYTES_MAX", 100)
    await store.append(Batch((on("table:T1", 0, 20),), (), (answer("c1", b"yes"),)))
    monkeypatch.undo()
    await store.append(Batch((on("table:T2", 0, 20),), (), (answer("c2", b"yes"),)))
    assert [len(commit.events) for commit in await store.commits("main", after=0, limit=2)] == [20, 20]
    async with store.snapshot() as snapshot:
        assert (await verify(snapshot, KEYS)).events == 40
    await store.close()
    with apsw.Connection(str(tmp_path / "record.db")) as db:
        assert db.execute("SELECT number FROM packs").fetchall() == [(2,)]


def test_no_two_commands_have_one_key() -> None:
    """Not even where sender and id are the same letters in a row."""
    keys = {command_key(*names) for names in (("a", "bc"), ("ab", "c"), ("b", "ac"), ("abc", ""))}
    assert len(keys) == 4
    assert {len(key) for key in keys} == {16}
