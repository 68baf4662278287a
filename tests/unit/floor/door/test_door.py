"""The one door: the same questions in the same order for whoever sends an act."""

from datetime import date
from typing import Any

import msgspec
import pytest

from taisai.errors import InvariantBroken
from taisai.floor.approvals.asked import CageAct, PitAct, TableAct
from taisai.floor.cage import OpenDrawer
from taisai.floor.cluster.messages import CreditIn
from taisai.floor.door.acts import PlayersAct
from taisai.floor.door.answers import Waiting
from taisai.floor.door.forms import do_at_table
from taisai.floor.house import House
from taisai.floor.pit.acts import PitPolicy
from taisai.floor.pit.messages import OpenDay, PutInDice, TakeOutDice
from taisai.floor.players.messages import ExcludePlayer, PlayLimits, RegisterPlayer, SetPlayLimits
from taisai.floor.table.messages import BuyIn, InRound, StartRound
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger.accounts import credit
from taisai.record.ports import CommandAltered
from taisai.rulebooks.model import Ground
from tests.floor.houses import (
    DEALER,
    MANAGER,
    SUPERVISOR,
    SmallHouse,
    act,
    cluster,
    decide_request,
    events,
    live,
    seat,
    start_round,
)

TERMINAL = Actor("C1-1", Role.PLAYER)
BOSS = Actor("bea", Role.SHIFT_MANAGER)


def slip(house: House, session: str, number: int, amount: int = 100, version: int = 1) -> TableAct:
    by, at = Actor(session, Role.PLAYER), house.now()
    placing = cmd.PlaceBets(by=by, at=at, player=session, slip={"big": amount}, version=version)
    return TableAct("C1", InRound(by=by, at=at, command=placing, round=number))


async def limited(house: House, session: str, wager: int) -> None:
    player = await house.seated_player(session)
    limits = PlayLimits(wager_session=wager)
    by = Actor(player, Role.PLAYER)
    asked = SetPlayLimits(by=by, at=house.now(), player=player, limits=limits)
    await house.do(PlayersAct(asked), TERMINAL, f"limit-{wager}")


async def void(house: House, table: str) -> None:
    number = house.table(table).state.number
    damaged = cmd.ReportDamagedDice(
        by=DEALER, at=house.now(), rounds=[number], second=SUPERVISOR, reason="chipped"
    )
    await act(house, table, damaged)


async def test_an_acknowledged_slip_asked_again_after_its_round_has_its_first_answer() -> None:
    """Neither the end of the round nor a limit that was set since changes what was answered."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        await start_round(house, "C1")
        first = await house.do(slip(house, session, 1), TERMINAL, "one")
        assert not isinstance(first, Refusal)
        await void(house, "C1")
        await limited(house, session, 50)
        assert await house.do(slip(house, session, 1), TERMINAL, "one") == first
    async with small.open(dealing=False) as house:
        assert await house.do(slip(house, session, 1), TERMINAL, "one") == first
        with pytest.raises(CommandAltered):
            await house.do(slip(house, session, 1, amount=200), TERMINAL, "one")


async def test_what_the_house_refused_stays_refused_under_its_id() -> None:
    """The same id again gives the first answer, refusals too; another id is judged by what holds now."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        await limited(house, session, 50)
        await start_round(house, "C1")
        refused = await house.do(slip(house, session, 1), TERMINAL, "one")
        assert isinstance(refused, Refusal)
        assert refused.code is RefusalCode.PLAY_LIMIT_REACHED
        house.players.state.players[session].limits = PlayLimits()
        assert await house.do(slip(house, session, 1), TERMINAL, "one") == refused
        assert not isinstance(await house.do(slip(house, session, 1), TERMINAL, "two"), Refusal)


async def test_a_round_that_was_started_is_started_by_the_same_id_whatever_the_dice_are_now() -> None:
    """The set of dice is the house's to fill in, and no part of what was asked."""
    async with SmallHouse(live()).open() as house:
        at = house.now()
        for command in (
            PutInDice(by=SUPERVISOR, at=at, table="T1", dice_set="red"),
            TakeOutDice(by=SUPERVISOR, at=at, table="T1", dice_set="red", why="rotation"),
        ):
            await house.do(PitAct(command), SUPERVISOR, type(command).__name__)
            started = await house.do(TableAct("T1", StartRound(by=DEALER, at=at)), DEALER, "start")
        assert not isinstance(started, Refusal)
        assert started.happened == ["BettingOpened", "WindowSet"]
        assert house.table("T1").state.current.dice_set == "red"


