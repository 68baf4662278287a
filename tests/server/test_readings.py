"""A camera reads the dice beside the dealer: what agrees goes on, what differs waits for a supervisor."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from taisai.client import Console, Refused
from taisai.game.people import Role
from tests.server.houses import LIVE, Serving, serving, settings

PEOPLE = {"dealer": Role.DEALER, "camera": Role.DEALER, "supervisor": Role.PIT_SUPERVISOR}


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[Serving]:
    """A live table whose dice a camera reads too."""
    async with serving(settings(tmp_path, LIVE), people=PEOPLE) as house:
        yield house


async def uncovered(house: Serving) -> Console:
    """A round whose dice lie open and are not declared yet."""
    console = await house.console("T1")
    await console.act("StartRound")
    await console.act("CloseBetting")
    await console.act("CoverTumbler")
    await console.act("ActivateTumbler", tumbles=3)
    await console.act("ExposeDice")
    return console


async def read(house: Serving, roll: list[int], number: int = 1) -> Any:
    camera = await house.person("camera")
    return await camera.act("T1", "ReadDice", round=number, roll=roll, source="camera 1")


async def differing(house: Serving) -> Any:
    (table,) = await (await house.person("supervisor")).get("/pit")
    return table["differing"]


async def test_a_reading_that_agrees_is_on_the_record_and_stops_nothing(watched: Serving) -> None:
    """The order of the dice is nobody's business; afterwards the round's timeline shows the reading."""
    console = await uncovered(watched)
    await read(watched, [5, 2, 4])
    supervisor = await watched.person("supervisor")
    sealed = await supervisor.get("/tables/T1/rounds/1")
    assert "DiceRead" not in [event["type"] for event in sealed["events"]]
    await console.act("DeclareRoll", roll=[2, 4, 5])
    told = await supervisor.get("/tables/T1/rounds/1")
    (reading,) = [event for event in told["events"] if event["type"] == "DiceRead"]
    assert (reading["by"], reading["facts"]) == ("camera", {"roll": [5, 2, 4], "source": "camera 1"})
    assert await differing(watched) is None


async def test_a_reading_that_differs_blocks_the_dealer_and_calls_a_supervisor(watched: Serving) -> None:
    """Nothing is declared, the pit is told of both readings, and a supervisor's word stands."""
    console = await uncovered(watched)
    await read(watched, [1, 1, 6])
    with pytest.raises(Refused) as blocked:
        await console.act("DeclareRoll", roll=[1, 1, 5])
    assert (blocked.value.code, blocked.value.facts) == (
        "reading_differs",
        {"declared": "1-1-5", "read": "1-1-6"},
    )
    assert await differing(watched) == {"declared": [1, 1, 5], "read": [1, 1, 6], "source": "camera 1"}
    supervisor = await watched.person("supervisor")
    (told,) = (await supervisor.get("/audit/significant", code=408))["items"]
    assert (told["by"], told["device"]) == ("dealer", "T1")
    await supervisor.act("T1", "DeclareRoll", roll=[1, 1, 5])
    assert await differing(watched) is None
    assert (await supervisor.get("/tables/T1/rounds/1"))["dice"] == [1, 1, 5]


async def test_a_dealer_who_looks_again_needs_nobody(watched: Serving) -> None:
    """What was mistyped is entered again; the call stays on the record and is over."""
    console = await uncovered(watched)
    await read(watched, [3, 3, 4])
    with pytest.raises(Refused):
        await console.act("DeclareRoll", roll=[3, 3, 3])
    await console.act("DeclareRoll", roll=[3, 3, 4])
    assert await differing(watched) is None


async def test_a_later_reading_takes_the_place_of_an_earlier_one(watched: Serving) -> None:
    """A camera that looked too early corrects itself."""
    console = await uncovered(watched)
    await read(watched, [1, 2, 3])
    await read(watched, [6, 6, 6])
    with pytest.raises(Refused):
        await console.act("DeclareRoll", roll=[1, 2, 3])
    await console.act("DeclareRoll", roll=[6, 6, 6])


async def test_a_reading_counts_for_its_own_round_from_the_closing_to_the_result(watched: Serving) -> None:
    """Not while bets are taken, not for another round, not after the roll, and not for a later one."""
    console = await watched.console("T1")
    await console.act("StartRound")
    with pytest.raises(Refused) as open_still:
        await read(watched, [1, 2, 3])
    assert open_still.value.code == "betting_open"
    await console.act("CloseBetting")
    with pytest.raises(Refused) as another:
        await read(watched, [1, 2, 3], number=2)
    assert another.value.code == "round_unknown"
    await read(watched, [1, 2, 3])
    for act, fields in (("CoverTumbler", {}), ("ActivateTumbler", {"tumbles": 3}), ("ExposeDice", {})):
        await console.act(act, **fields)
    await console.act("DeclareRoll", roll=[3, 2, 1])
    with pytest.raises(Refused) as late:
        await read(watched, [1, 2, 4])
    assert late.value.code == "roll_declared"
    await console.act("SettleBets")
    await console.act("ConcludeRound")
    console = await uncovered(watched)
    await console.act("DeclareRoll", roll=[4, 5, 6])


async def test_dice_that_do_not_exist_are_no_reading(watched: Serving) -> None:
    """Three faces that no dice show are refused by the clause on dice."""
    await uncovered(watched)
    with pytest.raises(Refused) as wrong:
        await read(watched, [1, 2, 7])
    assert (wrong.value.code, "(2.2.1)" in str(wrong.value)) == ("dice_invalid", True)
