"""Answers that an event says whole: the record keeps where it is, not the same words again."""

import msgspec
import pytest

from taisai.floor.approvals.asked import TableAct
from taisai.floor.house import House
from taisai.floor.table.messages import Accepted, InRound
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.record.journal import Answer
from taisai.record.ports import CommandAltered, RecordCorrupt
from tests.floor.houses import SmallHouse, cluster, live, seat, start_round


async def placed(house: House, session: str, slip: dict[str, int], key: str, table: str = "C1") -> Accepted:
    by = Actor(session, Role.PLAYER)
    placing = cmd.PlaceBets(by=by, at=house.now(), player=session, slip=slip, version=1)
    answer = await house.do(TableAct(table, InRound(by=by, at=placing.at, command=placing)), by, key)
    assert isinstance(answer, Accepted), answer
    return answer


async def test_an_accepted_slip_is_kept_as_the_place_of_its_event_and_told_again_in_full() -> None:
    """In the same process, after a restart, and twice in one batch; with other content it is refused."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        await start_round(house, "C1")
        first = await placed(house, session, {"big": 500, "sum-8": 100}, "k1")
        assert (first.slip, first.slip_version) == ({"big": 500, "sum-8": 100}, 1)
        kept = small.disk.answers[f"terminal:{session}", "k1"].answer
        assert msgspec.json.decode(kept) == {
            "type": "ToldBy",
            "stream": "table:C1",
            "version": house.table("C1").version,
        }
        assert await placed(house, session, {"big": 500, "sum-8": 100}, "k1") == first
    async with small.open(dealing=False) as house:
        assert await placed(house, session, {"big": 500, "sum-8": 100}, "k1") == first
        with pytest.raises(CommandAltered):
            await placed(house, session, {"big": 600}, "k1")


async def test_what_more_than_its_event_says_is_kept_in_words() -> None:
    """A seat, an opening, a refusal: only slips are told by their event."""
    small = SmallHouse(live())
    async with small.open(dealing=False) as house:
        await start_round(house, "T1")
        kinds = {msgspec.json.decode(answer.answer)["type"] for answer in small.disk.answers.values()}
        assert "ToldBy" not in kinds


async def test_an_answer_whose_event_says_something_else_is_damage_and_another_desks_stays_as_it_is() -> None:
    """Nobody is told something that was not said."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        retelling = house.table("C1")._retelling
        wrong = Answer("t", "k", b"", b'{"type":"ToldBy","stream":"table:C1","version":1}')
        with pytest.raises(RecordCorrupt, match="table:C1"):
            await retelling.in_full(wrong)
        elsewhere = Answer("t", "k", b"", b'{"type":"ToldBy","stream":"table:C2","version":1}')
        assert await retelling.in_full(elsewhere) == elsewhere
        in_words = Answer("t", "k", b"", b'{"type":"Accepted","happened":[]}')
        assert await retelling.in_full(in_words) == in_words
