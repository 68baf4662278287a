"""The open format: read back as it was, refused when cut, and verified by a stranger."""

import json
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from taisai.adapters.copies.backup import copy_sqlite, export_to_file, read_exported_file, restore_sqlite
from taisai.adapters.memory import MemoryDisk
from taisai.adapters.signing.keys import (
    PublicKeys,
    generate_key,
    load_key,
    load_public_keys,
    public_path,
)
from taisai.adapters.witnesses.file import FileWitness
from taisai.errors import InputError, StoreUnavailable
from taisai.record.export import export, read_export
from taisai.record.journal import Batch
from taisai.record.order import in_order
from taisai.record.verify import verify
from taisai.record.views import BALANCES, VIEWS, catch_up
from tests.record import KEYS, START, START_AT, Place, answer, on, place, slip

STRANGER = Path(__file__).parents[3] / "examples" / "verify_export.py"


async def exported(path: Path) -> list[dict[str, Any]]:
    async with place(MemoryDisk()) as at:
        one, two = await at.open(writer="one"), await at.open(writer="two")
        for number in range(1, 6):
            await one.append(slip(number))
            await two.append(slip(number, stream="table:T2"))
        await one.append(Batch((on("ticket:x", 0, body=b"\xff\xfe"),), (), (answer("last", "né".encode()),)))
        await export_to_file(one, path, at=START, keys=KEYS)
        assert list(read_exported_file(path)) == [commit async for commit in in_order(one)]
        FileWitness(path.with_suffix(".witness")).keep(START, (await one.tips()).values())
    return [json.loads(line) for line in path.read_text().splitlines()]


async def test_an_export_is_read_back_as_it_was(tmp_path: Path) -> None:
    """Text as text, other bytes in base64."""
    lines = await exported(tmp_path / "x.jsonl")
    assert [line["line"] for line in lines] == ["journal", *["commit"] * 11, "end"]
    assert lines[-2]["events"][0]["body_base64"] == "//4="
    assert lines[-2]["answers"][0]["answer"] == "né"
    assert lines[0]["keys"] == {name: raw.hex() for name, raw in KEYS.raw.items()}


async def test_a_stranger_verifies_an_export(tmp_path: Path) -> None:
    """With one file that knows nothing of taisai, the public key and the witness."""
    path = tmp_path / "x.jsonl"
    await exported(path)
    done = subprocess.run(
        [sys.executable, STRANGER, path, "--witness", path.with_suffix(".witness")],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(tmp_path)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("sound: 11 commits, 11 spans, 11 events, 10 transfers, 11 answers")
    assert "taisai" not in STRANGER.read_text().split("import argparse")[1].split("class Fault")[0]


def _edits() -> list[tuple[str, Callable[[list[dict[str, Any]]], None]]]:
    def change(line: int, *keys: Any, value: Any) -> Callable[[list[dict[str, Any]]], None]:
        def edit(lines: list[dict[str, Any]]) -> None:
            target: Any = lines[line]
            for key in keys[:-1]:
                target = target[key]
            target[keys[-1]] = value

        return edit

    return [
        ("body", change(3, "events", 0, "body", value="{}")),
        ("event time", change(3, "events", 0, "at", value=1)),
        ("event type", change(3, "events", 0, "type", value="RollDeclared")),
        ("version", change(3, "events", 0, "version", value=7)),
        ("amount", change(3, "transfers", 0, 3, value=1)),
        ("reverses", change(3, "transfers", 0, 7, value="x")),
        ("answer", change(3, "answers", 0, "answer", value="no")),
        ("sender", change(3, "answers", 0, "sender", value="t2")),
        ("commit time", change(3, "at", value=1)),
        ("digest", change(3, "digest", value="00" * 32)),
        ("signature", change(3, "signature", value="00" * 64)),
        ("key", change(3, "key", value="another")),
        ("number", change(3, "number", value=9)),
        ("after", change(3, "after", value={"nobody": 1})),
        ("drop", lambda lines: lines.pop(3)),
        ("swap", lambda lines: lines.insert(2, lines.pop(4))),
        ("double", lambda lines: lines.insert(3, lines[3])),
        ("cut", lambda lines: lines.pop()),
        ("end", change(-1, "events", value=3)),
        ("other key", change(0, "keys", value={"x": "00" * 32})),
    ]


@pytest.mark.parametrize(("what", "edit"), _edits())
async def test_the_stranger_finds_what_was_altered(
    tmp_path: Path, what: str, edit: Callable[[list[dict[str, Any]]], None]
) -> None:
    """Every kind of edit of an export, found without taisai."""
    stranger = runpy.run_path(str(STRANGER))
    lines = await exported(tmp_path / "x.jsonl")
    plain = [json.dumps(line).encode() for line in lines]
    stranger["verify"](plain, {})
    edit(lines)
    with pytest.raises((stranger["Fault"], KeyError)):
        stranger["verify"]([json.dumps(line).encode() for line in lines], {})


async def test_the_stranger_sees_a_cut_through_the_witness(tmp_path: Path) -> None:
    """An export of a truncated record is whole in itself."""
    path = tmp_path / "x.jsonl"
    stranger = runpy.run_path(str(STRANGER))
    lines = await exported(path)
    streams = len({event["stream"] for line in lines[1:3] for event in line["events"]})
    counts = {"commits": 2, "streams": streams, "spans": 2, "events": 2, "transfers": 2, "answers": 2}
    cut = [*lines[:3], {**lines[-1], **counts}]
    raw = [json.dumps(line).encode() for line in cut]
    stranger["verify"](raw, {})
    with pytest.raises(stranger["Fault"], match="witness"):
        stranger["verify"](raw, {}, path.with_suffix(".witness").read_bytes().splitlines())


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "cut short"),
        ([b"{}"], "line 1"),
        ([b"no json"], "line 1"),
        (
            [b'{"line":"end","commits":0,"streams":0,"events":0,"transfers":0,"answers":0}'],
            "expected a header",
        ),
        ([b'{"line":"journal","format":"other","exported_at":0,"keys":{}}'], "expected format"),
        ([b'{"line":"journal","format":"taisai journal 1","exported_at":0,"keys":{}}'], "cut short"),
    ],
)
def test_a_file_that_is_no_export_is_refused(lines: list[bytes], said: str) -> None:
    """One clear line says what was expected."""
    with pytest.raises(InputError, match=said):
        list(read_export(lines))


