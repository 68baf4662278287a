"""The pace of a table, by a clock that the tests move."""

from datetime import timedelta

import pytest

from taisai.adapters.clock import SystemEntropy
from taisai.dice import ROLLS
from taisai.errors import InvariantBroken
from taisai.floor.cluster.messages import CreditIn
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.table.messages import ExtendBetting, InRound, RecordDraw
from taisai.floor.table.tumbler import SimulatedTumbler
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.refusals import Refusal, RefusalCode
from tests.floor.houses import (
    DEALER,
    START,
    SUPERVISOR,
    SmallHouse,
    act,
    ask,
    bet,
    cluster,
    events,
    live,
    seat,
    settle_down,
    start_round,
)


async def test_betting_closes_at_its_deadline() -> None:
    """A window of twenty seconds ends twenty seconds after the opening, by the table's clock."""
    small = SmallHouse(live(betting_seconds=20))
    async with small.open() as house:
        await start_round(house, "T1")
        window = house.table("T1").state.window
        assert (window.opens_at, window.closes_at) == (START, START + timedelta(seconds=20))
        await small.pass_time(19.999)
        assert house.table("T1").state.current.phase is Phase.BETTING
        await small.pass_time(0.001)
        assert house.table("T1").state.current.phase is Phase.CLOSED


async def test_without_a_window_the_dealer_calls_the_closing() -> None:
    """No deadline, no closing by itself."""
    small = SmallHouse(live())
    async with small.open() as house:
        await start_round(house, "T1")
        await small.pass_time(3600)
        assert house.table("T1").state.current.phase is Phase.BETTING


async def test_an_extension_moves_the_deadline_and_is_on_the_record() -> None:
    """Ten seconds more are ten seconds more, with who gave them."""
    small = SmallHouse(live(betting_seconds=20))
    async with small.open() as house:
        await start_round(house, "T1")
        await small.pass_time(15)
        await ask(house, "T1", ExtendBetting(by=DEALER, at=house.now(), seconds=10))
        await small.pass_time(14.9)
        assert house.table("T1").state.current.phase is Phase.BETTING
        await small.pass_time(0.2)
        assert house.table("T1").state.current.phase is Phase.CLOSED
        assert events(small.disk, "T1").count("WindowSet") == 2


@pytest.mark.parametrize("seconds", [0, -5, 601])
async def test_an_extension_is_of_a_sensible_length(seconds: int) -> None:
    """Nothing, less than nothing and more than ten minutes are refused."""
    small = SmallHouse(live(betting_seconds=20))
    async with small.open() as house:
        await start_round(house, "T1")
        answer = await ask(house, "T1", ExtendBetting(by=DEALER, at=house.now(), seconds=seconds))
        assert isinstance(answer, Refusal)
        assert answer.code is RefusalCode.AMOUNT_INVALID


async def test_rounds_keep_their_distance() -> None:
    """A round that opens too soon after the last one is refused, and one that waits is not."""
    small = SmallHouse(live(round_seconds_min=72))
    async with small.open() as house:
        await start_round(house, "T1")
        await act(house, "T1", cmd.InterruptRound(by=DEALER, at=house.now()))
        await small.pass_time(71)
        answer = await start_round(house, "T1")
        assert isinstance(answer, Refusal)
        assert answer.code is RefusalCode.ROUND_TOO_SOON
        await small.pass_time(1)
        assert not isinstance(await start_round(house, "T1"), Refusal)


async def test_an_automatic_table_deals_by_the_book() -> None:
    """Open, close, draw, cover, tumble, expose, declare, settle, conclude; then the next round."""
    small = SmallHouse(cluster(automatic=True))
    async with small.open() as house:
        session = await seat(house, "C1", "C1-1", 1000)
        await bet(house, "C1", session, {"big": 100})
        await small.pass_time(60)
        assert house.table("C1").state.number >= 2
    happened = events(small.disk, "C1")
    first = happened[happened.index("BettingOpened") : happened.index("RoundConcluded") + 1]
    assert [name for name in first if name not in ("WindowSet", "TerminalEnrolled")] == [
        "BettingOpened",
        "SessionOpened",
        "CreditsBought",
        "BetsPlaced",
        "BettingClosed",
        "DiceDrawn",
        "TumblerCovered",
        "TumblerActivated",
        "DiceExposed",
        "RollDeclared",
        "PayoutsMade",
        "BetsSettled",
        "RoundConcluded",
    ]


