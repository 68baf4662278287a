"""A stranger in another language verifies an export, from what the docs say of it alone."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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
