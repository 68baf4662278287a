"""When the line breaks or the server dies: nothing is lost or doubled, and the page says how it stands."""

import pytest
from playwright.async_api import expect

from tests.browser.cable import Cable, cable_to
from tests.browser.floor import Floor
from tests.browser.seats import CashierPage, ConsolePage, DisplayPage, TerminalPage, lost
from tests.browser.tables import PLAIN, at
from tests.browser.words import brings, money, say

TABLE = at(PLAIN)
ASKED_MAX = 2_000
# What a browser, and a page that asks again by itself, say of requests that found nobody.
CUT = r"net::ERR_|WebSocket connection to|Failed to load resource|No answer from the server"


async def over(cable: Cable, floor: Floor, credit: int) -> TerminalPage:
    """A terminal whose line is ours."""
    floor.watch.address = cable.address
    floor.foresee(CUT)
    return await TerminalPage.at(floor, TABLE, credit=credit, base_url=cable.address)


async def staked(floor: Floor) -> int:
    """What lies on the felt, as the house has it."""
    seats = await (await floor.person("dealer")).get(f"/tables/{TABLE}/terminals")
    return sum(seat.get("staked", 0) for seat in seats)


async def registered(floor: Floor, amount: int) -> None:
    """Ask the house until it has the bet: its answer tells, no time does."""
    for _ in range(ASKED_MAX):
        if await staked(floor) == amount:
            return
    raise AssertionError(f"{amount} was never registered")


async def test_a_slip_whose_answer_was_lost_is_registered_once(floor: Floor) -> None:
    """The server has the bet and the page cannot know; when the line is back it lies there, once."""
    dealer = await floor.dealer(TABLE)
    async with cable_to(floor.server.port) as cable:
        terminal = await over(cable, floor, 100_00)
        await dealer.open()
        await terminal.is_open()
        cable.loses_answers = True
        await terminal.bet({"big": 25_00})
        await terminal.lies("big", 25_00, "bet_pending")
        await registered(floor, 25_00)
        cable.cut()
        await expect(lost(terminal.page)).to_be_visible()
        await expect(terminal.page.get_by_text(say("registered_bets_stand"))).to_be_visible()
        cable.mend()
        await terminal.lies("big", 25_00)
        await expect(terminal.meter("credit")).to_have_text(money(75_00))
        assert await staked(floor) == 25_00
        await dealer.deal(6, 6, 5)
        gain = brings(PLAIN, (6, 6, 5), {"big": 25_00})
        await expect(terminal.meter("credit")).to_have_text(money(100_00 + gain))


async def test_a_slip_that_never_arrived_is_sent_again_and_registered_once(floor: Floor) -> None:
    """The betting is still open when the line is back: the chips go again, and the page says so."""
    dealer = await floor.dealer(TABLE)
    async with cable_to(floor.server.port) as cable:
        terminal = await over(cable, floor, 100_00)
        await dealer.open()
        await terminal.is_open()
        await terminal.bet({"small": 10_00})
        await terminal.lies("small", 10_00)
        cable.loses_requests = True
        await terminal.bet({"sum-10": 5_00})
        await terminal.lies("sum-10", 5_00, "bet_pending")
        cable.cut()
        await expect(lost(terminal.page)).to_be_visible()
        cable.mend()
        await expect(terminal.line).to_have_text(say("bets_sent_again"))
        await terminal.lies("small", 10_00)
        await terminal.lies("sum-10", 5_00)
        assert await staked(floor) == 15_00
        await expect(terminal.meter("credit")).to_have_text(money(85_00))


