"""A Game Console over its WebSocket: the dealer's acts, what is legal, dual control, and who is let in."""

import asyncio
from pathlib import Path

import pytest

from taisai.client import Refused, Unanswered
from taisai.game.acts import Phase
from taisai.game.people import Role
from taisai.rulebooks.catalogue import rulebook, shipped_rulebooks
from taisai.server import wire
from tests.server.houses import LIVE, Serving, dealt, serving, settings

RULES = [name for name in shipped_rulebooks() if not rulebook(name).electronic]


@pytest.mark.parametrize("rules", RULES)
async def test_the_next_act_leads_through_a_whole_round(tmp_path: Path, rules: str) -> None:
    """Whoever always presses the one button plays the round by the book, under every rulebook.

    An act's answer comes after what there is to do next: nobody is offered the same act twice.
    """
    table = {**LIVE, "pay_table": f"{rules}/1", "unit": 1000, "minimum": 1000}
    async with serving(settings(tmp_path, table), people={"dealer": Role.DEALER}) as house:
        console = await house.console("T1")
        fields = {"ActivateTumbler": {"tumbles": 3}, "DeclareRoll": {"roll": [1, 3, 5]}}
        pressed: list[str] = []
        await console.wait_until(lambda: console.view is not None)
        while not pressed or pressed[-1] != "ConcludeRound":
            assert console.view is not None
            act = console.view.next_act
            assert act is not None
            assert act in console.view.legal
            await console.act(act, **fields.get(act, {}))
            pressed.append(act)
        covered = rulebook(rules).procedure.cover == "covered"
        assert pressed == [
            "StartRound",
            "CloseBetting",
            *(["CoverTumbler"] if covered else []),
            "ActivateTumbler",
            *(["ExposeDice"] if covered else []),
            "DeclareRoll",
            "SettleBets",
            "ConcludeRound",
        ]


async def test_illegal_acts_are_absent_and_refused(house: Serving) -> None:
    """What the view does not offer, the round does not do."""
    console = await house.console("T1")
    await console.act("StartRound")
    await console.wait_until(lambda: console.view is not None and console.view.next_act == "CloseBetting")
    assert console.view is not None
    assert not {"StartRound", "DeclareRoll", "SettleBets", "ConcludeRound", "ExposeDice"} & set(
        console.view.legal
    )
    for act, fields in (("SettleBets", {}), ("DeclareRoll", {"roll": [1, 2, 3]}), ("StartRound", {})):
        with pytest.raises(Refused):
            await console.act(act, **fields)


async def test_bets_on_behalf_show_with_their_breaches(house: Serving) -> None:
    """Buy-in, a bet by the dealer, a bet below the minimum, and what the console says of them."""
    console = await house.console("T1")
    await console.act("StartRound")
    await console.act("BuyIn", player="ann", amount=50_000)
    with pytest.raises(Refused) as refused:
        await console.act("PlaceBets", player="ann", slip={"big": 60_000}, version=1)
    assert refused.value.code == "funds_insufficient"
    await console.act("PlaceBets", player="ann", slip={"big": 2_000, "double-1": 300}, version=2)
    await console.wait_until(lambda: console.view is not None and console.view.staked == 2_300)
    assert console.view is not None
    assert (console.view.players, console.view.totals) == (1, {"big": 2_000, "double-1": 300})


async def test_excess_is_shown_and_given_back(tmp_path: Path) -> None:
    """Above the differential: the console says so, and one act returns the latest chips."""
    table = {**LIVE, "differential": {"big-small": 1_000}, "notice": "by-dealer"}
    async with serving(settings(tmp_path, table), people={"dealer": Role.DEALER}) as house:
        console = await house.console("T1")
        await console.act("StartRound")
        await console.act("BuyIn", player="ann", amount=10_000)
        await console.act("PlaceBets", player="ann", slip={"big": 4_000}, version=1)
        await console.wait_until(lambda: console.view is not None and bool(console.view.breaches))
        assert console.view is not None
        breach = console.view.breaches[0]
        assert (breach.on, breach.box, breach.excess) == ("big-small", "big", 3_000)
        await console.act("RejectExcess", on="big-small")
        await console.wait_until(lambda: console.view is not None and console.view.totals == {"big": 1_000})


async def test_a_correction_takes_two_people(house: Serving) -> None:
    """The dealer asks, the supervisor agrees, the round is settled anew and both are on the record."""
    console = await house.console("T1")
    supervisor = await house.person("supervisor")
    await console.act("StartRound")
    await console.act("BuyIn", player="ann", amount=10_000)
    await console.act("PlaceBets", player="ann", slip={"big": 1_000}, version=1)
    await dealt(console, [1, 2, 3])
    asked = await console.act("CorrectResult", roll=[6, 6, 5], reason="misread")
    assert isinstance(asked, wire.NeedsApproval)
    waiting = await supervisor.get("/approvals")
    assert [(each["id"], each["act"], each["by"]) for each in waiting] == [
        (asked.approval, "CorrectResult", "dealer")
    ]
    done = await supervisor.approve(asked.approval)
    assert "ResultCorrected" in done["happened"]
    told = await supervisor.get("/tables/T1/rounds/1")
    assert told["dice"] == [6, 6, 5]
    corrected = next(event for event in told["events"] if event["type"] == "ResultCorrected")
    assert (corrected["by"], corrected["facts"]["second"]["name"]) == ("dealer", "supervisor")
    page = await supervisor.get("/tables/T1/rounds")
    assert page["items"][0]["corrected"] is True
    assert house.hub.feeds["T1"].history[-1].corrected