async def test_coins_at_a_terminal_hold_up_no_round() -> None:
    """Somebody puts one in every half second: the dice come and the next round opens all the same."""
    small = SmallHouse(cluster(automatic=True, betting_seconds=20))
    async with small.open() as house:
        await seat(house, "C1", "C1-1", 1000)
        found = []
        for _ in range(120):
            at = house.now()
            coin = CreditIn(by=SYSTEM, at=at, terminal="C1-1", source="cash", amount=100)
            await ask(house, "C1", coin)
            await small.pass_time(0.5)
            found.append(house.table("C1").state.number)
    assert found[-1] >= 3


@pytest.mark.parametrize(
    "rules", ["sic-bo-etg-v8/1", "tai-sai-open-cover/1", "tai-sai-v6/2", "tai-sai-v3/1", "macau/1"]
)
async def test_every_kind_of_rulebook_can_be_dealt_automatically(rules: str) -> None:
    """Covered and open, electronic and not: round after round."""
    small = SmallHouse(cluster(rules=rules, automatic=True))
    async with small.open() as house:
        await small.pass_time(200)
        state = house.table("C1").state
        assert state.number >= 5
        assert all(state.rounds[number].phase is Phase.CONCLUDED for number in range(1, state.number))


async def test_dice_are_drawn_after_the_closing_and_recorded_with_their_source() -> None:
    """While bets are open the generator has not been asked; the draw stands before the dice are shown."""
    small = SmallHouse(cluster(automatic=True))
    async with small.open() as house:
        await small.pass_time(19.9)
        assert small.entropy.asked == 0
        await small.pass_time(0.2)
        draw = house.table("C1").state.draw
        assert (draw.round, draw.source) == (1, "a seed for tests")
        assert house.table("C1").state.current.roll is None
        await small.pass_time(3)
        assert house.table("C1").state.current.roll == draw.roll


@pytest.mark.parametrize("seconds", [1, 20.5, 22.1, 24, 28])
async def test_a_restart_in_any_phase_goes_on_where_it_stopped(seconds: float) -> None:
    """The same round, the same bets, and dice that were drawn are not drawn again."""
    small = SmallHouse(cluster(automatic=True))
    async with small.open() as house:
        session = await seat(house, "C1", "C1-1", 1000)
        await bet(house, "C1", session, {"small": 100})
        await small.pass_time(seconds)
        before = house.table("C1").state.draw
    async with small.open() as house:
        await small.pass_time(30)
        state = house.table("C1").state
        assert state.rounds[1].phase is Phase.CONCLUDED
        assert state.rounds[1].slips[session].slip() == {"small": 100}
        if before is not None:
            assert state.rounds[1].roll == before.roll
    drawn = [name for name in events(small.disk, "C1") if name == "DiceDrawn"]
    concluded = [name for name in events(small.disk, "C1") if name == "RoundConcluded"]
    assert len(drawn) - len(concluded) in (0, 1)


async def test_a_live_table_comes_back_suspended_and_waits_for_its_dealer() -> None:
    """A restart holds the round; nothing happens until somebody resumes, and then there is time to bet."""
    small = SmallHouse(live(betting_seconds=20))
    async with small.open() as house:
        await start_round(house, "T1")
        await small.pass_time(19)
    async with small.open() as house:
        await small.pass_time(300)
        assert house.table("T1").state.current.held == "suspended"
        await act(house, "T1", cmd.ResumeRound(by=DEALER, at=house.now()))
        state = house.table("T1").state
        assert (state.current.phase, state.current.held) == (Phase.BETTING, "")
        assert state.window.closes_at == house.now() + timedelta(seconds=5)
        await small.pass_time(5)
        assert state.current.phase is Phase.CLOSED


