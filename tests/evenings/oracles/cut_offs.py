"""A terminal that loses contact with bets on the felt stands on the record as cut off (ETG 5.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taisai.record.journal import Commit
from tests.evenings.oracles.record import Fact

if TYPE_CHECKING:
    from tests.evenings.lines import Line
    from tests.evenings.world import World

# What the house gives a terminal to come back, and then itself to write it down.
_GRACE_SECONDS = 1.3
_WRITTEN_SECONDS = 2.0
_IN_PLAY = ("betting", "closed", "declared")


class CutOffs:
    """Remembers who was put on the record as absent, and looks for it some time after a line was lost."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._absent: set[tuple[str, int | None, str]] = set()
        self._connected: dict[str, Line] = {}
        self._last: dict[str, Line] = {}

    def read(self, commit: Commit, facts: list[Fact]) -> None:
        for fact in facts:
            if fact.name == "PlayerAbsent" and fact.body["cut_off"]:
                self._absent.add((fact.table, fact.round, fact.body["player"]))

    def connected(self, terminal: str, line: Line) -> None:
        self._connected[terminal] = self._last[terminal] = line

    def lost(self, terminal: str, line: Line) -> None:
        """A line is gone; whether its bets are still on the felt when the grace is over is seen then."""
        if self._connected.get(terminal) is line:
            del self._connected[terminal]
            self._world.loop.after(_GRACE_SECONDS, self._look, terminal, line)

    def _look(self, terminal: str, line: Line) -> None:
        """At the end of the grace: bets that are in play must be written down soon."""
        if line.cut_at is None or line.cut_at > self._world.loop.time() - _GRACE_SECONDS + 0.1:
            return  # half open: the house does not know yet
        if self._last[terminal] is not line or not line.served:
            return  # it came back in time
        for (table, number), reader in self._world.rounds.rounds.items():
            if number != self._world.rounds.latest[table] or reader.naive.phase not in _IN_PLAY:
                continue
            for player in reader.naive.lying():
                if player.rpartition(".")[0] == terminal:
                    place = (table, number, player)
                    self._world.loop.after(_WRITTEN_SECONDS, self._must_stand, terminal, line, place)

    def _must_stand(self, terminal: str, line: Line, place: tuple[str, int, str]) -> None:
        reader = self._world.rounds.rounds[place[:2]]
        undisturbed = self._world.loop.time() - self._world.faults.last_at > _GRACE_SECONDS + _WRITTEN_SECONDS
        gone = self._last[terminal] is line and line.served and undisturbed
        in_play = reader.naive.phase in _IN_PLAY and place[2] in reader.naive.lying()
        if gone and in_play and place not in self._absent:
            self._world.violate(f"{terminal} lost contact with bets on the felt, and no record says so")
