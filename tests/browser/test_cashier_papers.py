"""A ticket leaves the counter once, is printed once, and is not lost with the page or with the line."""

import re

import pytest
from playwright.async_api import Locator, expect

from tests.browser.cable import Cable, cable_to
from tests.browser.floor import Floor
from tests.browser.looking import SMALL, in_view
from tests.browser.seats import CashierPage, TerminalPage, approve
from tests.browser.tables import PLAIN, at
from tests.browser.words import LANGUAGES, money, say

TABLE = at(PLAIN)
CUT = r"net::ERR_|Failed to load resource"
ASKED_MAX = 2_000
MARK = "DUPLICATE · 副本"


async def over(cable: Cable, floor: Floor) -> CashierPage:
    """A cashier whose line is ours."""
    floor.watch.address = cable.address
    floor.foresee(CUT)
    cashier = await CashierPage.at(floor, base_url=cable.address)
    await cashier.open_drawer(500_00)
    return cashier


async def in_drawer(floor: Floor) -> int:
    """What should be in the drawer, as the house has it."""
    (drawer,) = [
        one for one in await (await floor.person("supervisor")).get("/drawers") if one["cashier"] == "cashier"
    ]
    return int(drawer["expected"])


@pytest.mark.parametrize("reload", [False, True])
async def test_a_sale_whose_answer_was_lost_is_sold_once(floor: Floor, reload: bool) -> None:
    """The house has sold and the page cannot know: asked again, or loaded again, it is the same ticket."""
    async with cable_to(floor.server.port) as cable:
        cashier = await over(cable, floor)
        before = await in_drawer(floor)
        cable.loses_answers = True
        await cashier.ask_to_sell(70_00)
        for _ in range(ASKED_MAX):
            if await in_drawer(floor) != before:
                break
        cable.cut()
        await expect(cashier.sell).to_contain_text(say("sale_unanswered", amount=money(70_00)))
        await expect(cashier.sell.get_by_label(say("cash_received"))).to_have_count(0)
        cable.mend()
        await (cashier.page.reload() if reload else cashier.button("sale_ask_again").click())
        await expect(cashier.paper).to_contain_text(money(70_00))
        await expect(cashier.paper).not_to_contain_text(MARK)
        assert await in_drawer(floor) == before + 70_00
        await cashier.button("paper_handed").click()
        await expect(cashier.sell.get_by_label(say("cash_received"))).to_be_visible()


async def test_a_sale_that_never_arrived_is_sold_when_it_is_asked_for_again(floor: Floor) -> None:
    """After a reload the page still knows of it, sells nothing else before, and sells it once."""
    async with cable_to(floor.server.port) as cable:
        cashier = await over(cable, floor)
        before = await in_drawer(floor)
        cable.loses_requests = True
        await cashier.ask_to_sell(80_00)
        cable.cut()
        await expect(cashier.sell).to_contain_text(say("sale_unanswered", amount=money(80_00)))
        cable.mend()
        await cashier.page.reload()
        await cashier.button("sale_ask_again").click()
        await expect(cashier.paper).to_contain_text(money(80_00))
        assert await in_drawer(floor) == before + 80_00
        await cashier.button("paper_handed").click()


async def test_a_refused_sale_is_over(floor: Floor) -> None:
    """The house said no: nothing is kept, and another sale can be made."""
    floor.foresee("status of 409", "status of 422")
    cashier = await CashierPage.at(floor)
    await cashier.open_drawer(500_00)
    await cashier.page.route(
        "**/api/v1/tickets",
        lambda route: route.fulfill(status=409, json={"detail": "no", "sentences": {"en": ["Refused: no"]}}),
    )
    await cashier.ask_to_sell(30_00)
    await expect(cashier.answer).to_contain_text("Refused: no")
    await expect(cashier.sell.get_by_label(say("cash_received"))).to_be_visible()


async def test_a_ticket_stays_until_it_is_handed_over(floor: Floor) -> None:
    """Neither Escape nor a click beside it nor a new page takes it away; only the cashier's word does."""
    cashier = await CashierPage.at(floor)
    await cashier.open_drawer(500_00)
    number = await cashier.sold(60_00)
    await cashier.page.keyboard.press("Escape")
    await cashier.page.mouse.click(4, 4)
    await expect(cashier.paper).to_be_visible()
    await cashier.page.reload()
    await expect(cashier.paper.locator(".number").first).to_have_text(number)
    await cashier.button("paper_handed").click()
    await expect(cashier.paper).to_have_count(0)
    await cashier.page.reload()
    await expect(cashier.drawer.get_by_role("button", name=say("drawer_close"))).to_be_visible()
    await expect(cashier.paper).to_have_count(0)


