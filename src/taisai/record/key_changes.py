"""Changes of keys that no key has signed: lawful where both keys are trusted, and worth a sentence."""

from taisai.record.anchor import ANCHOR, AnchorNote, KeyRotated, anchor_event
from taisai.record.journal import Commit


class KeyChanges:
    """A `Check` that notes each commit whose key the one before it did not hand over to."""

    def __init__(self) -> None:
        self.notes: list[AnchorNote] = []
        self._last: dict[str, str] = {}

    def feed(self, commit: Commit) -> None:
        before = self._last.get(commit.writer, commit.key)
        if before != commit.key:
            where = f"{commit.writer}/{commit.number}"
            text = f"the key changed from {before} to {commit.key} at commit {where}, unsigned by the old one"
            facts: dict[str, str | int] = {"old": before, "new": commit.key, "commit": where}
            self.notes.append(AnchorNote(code="rekeyed", text=text, facts=facts))
        self._last[commit.writer] = commit.key
        for stored in commit.events:
            if stored.stream == ANCHOR:
                event = anchor_event(stored)
                if isinstance(event, KeyRotated):
                    self._last[event.writer] = event.new

    def finish(self) -> None:
        """Nothing remains to be seen at the end."""