async def test_the_dealer_cannot_agree_to_their_own_request(house: Serving) -> None:
    """One person is not two."""
    console = await house.console("T1")
    await console.act("StartRound")
    await dealt(console, [1, 2, 3])
    asked = await console.act("CorrectResult", roll=[6, 6, 5], reason="misread")
    assert isinstance(asked, wire.NeedsApproval)
    with pytest.raises(Refused) as refused:
        await (await house.person("dealer")).approve(asked.approval)
    assert refused.value.code == "second_person_is_first"


async def test_a_request_is_carried_out_once(house: Serving) -> None:
    """Agreeing twice does nothing twice."""
    console = await house.console("T1")
    supervisor = await house.person("supervisor")
    await console.act("StartRound")
    await dealt(console, [1, 2, 3])
    asked = await console.act("CorrectResult", roll=[6, 6, 5], reason="misread")
    assert isinstance(asked, wire.NeedsApproval)
    await supervisor.approve(asked.approval)
    with pytest.raises(Refused) as refused:
        await supervisor.approve(asked.approval)
    assert refused.value.code == "approval_closed"


async def test_every_void_ends_the_round_and_gives_everything_back(house: Serving) -> None:
    """Too few tumbles, not flat, exposed early: by the dealer's own act, with the clause."""
    console = await house.console("T1")
    await console.act("BuyIn", player="ann", amount=10_000)

    async def play(number: int, *acts: tuple[str, dict[str, object]]) -> wire.RoundView:
        await console.act("StartRound")
        await console.act("PlaceBets", player="ann", slip={"big": 1_000}, version=1)
        for act, fields in acts:
            await console.act(act, **fields)
        return await console.phase("void", after=number - 1)

    close: tuple[str, dict[str, object]] = ("CloseBetting", {})
    cover: tuple[str, dict[str, object]] = ("CoverTumbler", {})
    tumble: tuple[str, dict[str, object]] = ("ActivateTumbler", {"tumbles": 3})
    few = await play(1, close, cover, ("ActivateTumbler", {"tumbles": 2}))
    cocked = await play(2, close, cover, tumble, ("ExposeDice", {"flat": False}))
    early = await play(3, cover, tumble, ("ExposeDice", {}))
    assert [view.ground for view in (few, cocked, early)] == [
        "too-few-tumbles",
        "not-flat",
        "exposed-early",
    ]
    assert all(view.void_clause for view in (few, cocked, early))
    ann = await house.on_record("ann")
    assert house.hub.house.table("T1").state.book.balance(f"credit:{ann}") == 10_000


async def test_a_logout_shuts_the_console(house: Serving) -> None:
    """Who is no longer logged in acts no longer."""
    console = await house.console("T1")
    await (await house.person("dealer")).log_out()
    assert (await console.receive(wire.Bye)).reason == "session-ended"


@pytest.mark.parametrize("name", ["cashier", "auditor", "admin"])
async def test_a_console_is_for_the_pit(house: Serving, name: str) -> None:
    """Others are not even let in."""
    console = (await house.person(name)).console("T1")
    with pytest.raises(Exception, match="403"):
        await console.open()


async def test_without_a_login_there_is_no_console(house: Serving) -> None:
    """A stranger is turned away before the connection is made."""
    console = (await house.person("dealer")).console("T1")
    console._cookies = "taisai=nonsense"
    with pytest.raises(Exception, match=r"403|401"):
        await console.open()


async def test_a_page_of_another_site_cannot_open_a_console(house: Serving) -> None:
    """The browser says where it comes from, and that is not us."""
    console = (await house.person("dealer")).console("T1")
    cookies = console._cookies
    console._headers = lambda: {"Cookie": cookies, "Origin": "https://elsewhere.example"}
    with pytest.raises(Exception, match="403"):
        await console.open()


async def test_the_round_can_be_extended_at_the_console(tmp_path: Path) -> None:
    """More time is given, shown to everyone and on the record."""
    table = {**LIVE, "betting_seconds": 600}
    async with serving(settings(tmp_path, table), people={"dealer": Role.DEALER}) as house:
        console = await house.console("T1")
        await console.act("StartRound")
        before = (await console.betting()).closes_at
        assert before is not None
        await console.act("ExtendBetting", seconds=30)
        await console.wait_until(
            lambda: console.round is not None and console.round.closes_at == before + 30_000
        )


async def test_two_consoles_see_the_same_table(house: Serving) -> None:
    """What one does the other sees."""
    first = await house.console("T1")
    second = await house.console("T1", "supervisor")
    await first.act("StartRound")
    await second.betting()
    await second.act("CloseBetting")
    await first.phase("closed")
    assert house.hub.house.table("T1").state.current.phase is Phase.CLOSED


async def test_an_act_repeated_after_a_lost_answer_is_done_once(house: Serving) -> None:
    """The connection goes before the answer; the same id again brings the answer."""
    console = await house.console("T1")
    with pytest.raises(Unanswered):
        await asyncio.gather(console.act("StartRound", message_id="start"), console.cut())
    await console.open()
    done = await console.act("StartRound", message_id="start")
    assert isinstance(done, wire.Acknowledged)
    assert house.hub.house.table("T1").state.number == 1
