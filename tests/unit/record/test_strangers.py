"""A stranger in another language verifies an export, from what the docs say of it alone."""

import json
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from taisai.adapters.signing.keys import PublicKeys
from taisai.errors import InputError
from taisai.record.export import read_export
from taisai.record.faults import RecordFault
from taisai.record.verify import Verifier
from tests.node import ROOT, run_node
from tests.unit.record.test_export import _edits, exported

STRANGER = ROOT / "examples" / "verify_export.mjs"


def test_the_stranger_is_short_and_knows_nothing_of_ours() -> None:
    """Some two hundred lines, and nothing imported but Node's own."""
    text = STRANGER.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 220
    imported = [line.rpartition(" from ")[2] for line in text.splitlines() if line.startswith("import ")]
    assert all(name.startswith('"node:') for name in imported)


async def test_a_real_export_is_sound(tmp_path: Path) -> None:
    """With the witness's tips, and as Python's stranger counts."""
    path = tmp_path / "x.jsonl"
    await exported(path)
    done = run_node(str(STRANGER), str(path), "--witness", str(path.with_suffix(".witness")))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("sound: 11 commits, 11 spans, 11 events, 10 transfers, 11 answers")


@pytest.mark.parametrize(("what", "edit"), _edits())
async def test_what_was_altered_is_found(
    tmp_path: Path, what: str, edit: Callable[[list[dict[str, Any]]], None]
) -> None:
    """Every kind of edit, in one sentence and with exit code 1."""
    path = tmp_path / "x.jsonl"
    lines = await exported(path)
    edit(lines)
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    done = run_node(str(STRANGER), str(path))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("fault: ")
    assert len(done.stdout.splitlines()) == 1


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in inside:
        yield from leaves(member, (*path, name))
    if not isinstance(value, dict | list):
        yield path, value


def others(value: Any) -> list[Any]:
    """What might stand in the place of a value."""
    if value is None:
        return ["x", 0]
    if isinstance(value, int):
        return [value + 1, value - 1, value * 2 + 1, value + 0.5, float(value), str(value), 2**53, None]
    return [
        value[:-1] + ("1" if value.endswith("0") else "0"),
        value + " ",
        "",
        value.upper() + "x",
        0,
        None,
        [],
    ]


def altered(lines: list[dict[str, Any]], path: tuple[Any, ...], *value: Any) -> list[dict[str, Any]]:
    """The export with another value at a place; with none it is left out."""
    copy: list[dict[str, Any]] = json.loads(json.dumps(lines))
    inside: Any = copy
    for name in path[:-1]:
        inside = inside[name]
    if value:
        inside[path[-1]] = value[0]
    else:
        del inside[path[-1]]
    return copy


def mutants(lines: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Every value of the header, of five commits and of the end, altered in each way and left out."""
    found = {}
    for path, value in leaves(lines):
        if path[0] not in (0, 1, 2, 3, 4, len(lines) - 2, len(lines) - 1) or path == (0, "exported_at"):
            continue  # when it was exported is a note on the file, which nobody signed
        name = ".".join(map(str, path))
        for other in others(value):
            found[f"{name} is {other!r}"] = altered(lines, path, other)
            if isinstance(value, str) and value.upper() != value:
                found[f"{name} in capitals"] = altered(lines, path, value.upper())
        found[f"{name} missing"] = altered(lines, path)
    last = len(lines) - 2
    found["one member more"] = altered(lines, (1, "transfers", 0), [*lines[1]["transfers"][0], None])
    found["spare bits"] = altered(lines, (last, "events", 0, "body_base64"), "//5=")
    found["text and base64"] = altered(lines, (1, "events", 0, "body_base64"), "")
    return found


def by_this_project(export: list[dict[str, Any]]) -> str:
    """As a restore reads and checks it, with the keys that the file names, as the strangers do."""
    try:
        commits = list(read_export(json.dumps(line).encode() for line in export))
        verifier = Verifier(PublicKeys(map(bytes.fromhex, export[0]["keys"].values())))
        for commit in commits:
            verifier.feed(commit)
        verifier.finish()
    except (InputError, RecordFault) as fault:
        return f"fault: {fault}"
    return "sound"


def by_python(export: list[dict[str, Any]], verify: Callable[..., Any]) -> str:
    try:
        verify([json.dumps(line).encode() for line in export], {})
    except Exception as fault:
        return f"fault: {fault}"
    return "sound"


@pytest.mark.slow
async def test_no_altered_export_is_sound_for_anybody_and_both_strangers_say_why_in_the_same_words(
    tmp_path: Path,
) -> None:
    """More than a thousand alterations, one run of each; what reads a backup here refuses them too."""
    right = await exported(tmp_path / "x.jsonl")
    assert by_this_project(right) == "sound"
    wrong = mutants(right)
    assert [name for name, export in wrong.items() if by_this_project(export) == "sound"] == []
    assert len(wrong) > 1_000
    stranger = runpy.run_path(str(ROOT / "examples" / "verify_export.py"))
    files = []
    for place, export in enumerate(wrong.values()):
        path = tmp_path / f"{place}.jsonl"
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in export)
        path.write_text(text, encoding="utf-8")
        files.append(path.name)
    done = run_node(str(STRANGER), *files, folder=tmp_path)
    assert done.stderr == ""
    node = [line for line in done.stdout.splitlines() if not line.startswith("the keys")]
    assert len(node) == len(wrong)
    python = [by_python(export, stranger["verify"]) for export in wrong.values()]
    differing = [each for each in zip(wrong, python, node, strict=True) if each[1] != each[2]]
    assert differing[:3] == []
    assert [name for name, said in zip(wrong, python, strict=True) if not said.startswith("fault: ")] == []
