"""Somebody with the store but without the key alters a recorded evening: verify finds it and says where."""

import asyncio
import random
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from taisai.adapters import packs
from taisai.adapters.clock import ManualClock
from taisai.adapters.signing.keys import SigningKey
from taisai.adapters.sqlite.store import SqliteStore
from taisai.floor.views.house_views import VIEWS
from taisai.record.journal import (
    Commit,
    Event,
    Span,
    Tip,
    commit_digest,
    event_digest,
    signed_bytes,
    stream_genesis,
)
from taisai.record.order import in_order
from taisai.record.views import catch_up
from tests.crash.attacked import COLUMNS, JOURNAL, Attacked
from tests.crash.sample import EVERY
from tests.evening import Floor, evening
from tests.record import OTHER_SIGNER, SIGNER, START

_SHARED = 10  # every so many deeds the work is shared, too
PACKED_HERE = 4
ROWS_LEAST = 12
FLIPS = {"body": 4, "said": 24, "digests": 8, "requests": 4}  # in one value


@dataclass
class Evening:
    """A recorded evening and what a witness has seen of it."""

    attacked: Attacked
    witnessed: list[Tip]
    commits: list[Commit]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """In rows and in packs: what few terminals say in one moment is enough for one here."""
    path = tmp_path_factory.mktemp("tampered") / "record.db"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(packs, "PACKED_FROM", PACKED_HERE)
        witnessed, commits = asyncio.run(_record(path))
    attacked = Attacked(path)
    assert all(len(attacked.rows(table)) >= ROWS_LEAST for table in JOURNAL)
    return Evening(attacked, witnessed, commits)


async def _record(path: Path) -> tuple[list[Tip], list[Commit]]:
    clock = ManualClock(START)
    store = await SqliteStore.open(path, writer="main", signer=SIGNER, clock=clock)
    floor = Floor(store, clock)
    await floor.start()
    await floor.play(evening())
    await floor.stop()
    for view in VIEWS:
        await catch_up(store, view)
    tips = list((await store.tips()).values())
    commits = [commit async for commit in in_order(store)]
    await store.close()
    return tips, commits


# A deed, where verify should find it (anywhere, when nothing is said), and how it is done.
Deed = tuple[str, str, Callable[[Attacked], object]]


def test_the_evening_is_sound_before_anyone_touches_it(recorded: Evening) -> None:
    """Otherwise nothing that follows would mean anything."""
    assert recorded.attacked.fault(recorded.witnessed) is None


def done(recorded: Evening, deeds: Iterator[Deed], every: int = 1) -> int:
    """Do each deed, or one of every so many, verify, and undo it; returns how many there were."""
    count = 0
    for what, where, do in deeds:
        count += 1
        if count % every:
            continue
        db = recorded.attacked.db
        db.execute("BEGIN")
        try:
            do(recorded.attacked)
            fault = recorded.attacked.fault(recorded.witnessed)
            is_shared = count % (_SHARED * every) == 0
            shared = recorded.attacked.fault_in_shares(recorded.witnessed) if is_shared else fault
        finally:
            db.execute("ROLLBACK")
        assert fault is not None, f"nobody noticed: {what}"
        assert str(shared) == str(fault), what
        assert fault.where, what
        assert fault.what, what
        assert where in fault.where, f"{what}: found at {fault.where}: {fault.what}"
    return count


def flipped(raw: object, chance: random.Random) -> object:
    """The same value with one bit of it changed."""
    if isinstance(raw, bytes):
        place, bit = chance.randrange(len(raw)), 1 << chance.randrange(8)
        return raw[:place] + bytes([raw[place] ^ bit]) + raw[place + 1 :]
    if isinstance(raw, int):
        return raw ^ (1 << chance.randrange(40))
    if isinstance(raw, str) and raw:
        place = chance.randrange(len(raw))
        return raw[:place] + chr(ord(raw[place]) ^ (1 << chance.randrange(7))) + raw[place + 1 :]
    return "x"


def setting(table: str, row: int, column: str, value: object) -> Callable[[Attacked], object]:
    return lambda attacked: attacked.set(table, row, column, value)


