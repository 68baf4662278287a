"""Typed names at live tables: a pseudonym from the first act on, and the name where it can be erased."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from taisai.adapters.clock import SeededEntropy
from taisai.adapters.memory import MemoryStore
from taisai.floor.house import House
from taisai.floor.players.live_names import (
    LIVE_PREFIX,
    LiveNames,
    fields_in_record,
    player_in_record,
    shown_player,
)
from taisai.floor.table.messages import BuyIn
from tests.floor.houses import DEALER, KEY, SIGNER, START, SmallHouse, ask, live
from tests.floor.split import split_house


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
        await names.start(house)
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


async def test_names_are_read_once_the_tables_are_ours() -> None:
    """Until then the process before may have met somebody new, whose acts would come again as another's."""
    small = SmallHouse(live(), live("T2"))

    class Late(Kept):
        """Says how many tables had been taken when its names were read."""

        async def find(self, part: str, *, limit: int = 50) -> list[tuple[str, str]]:
            taken.append(small.disk.streams["table:T2"][0].type)
            return await super().find(part, limit=limit)

    taken: list[str] = []
    store = MemoryStore(small.disk, writer="house", signer=SIGNER, clock=small.clock)
    names = LiveNames(Late(), SeededEntropy(1))
    house = House(small.plan, store, small.clock, KEY, live_names=names)
    await house.start()
    assert taken == ["DeskTaken"]
    await house.stop()


async def test_a_name_that_another_process_kept_meanwhile_is_found() -> None:
    """Not one that only begins like it, nor a registered player's."""
    kept = Kept()
    async with a_house(kept) as (house, names):
        kept.names |= {"n-bbbbbbbbbbbbbbbb": "Mr Tan Jr", "p-cccccccccccccccc": "Mr Tan"}
        kept.names["n-dddddddddddddddd"] = "Mr Tan"
        assert await names.in_record(house, "Mr Tan", "T1") == "n-dddddddddddddddd@T1"
        assert shown_player("n-dddddddddddddddd@T1", "T1") == "Mr Tan@T1"


@pytest.mark.parametrize("first", ["n-aaaaaaaaaaaaaaaa", "n-zzzzzzzzzzzzzzzz"])
async def test_of_two_pseudonyms_of_one_name_the_record_has_one(first: str) -> None:
    """A process that is being replaced may keep a name once more, and write nothing under it."""
    kept = Kept()
    async with a_house(kept) as (house, names):
        player = await names.in_record(house, "Mr Tan", "T2")
        await ask(house, "T2", BuyIn(by=DEALER, at=START, player=player, amount=500))
        own = dict(kept.names)
        for both in ({first: "Mr Tan", **own}, {**own, first: "Mr Tan"}):
            kept.names = both
            names.stop()
            await names.start(house)
            assert await names.in_record(house, "Mr Tan", "T2") == player


@pytest.mark.parametrize(
    "name", ["guest-7", "robot-a", "a-robot", "n-abcdefgh234567ab", "p-abcdefgh234567ab", ""]
)
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
        await names.erased(pseudonym)
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


async def test_whoever_gets_the_office_knows_the_names_that_were_given_and_none_that_was_erased() -> None:
    """Names are in one place for all processes; who was erased comes back as somebody else."""
    kept = Kept()
    async with split_house(SmallHouse(live()), ["office"], ["table:T1"]) as (_, (first, second)):
        for seed, house in enumerate((first, second)):
            house.live_names = LiveNames(kept, SeededEntropy(seed))
            await house.live_names.start(house)
        gone = await first.live_names.in_record(first, "Ben", "T1")
        await second.live_names.start(second)  # it has heard of him
        anna = await first.live_names.in_record(first, "Anna", "T1")
        await kept.erase(gone.removesuffix("@T1"))
        await first.live_names.erased(gone.removesuffix("@T1"))
        await first.give_up("office", "p2")
        await second.take("office")
        assert second.live_names.page("", 10) == [(anna.removesuffix("@T1"), "Anna")]
        assert await second.live_names.in_record(second, "Anna", "T1") == anna
        assert await second.live_names.in_record(second, "Ben", "T1") != gone
