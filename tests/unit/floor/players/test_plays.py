"""What was played counts for players' own limits, whatever fails just then and whoever registers then."""

import asyncio
from datetime import timedelta

import pytest

from taisai.dice import Roll
from taisai.errors import StoreUnavailable
from taisai.floor.door.acts import PlayersAct
from taisai.floor.house import House
from taisai.floor.players.messages import EndPlay, PlayLimits, RegisterPlayer, SetPlayLimits
from taisai.floor.table.messages import Accepted, BuyIn
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.record.journal import Batch, Committed
from tests.floor.houses import (
    DEALER,
    SUPERVISOR,
    TESTS,
    SmallHouse,
    act,
    ask,
    bet,
    cluster,
    live,
    seat,
    settle_down,
    start_round,
)


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


async def played_once(house: House) -> str:
    """A session that lost 100 on small; the registry has counted it."""
    session = await seat(house, "C1", "C1-1", 10_000)
    await set_limit(house, session)
    await start_round(house, "C1")
    await bet(house, "C1", session, {"small": 100})
    await deal_out(house)
    await counted(house, session, 100)
    return session


def two(house: House) -> dict[str, object]:
    return {"by": DEALER, "at": house.now(), "second": SUPERVISOR, "reason": "the camera shows it"}


@pytest.mark.clause("sic-bo-etg-v8", "5.4")
@pytest.mark.parametrize("restart", [False, True])
async def test_what_a_round_counted_is_taken_back_when_it_is_void(restart: bool) -> None:
    """By the process that made it void, or by the next one if it died before the registry heard of it."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        session = await played_once(house)
        if restart:
            await house.plays.stop()
            house.plays.published = lambda *_: None  # it dies just then
        damaged = cmd.ReportDamagedDice(**two(house), rounds=[1])
        assert isinstance(await act(house, "C1", damaged), Accepted)
        if not restart:
            await counted(house, session, 0)
    async with small.open(dealing=False) as house:
        await counted(house, session, 0)


async def test_a_correction_counts_also_for_somebody_who_has_left() -> None:
    """The loss of the day is what the round brought in the end, wherever the player sits by then."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        session = await played_once(house)
        left = EndPlay(by=TESTS, at=house.now(), player=session, place=session)
        await house.do(PlayersAct(left), TESTS, "left")
        corrected = cmd.CorrectResult(**two(house), roll=Roll(1, 2, 4))
        assert isinstance(await act(house, "C1", corrected), Accepted)
        for step in (cmd.SettleBets, cmd.ConcludeRound):
            await act(house, "C1", step(by=DEALER, at=house.now()))
        await settle_down()
        standing = house.players.state.standing(session, house.now())
        assert standing is not None
        assert (standing.day_wagered, standing.day_net) == (100, 100)


async def test_a_bet_that_was_taken_off_the_register_counts_no_more() -> None:
    """A player whose only bet was another's: what was counted for it is gone."""
    small = SmallHouse(live("C1"))
    async with small.open(dealing=False) as house:
        for name in ("ann", "bob"):
            registered = RegisterPlayer(by=TESTS, at=house.now(), player=name)
            await house.do(PlayersAct(registered), TESTS, f"registered.{name}")
            bought = BuyIn(by=DEALER, at=house.now(), player=f"{name}@C1", amount=10_000)
            await ask(house, "C1", bought)
        await start_round(house, "C1")
        placing = cmd.PlaceBets(by=DEALER, at=house.now(), player="ann@C1", slip={"small": 100}, version=1)
        await act(house, "C1", placing)
        await deal_out(house)
        await settle_down()
        wrong = cmd.CorrectBets(**two(house), player="ann@C1", slip={})
        assert isinstance(await act(house, "C1", wrong), Accepted)
        for step in (cmd.SettleBets, cmd.ConcludeRound):
            await act(house, "C1", step(by=DEALER, at=house.now()))
        await settle_down()
        standing = house.players.state.standing("ann", house.now())
        assert standing is not None
        assert standing.day_wagered == 0


async def test_a_round_that_is_settled_while_the_house_stops_counts_after_the_next_start(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The registry of players may be closed by then: nothing is tried there, and nothing goes wrong."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        await set_limit(house, session)
        await start_round(house, "C1")
        await bet(house, "C1", session, {"small": 100})
        await house.plays.stop()
        await house.players.stop()
        await deal_out(house)
        await settle_down()
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
    async with small.open(dealing=False) as house:
        await counted(house, session, 100)
