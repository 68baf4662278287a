"""Money that was asked for while the line broke comes once; a ticket stays until its player has it."""

from playwright.async_api import Locator, expect

from tests.browser.cable import Cable, cable_to
from tests.browser.floor import Floor
from tests.browser.seats import TerminalPage, lost
from tests.browser.tables import PLAIN, at
from tests.browser.words import money, say

TABLE = at(PLAIN)
ASKED_MAX = 2_000
# What a browser says of requests that found nobody.
CUT = r"net::ERR_|WebSocket connection to|Failed to load resource"


async def over(cable: Cable, floor: Floor, credit: int, table: str = TABLE) -> TerminalPage:
    """A terminal whose line is ours."""
    floor.watch.address = cable.address
    floor.foresee(CUT)
    return await TerminalPage.at(floor, table, credit=credit, base_url=cable.address)


async def has_credit(floor: Floor, terminal: TerminalPage, amount: int) -> None:
    """Ask the house until this terminal has so much: its answer tells, no time does."""
    name = (await terminal.page.locator("footer span").last.inner_text()).split()[-1]
    for _ in range(ASKED_MAX):
        seats = await (await floor.person("dealer")).get(f"/tables/{terminal.table}/terminals")
        if next(seat for seat in seats if seat["terminal"] == name).get("credit", 0) == amount:
            return
    raise AssertionError(f"{name} never had {amount}")


async def ask_for_the_ticket(terminal: TerminalPage) -> None:
    await terminal.act("cash_out").click()
    await terminal.dialog("cash_out").get_by_role("button", name=say("print_ticket")).click()


async def ask_for_credit(terminal: TerminalPage, amount: int) -> None:
    await terminal.act("buy_in").click()
    await terminal.dialog("buy_in").get_by_role("button", name=money(amount), exact=True).click()


def ticket_of(terminal: TerminalPage) -> Locator:
    return terminal.page.get_by_role("article", name=say("paper_ticket"), exact=True)


async def number_of(terminal: TerminalPage) -> str:
    return await ticket_of(terminal).locator(".number").first.inner_text()


async def take(terminal: TerminalPage) -> None:
    await terminal.act("ticket_taken").click()
    await expect(ticket_of(terminal)).to_have_count(0)


async def test_a_ticket_whose_answer_was_lost_is_shown_when_the_line_is_back(floor: Floor) -> None:
    """The credit has left and the page cannot know: the ticket is there as soon as the page is back."""
    await floor.dealer(TABLE)
    async with cable_to(floor.server.port) as cable:
        terminal = await over(cable, floor, 100_00)
        cable.loses_answers = True
        await ask_for_the_ticket(terminal)
        await has_credit(floor, terminal, 0)
        cable.cut()
        await expect(lost(terminal.page)).to_be_visible()
        cable.mend()
        await expect(ticket_of(terminal)).to_contain_text(money(100_00))
        await take(terminal)
        await expect(terminal.meter("credit")).to_have_text(money(0))


async def test_a_ticket_that_was_asked_for_in_vain_comes_when_the_line_is_back(floor: Floor) -> None:
    """The request itself was lost: it is made again, and the credit leaves once."""
    await floor.dealer(TABLE)
    async with cable_to(floor.server.port) as cable:
        terminal = await over(cable, floor, 50_00)
        cable.loses_requests = True
        await ask_for_the_ticket(terminal)
        cable.cut()
        await expect(lost(terminal.page)).to_be_visible()
        cable.mend()
        await expect(ticket_of(terminal)).to_contain_text(money(50_00))
        await has_credit(floor, terminal, 0)


async def test_a_ticket_that_is_shown_outlives_the_page_until_its_player_has_it(floor: Floor) -> None:
    """Loaded anew, the page shows the same ticket; once it is taken, no more."""
    await floor.dealer(TABLE)
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00)
    await ask_for_the_ticket(terminal)
    number = await number_of(terminal)
    await terminal.page.reload()
    await expect(ticket_of(terminal)).to_contain_text(money(100_00))
    assert await number_of(terminal) == number
    await take(terminal)
    await terminal.page.reload()
    await expect(terminal.meter("credit")).to_have_text(money(0))
    await terminal.buy_in(20_00)  # it answers again, and no ticket stands before it
    await expect(ticket_of(terminal)).to_have_count(0)


async def test_a_ticket_outlives_the_server_that_issued_it(own_floor: Floor) -> None:
    """Issued, never shown, and the server is killed: the next one shows it, and the record has one ticket."""
    floor = own_floor
    async with cable_to(floor.server.port) as cable:
        terminal = await over(cable, floor, 100_00, "C1")
        cable.loses_answers = True
        await ask_for_the_ticket(terminal)
        await has_credit(floor, terminal, 0)
        await floor.server.kill()
        await expect(lost(terminal.page)).to_be_visible()
        await floor.server.start()
        cable.mend()
        await expect(ticket_of(terminal)).to_contain_text(money(100_00))
        number = await number_of(terminal)
        await terminal.page.reload()
        await expect(ticket_of(terminal)).to_contain_text(money(100_00))
        assert await number_of(terminal) == number


async def test_credit_whose_answer_was_lost_comes_in_once(floor: Floor) -> None:
    """Bought, and the page cannot know: it is asked for again under the same name and not bought twice."""
    await floor.dealer(TABLE)
    async with cable_to(floor.server.port) as cable:
        terminal = await over(cable, floor, 100_00)
        cable.loses_answers = True
        await ask_for_credit(terminal, 50_00)
        await has_credit(floor, terminal, 150_00)
        cable.cut()
        await expect(lost(terminal.page)).to_be_visible()
        cable.mend()
        await expect(terminal.status).to_contain_text(say("credit_now", amount="150 Singapore dollars"))
        await expect(terminal.meter("credit")).to_have_text(money(150_00))
        await has_credit(floor, terminal, 150_00)


async def test_credit_that_was_asked_for_in_vain_comes_when_the_line_is_back(floor: Floor) -> None:
    """The request itself was lost: it is made again."""
    await floor.dealer(TABLE)
    async with cable_to(floor.server.port) as cable:
        terminal = await over(cable, floor, 100_00)
        cable.loses_requests = True
        await ask_for_credit(terminal, 50_00)
        cable.cut()
        await expect(lost(terminal.page)).to_be_visible()
        cable.mend()
        await expect(terminal.meter("credit")).to_have_text(money(150_00))


async def test_a_dialog_that_is_answered_while_the_line_is_down_says_that_nothing_was_sent(
    floor: Floor,
) -> None:
    """Open when the line dropped: it closes with a message, and nothing is asked for later."""
    await floor.dealer(TABLE)
    async with cable_to(floor.server.port) as cable:
        terminal = await over(cable, floor, 100_00)
        await terminal.act("buy_in").click()
        cable.cut()
        await expect(lost(terminal.page)).to_be_visible()
        await terminal.dialog("buy_in").get_by_role("button", name=money(50_00), exact=True).click()
        await expect(terminal.line).to_have_text(say("not_sent"))
        await expect(terminal.alert).to_have_text(say("not_sent"))
        cable.mend()
        await expect(lost(terminal.page)).to_have_count(0)
        await terminal.buy_in(20_00, before=100_00)
