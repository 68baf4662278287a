"""A second reading of the dice: it never makes a result, and a difference calls a supervisor."""

from typing import Any

from taisai.dice import Roll
from taisai.floor.house import House
from taisai.floor.table.messages import CallSupervisor, ReadDice
from taisai.floor.table.readings import reading_of, standing_call
from taisai.game import commands as cmd
from taisai.game.people import Actor
from taisai.game.refusals import Refusal, RefusalCode
from tests.floor.houses import DEALER, SUPERVISOR, SmallHouse, act, ask, events, live, start_round


async def exposed(house: House) -> None:
    """A round whose dice can be seen and are not declared yet."""
    await start_round(house, "T1")
    by, at = DEALER, house.now()
    await act(house, "T1", cmd.CloseBetting(by=by, at=at))
    await act(house, "T1", cmd.CoverTumbler(by=by, at=at))
    await act(house, "T1", cmd.ActivateTumbler(by=by, at=at, tumbles=3))
    await act(house, "T1", cmd.ExposeDice(by=by, at=at))


async def read(house: House, roll: Roll, number: int = 1) -> Any:
    reading = ReadDice(by=DEALER, at=house.now(), round=number, roll=roll, source="camera 1")
    return await ask(house, "T1", reading)


async def declare(house: House, roll: Roll, by: Actor = DEALER) -> Any:
    return await act(house, "T1", cmd.DeclareRoll(by=by, at=house.now(), roll=roll))


async def call(house: House, declared: Roll) -> Any:
    return await ask(house, "T1", CallSupervisor(by=DEALER, at=house.now(), round=1, declared=declared))


def code(answer: Any) -> RefusalCode:
    assert isinstance(answer, Refusal), answer
    return answer.code


async def test_a_reading_counts_from_the_closing_until_the_roll_is_declared() -> None:
    """Too soon, for another round and too late it is refused, and nothing of it is on the record."""
    small = SmallHouse(live())
    async with small.open() as house:
        await start_round(house, "T1")
        assert isinstance(await read(house, Roll(1, 2, 3)), Refusal)
        await act(house, "T1", cmd.CloseBetting(by=DEALER, at=house.now()))
        assert code(await read(house, Roll(1, 2, 3), number=2)) is RefusalCode.ROUND_UNKNOWN
        assert "DiceRead" not in events(small.disk, "T1")
        assert not isinstance(await read(house, Roll(1, 2, 3)), Refusal)
        found = reading_of(house.table("T1").state)
        assert found is not None
        assert (found.roll, found.source) == (Roll(1, 2, 3), "camera 1")


async def test_the_order_in_which_dice_are_named_is_no_difference() -> None:
    """The same three faces agree, and there is nobody to call."""
    small = SmallHouse(live())
    async with small.open() as house:
        await exposed(house)
        await read(house, Roll(3, 1, 2))
        assert code(await call(house, Roll(1, 2, 3))) is RefusalCode.NOTHING_CHANGES
        assert not isinstance(await declare(house, Roll(1, 2, 3)), Refusal)
        assert isinstance(await read(house, Roll(1, 2, 3)), Refusal)


async def test_a_roll_that_differs_waits_for_a_supervisor_whose_word_stands() -> None:
    """The dealer's roll is not declared; the supervisor's is, whatever the device says."""
    small = SmallHouse(live())
    async with small.open() as house:
        await exposed(house)
        await read(house, Roll(1, 2, 4))
        state = house.table("T1").state
        refused = await declare(house, Roll(1, 2, 3))
        assert code(refused) is RefusalCode.READING_DIFFERS
        assert state.current.roll is None
        await call(house, Roll(1, 2, 3))
        standing = standing_call(state)
        assert standing is not None
        assert (standing.declared, standing.read) == (Roll(1, 2, 3), Roll(1, 2, 4))
        assert not isinstance(await declare(house, Roll(1, 2, 3), by=SUPERVISOR), Refusal)
        assert state.current.roll == Roll(1, 2, 3)
        assert standing_call(state) is None
