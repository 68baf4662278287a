"""The doors of the staff pages, and what an auditor and a supervisor find out about a round."""

from playwright.async_api import Locator, Route, expect

from tests.browser.floor import Floor
from tests.browser.seats import ConsolePage
from tests.browser.tables import PLAIN, at
from tests.browser.words import brings, called, money, net, say

TABLE = at(PLAIN)


async def test_a_person_logs_in_with_the_right_password_and_out_again(floor: Floor) -> None:
    """A wrong password is refused in words; the right one opens the page; after logging out it is shut."""
    floor.foresee("status of 401")
    page = await floor.page("/pit")
    await floor.forget("supervisor")
    await page.get_by_label(say("login_name"), exact=True).fill("supervisor")
    await page.get_by_label(say("login_password"), exact=True).fill("not this one")
    await page.get_by_role("button", name=say("log_in"), exact=True).click()
    await expect(page.get_by_role("main").get_by_role("alert")).not_to_be_empty()
    await page.get_by_label(say("login_password"), exact=True).fill(floor.server.password("supervisor"))
    await page.get_by_role("button", name=say("log_in"), exact=True).click()
    await expect(page.get_by_role("region", name=say("tables"))).to_be_visible()
    await page.get_by_role("button", name=say("log_out")).click()
    await expect(page.get_by_label(say("login_password"), exact=True)).to_be_visible()


async def test_a_page_says_for_whom_it_is(floor: Floor) -> None:
    """A cashier at the console is told who may be there, and is shown nothing of it."""
    page = await floor.staff_page("cashier", f"/console?table={TABLE}")
    told = say("page_not_for_you", name="cashier", role=say("role_cashier"))
    await expect(page.get_by_text(told)).to_be_visible()
    await expect(page.get_by_role("region", name=say("next_act"))).to_have_count(0)


async def test_a_console_whose_login_ended_asks_for_it_and_goes_on(floor: Floor) -> None:
    """Somebody logs out elsewhere: the table stays in view, and who logs in over it deals on."""
    floor.foresee("status of 401")
    await floor.dealer(TABLE)
    context = await floor.context()
    page = await context.new_page()
    await page.goto(f"/console?table={TABLE}")
    await log_in(floor, page.get_by_role("main"), "shift-manager")
    console = ConsolePage(page, TABLE)
    await console.press("do_StartRound")
    other = await context.new_page()
    await other.goto("/pit")
    await other.get_by_role("button", name=say("log_out")).click()
    dialog = page.get_by_role("dialog", name=say("session_ended"))
    await log_in(floor, dialog, "shift-manager")
    await expect(dialog).to_be_hidden()
    await console.press("do_CloseBetting")
    await expect(console.big("do_CoverTumbler")).to_be_visible()


async def log_in(floor: Floor, form: Locator, name: str) -> None:
    await floor.forget(name)
    await form.get_by_label(say("login_name"), exact=True).fill(name)
    await form.get_by_label(say("login_password"), exact=True).fill(floor.server.password(name))
    await form.get_by_role("button", name=say("log_in"), exact=True).click()


async def test_an_auditor_finds_a_round_sees_it_again_and_verifies_the_record(floor: Floor) -> None:
    """The round by its number, its acts, its bets with what came back; and the whole record is sound."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    player = await floor.other_terminal(TABLE, 100_00)
    number, slip, dice = (await player.betting()).number, {"small": 10_00, "sum-6": 5_00}, (1, 2, 3)
    await player.place(number, slip)
    await dealer.deal(*dice)
    page = await floor.staff_page("auditor", f"/audit?table={TABLE}")
    await page.get_by_label(say("audit_number")).fill(str(number))
    await page.get_by_role("button", name=say("audit_find"), exact=True).click()
    told = page.get_by_role("region", name=f"{TABLE} · {say('round_number', n=number)}")
    await expect(told).to_contain_text(say("event_BettingClosed"))
    await expect(told).to_contain_text(net(-brings(PLAIN, dice, slip)))
    bets = told.get_by_role("region", name=say("bets"))
    row = bets.get_by_role("row").filter(has_text=called("sum-6"))
    await expect(row).to_contain_text(money(5_00 + brings(PLAIN, dice, {"sum-6": 5_00})))
    await page.get_by_role("button", name=say("verify_now")).click()
    await expect(page.get_by_text(say("record_sound")).first).to_be_visible()


async def test_the_pit_shows_what_a_table_risks(floor: Floor) -> None:
    """The worst outcome of the bets on the felt is one sentence of the table's card, to the cent."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    player = await floor.other_terminal(TABLE, 100_00)
    await player.place((await player.betting()).number, {"triple-4": 10_00})
    page = await floor.staff_page("supervisor", "/pit")
    card = page.get_by_role("article", name=TABLE)
    loss = money(brings(PLAIN, (4, 4, 4), {"triple-4": 10_00}))
    await expect(card).to_contain_text(say("worst_is", dice="4-4-4", loss=loss))


async def test_a_staff_page_of_an_older_build_offers_to_load_the_new_one(floor: Floor) -> None:
    """Nothing is taken out of anybody's hands: the page says so quietly, and is loaded anew on request."""
    page = await floor.staff_page("supervisor", "/pit")
    await expect(page.get_by_role("region", name=say("tables"))).to_be_visible()
    offer = page.get_by_role("button", name=say("load_anew"))
    await page.clock.install()
    await page.reload()
    await expect(page.get_by_role("region", name=say("tables"))).to_be_visible()
    await page.clock.run_for(61_000)
    await expect(offer).to_have_count(0)

    async def newer(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, json={**await answer.json(), "build": "another"})

    await page.route("**/api/v1/house", newer)
    await page.clock.run_for(61_000)
    await expect(page.locator("#status")).to_have_text(say("new_version"))
    await page.unroute_all(behavior="wait")
    async with page.expect_navigation():
        await offer.click()