async def test_an_export_never_overwrites(tmp_path: Path) -> None:
    """Nor leaves half a file behind."""
    (tmp_path / "x.jsonl").write_text("precious")
    with pytest.raises(InputError, match="already there"):
        await exported(tmp_path / "x.jsonl")
    with pytest.raises(StoreUnavailable, match="cannot write"):
        await exported(tmp_path / "missing" / "x.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["x.jsonl"]


async def test_a_file_is_copied_while_it_is_written(tmp_path: Path) -> None:
    """The copy is the record at one moment; restored, it verifies and goes on."""
    async with place(tmp_path / "record.db") as at:
        store = await at.open()
        for number in range(1, 20):
            await store.append(slip(number))
            if number == 10:
                await catch_up(store, BALANCES)
                copy_sqlite(tmp_path / "record.db", tmp_path / "copy.db")
    restore_sqlite(tmp_path / "copy.db", tmp_path / "restored.db")
    with pytest.raises(InputError, match="already there"):
        restore_sqlite(tmp_path / "copy.db", tmp_path / "record.db")
    async with place(tmp_path / "restored.db") as at:
        store = await at.open()
        async with store.snapshot() as snapshot:
            assert (await verify(snapshot, KEYS, views=VIEWS)).events == 10
        await store.append(slip(11))
    assert not (tmp_path / "copy.db.part").exists()


def test_a_key_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Mode 600, never overwritten, and refused when others can read it."""
    path = tmp_path / "house.key"
    key = generate_key(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert load_key(path).key_id == key.key_id
    with pytest.raises(InputError, match="never overwritten"):
        generate_key(path)
    public = load_public_keys([public_path(path)])
    assert public.verifies(key.key_id, key.sign(b"x"), b"x")
    assert not public.verifies(key.key_id, key.sign(b"x"), b"y")
    assert not public.verifies("unknown", key.sign(b"x"), b"x")
    path.chmod(0o644)
    with pytest.raises(InputError, match="can be read by others"):
        load_key(path)


def test_what_is_no_key_is_said(tmp_path: Path) -> None:
    """Missing, another text, or another kind of key."""
    (tmp_path / "text").write_text("hello")
    (tmp_path / "text").chmod(0o600)
    for load in (load_key, lambda path: load_public_keys([path])):
        with pytest.raises(InputError, match="cannot read"):
            load(tmp_path / "missing")
        with pytest.raises(InputError, match="PEM"):
            load(tmp_path / "text")
    with pytest.raises(InputError, match="cannot write"):
        generate_key(tmp_path / "missing" / "key")
    assert PublicKeys([]).raw == {}


def test_a_witness_file_is_read_line_by_line(tmp_path: Path) -> None:
    """A line that cannot be read is named."""
    (tmp_path / "w").write_text("{}\n")
    with pytest.raises(InputError, match="line 1"):
        FileWitness(tmp_path / "w").kept()
    with pytest.raises(InputError, match="cannot read"):
        FileWitness(tmp_path / "missing").kept()
    with pytest.raises(InputError, match="cannot write"):
        FileWitness(tmp_path / "missing" / "w").keep(START, [])
    assert Place(MemoryDisk()).clock.now() == START


async def test_the_end_counts_streams_and_an_older_end_is_read_as_it_was_meant() -> None:
    """Five slips of one stream are one stream; before 0.2.0 the number was that of all spans."""
    place = Place(MemoryDisk())
    store = await place.open()
    for number in range(1, 6):
        await store.append(slip(number))
    lines = [line async for line in export(store, at=START_AT, keys=KEYS.raw)]
    end = json.loads(lines[-1])
    assert (end["streams"], end["spans"]) == (1, 5)
    assert len(list(read_export(lines))) == 5
    old = {**{key: value for key, value in end.items() if key != "spans"}, "streams": 5}
    assert len(list(read_export([*lines[:-1], json.dumps(old).encode()]))) == 5
    with pytest.raises(InputError, match="counts 2 streams, found 1"):
        list(read_export([*lines[:-1], json.dumps({**end, "streams": 2}).encode()]))
