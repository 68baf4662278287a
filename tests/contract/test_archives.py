"""Bodies leave a store for an archive in one transaction, and everything is verified across the cut."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import apsw
import asyncpg
import msgspec
import pytest

from taisai.adapters.copies.archives import filled
from taisai.adapters.copies.backup import export_to_file, import_from_file
from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.errors import InputError
from taisai.record.anchor import RecordArchived, batch_of
from taisai.record.cuts import Kept
from taisai.record.faults import RecordFault
from taisai.record.journal import moment
from taisai.record.order import in_order
from taisai.record.parts import header_of, part_lines, surveyed, up_to, verify_part
from taisai.record.ports import BodiesCut, CommandAltered, CommandRepeated, InArchive, Store
from taisai.record.verify import Findings, verify
from taisai.record.views import BALANCES, VIEWS, catch_up
from tests.record import KEYS, SIGNER, START, START_AT, Place, answer, slip

LAST = 12  # the commits that the archive holds


async def recorded(store: Store) -> None:
    """Twenty slips at one table."""
    for number in range(1, 21):
        await store.append(slip(number))
    await catch_up(store, BALANCES)


async def archived(store: Store, folder: Path, *, after: int = 0, last: int = LAST) -> Path:
    """Commits up to one leave for an archive: the bodies of the events but the last, and all answers."""
    path = folder / f"archive-{last}.jsonl"
    streams = {"table:T1": (max(0, after - 1), last - 1)}
    cut = BodiesCut({"main": (after, last)}, streams, ["BetsPlaced"])
    async with store.snapshot() as snapshot:
        part = await surveyed(snapshot, up_to({"main": after}), up_to({"main": last}))
        kept = Kept(cut)
        async for commit in in_order(snapshot):
            kept.feed(commit)
        header = header_of(part, at=START_AT, since=None, until=None, keys=KEYS.raw)
        path.write_bytes(b"".join([line async for line in part_lines(snapshot, part, header, SIGNER)]))
    event = RecordArchived(
        at=START,
        by="ann",
        second="bob",
        reason="a closed month",
        name=path.name,
        digest=sha256(path.read_bytes()).hexdigest(),
        until=moment(START_AT + last),
        writers=dict(cut.writers),
        streams=streams,
        types=("BetsPlaced",),
        kept=kept.kept(),
        balances=kept.balances(),
    )
    await store.archive(await batch_of(store, event), cut)
    return path


async def verified(store: Store, *archives: Path) -> Findings:
    async with store.snapshot() as snapshot:
        return await verify(await filled(snapshot, archives), KEYS, views=VIEWS)


async def test_a_record_is_verified_across_a_cut_with_and_without_its_archive(
    at: Place, tmp_path: Path
) -> None:
    """What stayed is checked by digests; with the archive every body is hashed again."""
    store = await at.open()
    await recorded(store)
    before = await verified(store)
    path = await archived(store, tmp_path)
    after = await verified(store)
    assert after.archived == LAST - 1
    assert (after.commits, after.transferred_minor) == (before.commits + 1, before.transferred_minor)
    assert (await verified(store, path)).archived == 0
    with path.open("rb") as file:
        assert verify_part(file, KEYS, where=path.name).commits == LAST


async def test_a_later_archive_goes_on_where_the_last_one_ended(at: Place, tmp_path: Path) -> None:
    """It begins with heads, tips and balances of that moment, and both fill the record together."""
    store = await at.open()
    await recorded(store)
    first = await archived(store, tmp_path)
    second = await archived(store, tmp_path, after=LAST, last=18)
    store = await at.reopen(store)
    assert (await verified(store)).archived == 17
    assert (await verified(store, first, second)).archived == 0
    with second.open("rb") as file:
        assert verify_part(file, KEYS, where="second").commits == 6
    with pytest.raises(InputError, match=r"the record names the archive archive-12\.jsonl too"):
        await verified(store, second)


async def test_what_left_is_said_to_be_in_an_archive(at: Place, tmp_path: Path) -> None:
    """Whoever reads a stream from its beginning is told; from the cut on it is read as ever."""
    store = await at.open()
    await recorded(store)
    await archived(store, tmp_path)
    with pytest.raises(InArchive, match="table:T1 version 1 is in an archive"):
        [event async for event in store.events("table:T1")]
    assert [event.version async for event in store.events("table:T1", after=LAST - 1)] == list(range(12, 21))
    head = await store.head("table:T1")
    assert head is not None
    assert head.version == 20


async def test_an_old_id_is_never_taken_for_a_new_one(at: Place, tmp_path: Path) -> None:
    """The same command again is known by its id, and another under that id is told apart."""
    store = await at.open()
    await recorded(store)
    await archived(store, tmp_path)
    store = await at.reopen(store)
    (known,) = (await store.answers([("t1", "table:T1/c3")])).values()
    assert (known.answer, known.request) == (b"", answer("x").request)
    with pytest.raises(CommandRepeated):
        await store.append(msgspec.structs.replace(slip(21), answers=(answer("table:T1/c3"),)))
    with pytest.raises(CommandAltered):
        await store.append(
            msgspec.structs.replace(slip(21), answers=(answer("table:T1/c3", asked=b"another"),))
        )
    await store.append(slip(21))
    await verified(store)


async def test_a_cut_record_is_copied_and_restored_as_it_is(at: Place, tmp_path: Path) -> None:
    """An export of what is there says what has left; one that must be whole needs the archive."""
    store = await at.open()
    await recorded(store)
    path = await archived(store, tmp_path)
    cut, whole = tmp_path / "cut.jsonl", tmp_path / "whole.jsonl"
    async with store.snapshot() as snapshot:
        with pytest.raises(InputError, match="bodies of commit main/1 are in an archive"):
            await export_to_file(snapshot, tmp_path / "no.jsonl", at=START, keys=KEYS)
        await export_to_file(snapshot, cut, at=START, keys=KEYS, cut=True)
        await export_to_file(await filled(snapshot, [path]), whole, at=START, keys=KEYS)
    for file, left in ((cut, LAST - 1), (whole, 0)):
        copy = MemoryStore(MemoryDisk(), writer="main", signer=SIGNER, clock=at.clock)
        await import_from_file(file, copy)
        assert (await verified(copy)).archived == left
        await copy.append(slip(21))
        await verified(copy)


async def test_a_cut_that_fails_leaves_everything(at: Place, tmp_path: Path) -> None:
    """The event and the cut are one transaction: an event that cannot be appended lets nothing go."""
    store = await at.open()
    await recorded(store)
    cut = BodiesCut({"main": (0, LAST)}, {"table:T1": (0, LAST)}, ["BetsPlaced"])
    with pytest.raises(Exception, match="stands at version 20"):
        await store.archive(msgspec.structs.replace(slip(3), answers=()), cut)
    assert (await verified(store)).archived == 0
    assert len([event async for event in store.events("table:T1")]) == 20


async def _execute(at: Place, *statements: str) -> None:
    """What somebody does with a SQL prompt."""
    if isinstance(at.where, Path):
        db = apsw.Connection(str(at.where))
        try:
            for text in statements:
                db.execute(text.replace("''", "x''"))
        finally:
            db.close()
    else:
        connection = await asyncpg.connect(str(at.where))
        try:
            for text in statements:
                await connection.execute(text)
        finally:
            await connection.close()


class _NoRoom:
    """A connection to a full disk, as far as the giving back of room is concerned."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db

    def execute(self, text: str, *values: Any) -> Any:
        if text == "VACUUM":
            raise apsw.FullError("database or disk is full")
        return self._db.execute(text, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


@pytest.mark.parametrize("medium", ["sqlite"], indirect=True)
async def test_a_cut_is_done_though_its_room_is_not_given_back(
    at: Place, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A reader in the way, a full disk: what was committed is not said to have failed."""
    store = await at.open()
    await recorded(store)
    with pytest.MonkeyPatch.context() as patched:
        journal: Any = store._journal  # type: ignore[attr-defined] - the store in a file has one
        connect = journal._connection
        patched.setattr(journal, "_connection", lambda: _NoRoom(connect()))
        await archived(store, tmp_path)
    assert "is not given back yet" in caplog.text
    assert (await verified(store)).archived == LAST - 1


@pytest.mark.parametrize("medium", ["sqlite", "postgres"], indirect=True)
async def test_nothing_but_an_archive_lets_anything_go(at: Place, tmp_path: Path) -> None:
    """Outside of a noted cut the store itself refuses; inside it, all but an empty body."""
    store = await at.open()
    await recorded(store)
    await archived(store, tmp_path)
    for text in (
        "DELETE FROM events",
        "DELETE FROM answers",
        "DELETE FROM cuts",
        "DELETE FROM cut_commits",
        "UPDATE cut_commits SET number = number + 1",
        "UPDATE cuts SET version = 20",
        "UPDATE events SET body = '' WHERE version = 15",
        "UPDATE events SET type = 'Other' WHERE version = 3",
        "UPDATE answers SET answer = '' WHERE number = 15",
        "UPDATE answers SET id = 'other' WHERE number = 3",
        "UPDATE transfers SET amount_minor = 1",
    ):
        with pytest.raises((apsw.ConstraintError, asyncpg.RaiseError), match="append-only"):
            await _execute(at, text)


@pytest.mark.parametrize("medium", ["packed"], indirect=True)
async def test_nothing_but_an_archive_lets_anything_go_from_a_pack(at: Place, tmp_path: Path) -> None:
    """Only what is said in a pack becomes less, in commits that an archive has; and commands stay."""
    store = await at.open()
    await recorded(store)
    await archived(store, tmp_path)
    for text in (
        "DELETE FROM packs",
        "DELETE FROM commands",
        "UPDATE commands SET n = n + 1",
        "UPDATE packs SET said = x'00' WHERE number = 15",
        "UPDATE packs SET said = zeroblob(9999) WHERE number = 3",
        "UPDATE packs SET digests = zeroblob(32) WHERE number = 3",
        "UPDATE packs SET requests = zeroblob(32) WHERE number = 3",
        "UPDATE packs SET answers = 0 WHERE number = 3",
    ):
        with pytest.raises(apsw.ConstraintError, match="append-only"):
            await _execute(at, text)


async def _forged(at: Place, store: Store, *statements: str) -> RecordFault:
    """What the audit says after somebody has been at the store with the triggers off."""
    await _execute(at, "DROP TRIGGER events_stay", "DROP TRIGGER answers_stay", *statements)
    with pytest.raises(RecordFault) as fault:
        await verified(await at.reopen(store))
    return fault.value


@pytest.mark.parametrize("medium", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("statement", "code", "where"),
    [
        ("UPDATE events SET body = '' WHERE version = 15", "body_gone", "body of table:T1 version 15"),
        (
            "INSERT INTO cut_commits SELECT writer, number, digest FROM commits WHERE number = 15",
            "body_gone",
            "answers of commit main/15",
        ),
        ("UPDATE events SET at = at - 1 WHERE version = 2", "archive_altered", "archive archive-12.jsonl"),
        ("UPDATE answers SET id = 'x' WHERE number = 3", "archive_altered", "archive archive-12.jsonl"),
        (
            "UPDATE answers SET request = zeroblob(32) WHERE number = 3",
            "archive_altered",
            "archive archive-12",
        ),
        ("UPDATE events SET type = 'Other' WHERE version = 3", "body_gone", "body of table:T1 version 3"),
    ],
)
async def test_bodies_that_no_archive_has_are_found(
    at: Place, tmp_path: Path, statement: str, code: str, where: str
) -> None:
    """Nor is anything altered of what stayed, though its body is elsewhere."""
    store = await at.open()
    await recorded(store)
    await archived(store, tmp_path)
    fault = await _forged(at, store, statement)
    assert (fault.code, fault.where.startswith(where)) == (code, True), str(fault)


async def test_an_archive_that_is_not_the_one_on_the_record_is_refused(at: Place, tmp_path: Path) -> None:
    """Every byte of it counts."""
    store = await at.open()
    await recorded(store)
    path = await archived(store, tmp_path)
    raw = path.read_bytes()
    for place in range(0, len(raw), 97):
        spoiled = tmp_path / "spoiled.jsonl"
        spoiled.write_bytes(raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :])
        with pytest.raises((RecordFault, InputError)), spoiled.open("rb") as file:
            verify_part(file, KEYS, where="spoiled")
    spoiled.write_bytes(raw[:-2] + b"}")
    with pytest.raises(RecordFault, match="it is not one of the archives that the record names"):
        await verified(store, spoiled)


async def test_an_archive_ends_where_it_says(at: Place, tmp_path: Path) -> None:
    """One that was cut short, has no signature or begins elsewhere is no archive."""
    store = await at.open()
    await recorded(store)
    lines = (await archived(store, tmp_path)).read_bytes().splitlines(keepends=True)
    for kept, said in (
        (lines[:-1], "no key has signed it"),
        (lines[:-2], "was cut short"),
        (lines[:5], "was cut short"),
        (lines[1:], "expected the header"),
        ([], "line 1"),
        ([*lines, lines[-1]], "nothing follows a signature"),
        ([lines[0], *lines[2:]], "expected number 1"),
    ):
        with pytest.raises((RecordFault, InputError), match=said):
            verify_part(kept, KEYS, where="archive")


async def test_a_part_begins_with_what_stood_before_it(at: Place, tmp_path: Path) -> None:
    """Heads, tips and balances: altered ones do not fit what follows."""
    store = await at.open()
    await recorded(store)
    async with store.snapshot() as snapshot:
        part = await surveyed(snapshot, up_to({"main": 8}), up_to({"main": 16}))
        header = header_of(part, at=START_AT, since=None, until=None, keys=KEYS.raw)
        lines = [line async for line in part_lines(snapshot, part, header)]
    assert verify_part(lines, KEYS, where="part", signed=False).commits == 8
    assert (header.tips[0][1], header.streams[0][:2]) == (8, ("table:T1", 8))
    for altered in (
        msgspec.structs.replace(header, tips=[]),
        msgspec.structs.replace(header, streams=[]),
        msgspec.structs.replace(header, balances={"cash": (5, 0)}),
    ):
        first = msgspec.json.encode(altered) + b"\n"
        with pytest.raises(RecordFault):
            verify_part([first, *lines[1:]], KEYS, where="part", signed=False)
