"""A live table through its console: seats, guests, the minimum, excess, colour chips, every act."""

from pathlib import Path
from typing import Any

import pytest

from taisai.client import Console, Refused
from taisai.floor.door.forms import ACT_NAMES
from taisai.game.people import Role
from taisai.server import wire
from tests.server.houses import CLUSTER, LIVE, Serving, dealt, serving, settings


async def shown(console: Console, is_so: Any) -> wire.ConsoleView:
    """The console's view once something is so in it."""
    await console.wait_until(lambda: console.view is not None and is_so(console.view))
    assert console.view is not None
    return console.view


async def test_players_sit_down_buy_in_bet_and_leave(house: Serving) -> None:
    """By name and without one; the console shows who sits where, and the names that people use."""
    console = await house.console("T1")
    await console.act("TakeSeat", seat=2, player="ann")
    await console.act("TakeSeat", seat=5)
    view = await shown(console, lambda view: len(view.seats) == 2)
    assert [(each.seat, each.player) for each in view.seats] == [(2, "ann"), (5, "guest-1")]
    assert view.seats_max == 12
    with pytest.raises(Refused) as taken:
        await console.act("TakeSeat", seat=2, player="bo")
    assert (taken.value.code, taken.value.facts["player"]) == ("seat_taken", "ann")
    await console.act("BuyIn", player="guest-1", amount=5_000)
    await console.act("StartRound")
    await console.act("PlaceBets", player="guest-1", slip={"big": 1_000}, version=1)
    view = await shown(console, lambda view: view.staked == 1_000)
    slips = {each.player: (each.slip, each.credit) for each in view.slips}
    assert slips == {"ann": ({}, 0), "guest-1": ({"big": 1_000}, 4_000)}
    await dealt(console, [6, 5, 4])
    await console.act("CashOut", player="guest-1")
    await console.act("LeaveTable", player="guest-1")
    view = await shown(console, lambda view: len(view.seats) == 1)
    assert [each.player for each in view.slips] == ["ann"]


async def test_a_bet_below_the_minimum_is_shown_told_and_given_back(tmp_path: Path) -> None:
    """5.2: the player is told; who does nothing may have it returned; raising it ends the matter."""
    table = {**LIVE, "minimum": 500}
    async with serving(settings(tmp_path, table), people={"dealer": Role.DEALER}) as house:
        console = await house.console("T1")
        await console.act("BuyIn", player="ann", amount=10_000)
        await console.act("StartRound")
        await console.act("PlaceBets", player="ann", slip={"big": 300, "sum-9": 200}, version=1)
        view = await shown(console, lambda view: len(view.below_minimum) == 2)
        found = {(each.player, each.box, each.stake, each.minimum) for each in view.below_minimum}
        assert found == {("ann", "big", 300, 500), ("ann", "sum-9", 200, 500)}
        with pytest.raises(Refused) as early:
            await console.act("ReturnBelowMinimum", player="ann", box="big")
        assert early.value.code == "player_not_advised"
        assert early.value.facts["player"] == "ann"
        for box in ("big", "sum-9"):
            await console.act("AdviseMinimum", player="ann", box=box)
        await shown(console, lambda view: all(each.advised for each in view.below_minimum))
        await console.act("PlaceBets", player="ann", slip={"big": 500, "sum-9": 200}, version=2)
        await shown(console, lambda view: [each.box for each in view.below_minimum] == ["sum-9"])
        await console.act("ReturnBelowMinimum", player="ann", box="sum-9")
        view = await shown(console, lambda view: not view.below_minimum)
        assert view.totals == {"big": 500}


async def test_a_bet_below_the_minimum_at_the_closing_stands(tmp_path: Path) -> None:
    """5.2.1: it is in play in full."""
    table = {**LIVE, "minimum": 500}
    async with serving(settings(tmp_path, table), people={"dealer": Role.DEALER}) as house:
        console = await house.console("T1")
        await console.act("BuyIn", player="ann", amount=10_000)
        await console.act("StartRound")
        await console.act("PlaceBets", player="ann", slip={"big": 300}, version=1)
        await dealt(console, [6, 5, 4])
        await shown(console, lambda view: [each.credit for each in view.slips] == [10_300])


async def test_excess_over_a_boxs_maximum_is_shown_and_rejected_latest_first(tmp_path: Path) -> None:
    """5.1 by the dealer: two players on one box, the later one's chips go back."""
    table = {**LIVE, "maximum": 5_000, "notice": "by-dealer"}
    async with serving(settings(tmp_path, table), people={"dealer": Role.DEALER}) as house:
        console = await house.console("T1")
        for player in ("ann", "bo"):
            await console.act("BuyIn", player=player, amount=10_000)
        await console.act("StartRound")
        await console.act("PlaceBets", player="ann", slip={"sum-9": 4_000}, version=1)
        await console.act("PlaceBets", player="bo", slip={"sum-9": 3_000}, version=1)
        view = await shown(console, lambda view: bool(view.breaches))
        assert [(each.on, each.excess) for each in view.breaches] == [("sum-9", 2_000)]
        assert "RejectExcess" in view.legal
        await console.act("RejectExcess", on="sum-9")
        view = await shown(console, lambda view: not view.breaches)
        assert {each.player: each.slip for each in view.slips} == {
            "ann": {"sum-9": 4_000},
            "bo": {"sum-9": 1_000},
        }


