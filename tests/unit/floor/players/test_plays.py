"""What was played counts for players' own limits, whatever fails just then and whoever registers then."""

import asyncio
from datetime import timedelta

import pytest

from taisai.dice import Roll
from taisai.errors import StoreUnavailable
from taisai.floor.house import House
from taisai.floor.players.messages import PlayLimits, SetPlayLimits
from taisai.floor.table.messages import Accepted
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.record.journal import Batch, Committed
from tests.floor.houses import DEALER, SmallHouse, act, bet, cluster, seat, settle_down, start_round


async def set_limit(house: House, session: str) -> None:
    player = await house.seated_player(session)
    limits = SetPlayLimits(
        by=Actor(player, Role.PLAYER), at=house.now(), player=player, limits=PlayLimits(loss_session=5_000)
    )
    await house.players.ask("x", f"limit.{session}", limits)


async def deal_out(house: House) -> None:
    """From the closing to the end, with dice on which small loses and big wins."""
    for kind, facts in (
        (cmd.CloseBetting, {}),
        (cmd.CoverTumbler, {}),
        (cmd.ActivateTumbler, {"tumbles": 3}),
        (cmd.ExposeDice, {}),
        (cmd.DeclareRoll, {"roll": Roll(4, 5, 6)}),
        (cmd.SettleBets, {}),
        (cmd.ConcludeRound, {}),
    ):
        answer = await act(house, "C1", kind(by=DEALER, at=house.now(), **facts))
        assert isinstance(answer, Accepted), answer


async def counted(house: House, session: str, wagered: int) -> None:
    """Wait until the registry has counted it."""
    async with asyncio.timeout(20):
        while True:
            standing = house.players.state.standing(session, house.now())
            if standing is not None and standing.session_wagered == wagered:
                return
            await asyncio.sleep(0.01)


async def test_a_house_starts_again_though_a_bettor_registered_after_the_round() -> None:
    """What stands under a fixed id follows from the record alone, not from who is registered when."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        one, other = await seat(house, "C1", "C1-1", 10_000), await seat(house, "C1", "C1-2", 10_000)
        await set_limit(house, one)
        await start_round(house, "C1")
        await bet(house, "C1", one, {"big": 100})
        await bet(house, "C1", other, {"big": 200})
        await deal_out(house)
        await counted(house, one, 100)
        await set_limit(house, other)
    for _ in range(2):
        async with small.open(dealing=False) as house:
            standing = house.players.state.standing(one, house.now())
            assert standing is not None
            assert standing.session_wagered == 100
            await start_round(house, "C1")
            await act(house, "C1", cmd.CloseBetting(by=DEALER, at=house.now()))
            small.clock.move(small.clock.now() + timedelta(minutes=1))


async def test_a_record_of_an_earlier_release_that_counted_fewer_players_is_no_reason_not_to_start() -> None:
    """It counted a round with those who were registered then, under the id that stands for it today."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        one, other = await seat(house, "C1", "C1-1", 10_000), await seat(house, "C1", "C1-2", 10_000)
        await set_limit(house, one)
        await start_round(house, "C1")
        await bet(house, "C1", one, {"big": 100})
        await bet(house, "C1", other, {"big": 200})
        asking = house.players.ask

        async def as_before(sender: str, name: str, command: object, **more: object) -> object:
            plays = getattr(command, "plays", None)
            if plays is not None:
                plays.pop(other)
            return await asking(sender, name, command, **more)

        house.players.ask = as_before
        await deal_out(house)
        await counted(house, one, 100)
    async with small.open(dealing=False) as house:
        await settle_down()
        await counted(house, one, 100)


@pytest.mark.parametrize("restart", [False, True])
async def test_losses_count_though_the_store_failed_when_they_were_to_be_counted(restart: bool) -> None:
    """It is tried again until it is done, and if the process dies first, by the next one."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        await set_limit(house, session)
        for _ in range(3):  # the earlier ones are counted, the last ones are not
            await start_round(house, "C1")
            await bet(house, "C1", session, {"small": 100})
            await deal_out(house)
            small.clock.move(small.clock.now() + timedelta(minutes=1))
        await counted(house, session, 300)
        appending, away = house.store.append, [True]

        async def append(batch: Batch) -> Committed:
            if away and any(part.stream == "players" for part in batch.streams):
                raise StoreUnavailable("the disk is full")
            return await appending(batch)

        house.store.append = append
        for _ in range(2):
            await start_round(house, "C1")
            await bet(house, "C1", session, {"small": 100})
            await deal_out(house)
            small.clock.move(small.clock.now() + timedelta(minutes=1))
        standing = house.players.state.standing(session, house.now())
        assert standing is None or standing.session_wagered == 300
        if not restart:
            away.clear()
            await counted(house, session, 500)
    if restart:
        async with small.open(dealing=False) as house:
            await counted(house, session, 500)