def flips(attacked: Attacked, chance: random.Random) -> Iterator[Deed]:
    """One bit in every row of the journal, of every column of an event and a pack, several where much is."""
    for table in JOURNAL:
        for rowid, *row in attacked.rows(table):
            columns = list(zip(COLUMNS[table].split(), row, strict=True))
            for column, raw in columns if table in ("events", "packs") else chance.sample(columns, 3):
                for _ in range(FLIPS.get(column, 1)):
                    where = f"{row[0]} version {row[1]}" if column == "body" else ""
                    value = flipped(raw, chance)
                    if column != "said" or not says_the_same(raw, value):
                        yield f"{table} {row[:3]} {column}", where, setting(table, rowid, column, value)


def says_the_same(raw: bytes, other: Any) -> bool:
    """Whether a bit is none of what was compressed: the last byte is filled up with such."""
    try:
        return zlib.decompress(other) == zlib.decompress(raw)
    except zlib.error:
        return False


@pytest.mark.slow
def test_no_bit_of_the_journal_can_be_flipped_unseen(recorded: Evening) -> None:
    """Events, transfers, answers, commits and spans: any column of any row."""
    assert done(recorded, flips(recorded.attacked, random.Random(1)), EVERY) >= 1_500


def other_types(attacked: Attacked, chance: random.Random) -> Iterator[Deed]:
    """Values of a sort that a reader does not expect."""
    for table in JOURNAL:
        rows = attacked.rows(table)
        for column in COLUMNS[table].split() if rows else ():
            for value in (None, -1, 1.5, "", "x\x00y", b"", b"\xff\xfe", 2**63 - 1, -(2**63)):
                rowid, *row = chance.choice(rows)
                if value == row[COLUMNS[table].split().index(column)]:
                    continue
                yield f"{table} {row[:3]} {column} = {value!r}", "", setting(table, rowid, column, value)


@pytest.mark.slow
def test_no_value_of_another_sort_goes_unseen_or_breaks_the_verifier(recorded: Evening) -> None:
    """Whatever stands in a column, the answer is a fault and where it is."""
    assert done(recorded, other_types(recorded.attacked, random.Random(2)), EVERY) >= 250


def bombs(attacked: Attacked) -> Iterator[Deed]:
    """A pack of a few hundred kilobytes that claims to say more than anything that was ever packed."""
    size = packs.SAID_BYTES_MAX + 1
    squeezing = zlib.compressobj(9)
    parts = [squeezing.compress(bytes(min(2**24, size - done))) for done in range(0, size, 2**24)]
    bomb = b"".join((*parts, squeezing.flush()))
    for rowid, *row in attacked.rows("packs"):
        yield f"commit {row[0]}/{row[1]} says too much", "journal", setting("packs", rowid, "said", bomb)
        return


@pytest.mark.slow
def test_a_pack_that_would_take_all_memory_is_a_fault(recorded: Evening) -> None:
    """It is named, and no more of it is unpacked than a pack may say."""
    assert done(recorded, bombs(recorded.attacked)) == 1


def swaps(attacked: Attacked, chance: random.Random) -> Iterator[Deed]:
    """Two rows of a kind change places, in one column or in all that follow the key."""
    for table in JOURNAL:
        columns = COLUMNS[table].split()
        rows = attacked.rows(table)
        for _ in range(40 if len(rows) > 1 else 0):  # an evening may have no commit that is worth a pack
            (one, *first), (other, *second) = chance.sample(rows, 2)
            column = chance.randrange(len(columns))
            if first[column] == second[column]:
                continue

            def swap(
                attacked: Attacked,
                table: str = table,
                name: str = columns[column],
                pairs: tuple[tuple[int, Any], ...] = ((one, second[column]), (other, first[column])),
            ) -> None:
                for rowid, value in pairs:
                    attacked.set(table, rowid, name, value)

            yield f"{table} {first[:3]} and {second[:3]}: {columns[column]}", "", swap


def drops(attacked: Attacked) -> Iterator[Deed]:
    """Every row of the journal goes missing, and every row comes twice."""
    for table in JOURNAL:
        for rowid, *row in attacked.rows(table):
            names = ", ".join(COLUMNS[table].split())
            yield (
                f"{table} {row[:3]} gone",
                "",
                lambda attacked, table=table, rowid=rowid: attacked.db.execute(
                    f"DELETE FROM {table} WHERE rowid = ?", (rowid,)
                ),
            )
            yield (
                f"{table} {row[:3]} twice",
                "",
                lambda attacked, table=table, rowid=rowid, names=names: attacked.db.execute(
                    f"INSERT INTO {table} SELECT {names} FROM {table} WHERE rowid = ?", (rowid,)
                ),
            )


