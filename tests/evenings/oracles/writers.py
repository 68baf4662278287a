"""One process writes a stream: once another has taken it, the one before writes nothing there."""

from taisai.record.journal import Commit
from tests.evenings.loop import BELONGS_TO, Process
from tests.evenings.oracles.record import Fact, Violate


class Writers:
    """Remembers who took each stream last."""

    def __init__(self, violate: Violate) -> None:
        self._violate = violate
        self._takers: dict[str, Process | None] = {}

    def read(self, commit: Commit, facts: list[Fact]) -> None:
        writer = BELONGS_TO.get()
        for fact in facts:
            if fact.name == "DeskTaken":
                self._takers[fact.stream] = writer
            elif fact.stream in self._takers and self._takers[fact.stream] is not writer:
                self._violate(f"{fact.stream} was taken by another process, and {fact.name} was written")