async def test_colour_chips_at_the_console(tmp_path: Path) -> None:
    """v3: sold, bet, lost, changed back; the console shows whose colour is out and for how much."""
    table = {**LIVE, "pay_table": "tai-sai-v3/1", "money": "chips", "unit": 100, "minimum": 100}
    async with serving(settings(tmp_path, table)) as house:
        console = await house.console("T1")
        await console.act("BuyIn", player="ann", amount=1_000)
        await console.act("IssueColour", player="ann", colour="red", chips=20, value=100)
        view = await shown(console, lambda view: bool(view.colours))
        red = view.colours[0]
        assert (red.colour, red.player, red.value, red.chips) == ("red", "ann", 100, 20)
        with pytest.raises(Refused) as taken:
            await console.act("IssueColour", player="bo", colour="red", chips=1, value=100)
        assert taken.value.code == "colour_taken"
        await console.act("StartRound")
        chips = {"colour": "red", "value": 100, "boxes": {"big": 500}}
        await console.act("PlaceBets", player="ann", slip={"big": 600}, version=1, chips=chips)
        view = await shown(console, lambda view: view.staked == 600)
        assert (view.colour_chips, view.slips[0].coloured) == (True, {"big": 500})
        assert (view.colours[0].chips, view.colours[0].hand) == (20, 15)
        await dealt(console, [1, 2, 3])
        with pytest.raises(Refused) as collected:
            await console.act("CollectColour", player="ann", colour="red", chips=5)
        assert collected.value.code == "nothing_to_collect"
        await console.act("ChangeBack", player="ann", colour="red", chips=15)
        await shown(console, lambda view: not view.colours)
        await console.act("CashOut", player="ann", chips=1_500)
        report = await (await house.person("auditor")).post("/audit/verify")
        assert report["sound"], report


async def test_what_waits_for_somebody_and_what_they_owe_is_shown(house: Serving) -> None:
    """Whoever has gone is listed while money waits for them, or they owe some."""
    console = await house.console("T1", "shift-manager")
    await console.act("BuyIn", player="ann", amount=2_000)
    await console.act("StartRound")
    await console.act("PlaceBets", player="ann", slip={"big": 2_000}, version=1)
    await console.act("LeaveTable", player="ann")
    await dealt(console, [6, 5, 4])
    (ann,) = (await shown(console, lambda view: any(each.credit for each in view.slips))).slips
    assert (ann.player, ann.absent, ann.credit, ann.owed) == ("ann", "left", 4_000, 0)
    with pytest.raises(Refused) as unknown:
        await console.act("CashOut", player="ann")
    assert unknown.value.code == "player_gone"
    await console.act("CashOut", player="ann", identity={"document": "passport", "last": "41Z"})
    await shown(console, lambda view: not view.slips)
    asked = await (await house.person("dealer")).act("T1", "CorrectResult", roll=[1, 2, 3], reason="misread")
    await (await house.person("supervisor")).approve(asked["approval"])
    (ann,) = (await shown(console, lambda view: any(each.owed for each in view.slips))).slips
    assert (ann.credit, ann.owed) == (0, 4_000)
    for amount, waive in ((3_000, False), (1_000, True)):
        asked = await (await house.person("shift-manager")).act(
            "T1", "CollectOwed", player="ann", amount=amount, waive=waive, reason="at the table"
        )
        await (await house.person("dealer")).approve(asked["approval"])
    await shown(console, lambda view: not view.slips)


async def test_chips_of_one_who_walked_away_wait_in_their_name(tmp_path: Path) -> None:
    """Nobody else may have them; whoever comes back is paid."""
    async with serving(settings(tmp_path, {**LIVE, "money": "chips"})) as house:
        console = await house.console("T1")
        await console.act("BuyIn", player="ann", amount=2_000)
        await console.act("StartRound")
        await console.act("PlaceBets", player="ann", slip={"big": 2_000}, version=1)
        await console.act("RecordWalkAway", player="ann")
        await dealt(console, [6, 5, 4])
        (ann,) = (await shown(console, lambda view: any(each.unclaimed for each in view.slips))).slips
        assert (ann.credit, ann.unclaimed) == (None, 4_000)
        asked = await (await house.person("dealer")).act(
            "T1", "PayUnclaimed", player="ann", amount=4_000, reason="came back"
        )
        done = await (await house.person("supervisor")).approve(asked["approval"])
        assert done["amount"] == 4_000
        await shown(console, lambda view: not view.slips)