@pytest.mark.slow
def test_no_row_can_be_swapped_dropped_or_doubled_unseen(recorded: Evening) -> None:
    """In any table of the journal."""
    count = done(recorded, swaps(recorded.attacked, random.Random(3)), EVERY)
    assert count + done(recorded, drops(recorded.attacked), EVERY) >= 800


def truncations(recorded: Evening) -> Iterator[Deed]:
    """The record ends earlier than it did: every row of the last commits is gone, cleanly."""
    numbers = [commit.number for commit in recorded.commits]

    def cut(attacked: Attacked, last: int) -> None:
        spans = attacked.db.execute("SELECT stream, first_version FROM spans WHERE number > ?", (last,))
        for stream, first in spans.fetchall():
            attacked.db.execute("DELETE FROM events WHERE stream = ? AND version >= ?", (stream, first))
        for table in ("commits", "spans", "transfers", "answers", "commands", "packs"):
            attacked.db.execute(f"DELETE FROM {table} WHERE number > ?", (last,))
        attacked.db.execute("DELETE FROM view_rows; DELETE FROM view_positions")

    for last in (0, *numbers[:-1]):
        where = f"commit main/{numbers[-1]}"
        yield f"cut after {last}", where, lambda attacked, last=last: cut(attacked, last)


def test_a_record_that_was_cut_short_is_known_by_its_witness(recorded: Evening) -> None:
    """However cleanly it was cut: the last commit that the witness has seen is not there."""
    assert done(recorded, truncations(recorded)) == len(recorded.commits)


def test_without_the_witness_a_clean_cut_would_not_be_seen(recorded: Evening) -> None:
    """Which is what a witness is for."""
    _, _, cut = list(truncations(recorded))[-1]
    db = recorded.attacked.db
    db.execute("BEGIN")
    cut(recorded.attacked)
    assert recorded.attacked.fault([]) is None
    db.execute("ROLLBACK")


class Forger:
    """Makes a whole new chain over an altered journal, as the system itself would, with a key at hand."""

    def __init__(self, commits: list[Commit], signer: SigningKey | None) -> None:
        self._signer = signer
        self.commits = commits

    def forged(self, alter: Callable[[Commit], Commit]) -> list[Commit]:
        heads: dict[str, bytes] = {}
        before: Tip | None = None
        made: list[Commit] = []
        for commit in map(alter, self.commits):
            new = self._sealed(commit, heads, before)
            before = Tip(new.writer, new.number, new.at, new.key, new.digest, new.signature)
            made.append(new)
        return made

    def _sealed(self, commit: Commit, heads: dict[str, bytes], before: Tip | None) -> Commit:
        events: list[Event] = []
        for event in commit.events:
            head = heads.get(event.stream) or stream_genesis(event.stream)
            head = event_digest(head, event.version, event.at, event.type, event.body)
            heads[event.stream] = head
            events.append(msgspec.structs.replace(event, digest=head))
        spans = [Span(span.stream, span.first, span.last, heads[span.stream]) for span in commit.spans]
        new = msgspec.structs.replace(commit, events=tuple(events), spans=tuple(spans))
        if self._signer:
            new = msgspec.structs.replace(new, key=self._signer.key_id)
        digest = commit_digest(new, before)
        signature = self._signer.sign(signed_bytes(digest)) if self._signer else commit.signature
        return msgspec.structs.replace(new, digest=digest, signature=signature)


def write(attacked: Attacked, commits: list[Commit]) -> None:
    """Put other commits in the place of those that are there, with views that agree with them."""
    from taisai.adapters.sqlite.journal import insert

    for table in COLUMNS:
        attacked.db.execute(f"DELETE FROM {table}")
    for commit in commits:
        insert(attacked.db, commit)


def _richer(commit: Commit) -> Commit:
    """A player bought in for more, consistently: event, transfer and answer."""
    events = tuple(
        msgspec.structs.replace(event, body=event.body.replace(b'"amount":20000', b'"amount":90000'))
        for event in commit.events
    )
    transfers = tuple(
        msgspec.structs.replace(transfer, amount_minor=90_000)
        if transfer.amount_minor == 20_000
        else transfer
        for transfer in commit.transfers
    )
    answers = tuple(
        msgspec.structs.replace(answer, answer=answer.answer.replace(b'"amount":20000', b'"amount":90000'))
        for answer in commit.answers
    )
    return msgspec.structs.replace(commit, events=events, transfers=transfers, answers=answers)