async def test_an_automatic_table_waits_for_the_day() -> None:
    """Where the pit asks for an open day no table deals without one, nor does it ask in vain for a round."""
    small = SmallHouse(cluster(automatic=True))
    async with small.open(dealing=False) as house:
        house.pit_policy = PitPolicy(needs_day=True, needs_dealer=True, needs_dice=True, needs_shaker=True)
        house.begin_dealing()
        await small.pass_time(60)
        assert "BettingOpened" not in events(small.disk, "C1")
        assert "dealing:C1" not in {sender for sender, _ in small.disk.answers}
        opened = OpenDay(by=BOSS, at=house.now(), day=date(2026, 5, 4))
        await house.do(PitAct(opened), BOSS, "day")
        await small.pass_time(10)
        assert house.table("C1").state.current.phase is Phase.BETTING


async def test_nobody_buys_in_for_a_player_who_is_excluded() -> None:
    """An exclusion holds for money at the table as it holds for seats and bets."""
    async with SmallHouse(live()).open() as house:
        at, player = house.now(), "jane@T1"
        registered = RegisterPlayer(by=DEALER, at=at, player="jane")
        await house.do(PlayersAct(registered), DEALER, "known")
        excluded = ExcludePlayer(by=BOSS, at=at, player="jane", own=False)
        await house.do(PlayersAct(excluded), BOSS, "out")
        answer = await house.do(
            TableAct("T1", BuyIn(by=DEALER, at=at, player=player, amount=100)), DEALER, "b"
        )
        assert isinstance(answer, Refusal)
        assert answer.code is RefusalCode.PLAYER_EXCLUDED


@pytest.mark.parametrize("sender", [MANAGER, TERMINAL])
async def test_nobody_brings_what_somebody_else_asked(sender: Actor) -> None:
    """Only the house itself carries other people's acts, as when two have agreed."""
    async with SmallHouse(live()).open() as house:
        brought: list[Any] = [
            TableAct("T1", StartRound(by=DEALER, at=house.now())),
            CageAct(OpenDrawer(by=DEALER, at=house.now(), float_minor=1)),
        ]
        for one in brought:
            with pytest.raises(InvariantBroken, match="dora"):
                await house.do(one, sender, "x")


TABLE_MONEY = {
    "BuyIn": {"player": "C1-1.1", "amount": 100},
    "CashOut": {"player": "C1-1.1"},
    "TakeSeat": {"seat": 1},
    "LeaveSeat": {"seat": 1},
    "LeaveTable": {"player": "C1-1.1"},
    "IssueColour": {"player": "C1-1.1", "colour": "red", "value": 100, "chips": 1},
    "ChangeBack": {"player": "C1-1.1", "colour": "red", "chips": 1},
    "PayInColour": {"player": "C1-1.1", "colour": "red", "chips": 1},
    "CollectColour": {"player": "C1-1.1", "colour": "red", "chips": 1},
    "DeclareMissing": {"player": "C1-1.1", "colour": "red", "chips": 1},
}


@pytest.mark.parametrize("name", sorted(TABLE_MONEY))
async def test_acts_of_live_tables_do_not_exist_at_a_cluster(name: str) -> None:
    """One dealer cannot cash out a terminal's session, nor book notes that nobody put in."""
    async with SmallHouse(cluster(), live()).open() as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        for by in (DEALER, BOSS):
            answer = await do_at_table(house, "C1", name, TABLE_MONEY[name], by=by, key=f"{by.name}-{name}")
            assert isinstance(answer, Refusal)
            assert (answer.code, answer.clause) == (RefusalCode.NOT_AT_THIS_TABLE, "house")
        assert house.table("C1").state.book.balance(credit(session)) == 10_000


async def test_acts_of_terminals_do_not_exist_at_a_live_table() -> None:
    """Nor do people put credits into a terminal."""
    async with SmallHouse(cluster(), live()).open() as house:
        at = house.now()
        for table, code in (("T1", RefusalCode.NOT_AT_THIS_TABLE), ("C1", RefusalCode.ROLE_NOT_ALLOWED)):
            put_in = CreditIn(by=DEALER, at=at, terminal="C1-1", source="cash", amount=100)
            answer = await house.do(TableAct(table, put_in), DEALER, f"in-{table}")
            assert isinstance(answer, Refusal)
            assert answer.code is code


