"""A live table's people: seats, guests, one name at two tables, cash chips, and who may handle money."""

import asyncio
from typing import Any

import msgspec
import pytest

from taisai.errors import StoreUnavailable
from taisai.floor.door.acts import PlayersAct
from taisai.floor.door.answers import Waiting
from taisai.floor.door.forms import do_at_table
from taisai.floor.events import table_event
from taisai.floor.house import House
from taisai.floor.plan import TablePlan
from taisai.floor.players.messages import ExcludePlayer, PlayLimits, RegisterPlayer, SetPlayLimits
from taisai.floor.table.messages import Accepted, BuyIn, CashOut, InRound, OpenTable, TableSettings, TakeSeat
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger.accounts import CASH_CHIPS, credit
from taisai.record.journal import Batch, Committed
from taisai.record.verify import verify
from tests.floor.houses import (
    DEALER,
    SUPERVISOR,
    SmallHouse,
    ask,
    bet,
    cluster,
    decide_request,
    live,
    seat,
    settings,
    settle_down,
    start_round,
)
from tests.record import KEYS

_numbers = iter(range(10**6))


async def does(house: House, table: str, act: str, *, by: Actor = DEALER, **fields: Any) -> Any:
    """An act as a console asks for it."""
    return await do_at_table(house, table, act, fields, by=by, key=f"c{next(_numbers)}")


def chips_table(name: str = "T1", rules: str = "tai-sai-v6/2") -> TablePlan:
    plan = live(name, rules)
    return msgspec.structs.replace(plan, settings=msgspec.structs.replace(plan.settings, money="chips"))


async def sound(house: House) -> None:
    async with house.store.snapshot() as snapshot:
        await verify(snapshot, KEYS)


def code(answer: Any) -> RefusalCode | None:
    return answer.code if isinstance(answer, Refusal) else None


async def test_a_seat_has_one_player_and_a_player_may_have_several() -> None:
    """Taken is taken; two seats are still one player; leaving the table frees both."""
    small = SmallHouse(live())
    async with small.open() as house:
        state = house.table("T1").state
        for place in (3, 4):
            assert isinstance(await does(house, "T1", "TakeSeat", seat=place, player="ann"), Accepted)
        taken = await does(house, "T1", "TakeSeat", seat=3, player="bo")
        assert (code(taken), taken.facts) == (RefusalCode.SEAT_TAKEN, {"seat": 3, "player": "ann"})
        again = await does(house, "T1", "TakeSeat", seat=3, player="ann")
        assert again.happened == []
        for place in (0, 13):
            assert code(await does(house, "T1", "TakeSeat", seat=place)) is RefusalCode.SEAT_UNKNOWN
        await does(house, "T1", "LeaveSeat", seat=3)
        assert state.seats == {4: "ann@T1"}
        assert code(await does(house, "T1", "LeaveSeat", seat=3)) is RefusalCode.NOTHING_CHANGES
        await does(house, "T1", "LeaveTable", player="ann")
        assert state.seats == {}
        assert state.left == {"ann@T1"}


async def test_a_guest_is_a_player_whom_nobody_asked_for_a_name() -> None:
    """Each gets another name of the table's own, which bets and money go by; a restart gives none twice."""
    small = SmallHouse(live())
    async with small.open() as house:
        guests = [(await does(house, "T1", "TakeSeat", seat=place)).player for place in (1, 2)]
        assert guests == ["guest-1@T1", "guest-2@T1"]
        await does(house, "T1", "BuyIn", player="guest-1", amount=5_000)
        await start_round(house, "T1")
        placed = await does(house, "T1", "PlaceBets", player="guest-1", slip={"big": 1_000}, version=1)
        assert placed.slip == {"big": 1_000}
    async with small.open() as house:
        state = house.table("T1").state
        assert state.seats == {1: "guest-1@T1", 2: "guest-2@T1"}
        assert (await does(house, "T1", "TakeSeat", seat=5)).player == "guest-3@T1"
        assert state.book.balance(credit("guest-1@T1")) == 4_000