def _earlier(commit: Commit) -> Commit:
    """Everything a day before."""
    day = 86_400_000_000
    events = tuple(msgspec.structs.replace(event, at=event.at - day) for event in commit.events)
    return msgspec.structs.replace(commit, at=commit.at - day, events=events)


def _unchanged(commit: Commit) -> Commit:
    return commit


@pytest.mark.parametrize("alter", [_richer, _earlier, _unchanged])
@pytest.mark.parametrize("key", ["none", "another", "another under the old name"])
def test_a_chain_made_anew_does_not_have_the_signature(
    recorded: Evening, alter: Callable[[Commit], Commit], key: str
) -> None:
    """Whoever recomputes every digest still cannot sign, and a key of their own is not the house's."""
    if alter is _unchanged and key == "none":
        return  # that is the record itself
    signer = None if key == "none" else OTHER_SIGNER
    if key == "another under the old name":
        signer = SigningKey(signer._private)
        signer._id = SIGNER.key_id
    forged = Forger(recorded.commits, signer).forged(alter)
    deed: Deed = (f"{alter.__name__} with key {key}", "commit", lambda attacked: write(attacked, forged))
    for witnessed in (recorded.witnessed, []):
        assert done(Evening(recorded.attacked, witnessed, recorded.commits), iter([deed])) == 1


@pytest.mark.parametrize("signer", [None, OTHER_SIGNER])
def test_nothing_can_be_added_at_the_end(recorded: Evening, signer: SigningKey | None) -> None:
    """A commit that fits in every other way lacks the signature."""
    last = recorded.commits[-1]
    forged = msgspec.structs.replace(
        last, number=last.number + 1, spans=(), events=(), transfers=(), answers=()
    )
    tip = Tip(last.writer, last.number, last.at, last.key, last.digest, last.signature)
    digest = commit_digest(forged, tip)
    signature = signer.sign(signed_bytes(digest)) if signer else last.signature
    forged = msgspec.structs.replace(forged, digest=digest, signature=signature)
    deed: Deed = (
        "one more",
        f" to {forged.number}",
        lambda attacked: write(attacked, [*recorded.commits, forged]),
    )
    assert done(recorded, iter([deed])) == 1


def view_edits(attacked: Attacked, chance: random.Random) -> Iterator[Deed]:
    """Every row of every view edited, dropped or renamed, and rows and positions that never were."""
    for rowid, view, key, value in attacked.rows("view_rows"):
        where = f"{view} of "
        more = value.replace(b"0", b"1", 1) if b"0" in value else value + b" "
        yield f"{view} {key} edited", where, setting("view_rows", rowid, "value", more)
        yield f"{view} {key} flipped", where, setting("view_rows", rowid, "value", flipped(value, chance))
        yield f"{view} {key} renamed", where, setting("view_rows", rowid, "key", key + "0")
        yield (
            f"{view} {key} gone",
            where,
            lambda attacked, rowid=rowid: attacked.db.execute(
                "DELETE FROM view_rows WHERE rowid = ?", (rowid,)
            ),
        )
    for view in VIEWS:
        for key in ("credit:eve", "T1/0000000099", "zz", "\x7f", "é"):
            yield (
                f"{view.name} {key} added",
                f"{view.name} of ",
                lambda attacked, name=view.name, key=key: attacked.db.execute(
                    "INSERT INTO view_rows VALUES (?, ?, ?)", (name, key, b"[0,90000]")
                ),
            )
    filled = {row[1] for row in attacked.rows("view_rows")}
    for rowid, view, writer, number in attacked.rows("view_positions"):
        yield f"{view} ahead", view, setting("view_positions", rowid, "number", number + 1)
        if view in filled:  # one without rows says the same wherever it stands
            yield f"{view} far behind", view, setting("view_positions", rowid, "number", 3)
        yield f"{view} follows another", view, setting("view_positions", rowid, "writer", writer + "2")


@pytest.mark.slow
def test_no_row_of_a_view_can_be_edited_unseen(recorded: Evening) -> None:
    """Balances, rounds, plays and tickets are what the journal makes them."""
    assert done(recorded, view_edits(recorded.attacked, random.Random(5)), EVERY) >= 200
