"""A whole round: at the terminal by mouse, by touch, by keyboard alone; at the console by its button."""

from playwright.async_api import Page, expect

from taisai.dice import Roll
from taisai.rulebooks.catalogue import pay_table
from tests.browser.floor import TOUCH, Floor
from tests.browser.seats import ConsolePage, TerminalPage, wins
from tests.browser.tables import PLAIN, at
from tests.browser.words import brings, called, money, net, say

TABLE = at(PLAIN)
TABS_MAX = 80


async def tab_to(page: Page, name: str) -> None:
    """Press Tab until the button of that name has the focus."""
    wanted = page.get_by_role("button", name=name, exact=True)
    for _ in range(TABS_MAX):
        if await wanted.evaluate("(button) => button === document.activeElement"):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {name}")


async def test_a_whole_round_by_mouse(floor: Floor) -> None:
    """Buy in, bet on three boxes, see the closing, the dice, the lit boxes and the net."""
    dealer = await floor.dealer(TABLE)
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00)
    await dealer.open()
    await terminal.is_open()
    slip, dice = {"big": 5_00, "sum-9": 25_00, "single-2": 5_00}, (2, 2, 5)
    await terminal.bet(slip)
    for box, stake in slip.items():
        await terminal.lies(box, stake)
    await expect(terminal.meter("credit")).to_have_text(money(65_00))
    await expect(terminal.meter("staked")).to_have_text(money(35_00))
    await terminal.box("single-2").click(button="right")
    await terminal.is_bare("single-2")
    await terminal.bet({"single-2": 5_00})
    await terminal.lies("single-2", 5_00)
    await dealer.close()
    await terminal.is_shut()
    await expect(terminal.alert).to_contain_text(say("no_more_bets"))
    await dealer.tumble()
    await dealer.declare(*dice)
    await expect(terminal.phase.get_by_role("img")).to_have_accessible_name("2-2-5: 9, Small, Odd")
    for box in pay_table(PLAIN).winning_boxes(Roll(*dice)):
        await expect(terminal.box(box)).to_have_accessible_name(wins(box))
    await dealer.settle()
    gain = brings(PLAIN, dice, slip)
    await expect(terminal.meter("this_round")).to_have_text(net(gain))
    await expect(terminal.meter("net_position")).to_have_text(net(gain))
    await expect(terminal.meter("credit")).to_have_text(money(100_00 + gain))


async def test_a_whole_round_by_touch(floor: Floor) -> None:
    """On a phone, with fingers only: tap adds, a long press takes away, the round is played and paid."""
    dealer = await floor.dealer(TABLE)
    terminal = await TerminalPage.at(floor, TABLE, **TOUCH)
    await terminal.act("buy_in").tap()
    await terminal.dialog("buy_in").get_by_role("button", name=money(100_00), exact=True).tap()
    await dealer.open()
    await terminal.is_open()
    small = terminal.box("small")
    await small.tap()
    await small.tap()
    await terminal.lies("small", 10_00)
    await long_press(terminal, "small")
    await terminal.lies("small", 5_00)
    await dealer.deal(1, 2, 6)
    gain = brings(PLAIN, (1, 2, 6), {"small": 5_00})
    await expect(terminal.meter("credit")).to_have_text(money(100_00 + gain))


async def long_press(terminal: TerminalPage, box: str) -> None:
    """A finger that stays until the chip is gone; then it is lifted."""
    place = terminal.box(box)
    await place.scroll_into_view_if_needed()
    around = await place.bounding_box()
    assert around is not None
    finger = await terminal.page.context.new_cdp_session(terminal.page)
    at_ = {"x": around["x"] + around["width"] / 2, "y": around["y"] + around["height"] / 2}
    before = await place.get_attribute("aria-label")
    await finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at_]})
    await expect(place).not_to_have_attribute("aria-label", before or "")
    await finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


async def test_a_whole_round_by_keyboard_alone(floor: Floor) -> None:
    """Tab, arrows, Enter, digits for chips, U, C, R and D: a player without pointer misses nothing."""
    dealer = await floor.dealer(TABLE)
    terminal = await TerminalPage.at(floor, TABLE)
    page, keys = terminal.page, terminal.page.keyboard
    await tab_to(page, say("buy_in"))
    await keys.press("Enter")
    await tab_to(page, money(100_00))
    await keys.press("Enter")
    await expect(terminal.meter("credit")).to_have_text(money(100_00))
    await dealer.open()
    await terminal.is_open()
    boxes = await play_by_keys(terminal)
    await dealer.deal(1, 2, 3)
    slip = dict.fromkeys(boxes, 10_00)
    gain = brings(PLAIN, (1, 2, 3), slip)
    await expect(terminal.meter("credit")).to_have_text(money(100_00 + gain))
    await dealer.open()
    await terminal.is_open()
    await keys.press("r")
    for box in boxes:
        await terminal.lies(box, 10_00)
    await keys.press("c")
    for box in boxes:
        await terminal.is_bare(box)
    await tab_to(page, say("rules_and_odds"))
    await keys.press("Enter")
    await expect(terminal.dialog("rules_and_odds")).to_be_visible()
    await keys.press("Escape")
    await expect(terminal.dialog("rules_and_odds")).to_be_hidden()


