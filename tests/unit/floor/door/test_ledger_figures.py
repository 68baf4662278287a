"""What the ledger says of a table since a moment: money changed, in play, won, and what theory expects."""

from datetime import timedelta

from taisai.dice import Roll
from taisai.floor.door.ledger_figures import Figures, ledger_figures, record_figures
from taisai.floor.house import House
from taisai.floor.table.messages import Accepted, BuyIn, CashOut
from taisai.game import commands as cmd
from tests.floor.houses import DEALER, SUPERVISOR, SmallHouse, act, ask, deal, live, start_round

NOTHING = Figures(0, 0, 0, 0, 0)


async def played(house: House, stake: int = 1_000) -> None:
    """Ann buys in for 5,000 and loses a bet on big."""
    await ask(house, "T1", BuyIn(by=DEALER, at=house.now(), player="ann", amount=5_000))
    await start_round(house, "T1")
    placed = cmd.PlaceBets(by=DEALER, at=house.now(), player="ann", slip={"big": stake}, version=1)
    answer = await act(house, "T1", placed)
    assert isinstance(answer, Accepted), answer
    await deal(house, "T1", Roll(1, 1, 2))


async def test_a_lost_bet_is_in_play_and_won_and_theory_says_its_share() -> None:
    """Big at even money loses 111 of 216 ways: the mean of 1,000 is 27.8, whatever the dice said."""
    async with SmallHouse(live()).open(dealing=False) as house:
        since = house.now()
        assert await ledger_figures(house.store, "T1", since) == NOTHING
        await played(house)
        await ask(house, "T1", CashOut(by=DEALER, at=house.now(), player="ann"))
        found = await ledger_figures(house.store, "T1", since)
        assert (found.drop, found.handle, found.win, found.expected) == (1_000, 1_000, 1_000, 28)
        assert found.variance == round(1_000_000 * (1 - (6 / 216) ** 2))
        assert found.evidence is not None
        assert (found.evidence.rounds, found.evidence.handle, found.evidence.win) == (1, 1_000, 1_000)
        assert round(found.evidence.mean) == 28
        assert (found.evidence.worst, found.evidence.best) == (-1_000, 1_000)


async def test_only_what_happened_since_the_moment_counts() -> None:
    """At the very moment it counts; a microsecond later it is of the shift before."""
    small = SmallHouse(live())
    async with small.open(dealing=False) as house:
        since = house.now()
        await played(house)
        assert (await ledger_figures(house.store, "T1", since)).handle == 1_000
        later = since + timedelta(microseconds=1)
        assert await ledger_figures(house.store, "T1", later) == NOTHING
        small.clock.move(since + timedelta(minutes=5))
        await played(house, 500)
        found = await ledger_figures(house.store, "T1", later)
        assert (found.drop, found.handle, found.win) == (5_000, 500, 500)


async def test_a_round_that_was_voided_was_never_in_play() -> None:
    """Its stakes go back, and theory expects nothing of it."""
    async with SmallHouse(live()).open(dealing=False) as house:
        since = house.now()
        await played(house)
        report = cmd.ReportDamagedDice(by=DEALER, at=since, second=SUPERVISOR, reason="chipped", rounds=[1])
        answer = await act(house, "T1", report)
        assert isinstance(answer, Accepted), answer
        assert await ledger_figures(house.store, "T1", since) == Figures(5_000, 0, 0, 0, 0)


async def test_without_a_shift_no_figures_are_put_on_record() -> None:
    """There is nothing to hold them against."""
    small = SmallHouse(live())
    async with small.open(dealing=False) as house:
        await record_figures(house, "T1", "k")
        assert [event.type for event in small.disk.streams["pit"]] == ["DeskTaken"]
