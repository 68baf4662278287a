"""A batch in the making: each command is taken up whole or not at all."""

import asyncio
from datetime import datetime
from typing import Any

import msgspec
import pytest

from taisai.errors import InputError
from taisai.floor.desks.batch import Draft, WaitingCommand, check_times
from taisai.floor.desks.decider import Done
from taisai.floor.desks.kind import Acted
from taisai.floor.players.messages import BeginPlay
from taisai.game.refusals import RefusalCode, by_house
from taisai.ledger import Transfer
from tests.unit.house import SYSTEM, minutes


def sits(player: str = "p-1", place: str = "T1", minute: int = 0) -> BeginPlay:
    return BeginPlay(by=SYSTEM, at=minutes(minute), player=player, place=place)


def waiting(name: str = "c1") -> WaitingCommand:
    return WaitingCommand(("t1", name), sits(), b"asked", asyncio.get_running_loop().create_future())


def test_a_time_without_a_zone_is_refused_before_it_reaches_the_journal() -> None:
    """In the command itself as well as in the one inside it."""
    check_times(sits())
    naive = msgspec.structs.replace(sits(), at=datetime(2026, 3, 2, 12, 0))  # noqa: DTZ001 - is what is tested
    with pytest.raises(InputError, match="expected a time with its zone, got 2026-03-02T12:00:00"):
        check_times(naive)

    class Outer(msgspec.Struct):
        command: Any

    with pytest.raises(InputError, match="with its zone"):
        check_times(Outer(naive))


async def test_a_draft_takes_up_a_command_whole_or_not_at_all() -> None:
    """An answer that cannot be written leaves no event, no transfer and nobody waiting."""
    moved = Transfer("T1.1.1", "cash", "credit:p-1", 5, "buy_in", 1, "T1")
    draft = Draft()
    with pytest.raises(TypeError):
        draft.enter(waiting(), Acted(["event"], [moved], object()))
    assert draft == Draft()
    done = Done(happened=["PlayBegan"])
    each = waiting()
    draft.enter(each, Acted(["event"], [moved], done))
    assert (draft.events, draft.transfers) == (["event"], [moved])
    assert draft.replies == {("t1", "c1"): (b"asked", done)}
    assert draft.waiting == [(each, done)]


async def test_a_refusal_is_answered_and_the_record_may_keep_more_than_is_told() -> None:
    """Nothing happened, so nothing but the answer is written."""
    draft, refusal = Draft(), by_house(RefusalCode.DRAWER_NOT_OPEN, name="carl")
    draft.enter(waiting(), refusal, {"and": "why"})
    assert (draft.events, draft.transfers, draft.also) == ([], [], [])
    assert [(kept.id, kept.answer) for kept in draft.answers] == [("c1", b'{"and":"why"}')]
    assert draft.replies["t1", "c1"] == (b"asked", refusal)


async def test_whoever_waits_is_answered_once() -> None:
    """A second answer, or a failure after it, changes nothing and breaks nothing."""
    each = waiting()
    each.succeed("first")
    each.succeed("second")
    each.fail(ValueError("late"))
    assert await each.reply == "first"