async def test_a_ticket_has_its_buttons_in_view_on_a_low_screen(floor: Floor) -> None:
    """The paper is whole and what is to be done with it beside it, before it is printed and after."""
    cashier = await CashierPage.at(floor, viewport=SMALL)
    await cashier.open_drawer(500_00)
    await cashier.stub_printer()
    await cashier.sold(35_00)
    assert await in_view(cashier.button("paper_handed"))
    await cashier.button("paper_print").click()
    await expect(cashier.paper).to_contain_text(MARK)
    for key in ("paper_again", "paper_handed"):
        assert await in_view(cashier.button(key)), key
    await cashier.button("paper_handed").click()
    await expect(cashier.paper).to_have_count(0)


async def test_every_copy_but_the_first_is_marked_and_takes_two_people(floor: Floor) -> None:
    """One clean copy; for another a supervisor agrees, and it says DUPLICATE, even after the hand-over."""
    cashier = await CashierPage.at(floor)
    await cashier.open_drawer(500_00)
    await cashier.stub_printer()
    await cashier.sold(45_00)
    await cashier.button("paper_print").click()
    await expect(cashier.paper).to_contain_text(MARK)
    await expect(cashier.button("paper_print")).to_have_count(0)
    assert [MARK in paper for paper in await cashier.printed()] == [False]
    await cashier.button("paper_handed").click()
    again = say("paper_look_again", amount=money(45_00))
    await cashier.drawer.get_by_role("button", name=again).first.click()
    await expect(cashier.paper).to_contain_text(MARK)
    await cashier.button("paper_again").click()
    dialog = cashier.page.get_by_role("dialog", name=say("paper_ticket"))
    await dialog.get_by_label(say("reason")).fill("the paper jammed")
    await dialog.get_by_role("button", name=say("ask_second")).click()
    await expect(dialog).to_contain_text(say("waits_for_second"))
    pit = await floor.staff_page("supervisor", "/pit")
    request = pit.get_by_role("listitem").filter(has_text="the paper jammed")
    await expect(request).to_contain_text(money(45_00))
    await approve(pit, "PrintTicket")
    await cashier.button("paper_print").click()
    await expect(cashier.button("paper_again")).to_be_visible()
    assert [MARK in paper for paper in await cashier.printed()] == [False, True]
    await cashier.button("paper_handed").click()


async def test_a_reissued_ticket_is_found_after_a_reload(floor: Floor) -> None:
    """The page was loaded anew before the second person agreed: the successor comes up, clean, once."""
    cashier = await CashierPage.at(floor)
    await cashier.open_drawer(500_00)
    number = await cashier.sold(35_00)
    await cashier.button("paper_handed").click()
    await cashier.lay_down(number)
    await ask_void(cashier, "cannot be read", reissue=True)
    await cashier.page.reload()
    await expect(cashier.drawer.get_by_role("button", name=say("drawer_close"))).to_be_visible()
    await approve(await floor.staff_page("supervisor", "/pit"), "VoidTicket")
    await expect(cashier.paper).to_contain_text(say("paper_kind_reissue"))
    await expect(cashier.paper).to_contain_text(money(35_00))
    await expect(cashier.paper).not_to_contain_text(MARK)
    await expect(cashier.paper.locator(".number").first).not_to_have_text(number)
    await cashier.button("paper_handed").click()
    await cashier.lay_down(number)
    await expect(cashier.redeem).to_contain_text(say("ticket_void"))


async def test_a_reissue_whose_answer_was_lost_brings_its_ticket_all_the_same(floor: Floor) -> None:
    """The house has the request and the page cannot know; loaded anew it still finds what came of it."""
    supervisor = await floor.person("supervisor")

    async def asked() -> list[str]:
        waiting = await supervisor.get("/approvals")
        return [one["id"] for one in waiting if one["reason"] == "burnt at the edge"]

    async with cable_to(floor.server.port) as cable:
        cashier = await over(cable, floor)
        number = await cashier.sold(55_00)
        await cashier.button("paper_handed").click()
        await cashier.lay_down(number)
        dialog = await void_dialog(cashier, "burnt at the edge", reissue=True)
        cable.loses_answers = True
        await dialog.get_by_role("button", name=say("ask_second")).click()
        for _ in range(ASKED_MAX):
            if await asked():
                break
        cable.cut()
        cable.mend()
        await cashier.page.reload()
        await supervisor.approve((await asked())[0])
        await expect(cashier.paper).to_contain_text(say("paper_kind_reissue"))
        await expect(cashier.paper).to_contain_text(money(55_00))
        await cashier.button("paper_handed").click()


async def void_dialog(cashier: CashierPage, reason: str, *, reissue: bool) -> Locator:
    await cashier.redeem.get_by_role("button", name=say("ticket_void_ask")).click()
    dialog = cashier.page.get_by_role("dialog", name=say("act_VoidTicket"))
    await dialog.get_by_label(say("reason")).fill(reason)
    if reissue:
        await dialog.get_by_role("switch", name=say("ticket_reissue")).check()
    return dialog


