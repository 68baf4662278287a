"""Rounds found by what was in them, newest first, so many at once."""

from datetime import datetime
from typing import Any

import pytest

from taisai.dice import Roll
from taisai.floor.audit import search
from taisai.floor.audit.search import FoundRounds, RoundQuery, search_rounds
from taisai.floor.house import House
from taisai.game.refusals import Refusal
from tests.floor.houses import DEALER, SUPERVISOR, SmallHouse, bet, cluster, deal, seat, start_round


async def three_rounds(house: House) -> list[str]:
    """Ann bets on big, bob on big and the sum of 9, nobody; a bet after the closing is refused."""
    ann, bob = await seat(house, "C1", "C1-1", 50_000), await seat(house, "C1", "C1-2", 50_000)
    await start_round(house, "C1")
    await bet(house, "C1", ann, {"big": 1_000})
    await deal(house, "C1", Roll(1, 2, 3))
    await start_round(house, "C1")
    await bet(house, "C1", bob, {"big": 2_000, "sum-9": 500})
    await deal(house, "C1", Roll(1, 2, 6))
    late = await bet(house, "C1", ann, {"odd": 700}, 5)
    assert isinstance(late, Refusal)
    await start_round(house, "C1")
    await deal(house, "C1", Roll(4, 5, 6))
    return [ann, bob]


def nobody(opened: datetime) -> str | None:
    return "dan"


async def look(house: House, *, first: int = 3, limit: int = 25, **asked: Any) -> FoundRounds:
    query = RoundQuery(**asked)
    return await search_rounds(house.store, "C1", query, first=first, limit=limit, dealer_at=nobody)


def numbers(found: FoundRounds) -> list[int]:
    return [hit.row.round for hit in found.hits]


async def test_rounds_are_found_by_player_box_and_amount() -> None:
    """All that is asked for must hold of one bet; a player is a session or its terminal."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        ann, _ = await three_rounds(house)
        assert numbers(await look(house)) == [3, 2, 1]
        assert numbers(await look(house, player=ann)) == [1]
        assert numbers(await look(house, player="C1-2")) == [2]
        assert numbers(await look(house, box="big")) == [2, 1]
        assert numbers(await look(house, box="big", least=1_001)) == [2]
        assert numbers(await look(house, box="sum-9", least=501)) == []
        assert numbers(await look(house, most=600)) == [2]
        (hit,) = (await look(house, box="sum-9")).hits
        assert [(one.box, one.amount, one.code) for one in hit.bets] == [("sum-9", 500, "")]


async def test_rounds_are_found_by_dealer_and_clause() -> None:
    """The pit's dealer and everybody of the staff who acted; a clause with all that are below it."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        await three_rounds(house)
        assert numbers(await look(house, dealer=DEALER.name)) == [3, 2, 1]
        assert numbers(await look(house, dealer="dan")) == [3, 2, 1]
        assert numbers(await look(house, dealer=SUPERVISOR.name)) == []
        chapter = await look(house, clause="3")
        assert numbers(chapter) == [3, 2, 1]
        clause = next(act.clause for hit in chapter.hits for act in hit.acts if act.type == "BetsPlaced")
        placed = await look(house, clause=clause)
        assert numbers(placed) == [2, 1]
        assert {one.type for hit in placed.hits for one in hit.acts} == {"BetsPlaced"}
        assert numbers(await look(house, clause=f"{clause}3")) == []


async def test_refused_bets_are_found_with_why() -> None:
    """The box that was asked for and never registered; the same query without it finds nothing."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        await three_rounds(house)
        (hit,) = (await look(house, refused=True)).hits
        assert hit.row.round == 2
        assert [(one.box, one.amount) for one in hit.bets] == [("odd", 700)]
        assert hit.bets[0].code
        assert hit.bets[0].clause
        assert numbers(await look(house, box="odd")) == []
        assert numbers(await look(house, box="odd", refused=True)) == [2]
        assert numbers(await look(house, box="big", refused=True)) == []


async def test_a_search_is_bounded_and_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rounds are looked at and no more, whether anything was found or not; a page has its limit."""
    monkeypatch.setattr(search, "ROUNDS_LOOKED_AT", 2)
    monkeypatch.setattr(search, "ROUNDS_AT_ONCE", 1)
    async with SmallHouse(cluster()).open(dealing=False) as house:
        ann, _ = await three_rounds(house)
        empty = await look(house, player=ann)
        assert (numbers(empty), empty.looked_at, empty.next) == ([], 2, 1)
        rest = await look(house, player=ann, first=1)
        assert (numbers(rest), rest.looked_at, rest.next) == ([1], 1, None)
        page = await look(house, limit=1)
        assert (numbers(page), page.looked_at, page.next) == ([3], 1, 2)


async def test_rounds_far_apart_on_the_stream_are_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same is found, however the stream is read."""
    monkeypatch.setattr(search, "_EVENTS_AT_ONCE", 1)
    async with SmallHouse(cluster()).open(dealing=False) as house:
        await three_rounds(house)
        assert numbers(await look(house, box="big")) == [2, 1]
        assert numbers(await look(house, refused=True)) == [2]
