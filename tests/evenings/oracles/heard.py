"""Everyone who follows a table hears the same: no message is left out between two that were heard."""

from tests.evenings.oracles.record import Violate


class Heard:
    """The numbers that anybody heard of each table, and who heard which on one line."""

    def __init__(self, violate: Violate) -> None:
        self._violate = violate
        self._all: dict[tuple[str, str], set[int]] = {}
        self._lines: list[tuple[str, tuple[str, str], list[int]]] = []

    def line(self, who: str, table: str, process: str) -> list[int]:
        """A new line of somebody's; numbers that are heard on it are put into this list."""
        heard: list[int] = []
        self._lines.append((who, (table, process), heard))
        return heard

    def check(self) -> None:
        """At the end: hold every line against all others to the same process."""
        for _, place, heard in self._lines:
            self._all.setdefault(place, set()).update(heard)
        for who, place, heard in self._lines:
            if heard:
                low, high = heard[0], heard[-1]
                missing = [seq for seq in sorted(self._all[place]) if low < seq < high and seq not in heard]
                if missing:
                    self._violate(f"{who} never heard {missing} of {place[0]}, and others did")
