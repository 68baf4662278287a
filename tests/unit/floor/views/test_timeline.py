"""A round told again: the same from a record and from a store, and nothing before its time."""

from typing import Any

import msgspec
import pytest

from taisai.dice import Roll
from taisai.errors import InputError, UnknownName
from taisai.floor.table.messages import DiceDrawn, RoundEvent
from taisai.floor.views.rounds import ROUNDS, RoundRow, round_key
from taisai.floor.views.timeline import round_in_record, round_in_store, tell_round
from taisai.game.events import RollDeclared
from tests.record import START
from tests.unit.floor.kept_evening import empty_store, kept_evening
from tests.unit.house import SYSTEM


@pytest.mark.parametrize("number", [1, 2, 3])
async def test_a_round_is_the_same_from_a_record_and_from_a_store(number: int) -> None:
    """Its window and the corrections of later included."""
    store = await kept_evening()
    stored = await round_in_store(store, "T1", number)
    assert stored == await round_in_record(store, "T1", number)
    assert len(stored) == {1: 28, 2: 19, 3: 8}[number]


async def test_a_round_is_told_with_its_end_and_every_bets_reason() -> None:
    """The dice are those of the last correction, and each step says who, and under which clause."""
    told = tell_round("T1", 1, await round_in_store(await kept_evening(), "T1", 1))
    assert (told.state, told.dice, told.staked, told.paid) == ("concluded", [1, 2, 3], 1_600, 1_300)
    last = [step for step in told.steps if step.type == "ResultCorrected"][-1]
    assert (last.by, last.clause) == ("Mei", "3.8")
    assert len(told.results) == 7
    assert sum(result.award.returned for result in told.results) == told.paid
    assert all(result.notes for result in told.results)


@pytest.mark.parametrize("number", [1, 2, 3])
async def test_a_round_told_and_its_row_in_a_history_say_the_same(number: int) -> None:
    """Also of a void round: what came back to players was paid to them."""
    store = await kept_evening()
    told = tell_round("T1", number, await round_in_store(store, "T1", number))
    key = round_key("T1", number)
    row = msgspec.json.decode((await store.view_get(ROUNDS.name, [key]))[key], type=RoundRow)
    assert (told.staked, told.paid, told.ground) == (row.staked, row.paid, row.ground)
    assert told.paid > 0


async def test_drawn_dice_are_sealed_until_the_roll_is_declared() -> None:
    """Before it the draw is no step of what is told; afterwards it is, with its source."""
    happened: list[Any] = list(await round_in_store(await kept_evening(), "C1", 1))
    drawn = DiceDrawn(by=SYSTEM, at=START, round=1, roll=Roll(2, 1, 6), source="a test")
    declared = next(
        place
        for place, event in enumerate(happened)
        if isinstance(event, RoundEvent) and isinstance(event.event, RollDeclared)
    )
    before, after = [*happened[:declared], drawn], [*happened[:declared], drawn, *happened[declared:]]
    sealed, told = tell_round("C1", 1, before), tell_round("C1", 1, after)
    assert sealed.dice is None
    assert "DiceDrawn" not in [step.type for step in sealed.steps]
    assert [step.text for step in told.steps if step.type == "DiceDrawn"] == [
        "DiceDrawn: roll 2-1-6, source a test"
    ]


async def test_a_round_that_never_was_is_named() -> None:
    """Of a table that is, and of one that is not."""
    store = await kept_evening()
    with pytest.raises(UnknownName, match="unknown round of T1 '4'"):
        await round_in_store(store, "T1", 4)
    with pytest.raises(InputError, match="the record has no round T9/1"):
        await round_in_record(empty_store(), "T9", 1)