async def test_a_cluster_has_terminals_and_no_seats() -> None:
    """Its players sit at terminals."""
    async with SmallHouse(cluster()).open() as house:
        assert code(await does(house, "C1", "TakeSeat", seat=1)) is RefusalCode.NOT_AT_THIS_TABLE


async def test_one_name_at_two_tables_has_two_accounts() -> None:
    """What was bought at one table cannot be bet at the other, before or after a restart."""
    small = SmallHouse(live("T1"), live("T2"))
    async with small.open() as house:
        await does(house, "T1", "BuyIn", player="ann", amount=10_000)
        await does(house, "T2", "BuyIn", player="ann", amount=2_000)
    async with small.open() as house:
        for table, free in (("T1", 10_000), ("T2", 2_000)):
            await start_round(house, table)
            slip = {"big": free + 1_000}
            over = await does(house, table, "PlaceBets", player="ann", slip=slip, version=1)
            assert code(over) is RefusalCode.FUNDS_INSUFFICIENT
            assert over.facts["available"] == free
            all_in = await does(house, table, "PlaceBets", player="ann", slip={"big": free}, version=2)
            assert isinstance(all_in, Accepted)
        await sound(house)


async def test_cash_chips_are_bought_bet_and_handed_back_at_the_table() -> None:
    """At any table of the house, up to what is in circulation: more is a slip of the hand."""
    small = SmallHouse(chips_table("T1"), chips_table("T2"))
    async with small.open() as house:
        await does(house, "T1", "BuyIn", player="ann", amount=10_000)
        over = await does(house, "T2", "CashOut", player="ann", chips=10_001)
        assert (code(over), over.facts["available"]) == (RefusalCode.FUNDS_INSUFFICIENT, 10_000)
        await start_round(house, "T2")
        typo = await does(house, "T2", "PlaceBets", player="ann", slip={"big": 20_000}, version=1)
        assert code(typo) is RefusalCode.FUNDS_INSUFFICIENT
        lies = await does(house, "T2", "PlaceBets", player="ann", slip={"big": 4_000}, version=2)
        assert lies.slip == {"big": 4_000}
        paid = await does(house, "T2", "CashOut", player="ann", chips=6_000)
        assert paid.amount == 6_000
        more = await does(house, "T2", "PlaceBets", player="ann", slip={"big": 4_100}, version=3)
        assert code(more) is RefusalCode.FUNDS_INSUFFICIENT
        await sound(house)
    async with small.open() as house:
        again = await does(house, "T1", "CashOut", player="ann", chips=100)
        assert code(again) is RefusalCode.FUNDS_INSUFFICIENT
        await sound(house)


async def test_the_same_chips_are_not_handed_in_at_two_tables_at_once() -> None:
    """Whoever is second finds that they are gone, however close together both ask."""
    small = SmallHouse(chips_table("T1"), chips_table("T2"))
    async with small.open() as house:
        await does(house, "T1", "BuyIn", player="ann", amount=10_000)
        asked = [does(house, table, "CashOut", player="ann", chips=8_000) for table in ("T1", "T2")]
        answers = await asyncio.gather(*asked)
        assert sorted(map(code, answers), key=str) == [None, RefusalCode.FUNDS_INSUFFICIENT]
        assert next(answer for answer in answers if code(answer)).facts["available"] == 2_000
        await sound(house)


async def test_chips_are_changed_back_only_where_bets_are_made_with_them() -> None:
    """A table that plays with credits pays credits."""
    async with SmallHouse(live()).open() as house:
        await does(house, "T1", "BuyIn", player="ann", amount=1_000)
        assert code(await does(house, "T1", "CashOut", player="ann", chips=500)) is RefusalCode.AMOUNT_INVALID
        assert (await does(house, "T1", "CashOut", player="ann")).amount == 1_000


