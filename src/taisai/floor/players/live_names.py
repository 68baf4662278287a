"""Names that are typed at live tables: the record has a pseudonym from the first act on.

The name is in the store of names alone. Who has a name already, a registered player or somebody whom an older
record has by the name itself, keeps it.
"""

import asyncio
import base64
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from taisai.floor.table.player_names import NameBook, plain_player, player_at
from taisai.record.ports import Entropy, NamesStore

if TYPE_CHECKING:
    from taisai.floor.ports import Floor

LIVE_PREFIX: Final = "n-"
_ALL: Final = 10**9
# Somebody whom nobody asked for a name, a robot, and the record's own pseudonyms.
_NO_NAME: Final = re.compile(r"guest-\d+|robot-\w+|\w+-robot|[np]-[a-z2-7]{16}")


class LiveNames:
    """Who is who at the live tables of one house."""

    def __init__(self, names: NamesStore, entropy: Entropy) -> None:
        self._names, self._entropy = names, entropy
        self._pseudonyms: dict[str, str] = {}
        self._turn = asyncio.Lock()
        self._book = NameBook()
        # Who else shows names: told of each that is new, and of each that was erased.
        self.on_named: list[Callable[[str, str], None]] = []

    async def start(self, house: "Floor") -> None:
        """Know everybody whose name is kept, until `stop`.

        A process that another takes the place of may have kept a name twice: the record has one of them.
        """
        async with self._turn:
            everybody = await self._names.find("", limit=_ALL)
            self.stop()
            self._book.open()
            for pseudonym, name in everybody:
                if pseudonym.startswith(LIVE_PREFIX):
                    self._book.call(pseudonym, name)
                    if name not in self._pseudonyms or _is_anywhere(house, pseudonym):
                        self._pseudonyms[name] = pseudonym

    def stop(self) -> None:
        """Know nobody any more."""
        self._pseudonyms.clear()
        self._book.close()

    async def in_record(self, house: "Floor", typed: str, table: str) -> str:
        """A player as the record of a table has them; a name that is new gets its pseudonym first."""
        name = " ".join(typed.removesuffix(f"@{table}").split())
        if not name or _NO_NAME.fullmatch(name):
            return player_at(name, table)
        typed_here, seen = player_at(name, table), house.read.table(table)
        if seen.is_on_record(typed_here, new=name not in self._pseudonyms):  # an older record has the name
            return typed_here
        async with self._turn:
            pseudonym = self._pseudonyms.get(name) or await self._kept_since(name)
            if pseudonym is None:
                random = base64.b32encode(self._entropy.random_bytes(10)).decode().lower()
                pseudonym = LIVE_PREFIX + random
                await self._names.put(pseudonym, name)
            self._pseudonyms[name] = pseudonym
            self._book.call(pseudonym, name)
            self._tell(pseudonym, name)
        return player_at(pseudonym, table)

    async def _kept_since(self, name: str) -> str | None:
        """The pseudonym that another process gave a name while this one took its place."""
        kept = await self._names.find(name, limit=_ALL)
        found = (each for each, called in kept if called == name and each.startswith(LIVE_PREFIX))
        return next(found, None)

    async def erased(self, pseudonym: str) -> None:
        """Whoever comes under the name later is somebody else to the record."""
        self._pseudonyms = {name: each for name, each in self._pseudonyms.items() if each != pseudonym}
        self._book.forget(pseudonym)
        self._tell(pseudonym, "")

    def page(self, after: str, limit: int) -> list[tuple[str, str]]:
        """Pseudonyms with their names, some at a time, in the order of the pseudonyms."""
        return self._book.page(after, limit)

    def _tell(self, pseudonym: str, name: str) -> None:
        for call in self.on_named:
            call(pseudonym, name)


def _is_anywhere(house: "Floor", pseudonym: str) -> bool:
    """Whether any live table has somebody under a pseudonym."""
    live = [name for name, plan in house.plans.items() if plan.kind == "live"]
    return any(house.read.table(table).is_on_record(player_at(pseudonym, table), new=True) for table in live)


async def fields_in_record(house: "Floor", fields: dict[str, Any], table: str) -> dict[str, Any]:
    """An act's fields with its players as the record knows them at a live table."""
    found = dict(fields)
    if isinstance(fields.get("player"), str):
        found["player"] = await player_in_record(house, fields["player"], table)
    if isinstance(fields.get("bets"), list):
        found["bets"] = [
            await fields_in_record(house, bet, table) if isinstance(bet, dict) else bet
            for bet in fields["bets"]
        ]
    return found


async def player_in_record(house: "Floor", typed: str, table: str) -> str:
    """A player as the record has them; a house without a store of names has them as they were typed."""
    if house.live_names is None:
        return player_at(typed, table)
    return await house.live_names.in_record(house, typed, table)


def shown_player(player: str, table: str) -> str:
    """A player of an answer, as whoever asked calls them."""
    return player_at(plain_player(player, table), table) if player.endswith(f"@{table}") else player
