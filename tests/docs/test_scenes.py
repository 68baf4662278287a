"""The scenes of `make screenshots` press what the pages show: words that were changed are noticed here."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCENES = sorted((ROOT / "frontend").glob("scenes_*.py"))
# Of the interface's page, which is English alone and has no catalogue.
ELSEWHERE = {"Try list_rounds", "Try it", "Answer: list_rounds"}
_PRESSED = re.compile(r"""(?:name=|get_by_label\(|get_by_text\()"([^"]+)\"""")


def known() -> list[str]:
    """Every English word of the pages."""
    found: list[str] = []
    for path in (ROOT / "frontend" / "src" / "i18n" / "en").glob("*.json"):
        found += json.loads(path.read_text(encoding="utf-8")).values()
    return found


def is_shown(text: str, words: list[str]) -> bool:
    """Whether a page shows a text: as a part of a message, or as a message with its facts filled in."""
    if any(text.lower() in word.lower() for word in words):
        return True
    filled = (re.sub(r"\\\{\w+\\\}", ".+", re.escape(word)) for word in words if "{" in word)
    return any(re.fullmatch(pattern, text) for pattern in filled)


def test_every_name_that_a_scene_presses_is_on_a_page() -> None:
    """A button that was renamed would stop the pictures half way."""
    words = known()
    pressed = [text for path in SCENES for text in _PRESSED.findall(path.read_text(encoding="utf-8"))]
    assert len(pressed) > 20
    assert [text for text in pressed if text not in ELSEWHERE and not is_shown(text, words)] == []


def test_a_renamed_button_is_noticed() -> None:
    """The check can fail."""
    assert not is_shown("Give me the ticket", known())
    assert is_shown("Waiting for 1 more", known())
