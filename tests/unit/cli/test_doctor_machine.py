"""What `taisai doctor` finds out about the machine and the package."""

import json
from pathlib import Path

import pytest

from taisai.checkup import machine as doctor_machine
from taisai.checkup.house import filesystem_of

REQUIRES = [
    "msgspec>=0.19",
    'apsw>=3.50; extra == "store"',
    'litestar>=2.16; extra == "server"',
    'taisai[store,maths]; extra == "server"',
    'scipy>=1.14; extra == "maths"',
    "numba>=0.61; extra == 'fast'",
    'gymnasium>=1.0; extra == "rl"',
]


def test_extras_are_counted_and_what_is_missing_is_named() -> None:
    """A house needs store, server and maths; the others are for those who want them."""
    there = {"apsw": "3.51.0.0", "litestar": "2.9.1", "scipy": "1.14", "gymnasium": "0.9"}
    found = {finding.check: finding for finding in doctor_machine.extras(REQUIRES, there.get)}
    assert {check: str(finding.level) for check, finding in found.items()} == {
        "extra store": "ok",
        "extra server": "failed",
        "extra maths": "ok",
        "extra fast": "ok",
        "extra rl": "warning",
    }
    assert found["extra server"].found == "too old: litestar 2.9.1"
    assert "not installed: numba" in found["extra fast"].found
    missing = doctor_machine.extras(REQUIRES, {}.get)
    assert "pip install 'taisai[store]'" in missing[0].advice


def test_files_that_were_altered_after_the_installation_are_found(tmp_path: Path) -> None:
    """By the digests that the installer wrote down."""
    (tmp_path / "a.py").write_bytes(b"")
    empty = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
    recorded = {"taisai/a.py": (tmp_path / "a.py", empty)}
    assert doctor_machine.judge_files("1.0", recorded).level == "ok"
    gone = {**recorded, "taisai/b.py": (tmp_path / "b.py", empty)}
    assert "taisai/b.py" in doctor_machine.judge_files("1.0", gone).found
    (tmp_path / "a.py").write_bytes(b"x")
    assert "taisai/a.py" in doctor_machine.judge_files("1.0", recorded).found


def test_pages_that_are_not_whole_are_found(tmp_path: Path) -> None:
    """Not built, a manifest that cannot be read, a file that is gone."""
    assert doctor_machine.pages(tmp_path / "none").found == "not built"
    manifest = tmp_path / "manifest.json"
    manifest.write_text("{", encoding="utf-8")
    assert "cannot be read" in doctor_machine.pages(tmp_path).found
    page = {"script": "a.js", "style": "a.css", "chunks": [], "later": [], "preload": []}
    manifest.write_text(json.dumps({"icon": "i.svg", "pages": {"pit": page}}), encoding="utf-8")
    assert doctor_machine.pages(tmp_path).found == "missing: a.css, a.js, i.svg"
    for name in ("a.js", "a.css", "i.svg"):
        (tmp_path / name).touch()
    assert doctor_machine.pages(tmp_path).found == "1 pages, 3 files"


def test_a_random_source_that_fails_or_repeats_itself_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is drawn from such a one."""
    monkeypatch.setattr(doctor_machine.secrets, "token_bytes", bytes)
    assert doctor_machine.random_source().found == "it repeats itself"

    def waits(*_: int) -> bytes:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(doctor_machine.os, "getrandom", waits)
    assert "does not answer" in doctor_machine.random_source().found


def test_a_file_system_is_that_of_the_nearest_mount(tmp_path: Path) -> None:
    """Spaces in names are written as octal there."""
    folder = tmp_path / "a b" / "c"
    folder.mkdir(parents=True)
    mounts = tmp_path / "mounts"
    escaped = str(tmp_path / "a b").replace(" ", "\\040")
    mounts.write_text(f"x / ext4 rw 0 0\ny {escaped} nfs4 rw 0 0\n", encoding="utf-8")
    assert filesystem_of(folder, mounts) == "nfs4"
    assert filesystem_of(tmp_path, mounts) == "ext4"
    assert filesystem_of(folder, tmp_path / "none") == ""
