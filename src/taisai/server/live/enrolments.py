"""Codes with which terminals enrol: each is good once, and not for long. A restart forgets them."""

import secrets
from typing import Final

import msgspec

from taisai.floor.ports import Keeping
from taisai.game.people import Actor

# No sign that can be mistaken for another: fifty bits, typed once.
_SIGNS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_CODE_LEN = 10
MINUTES: Final = 10
_CODES: Final = "enrolments"


class Offered(msgspec.Struct, frozen=True):
    """A place that waits for its terminal."""

    table: str
    terminal: str
    label: str
    by: Actor


class Enrolments:
    """The codes that wait, at whichever gateway they are typed."""

    def __init__(self, keeping: Keeping) -> None:
        self._keeping = keeping

    async def offer(self, place: Offered) -> str:
        """A fresh code."""
        code = "".join(secrets.choice(_SIGNS) for _ in range(_CODE_LEN))
        await self._keeping.keep(_CODES, code, msgspec.json.encode(place).decode(), seconds=MINUTES * 60)
        return code

    async def take(self, raw: str) -> Offered | None:
        """What a code was for; it is gone after this."""
        kept = await self._keeping.take(_CODES, raw.strip().upper().replace("-", ""))
        return None if kept is None else msgspec.json.decode(kept, type=Offered)