async def test_every_act_has_its_way_to_the_table(house: Serving) -> None:
    """Each name that the console may send reaches a desk: done, refused by it, or waiting for a second."""
    console = await house.console("T1", "shift-manager")
    for act in ACT_NAMES:
        with pytest.raises(Refused) as refused:
            await console.act(act, nonsense=1)
        assert "unknown field" in str(refused.value), act
    missing = {"StartRound", "ConcludeRound", "CloseBetting", "SettleBets"} - set(ACT_NAMES)
    assert not missing


async def test_one_name_at_two_tables_is_kept_apart_to_the_end(tmp_path: Path) -> None:
    """Buy-ins, bets, a restart, cash-outs: each table pays what it took, and the audit is clean."""
    config = settings(tmp_path, LIVE, {**LIVE, "name": "T2"})
    async with serving(config) as house:
        logins = house.logins
        for table, amount in (("T1", 10_000), ("T2", 3_000)):
            console = await house.console(table)
            await console.act("BuyIn", player="ann", amount=amount)
            await console.act("StartRound")
            await console.act("PlaceBets", player="ann", slip={"big": 1_000}, version=1)
            await dealt(console, [1, 2, 3])
    async with serving(config) as house:
        house.logins.update(logins)
        paid = {}
        for table in ("T1", "T2"):
            paid[table] = (await (await house.person("dealer")).act(table, "CashOut", player="ann"))["amount"]
        assert paid == {"T1": 9_000, "T2": 2_000}
        report = await (await house.person("auditor")).post("/audit/verify")
        assert report["sound"], report


async def test_a_table_that_is_closed_says_so_to_everyone(house: Serving) -> None:
    """The console offers no round, displays and terminals are told, and opening it ends that."""
    console = await house.console("T1", "supervisor")
    visitor = await house.visitor()
    view = await shown(console, lambda view: "CloseTable" in view.legal)
    assert view.next_act == "StartRound"
    await console.act("CloseTable", reason="the end of the day")
    view = await shown(console, lambda view: "ReopenTable" in view.legal)
    assert (view.next_act, "StartRound" in view.legal) == (None, False)
    assert (await visitor.get("/tables/T1"))["table"]["closed"] is True
    with pytest.raises(Refused) as closed:
        await console.act("StartRound")
    assert closed.value.code == "table_closed"
    await console.act("ReopenTable")
    await console.act("StartRound")
    assert (await visitor.get("/tables/T1"))["table"]["closed"] is False


async def test_people_see_the_names_that_they_use(house: Serving) -> None:
    """In the round told again, and in what waits for a second person; the record has the table with it."""
    console, supervisor = await house.console("T1"), await house.person("supervisor")
    await console.act("BuyIn", player="ann", amount=5_000)
    await console.act("StartRound")
    await console.act("PlaceBets", player="ann", slip={"big": 1_000}, version=1)
    await dealt(console, [6, 5, 4])
    told = await supervisor.get("/tables/T1/rounds/1")
    placed = next(event for event in told["events"] if event["type"] == "BetsPlaced")
    assert (placed["facts"]["player"], told["bets"][0]["player"]) == ("ann", "ann")
    await console.act("CorrectBets", player="ann", slip={"small": 1_000}, reason="as on the felt")
    waiting = (await supervisor.get("/approvals"))[0]
    assert waiting["fields"]["player"] == "ann"
    done = await supervisor.approve(waiting["id"])
    assert "BetsCorrected" in done["happened"]
    paid = await (await house.person("dealer")).act("T1", "CashOut", player="ann")
    assert paid["amount"] == 4_000


@pytest.mark.clause("tai-sai-v6", "5.13")
async def test_the_timeline_says_how_each_bet_came_to_be_registered(tmp_path: Path) -> None:
    """Three facts: on a terminal, laid on the felt, and at the player's request by whoever placed it."""
    async with serving(settings(tmp_path, LIVE, {**CLUSTER, "pay_table": "tai-sai-v6/2"})) as house:
        terminal, console = await house.terminal(credit=5_000), await house.console("C1")
        await console.act("StartRound")
        await terminal.place((await terminal.betting()).number, {"big": 1_000})
        console = await house.console("T1")
        await console.act("BuyIn", player="ann", amount=5_000)
        await console.act("StartRound")
        await console.act("PlaceBets", player="ann", slip={"big": 1_000}, version=1)
        await console.act("PlaceBets", player="ann", slip={"odd": 1_000}, version=2, on_request=True)
        dealer = await house.person("dealer")
        told = []
        for table in ("C1", "T1"):
            events = (await dealer.get(f"/tables/{table}/rounds/1"))["events"]
            told += [each for each in events if each["type"] == "BetsPlaced"]
        assert [(each["facts"]["how"], each["clause"]) for each in told] == [
            ("terminal", "3.4"),
            ("felt", "3.4"),
            ("on-request", "5.13"),
        ]
        assert told[2]["by"] == "dealer"
        assert told[2]["facts"]["player"] == "ann"
