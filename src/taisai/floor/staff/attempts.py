"""Failed logins: counted under a name and the place they come from, so that no stranger locks anybody out.

A device that logged in under the name before is a place of its own. Before version 0.2 a lock held for a name
wherever it was tried; such a lock has no place, and still holds everywhere.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

STRANGERS_MAX: Final = 1_000  # names that nobody has, remembered for their lock-out
PLACES_MAX: Final = 200  # places from which one name was tried, remembered for their lock-out
_EVERYWHERE: Final = ""


@dataclass(slots=True)
class Attempts:
    """Failed logins in a row under one name from one place."""

    failures: int = 0
    locked: bool = False
    locked_until: datetime | None = None

    def is_locked(self, now: datetime) -> bool:
        return self.locked and (self.locked_until is None or now < self.locked_until)


def attempt_place(where: str, *, known: bool) -> str:
    """Under which place an attempt counts."""
    return f"known device, {where}" if known else where


@dataclass
class AttemptBook:
    """All that is remembered of failed logins, bounded."""

    members: "dict[str, OrderedDict[str, Attempts]]" = field(default_factory=dict)
    strangers: "OrderedDict[str, OrderedDict[str, Attempts]]" = field(default_factory=OrderedDict)

    def at(self, name: str, place: str = _EVERYWHERE) -> Attempts:
        """The failed logins under a name from a place, whether or not somebody has the name."""
        return self._places(name).get(place) or Attempts()

    def lock(self, name: str, place: str, now: datetime) -> Attempts | None:
        """What keeps a name from logging in from a place, or none."""
        here = (self.at(name, place), self.at(name))
        return next((each for each in here if each.is_locked(now)), None)

    def is_locked(self, name: str, now: datetime) -> bool:
        """Whether a name is locked anywhere."""
        return any(each.is_locked(now) for each in self._places(name).values())

    def joined(self, name: str) -> None:
        """Somebody has the name now; a lock on it stays."""
        self.members[name] = self.strangers.pop(name, OrderedDict())

    def forget(self, name: str, place: str | None = None) -> None:
        """A login from a place was right, or an administrator unlocked the name."""
        if place is None:
            self.members[name] = OrderedDict()
            return
        for each in (place, _EVERYWHERE):
            self.members[name].pop(each, None)

    def failed(self, name: str, place: str) -> None:
        attempts = self._entry(name, place)
        if attempts.locked:  # a lock-out that has passed leaves nothing behind
            attempts.failures, attempts.locked, attempts.locked_until = 1, False, None
        else:
            attempts.failures += 1

    def locked(self, name: str, place: str, until: datetime | None) -> None:
        attempts = self._entry(name, place)
        attempts.locked, attempts.locked_until = True, until

    def _places(self, name: str) -> "OrderedDict[str, Attempts]":
        return self.members.get(name) or self.strangers.get(name) or OrderedDict()

    def _entry(self, name: str, place: str) -> Attempts:
        places = self.members.get(name)
        if places is None:
            places = self.strangers.setdefault(name, OrderedDict())
        entry = places.setdefault(place, Attempts())
        while len(places) > PLACES_MAX:
            places.popitem(last=False)
        while len(self.strangers) > STRANGERS_MAX:
            self.strangers.popitem(last=False)
        return entry