async def test_colour_chips_from_sale_to_cash() -> None:
    """Bought for cash, changed into cash chips at the table, and those into cash."""
    small = SmallHouse(chips_table("T1", "tai-sai-v3/1"))
    async with small.open() as house:
        sold = await does(house, "T1", "IssueColour", player="ann", colour="red", chips=10, value=1_000)
        assert sold.happened == ["ColourIssued"]
        await start_round(house, "T1")
        chips = {"colour": "red", "value": 1_000, "boxes": {"big": 2_000}}
        slip = {"player": "ann", "slip": {"big": 2_000}, "version": 1, "chips": chips}
        assert isinstance(await does(house, "T1", "PlaceBets", **slip), Accepted)
        back = await does(house, "T1", "ChangeBack", player="ann", colour="red", chips=8)
        assert back.happened == ["ColourChangedBack"]
        assert (await does(house, "T1", "CashOut", player="ann", chips=8_000)).amount == 8_000
        assert house.table("T1").state.book.balance(CASH_CHIPS) == 0
        await sound(house)


async def test_the_credit_of_somebody_who_has_left_is_paid_against_a_document() -> None:
    """Whoever comes for it may be anybody; the record says which document was looked at."""
    small = SmallHouse(live())
    async with small.open() as house:
        await does(house, "T1", "BuyIn", player="ann", amount=1_000)
        await does(house, "T1", "LeaveTable", player="ann")
        unknown = await does(house, "T1", "CashOut", player="ann")
        assert (code(unknown), unknown.facts) == (RefusalCode.PLAYER_GONE, {"player": "ann"})
        shown = {"document": "passport", "last": "41Z"}
        assert (await does(house, "T1", "CashOut", player="ann", identity=shown)).amount == 1_000
        paid = table_event(small.disk.streams["table:T1"][-1])
        assert msgspec.to_builtins(paid.identity) == shown
        await does(house, "T1", "BuyIn", player="ann", amount=500)
        assert (await does(house, "T1", "CashOut", player="ann")).amount == 500
        await sound(house)


async def test_nobody_buys_in_for_an_excluded_player() -> None:
    """Neither credits nor colour chips."""
    async with SmallHouse(live("T1", "tai-sai-v3/1")).open() as house:
        at = house.now()
        for command in (
            RegisterPlayer(by=SUPERVISOR, at=at, player="ann"),
            ExcludePlayer(by=SUPERVISOR, at=at, player="ann", own=True, reason="asked"),
        ):
            await house.do(PlayersAct(command), SUPERVISOR, f"e{next(_numbers)}")
        for act, fields in (
            ("BuyIn", {"amount": 1_000}),
            ("IssueColour", {"colour": "red", "chips": 1, "value": 100}),
        ):
            assert code(await does(house, "T1", act, player="ann", **fields)) is RefusalCode.PLAYER_EXCLUDED
        await sound(house)


@pytest.mark.parametrize(
    ("role", "source", "allowed"),
    [
        (Role.CASHIER, "cash", False),
        (Role.PLAYER, "cash", False),
        (Role.ADMINISTRATOR, "cash", False),
        (Role.DEALER, "cash", True),
        (Role.DEALER, "promo", False),
        (Role.PIT_SUPERVISOR, "promo", True),
    ],
)
async def test_money_at_a_table_is_the_pits_and_gifts_are_a_supervisors(
    role: Role, source: Any, allowed: bool
) -> None:
    """The desk itself refuses, whichever way the command came."""
    async with SmallHouse(live()).open() as house:
        by = Actor("x", role)
        answer = await ask(
            house, "T1", BuyIn(by=by, at=house.now(), player="ann@T1", amount=100, source=source)
        )
        assert isinstance(answer, Accepted) is allowed
        if not allowed:
            out = await ask(house, "T1", CashOut(by=by, at=house.now(), player="ann@T1"))
            assert isinstance(out, Refusal)
            sits = await ask(house, "T1", TakeSeat(by=by, at=house.now(), seat=1))
            assert isinstance(sits, Refusal) is (role is not Role.DEALER)


async def register(house: House, name: str) -> Actor:
    await house.players.ask("x", name, RegisterPlayer(by=SUPERVISOR, at=house.now(), player=name))
    return Actor(name, Role.PLAYER)


