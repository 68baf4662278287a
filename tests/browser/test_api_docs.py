"""The interface's page: found by search, tried out on the house itself, for everyone to read."""

from playwright.async_api import expect

from tests.browser.floor import PHONE, Floor
from tests.browser.looking import faults_of, scrolls_aside
from tests.browser.tables import PLAIN, at

TABLE = at(PLAIN)


async def test_a_search_leaves_what_has_all_its_words(floor: Floor) -> None:
    """Entries and contents alike; a key leads to it."""
    page = await floor.page("/docs")
    box = page.get_by_label("Search")
    await expect(box).to_be_visible()
    await page.keyboard.press("/")
    await expect(box).to_be_focused()
    await box.fill("pay-list round")
    contents = page.get_by_role("navigation", name="Contents")
    await expect(contents.get_by_role("link", name="/pay-list")).to_be_visible()
    await expect(contents.get_by_role("link", name="/house", exact=False)).to_have_count(0)
    await expect(page.get_by_role("status").filter(has_text="found")).to_be_visible()
    await box.fill("")
    await expect(contents.get_by_role("link", name="GET /house")).to_be_visible()


async def test_whoever_reads_the_page_tries_it_on_this_house(floor: Floor) -> None:
    """A link unfolds an operation; a question is answered, an act by somebody who logged in is done."""
    page = await floor.staff_page("supervisor", "/docs#op-get_table")
    form = page.get_by_role("form", name="Try get_table")
    await form.get_by_role("textbox", name="table").fill(TABLE)
    await form.get_by_role("button", name="Try it").click()
    answer = page.get_by_role("region", name="Answer: get_table")
    await expect(answer).to_contain_text(f'"name": "{TABLE}"')
    await expect(form.get_by_role("status")).to_have_text("200 OK")

    await form.get_by_role("textbox", name="table").fill("nowhere")
    floor.foresee("404")
    await form.get_by_role("button", name="Try it").click()
    await expect(form.get_by_role("status")).to_have_text("404 Not Found")

    dealer = await floor.dealer(TABLE)
    await page.get_by_role("navigation").get_by_role("link", name="/tables/{table}/acts").click()
    acts = page.get_by_role("form", name="Try act_at_table")
    await acts.get_by_role("textbox", name="table").fill(TABLE)
    await acts.get_by_role("combobox", name="Act").select_option("SuspendRound")
    await expect(acts.get_by_role("textbox", name="Body")).to_have_value(
        r'{\n  "act": "SuspendRound"\n}'.replace(r"\n", "\n")
    )
    await acts.get_by_role("combobox", name="Act").select_option("StartRound")
    await acts.get_by_role("button", name="Send it to this house").click()
    await expect(page.get_by_role("region", name="Answer: act_at_table")).to_contain_text("BettingOpened")
    await expect(page.get_by_role("button", name="Log out")).to_be_visible()
    await dealer.clear()


async def test_a_line_is_opened_and_listened_to(floor: Floor) -> None:
    """The messages of a console, by whoever may have one."""
    page = await floor.staff_page("supervisor", "/docs")
    line = page.get_by_role("form", name="Try console")
    await line.get_by_role("textbox", name="Message").fill(f'{{"type": "Hello", "table": "{TABLE}"}}')
    await line.get_by_role("button", name="Open the line").click()
    await line.get_by_role("button", name="Send").click()
    heard = page.get_by_role("region", name="Heard from the server: console")
    await expect(heard).to_contain_text('"type": "Snapshot"')
    await line.get_by_role("button", name="Close the line").click()
    await expect(line.get_by_role("status")).to_contain_text("closed")


async def test_the_page_is_for_everyone(floor: Floor) -> None:
    """axe finds nothing, by day on a wide screen and by night on a phone; all entries are made alike."""
    page = await floor.page("/docs#op-act_at_table")
    await expect(page.get_by_role("form", name="Try act_at_table")).to_be_visible()
    await page.get_by_label("Search").fill("act_at_table")
    await expect(page.get_by_role("status").filter(has_text="1 found")).to_be_visible()
    # axe takes long over hundreds of entries that nobody sees.
    await page.evaluate("document.querySelectorAll('[hidden]').forEach((one) => one.remove())")
    assert await faults_of(page) == []
    await page.set_viewport_size(PHONE)
    await page.emulate_media(color_scheme="dark")
    assert await faults_of(page) == []
    assert await scrolls_aside(page) == 0