async def ask_void(cashier: CashierPage, reason: str, *, reissue: bool = False) -> None:
    dialog = await void_dialog(cashier, reason, reissue=reissue)
    await dialog.get_by_role("button", name=say("ask_second")).click()
    await expect(dialog).to_have_count(0)


WORDS = {"en": "one hundred Singapore dollars", "zh-Hant": "新加坡幣壹佰元正", "zh-Hans": "新加坡币壹佰元整"}


@pytest.mark.parametrize("place", ["terminal", "cashier"])
async def test_a_ticket_shows_all_that_it_must_in_every_language(floor: Floor, place: str) -> None:
    """Standards 52: number on the edge, site, type, figures and words, code, times, issuer, sequence."""
    if place == "terminal":
        await floor.dealer(TABLE)
        terminal = await TerminalPage.at(floor, TABLE, credit=100_00)
        await terminal.act("cash_out").click()
        await terminal.dialog("cash_out").get_by_role("button", name=say("print_ticket")).click()
        page, kind, issuer = terminal.page, "paper_kind_cash_out", re.compile("..")
    else:
        cashier = await CashierPage.at(floor)
        await cashier.open_drawer(500_00)
        await cashier.sold(100_00)
        page, kind, issuer = cashier.page, "paper_kind_sale", re.compile("^cage$")
    for language in LANGUAGES:
        # The dialog lies over the switch of languages.
        await page.locator(f".languages button[lang={language}]").dispatch_event("click")
        paper = page.get_by_role("article", name=say("paper_ticket", language), exact=True)
        edge = await paper.locator("> :first-child").inner_text()
        assert re.fullmatch(r"(\d{4} ){4}\d{2}", edge)
        await expect(paper.locator(".number")).to_have_text([edge, edge])
        for text in ("Test house", say(kind, language), WORDS[language], say("paper_play_money", language)):
            await expect(paper).to_contain_text(text)
        await expect(paper.locator(".amount")).to_contain_text("100")
        facts = {
            "paper_issued": re.compile(r"2\d\d\d.*\d\d:\d\d"),
            "paper_expires": re.compile(r"2\d\d\d.*\d\d:\d\d"),
            "paper_issuer": issuer,
            "paper_sequence": re.compile(r"^\d+$"),
        }
        for term, shape in facts.items():
            row = paper.get_by_role("term").filter(has_text=re.compile(f"^{say(term, language)}$"))
            await expect(row.locator("+ dd")).to_have_text(shape)
        await expect(
            paper.get_by_role("img", name=say("paper_code", language)).locator("svg")
        ).to_be_visible()
    if place == "cashier":
        await page.get_by_role("button", name=say("paper_handed", LANGUAGES[-1])).click()


async def test_a_ticket_of_a_terminal_is_clean_once_and_shown_when_it_did_not_print(floor: Floor) -> None:
    """The second copy is marked; when no paper came an attendant is called and the ticket stays in view."""
    await floor.dealer(TABLE)
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00)
    await CashierPage(terminal.page).stub_printer()
    await terminal.act("cash_out").click()
    await terminal.dialog("cash_out").get_by_role("button", name=say("print_ticket")).click()
    dialog = terminal.dialog("your_ticket")
    for _ in range(2):
        await dialog.get_by_role("button", name=say("paper_print"), exact=True).click()
        await expect(dialog).to_contain_text(MARK)
    assert [MARK in paper for paper in await CashierPage(terminal.page).printed()] == [False, True]
    await dialog.get_by_role("button", name=say("ticket_not_printed")).click()
    await expect(dialog).to_contain_text(say("ticket_attendant"))
    await expect(dialog.get_by_role("button", name=say("ticket_not_printed"))).to_have_count(0)
    await dialog.get_by_role("button", name=say("ticket_taken")).click()
    await expect(dialog).to_have_count(0)


async def test_the_receipts_of_the_bets_behind_a_ticket_are_printed(floor: Floor) -> None:
    """A code for each round, which leads to the page that checks it, and the file itself."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    terminal = await floor.other_terminal(TABLE, 50_00)
    round_ = await terminal.betting()
    await terminal.place(round_.number, {"big": 5_00})
    await dealer.deal(1, 2, 4)
    await terminal.result(round_.number)
    ticket = await terminal.cash_out()
    cashier = await CashierPage.at(floor)
    await cashier.lay_down(ticket.number)
    await cashier.button("proofs_print").click()
    paper = cashier.page.get_by_role("dialog", name=say("proofs"))
    file = paper.get_by_role("link", name=say("proof_of", table=TABLE, round=round_.number))
    await expect(file).to_have_attribute(
        "href", re.compile(rf"/receipts/{TABLE}/{round_.number}/\d+/[0-9a-f]{{32}}")
    )
    code = paper.get_by_role("img", name=re.compile(rf"verify#.*,{TABLE},{round_.number},"))
    await expect(code.locator("svg")).to_be_visible()