async def test_a_known_players_time_runs_while_they_have_a_seat() -> None:
    """It begins with the first seat, ends with the last, and the limit on it holds at the table."""
    small = SmallHouse(live())
    async with small.open() as house:
        by = await register(house, "p-ann")
        limits = PlayLimits(minutes_session=30)
        await house.players.ask(
            "x", "limits", SetPlayLimits(by=by, at=house.now(), player="p-ann", limits=limits)
        )
        for place in (1, 2):
            await does(house, "T1", "TakeSeat", seat=place, player="p-ann")
        await does(house, "T1", "BuyIn", player="p-ann", amount=5_000)
        await settle_down()
        await small.pass_time(29 * 60)
        await start_round(house, "T1")
        slip = {"player": "p-ann", "slip": {"big": 1_000}, "version": 1}
        assert isinstance(await does(house, "T1", "PlaceBets", **slip), Accepted)
        await does(house, "T1", "LeaveSeat", seat=1)
        await small.pass_time(60)
        over = await does(house, "T1", "PlaceBets", **{**slip, "slip": {"big": 1_100}, "version": 2})
        assert code(over) is RefusalCode.PLAY_TIME_REACHED
        await does(house, "T1", "LeaveSeat", seat=2)
        await settle_down()
        assert house.players.state.players["p-ann"].places == set()


async def test_an_excluded_player_gets_no_seat() -> None:
    """The refusal says until when."""
    async with SmallHouse(live()).open() as house:
        await register(house, "p-bo")
        boss = Actor("bea", Role.SHIFT_MANAGER)
        excluded = ExcludePlayer(by=boss, at=house.now(), player="p-bo", own=False, reason="x")
        await house.players.ask("x", "out", excluded)
        answer = await does(house, "T1", "TakeSeat", seat=1, player="p-bo")
        assert code(answer) is RefusalCode.PLAYER_EXCLUDED


async def test_a_players_limit_counts_what_lies_at_every_table() -> None:
    """Two tables are not two limits."""
    async with SmallHouse(live("T1"), live("T2")).open() as house:
        by = await register(house, "p-ann")
        limits = PlayLimits(wager_day=3_000)
        await house.players.ask(
            "x", "limits", SetPlayLimits(by=by, at=house.now(), player="p-ann", limits=limits)
        )
        for table in ("T1", "T2"):
            await does(house, table, "BuyIn", player="p-ann", amount=5_000)
            await start_round(house, table)
        slip = {"player": "p-ann", "slip": {"big": 2_000}, "version": 1}
        assert isinstance(await does(house, "T1", "PlaceBets", **slip), Accepted)
        assert code(await does(house, "T2", "PlaceBets", **slip)) is RefusalCode.PLAY_LIMIT_REACHED


def other(**changes: Any) -> TableSettings:
    return msgspec.structs.replace(settings("tai-sai-v4/1"), **changes)


async def test_a_change_of_settings_stands_on_the_record_with_both_names_and_why() -> None:
    """The desk takes it from two people alone; the event says who they were."""
    manager = Actor("mia", Role.PIT_MANAGER)
    small = SmallHouse(live())
    async with small.open() as house:
        opening = OpenTable(by=manager, at=house.now(), settings=other())
        alone = await house.table("T1").ask("tests", "alone", opening)
        assert code(alone) is RefusalCode.SECOND_PERSON_MISSING
        same = OpenTable(by=manager, at=house.now(), settings=other(), second=manager)
        assert code(await ask(house, "T1", same)) is RefusalCode.SECOND_PERSON_IS_FIRST
        fields = {"settings": msgspec.to_builtins(other()), "reason": "another layout"}
        asked = await does(house, "T1", "OpenTable", by=SUPERVISOR, **fields)
        assert isinstance(asked, Waiting)
        await decide_request(house, asked.approval, approve=True, by=manager, key="b")
    opened = [event for event in small.disk.streams["table:T1"] if event.type == "TableOpened"]
    told = msgspec.json.decode(opened[-1].body)
    assert (told["by"]["name"], told["second"]["name"], told["reason"]) == ("sam", "mia", "another layout")
    assert told["rulebook_digest"]
    assert told["pay_table_digest"]


async def test_seats_are_a_setting_within_reason() -> None:
    """A table of a hundred and one seats is refused with its key."""
    manager = Actor("mia", Role.PIT_MANAGER)
    async with SmallHouse(live()).open() as house:
        command = OpenTable(by=manager, at=house.now(), settings=other(seats=101), second=SUPERVISOR)
        answer = await ask(house, "T1", command)
        assert code(answer) is RefusalCode.LIMITS_INVALID
        assert "seats" in answer.facts["faults"][0]


