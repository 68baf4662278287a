"""Codes with which terminals enrol: each is good once, and not for long. A restart forgets them."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from taisai.game.people import Actor

# No sign that can be mistaken for another: fifty bits, typed once.
_SIGNS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_CODE_LEN = 10
_WAITING_MAX = 1_000


@dataclass(frozen=True, slots=True)
class Offered:
    """A place that waits for its terminal."""

    table: str
    terminal: str
    label: str
    by: Actor
    until: datetime


class Enrolments:
    """The codes that wait."""

    def __init__(self, minutes: int = 10) -> None:
        self.minutes = minutes
        self._waiting: dict[str, Offered] = {}

    def offer(self, table: str, terminal: str, label: str, by: Actor, now: datetime) -> str:
        """A fresh code."""
        self._waiting = {code: each for code, each in self._waiting.items() if each.until > now}
        while len(self._waiting) >= _WAITING_MAX:
            del self._waiting[next(iter(self._waiting))]
        code = "".join(secrets.choice(_SIGNS) for _ in range(_CODE_LEN))
        until = now + timedelta(minutes=self.minutes)
        self._waiting[code] = Offered(table, terminal, label, by, until)
        return code

    def take(self, raw: str, now: datetime) -> Offered | None:
        """What a code was for; it is gone after this."""
        offered = self._waiting.pop(raw.strip().upper().replace("-", ""), None)
        return offered if offered is not None and offered.until > now else None