async def play_by_keys(terminal: TerminalPage) -> list[str]:
    """Bets ten dollars on each of two boxes that lie beside each other; tells which."""
    page, keys = terminal.page, terminal.page.keyboard
    first = terminal.felt.locator("button[tabindex='0']")
    await expect(first).to_have_count(1)
    for _ in range(TABS_MAX):
        if await first.evaluate("(box) => box === document.activeElement"):
            break
        await keys.press("Tab")
    focused = page.locator("button[data-box]:focus")
    boxes = []
    for arrow in ("ArrowDown", "ArrowRight"):
        await keys.press(arrow)
        box = await focused.get_attribute("data-box") or ""
        assert box not in boxes
        boxes.append(box)
        await keys.press("2")
        await keys.press("Enter")
        await terminal.lies(box, 5_00)
    await keys.press("Enter")
    await terminal.lies(boxes[1], 10_00)
    await keys.press("Backspace")
    await terminal.lies(boxes[1], 5_00)
    await keys.press("d")
    for box in boxes:
        await terminal.lies(box, 10_00)
    await keys.press("d")
    await terminal.lies(boxes[0], 20_00)
    await keys.press("u")
    for box in boxes:
        await terminal.lies(box, 10_00)
    return boxes


async def test_a_whole_round_at_the_console_by_its_one_big_button(floor: Floor) -> None:
    """Each act is under the same button; dice are entered, looked at, and only then confirmed."""
    await floor.dealer(TABLE)
    console = await ConsolePage.at(floor, TABLE)
    await console.press("do_StartRound")
    await console.press("do_CloseBetting")
    await console.press("do_CoverTumbler")
    await console.press("tumble_done", n=3)
    await console.press("do_ExposeDice")
    await console.enter(5, 1, 3)
    await expect(console.stage).to_contain_text("9")
    winners = [called(box) for box in pay_table(PLAIN).winning_boxes(Roll(5, 1, 3))]
    await expect(console.stage).to_contain_text(say("winning_boxes", n=len(winners)))
    for name in winners:
        await expect(console.stage).to_contain_text(name)
    await console.press("dice_check")
    assert (await floor.table(TABLE))["round"]["phase"] == "closed"
    await console.press("dice_confirm", dice="1-3-5")
    await console.press("do_SettleBets")
    await console.press("do_ConcludeRound")
    await expect(console.big("do_StartRound")).to_be_visible()
    assert sorted((await floor.table(TABLE))["round"]["dice"]) == [1, 3, 5]


async def test_the_dealer_enters_dice_by_the_keys_of_a_keypad(floor: Floor) -> None:
    """Digits enter, Backspace takes back, the first Enter shows, the second confirms."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    await dealer.close()
    await dealer.tumble()
    console = await ConsolePage.at(floor, TABLE)
    await expect(console.big("dice_check")).to_be_visible()
    for key in ("6", "6", "2", "Backspace", "6"):
        await console.page.keyboard.press(key)
    slots = console.stage.get_by_role("img", name=say("dice_entered", dice="6-6-6"))
    await expect(slots).to_be_visible()
    await expect(console.big("dice_check")).to_be_enabled()
    await console.page.keyboard.press("Enter")
    await expect(console.big("dice_confirm", dice="6-6-6")).to_be_visible()
    await console.page.keyboard.press("Enter")
    await expect(console.big("do_SettleBets")).to_be_visible()
    assert (await floor.table(TABLE))["round"]["dice"] == [6, 6, 6]


async def test_acts_that_are_not_legal_are_not_there(floor: Floor) -> None:
    """Before the betting is open nothing can be closed, tumbled or voided: those buttons are absent."""
    await floor.dealer(TABLE)
    console = await ConsolePage.at(floor, TABLE)
    await expect(console.big("do_StartRound")).to_be_visible()
    for act in ("CloseBetting", "CoverTumbler", "SettleBets", "ConcludeRound"):
        await expect(console.big(f"do_{act}")).to_have_count(0)
    place = console.page.get_by_role("region", name=say("irregularities"))
    for act in ("VoidRound", "SuspendRound", "InterruptRound"):
        await expect(place.get_by_role("button", name=say(f"act_{act}"), exact=True)).to_have_count(0)