async def test_after_a_commit_that_failed_the_next_slip_finds_the_table_again() -> None:
    """The state that was thrown away is made again for whoever asks first, a terminal too."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        await house.seated_player(session)
        await start_round(house, "C1")
        appending, failing = house.store.append, ["once"]

        async def append(batch: Batch) -> Committed:
            if failing:
                raise StoreUnavailable(f"the disk is full {failing.pop()}")
            return await appending(batch)

        house.store.append = append
        with pytest.raises(StoreUnavailable):
            await bet(house, "C1", session, {"big": 100}, 1)
        by = Actor(session, Role.PLAYER)
        placing = cmd.PlaceBets(by=by, at=house.now(), player=session, slip={"big": 100}, version=1)
        registered = await ask(house, "C1", InRound(by=by, at=house.now(), command=placing, round=1))
        assert registered.slip == {"big": 100}


async def test_a_simulated_tumbler_deals_for_play_money_alone() -> None:
    """A real house with an automatic table is not even made."""
    with pytest.raises(Exception, match="play money alone"):
        async with SmallHouse(cluster(automatic=True), play_money=False).open():
            pass


async def test_bets_on_behalf_name_who_placed_them_and_for_whom() -> None:
    """5.13: the dealer's hand and the player's bet are both on the record."""
    small = SmallHouse(live())
    async with small.open() as house:
        await does(house, "T1", "BuyIn", player="ann", amount=5_000)
        await start_round(house, "T1")
        placed = {"player": "ann", "slip": {"big": 1_000}, "version": 1, "on_request": True}
        await does(house, "T1", "PlaceBets", **placed)
        stranger = Actor("zoe", Role.PLAYER)
        placing = cmd.PlaceBets(by=stranger, at=house.now(), player="ann@T1", slip={}, version=2)
        touched = await ask(house, "T1", InRound(by=stranger, at=house.now(), command=placing))
        assert code(touched) is RefusalCode.ROLE_NOT_ALLOWED
    placed = [event for event in small.disk.streams["table:T1"] if event.type == "BetsPlaced"]
    told = msgspec.json.decode(placed[-1].body)["event"]
    assert (told["by"]["name"], told["by"]["role"], told["player"]) == ("dora", "dealer", "ann@T1")
    assert (told["how"], told["clause"]) == ("on-request", "5.13")


async def test_a_supervisor_closes_a_table_after_its_round_and_opens_it_again() -> None:
    """What is in play comes to its end; then nothing begins, also after a restart."""
    small = SmallHouse(live())
    async with small.open() as house:
        await start_round(house, "T1")
        assert code(await does(house, "T1", "CloseTable")) is RefusalCode.ROLE_NOT_ALLOWED
        assert isinstance(await does(house, "T1", "CloseTable", by=SUPERVISOR, reason="late"), Accepted)
        assert code(await does(house, "T1", "CloseTable", by=SUPERVISOR)) is RefusalCode.NOTHING_CHANGES
        assert isinstance(await does(house, "T1", "InterruptRound"), Accepted)
        assert code(await start_round(house, "T1")) is RefusalCode.TABLE_CLOSED
    async with small.open() as house:
        assert code(await start_round(house, "T1")) is RefusalCode.TABLE_CLOSED
        assert isinstance(await does(house, "T1", "ReopenTable", by=SUPERVISOR), Accepted)
        assert isinstance(await start_round(house, "T1"), Accepted)


async def test_a_closed_automatic_table_stops_dealing_and_goes_on_when_it_is_opened() -> None:
    """The round in play is dealt to its end, and no other begins."""
    small = SmallHouse(cluster(automatic=True))
    async with small.open() as house:
        await small.pass_time(1)
        await does(house, "C1", "CloseTable", by=SUPERVISOR)
        await small.pass_time(300)
        state = house.table("C1").state
        assert (state.number, str(state.current.phase)) == (1, "concluded")
        await does(house, "C1", "ReopenTable", by=SUPERVISOR)
        await small.pass_time(60)
        assert house.table("C1").state.number >= 2
