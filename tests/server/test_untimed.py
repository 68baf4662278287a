"""A table without a clock: nobody is hurried, and the dice roll when all who have bets want them."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from taisai.client import Refused, Terminal
from tests.server.houses import AUTOMATIC, Serving, serving, settings

PRACTICE: dict[str, Any] = {name: told for name, told in AUTOMATIC.items() if name != "betting_seconds"}


@pytest.fixture
async def practice(tmp_path: Path) -> AsyncIterator[Serving]:
    async with serving(settings(tmp_path, PRACTICE)) as house:
        yield house


async def counted(terminal: Terminal, *, ready: bool, waits_for: int) -> None:
    """Wait until a terminal knows how many are waited for."""

    def there() -> bool:
        told = terminal.readiness
        return told is not None and (told.ready, told.waits_for) == (ready, waits_for)

    await terminal.wait_until(there)


async def one_is_ready(house: Serving) -> tuple[Terminal, Terminal, int]:
    """Two players with bets, the first of whom wants the dice; and the round."""
    one, two = [await house.terminal(credit=10_000) for _ in range(2)]
    number = (await one.betting()).number
    await one.place(number, {"big": 500})
    await two.place(number, {"small": 500})
    await one.ready(number)
    await counted(one, ready=True, waits_for=1)
    return one, two, number


async def test_one_player_bets_says_when_and_is_paid(practice: Serving) -> None:
    """The round has no deadline; it is closed, dealt, settled and followed by the next."""
    terminal = await practice.terminal(credit=10_000)
    assert terminal.snapshot is not None
    assert terminal.snapshot.table.untimed
    round_ = await terminal.betting()
    assert round_.closes_at is None
    await terminal.place(round_.number, {"big": 500})
    await terminal.ready(round_.number)
    assert (await terminal.result(round_.number)).staked == 500
    assert (await terminal.betting(after=round_.number)).number == round_.number + 1


async def test_the_dice_wait_for_everyone_who_has_bets(practice: Serving) -> None:
    """Not for somebody who only looks on; and each terminal knows how many are waited for."""
    looking_on = await practice.terminal(credit=10_000)
    one, two, number = await one_is_ready(practice)
    await counted(two, ready=False, waits_for=1)
    await counted(looking_on, ready=False, waits_for=1)
    assert practice.hub.feeds["C1"].table.round is not None
    assert practice.hub.feeds["C1"].table.round.phase == "betting"
    await two.ready(number)
    assert (await one.result(number)).staked == (await two.result(number)).staked == 500


async def test_a_wish_is_for_the_slip_that_lay(practice: Serving) -> None:
    """Whoever changes a bet, or takes the wish back, is waited for again."""
    one, _, number = await one_is_ready(practice)
    await one.place(number, {"big": 600})
    await counted(one, ready=False, waits_for=2)
    await one.ready(number)
    await counted(one, ready=True, waits_for=1)
    await one.ready(number, ready=False)
    await counted(one, ready=False, waits_for=2)


@pytest.mark.parametrize("leaves", ["takes the bets back", "is cut off"])
async def test_nobody_waits_for_one_who_is_gone(practice: Serving, leaves: str) -> None:
    """Bets that were taken back want no dice; those of a terminal without a connection stand."""
    one, two, number = await one_is_ready(practice)
    if leaves == "is cut off":
        await two.close()
    else:
        await two.place(number, {})
    assert (await one.result(number)).staked == 500
    played = practice.hub.house.table("C1").state.rounds[number]
    assert played.staked() == (1_000 if leaves == "is cut off" else 500)


async def test_without_bets_there_is_nothing_to_roll_for(practice: Serving) -> None:
    """Nor for a round that is not the one in play."""
    terminal = await practice.terminal(credit=10_000)
    number = (await terminal.betting()).number
    with pytest.raises(Refused) as refused:
        await terminal.ready(number)
    assert refused.value.code == "not_now"
    await terminal.place(number, {"big": 500})
    with pytest.raises(Refused):
        await terminal.ready(number + 1)


async def test_where_a_dealer_closes_no_player_does(house: Serving) -> None:
    """A wish for the dice changes nothing at a table that somebody deals."""
    console = await house.console("C1")
    terminal = await house.terminal(credit=10_000)
    await console.act("StartRound")
    number = (await terminal.betting()).number
    await terminal.place(number, {"big": 500})
    with pytest.raises(Refused) as refused:
        await terminal.ready(number)
    assert refused.value.code == "not_now"
    assert terminal.round is not None
    assert terminal.round.phase == "betting"
