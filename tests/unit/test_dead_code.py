"""What nobody uses is not there."""

from pathlib import Path

import pytest
from vulture import Vulture

ROOT = Path(__file__).parents[2]
USERS = (
    "src",
    "bench",
    "examples",
    "tests",
    "frontend/chromium.py",
    "frontend/studio.py",
    "frontend/camera.py",
    "frontend/felt_signs.py",
)
DISPATCHED = ["@*.register", "@get", "@post", "@put", "@delete", "@websocket", "@*.callback", "@*.command"]

# Used by somebody whom vulture cannot see.
SEEN = {
    "__getattr__": "Python asks a module for its names",
    "__dir__": "Python asks a module for its names",
    "__cause__": "Python shows it with the error",
    "_root": "Typer calls it",
    "on_broken_pipe": "Rich calls it",
    "capture_signals": "uvicorn calls it",
    "send_ping": "uvicorn calls it",
    "data_to_send": "uvicorn calls it",
    "trace": "`async with` hands it over",
    "observation_space": "Gymnasium reads it",
    "do_GET": "http.server calls it",
    "do_POST": "http.server calls it",
    "log_message": "http.server calls it",
}


@pytest.mark.slow
def test_nothing_in_the_package_is_without_a_user() -> None:
    """Functions, classes, methods and names of modules; fields of messages are read by whoever gets them."""
    vulture = Vulture(ignore_decorators=DISPATCHED)
    vulture.scavenge([str(ROOT / place) for place in USERS])
    unused = [
        f"{item.filename.relative_to(ROOT)}:{item.first_lineno} {item.name}"
        for item in vulture.get_unused_code(min_confidence=60)
        if item.filename.is_relative_to(ROOT / "src") and item.name not in SEEN and not _is_field(item)
    ]
    assert unused == []


def _is_field(item: object) -> bool:
    """Whether it stands inside a class without a value of its own to call."""
    kind, line = getattr(item, "typ", ""), getattr(item, "first_lineno", 0)
    if kind not in ("variable", "attribute"):
        return False
    text = Path(getattr(item, "filename", "")).read_text(encoding="utf-8").splitlines()[line - 1]
    return text.startswith(" ")