@pytest.mark.clause("sic-bo-etg-v8", "3.5", "5.2.2")
async def test_a_slip_that_came_too_late_goes_back_and_the_page_says_so(floor: Floor) -> None:
    """The betting closed while the line was down: what was registered stands, the rest is credit again."""
    dealer = await floor.dealer(TABLE)
    async with cable_to(floor.server.port) as cable:
        terminal = await over(cable, floor, 100_00)
        await dealer.open()
        await terminal.is_open()
        await terminal.bet({"small": 10_00})
        await terminal.lies("small", 10_00)
        cable.loses_requests = cable.loses_answers = True
        await terminal.bet({"sum-10": 5_00})
        await terminal.lies("sum-10", 5_00, "bet_pending")
        await dealer.close()
        cable.cut()
        cable.mend()
        await expect(terminal.line).to_have_text(say("unregistered_returned", amount=money(5_00)))
        await terminal.lies("sum-10", 5_00, "bet_refused")
        await terminal.lies("small", 10_00)
        await expect(terminal.meter("credit")).to_have_text(money(90_00))
        assert await staked(floor) == 10_00


async def test_nothing_can_be_bet_while_the_line_is_down(floor: Floor) -> None:
    """The felt is shut, and a tap says why."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    async with cable_to(floor.server.port) as cable:
        terminal = await over(cable, floor, 100_00)
        await terminal.is_open()
        cable.cut()
        await expect(terminal.box("big")).to_be_disabled()
        await terminal.box("big").dispatch_event("click")
        await expect(terminal.line).to_have_text(say("link_reconnecting"))
        await terminal.is_bare("big")
        cable.mend()
        await terminal.is_open()


async def test_keys_change_nothing_while_the_line_is_down(floor: Floor) -> None:
    """A slip that nobody can send is not changed, so that nothing comes about when the line is back."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    async with cable_to(floor.server.port) as cable:
        terminal = await over(cable, floor, 100_00)
        await terminal.is_open()
        await terminal.bet({"small": 10_00})
        await terminal.lies("small", 10_00)
        cable.cut()
        await expect(terminal.box("big")).to_be_disabled()
        for key in "dcu":
            await terminal.page.keyboard.press(key)
            await expect(terminal.line).to_have_text(say("link_reconnecting"))
            await terminal.lies("small", 10_00)
        cable.mend()
        await terminal.is_open()
        await terminal.lies("small", 10_00)
        await terminal.bet({"odd": 5_00})
        await terminal.lies("odd", 5_00)
        assert await staked(floor) == 15_00


async def test_the_server_is_killed_and_every_page_comes_back_by_itself(own_floor: Floor) -> None:
    """After a SIGKILL and a start on the same record the bets lie there, the round is resumed and paid."""
    floor, slip = own_floor, {"small": 10_00, "sum-9": 5_00}
    floor.foresee(CUT)
    console = await ConsolePage.at(floor, "C1")
    display = await DisplayPage.at(floor, "C1")
    cashier = await CashierPage.at(floor)
    terminal = await TerminalPage.at(floor, "C1", credit=100_00)
    await console.press("do_StartRound")
    await terminal.is_open()
    await terminal.bet(slip)
    for box, stake in slip.items():
        await terminal.lies(box, stake)
    await floor.server.kill()
    for page in (console, display, terminal):
        await expect(lost(page.page)).to_be_visible()
    await floor.server.start()
    for page in (console, display, terminal):
        await expect(lost(page.page)).to_have_count(0)
    for box, stake in slip.items():
        await terminal.lies(box, stake)
    await expect(terminal.meter("credit")).to_have_text(money(85_00))
    await console.press("do_ResumeRound")
    await terminal.is_open()
    await terminal.bet({"single-6": 5_00})
    await terminal.lies("single-6", 5_00)
    await cashier.open_drawer(500_00)  # a login outlives the process that gave it
    await floor.ask_for_tokens()
    dealer = await floor.dealer("C1", clear=False)
    await dealer.deal(6, 1, 2)
    gain = brings(PLAIN, (6, 1, 2), {**slip, "single-6": 5_00})
    await expect(terminal.meter("credit")).to_have_text(money(100_00 + gain))
    await expect(display.lit).not_to_have_count(0)
    await expect(console.big("do_StartRound")).to_be_visible()