async def test_what_comes_after_the_deadline_is_decided_after_the_closing() -> None:
    """However late the table's own clock wakes up, a late slip is refused and an early one stands."""
    small = SmallHouse(cluster(betting_seconds=20))
    async with small.open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 1000)
        await start_round(house, "C1")
        await bet(house, "C1", session, {"big": 100}, version=1)
        small.clock.move(START + timedelta(seconds=20))
        late = await bet(house, "C1", session, {"big": 200}, version=2)
        assert isinstance(late, Refusal)
        assert late.code is RefusalCode.BETTING_CLOSED
        assert house.table("C1").state.current.slips[session].slip() == {"big": 100}


async def test_only_the_house_itself_records_a_draw_and_only_once() -> None:
    """A person cannot; nor can anyone before the closing, or a second time."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        await start_round(house, "C1")
        by = house.dealings["C1"].actor

        def draw(actor: object) -> RecordDraw:
            return RecordDraw(by=actor, at=house.now(), round=1, roll=ROLLS[0], source="x")

        too_early = await ask(house, "C1", draw(by))
        assert too_early.code is RefusalCode.BETTING_OPEN
        await act(house, "C1", cmd.CloseBetting(by=DEALER, at=house.now()))
        person = await ask(house, "C1", draw(DEALER))
        assert person.code is RefusalCode.ROLE_NOT_ALLOWED
        assert not isinstance(await ask(house, "C1", draw(by)), Refusal)
        again = await ask(house, "C1", draw(by))
        assert again.code is RefusalCode.ALREADY_TUMBLED


async def test_an_interrupted_round_waits_for_people_even_at_an_automatic_table() -> None:
    """The auto-dealer resumes what a restart suspended, never what somebody interrupted."""
    small = SmallHouse(cluster(automatic=True))
    async with small.open() as house:
        await small.pass_time(21)
        state = house.table("C1").state
        assert state.current.tumbles == 3
        interrupt = cmd.InterruptRound(
            by=DEALER, at=house.now(), known=list(state.draw.roll), second=SUPERVISOR, reason="a power cut"
        )
        assert not isinstance(await act(house, "C1", interrupt), Refusal)
        await small.pass_time(120)
        assert (state.number, state.current.held) == (1, "interrupted")
        await act(house, "C1", cmd.ResumeRound(by=DEALER, at=house.now()))
        await small.pass_time(10)
        assert state.rounds[1].phase is Phase.CONCLUDED
        assert state.number == 2


def test_every_roll_is_equally_likely_to_be_drawn() -> None:
    """All 256 bytes, once each: 216 of them are one roll each and the others are thrown away."""

    class Bytes:
        def __init__(self) -> None:
            self.left = list(range(256))

        def random_bytes(self, count: int) -> bytes:
            return bytes([self.left.pop(0)])

    entropy = Bytes()
    tumbler = SimulatedTumbler(entropy)
    drawn = [tumbler.draw() for _ in range(216)]
    assert sorted(drawn) == sorted(ROLLS)
    assert entropy.left == list(range(216, 256))


def test_a_generator_that_gives_nothing_usable_stops_the_table() -> None:
    """A stuck generator is found out instead of being waited for."""

    class Stuck:
        def random_bytes(self, count: int) -> bytes:
            return b"\xff" * count

    with pytest.raises(InvariantBroken):
        SimulatedTumbler(Stuck()).draw()


def test_the_system_generator_draws_rolls() -> None:
    """The dice of a house come from the operating system."""
    assert SimulatedTumbler(SystemEntropy()).draw() in ROLLS


async def test_the_dealer_may_close_before_the_deadline() -> None:
    """A closing by hand is not closed again by the clock."""
    small = SmallHouse(live(betting_seconds=20))
    async with small.open() as house:
        await start_round(house, "T1")
        closing = cmd.CloseBetting(by=DEALER, at=house.now())
        await ask(house, "T1", InRound(by=DEALER, at=house.now(), command=closing))
        await small.pass_time(60)
        await settle_down()
    assert events(small.disk, "T1").count("BettingClosed") == 1
