"""Where the browser comes from."""

from pathlib import Path

import pytest
from frontend.chromium import chromium


def test_a_browser_that_is_named_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """TAISAI_CHROMIUM goes before whatever is on the PATH."""
    program = tmp_path / "browser"
    program.touch(mode=0o755)
    monkeypatch.setenv("TAISAI_CHROMIUM", str(program))
    assert chromium() == str(program)


def test_a_name_that_is_no_program_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A misspelled name is not passed over in silence."""
    monkeypatch.setenv("TAISAI_CHROMIUM", "/nowhere/chromium")
    with pytest.raises(SystemExit, match=r"^TAISAI_CHROMIUM names no program: /nowhere/chromium$"):
        chromium()


def test_a_browser_on_the_path_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where nothing is named, the machine's own is taken and nothing is fetched."""
    program = tmp_path / "chromium-browser"
    program.touch(mode=0o755)
    monkeypatch.delenv("TAISAI_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert chromium() == str(program)