async def test_a_void_after_the_declaration_waits_for_a_second_person() -> None:
    """The door asks for one, and the round names both."""
    small = SmallHouse(live())
    async with small.open() as house:
        await start_round(house, "T1")
        for name, fields in (
            ("CloseBetting", {}),
            ("CoverTumbler", {}),
            ("ActivateTumbler", {"tumbles": 3}),
            ("ExposeDice", {}),
            ("DeclareRoll", {"roll": [1, 2, 3]}),
        ):
            await do_at_table(house, "T1", name, fields, by=DEALER, key=name)
        fields = {"ground": "not-flat", "reason": "a cocked die on the film"}
        asked = await do_at_table(house, "T1", "VoidRound", fields, by=DEALER, key="void")
        assert isinstance(asked, Waiting)
        assert house.table("T1").state.current.phase is Phase.DECLARED
        await decide_request(house, asked.approval, approve=True, by=SUPERVISOR, key="yes")
        assert house.table("T1").state.current.phase is Phase.VOID
    told = [event for event in small.disk.streams["table:T1"] if event.type == "RoundVoided"]
    assert b'"second":{"name":"sam"' in told[-1].body


async def test_a_void_that_was_done_alone_is_answered_so_after_more_has_happened() -> None:
    """The same id gets its first answer, though today the act would wait for a second person; and back."""
    async with SmallHouse(live()).open() as house:
        await start_round(house, "T1")
        at = house.now()
        void = cmd.VoidRound(by=DEALER, at=at, ground=Ground.EXPOSED_EARLY, reason="seen")
        act_alone = TableAct("T1", InRound(by=DEALER, at=at, command=void, round=1))
        first = await house.do(act_alone, DEALER, "void")
        assert not isinstance(first, Refusal | Waiting)
        house.plans["T1"] = msgspec.structs.replace(house.plans["T1"], automatic=True)
        assert await house.do(act_alone, DEALER, "void") == first
        await start_round(house, "T1")
        another = TableAct("T1", InRound(by=DEALER, at=at, command=void, round=2))
        waits = await house.do(another, DEALER, "again")
        assert isinstance(waits, Waiting)
        house.plans["T1"] = msgspec.structs.replace(house.plans["T1"], automatic=False)
        assert await house.do(another, DEALER, "again") == waits
        assert house.table("T1").state.current.phase is Phase.BETTING


async def test_what_waits_is_for_the_round_that_was_in_play_when_it_was_asked() -> None:
    """A second person who agrees late never touches another round."""
    async with SmallHouse(live()).open() as house:
        await start_round(house, "T1")
        fields = {"decision": "void", "reason": "a chair fell onto the table"}
        asked = await do_at_table(house, "T1", "MakeRuling", fields, by=DEALER, key="rule")
        assert isinstance(asked, Waiting)
        await void(house, "T1")
        await start_round(house, "T1")
        again = await do_at_table(house, "T1", "MakeRuling", fields, by=DEALER, key="rule")
        assert again == asked
        answer = await decide_request(house, asked.approval, approve=True, by=BOSS, key="yes")
        assert isinstance(answer, Refusal)
        assert answer.code is RefusalCode.ROUND_VOID
        assert (house.table("T1").state.number, house.table("T1").state.current.phase) == (2, Phase.BETTING)


async def test_at_a_table_that_deals_itself_people_void_by_two_and_touch_no_dice() -> None:
    """The system is the dealer there: a person's word voids nothing alone, and enters no result."""
    small = SmallHouse(cluster(automatic=True))
    async with small.open() as house:
        await small.pass_time(1)
        for name, fields in (("VoidRound", {"ground": "exposed-early"}), ("InterruptRound", {})):
            asked = {**fields, "reason": "smoke"}
            answer = await do_at_table(house, "C1", name, asked, by=DEALER, key=name)
            assert isinstance(answer, Waiting)
        for name, fields in (
            ("CoverTumbler", {}),
            ("ActivateTumbler", {"tumbles": 3, "uncovered": True}),
            ("ExposeDice", {}),
            ("DeclareRoll", {"roll": [6, 6, 6]}),
        ):
            answer = await do_at_table(house, "C1", name, fields, by=BOSS, key=name)
            assert isinstance(answer, Refusal)
            assert answer.code is RefusalCode.ROLE_NOT_ALLOWED
        assert house.table("C1").state.current.phase is Phase.BETTING


async def test_waiving_a_debt_waits_for_a_second_person() -> None:
    """A shift manager alone neither collects nor waives."""
    async with SmallHouse(live()).open() as house:
        fields = {"player": "ann", "amount": 100, "waive": True, "reason": "goodwill"}
        asked = await do_at_table(house, "T1", "CollectOwed", fields, by=BOSS, key="waive")
        assert isinstance(asked, Waiting)
