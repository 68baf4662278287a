"""Typed names at live tables: a pseudonym from the first act on, and the name where it can be erased."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from taisai.adapters.clock import SeededEntropy
from taisai.floor.house import House
from taisai.floor.players.live_names import (
    LIVE_PREFIX,
    LiveNames,
    fields_in_record,
    player_in_record,
    shown_player,
)
from taisai.floor.table.messages import BuyIn
from tests.floor.houses import DEALER, START, SmallHouse, ask, live


class Kept:
    """A store of names in memory."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    async def put(self, pseudonym: str, name: str) -> None:
        await asyncio.sleep(0)
        self.names[pseudonym] = name

    async def get(self, pseudonym: str) -> str | None:
        return self.names.get(pseudonym)

    async def find(self, part: str, *, limit: int = 50) -> list[tuple[str, str]]:
        return [(each, name) for each, name in self.names.items() if part in name][:limit]

    async def erase(self, pseudonym: str) -> bool:
        return self.names.pop(pseudonym, None) is not None

    async def close(self) -> None:
        self.names.clear()


@asynccontextmanager
async def a_house(kept: Kept, seed: int = 1) -> AsyncIterator[tuple[House, LiveNames]]:
    async with SmallHouse(live(), live("T2")).open(dealing=False) as house:
        house.live_names = names = LiveNames(kept, SeededEntropy(seed))
        await names.start()
        try:
            yield house, names
        finally:
            names.stop()


async def test_a_name_has_one_pseudonym_at_every_table_and_is_shown_as_typed() -> None:
    """Spaces do not make another person, nor do two who type it at once."""
    kept = Kept()
    async with a_house(kept) as (house, names):
        typed = ("Mr  Tan", " Mr Tan ", "Mr Tan@T1")
        found = set(await asyncio.gather(*(names.in_record(house, each, "T1") for each in typed)))
        (player,) = found
        ((pseudonym, name),) = kept.names.items()
        assert name == "Mr Tan"
        assert pseudonym.startswith(LIVE_PREFIX)
        assert player == f"{pseudonym}@T1"
        assert await names.in_record(house, "Mr Tan", "T2") == f"{pseudonym}@T2"
        assert shown_player(player, "T1") == "Mr Tan@T1"
        assert shown_player(player, "T2") == player
        assert "Tan" not in player


async def test_names_do_not_outlive_the_house_that_was_told_them() -> None:
    """Another house of the process goes on with its own."""
    kept, other = Kept(), Kept()
    async with a_house(other, seed=2) as (second, others):
        ms_lim = await others.in_record(second, "Ms Lim", "T1")
        async with a_house(kept) as (house, names):
            mr_tan = await names.in_record(house, "Mr Tan", "T1")
            assert shown_player(mr_tan, "T1") == "Mr Tan@T1"
        assert shown_player(mr_tan, "T1") == mr_tan
        assert shown_player(ms_lim, "T1") == "Ms Lim@T1"
    assert shown_player(ms_lim, "T1") == ms_lim


async def test_who_is_known_by_name_is_known_after_a_restart() -> None:
    """From the store of names alone; a registered player's pseudonym is none of a live table's."""
    kept = Kept()
    kept.names["p-aaaaaaaaaaaaaaaa"] = "Ms Lim"
    async with a_house(kept) as (house, names):
        before = await names.in_record(house, "Mr Tan", "T1")
    async with a_house(kept, seed=2) as (house, names):
        assert await names.in_record(house, "Mr Tan", "T1") == before
        assert (await names.in_record(house, "Ms Lim", "T1")).startswith(LIVE_PREFIX)


@pytest.mark.parametrize("name", ["guest-7", "robot-a", "n-abcdefgh234567ab", "p-abcdefgh234567ab", ""])
async def test_what_is_no_persons_name_is_left_as_it_is(name: str) -> None:
    """Guests, robots and the record's own pseudonyms."""
    kept = Kept()
    async with a_house(kept) as (house, names):
        assert await names.in_record(house, name, "T1") == f"{name}@T1"
        assert kept.names == {}


async def test_somebody_whom_an_older_record_has_by_name_keeps_it() -> None:
    """At that table; elsewhere the name is new."""
    kept = Kept()
    async with a_house(kept) as (house, names):
        await ask(house, "T1", BuyIn(by=DEALER, at=START, player="ann@T1", amount=500))
        assert await names.in_record(house, "ann", "T1") == "ann@T1"
        assert kept.names == {}
        assert (await names.in_record(house, "ann", "T2")).startswith(LIVE_PREFIX)


async def test_whoever_comes_under_an_erased_name_is_somebody_else() -> None:
    """And the pseudonym is shown as itself."""
    kept = Kept()
    async with a_house(kept) as (house, names):
        first = await names.in_record(house, "Mr Tan", "T1")
        pseudonym = first.removesuffix("@T1")
        await kept.erase(pseudonym)
        names.erased(pseudonym)
        assert shown_player(first, "T1") == first
        assert await names.in_record(house, "Mr Tan", "T1") != first


async def test_every_player_in_an_acts_fields_is_made_the_records() -> None:
    """Also in lists of bets; other fields stay, and a house without a store of names has them as typed."""
    kept = Kept()
    fields: dict[str, Any] = {
        "player": "Mr Tan",
        "bets": [{"player": "Ms Lim", "box": "big"}, 3],
        "amount": 5,
    }
    async with a_house(kept) as (house, _):
        found = await fields_in_record(house, fields, "T1")
        lim = found["bets"][0]["player"]
        assert {kept.names[each.removesuffix("@T1")] for each in (found["player"], lim)} == {
            "Mr Tan",
            "Ms Lim",
        }
        assert (found["bets"][0]["box"], found["bets"][1], found["amount"]) == ("big", 3, 5)
        assert fields["player"] == "Mr Tan"
        house.live_names = None
        assert await player_in_record(house, "Mr Tan", "T1") == "Mr Tan@T1"
