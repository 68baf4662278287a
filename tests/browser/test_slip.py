"""The slip in the player's hands: undo, clear, rebet, double, saved slips; refusals with reasons; recall."""

import re

from playwright.async_api import expect

from taisai.rulebooks.catalogue import rulebook_of
from tests.browser.floor import MAXIMUM, MINIMUM, Floor
from tests.browser.seats import TerminalPage
from tests.browser.tables import BRIEF, PLAIN, SHARED, SHARED_PAY_TABLE, TOTALLED, at
from tests.browser.words import brings, called, money, net, returned, say, source

TABLE = at(PLAIN)
LONG_PRESS_MS = 600


async def seated(floor: Floor, credit: int = 100_00) -> TerminalPage:
    """A player with credit at a table that takes bets."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    terminal = await TerminalPage.at(floor, TABLE, credit=credit)
    await terminal.is_open()
    return terminal


async def test_undo_clear_and_double_change_the_whole_slip(floor: Floor) -> None:
    """Each is one touch, and each can be undone again."""
    terminal = await seated(floor)
    await terminal.bet({"odd": 5_00, "sum-13": 10_00})
    await terminal.act("double").click()
    await terminal.lies("odd", 10_00)
    await terminal.lies("sum-13", 20_00)
    await terminal.act("clear").click()
    await terminal.is_bare("odd")
    await terminal.is_bare("sum-13")
    await expect(terminal.meter("credit")).to_have_text(money(100_00))
    await terminal.act("undo").click()
    await terminal.lies("sum-13", 20_00)
    await terminal.act("undo").click()
    await terminal.act("undo").click()
    await terminal.lies("odd", 5_00)
    await terminal.is_bare("sum-13")
    await expect(terminal.meter("credit")).to_have_text(money(95_00))


async def test_rebet_lays_the_last_slip_again_and_nothing_lies_there_by_itself(floor: Floor) -> None:
    """A new round begins with an empty felt; one touch repeats the round before, two do no more."""
    terminal = await seated(floor)
    slip = {"even": 5_00, "triple-2": 10_00}
    await terminal.bet(slip)
    for box, stake in slip.items():
        await terminal.lies(box, stake)
    dealer = await floor.dealer(TABLE, clear=False)
    await dealer.deal(1, 1, 2)
    await dealer.open()
    await terminal.is_open()
    for box in slip:
        await terminal.is_bare(box)
    await terminal.act("rebet").click()
    await terminal.act("rebet").click()
    for box, stake in slip.items():
        await terminal.lies(box, stake)
    credit = 100_00 + brings(PLAIN, (1, 1, 2), slip) - 15_00
    await expect(terminal.meter("credit")).to_have_text(money(credit))


async def test_a_saved_slip_is_laid_whole_or_not_at_all(floor: Floor) -> None:
    """It is kept on the machine, laid with one touch, and refused as a whole when the credit is short."""
    terminal = await seated(floor, 50_00)
    await terminal.bet({"small": 10_00, "sum-7": 25_00})
    await terminal.lies("small", 10_00)
    await terminal.lies("sum-7", 25_00)
    await terminal.act("saved").click()
    dialog = terminal.dialog("saved")
    await dialog.get_by_role("button", name=say("save_this_slip")).click()
    saved = dialog.get_by_role("button", name=re.compile(re.escape(money(35_00))))
    await expect(saved).to_contain_text(called("sum-7"))
    await dialog.get_by_role("button", name=say("close"), exact=True).click()
    await terminal.act("clear").click()
    await terminal.act("saved").click()
    await saved.click()
    await terminal.lies("small", 10_00)
    await terminal.lies("sum-7", 25_00)
    await terminal.act("clear").click()
    await terminal.bet({"big": 25_00})
    await terminal.lies("big", 25_00)
    await terminal.act("saved").click()
    await saved.click()
    short = say("funds_short", needed=money(60_00), available=money(50_00), source=say("source_house"))
    await expect(terminal.line).to_have_text(short)
    await terminal.is_bare("small")
    await terminal.lies("big", 25_00)


async def test_limits_are_in_view_and_a_chip_above_them_comes_back_with_the_reason(floor: Floor) -> None:
    """The table's limits stand above the felt, the box's own below it; too much is refused and said."""
    terminal = await seated(floor, 5_000_00)
    span = say("sign_line", minimum=money(MINIMUM), maximum=money(MAXIMUM))
    await expect(terminal.page.get_by_role("banner")).to_contain_text(span)
    box = terminal.box("sum-17")
    await box.hover()
    await expect(terminal.line).to_contain_text(called("sum-17"))
    await expect(terminal.line).to_contain_text(span)
    await terminal.choose(100_00)
    for _ in range(MAXIMUM // 100_00):
        await box.click()
    await terminal.lies("sum-17", MAXIMUM)
    await box.click()
    await expect(terminal.line).to_have_text(
        say(
            "above_maximum",
            box=called("sum-17"),
            maximum=money(MAXIMUM),
            source=source(PLAIN, "limits_kept"),
        )
    )
    await terminal.lies("sum-17", 100_00, "bet_refused")
    await terminal.lies("sum-17", MAXIMUM)


async def test_chips_below_the_minimum_wait_and_are_not_placed(floor: Floor) -> None:
    """The page says that they are too few; with more of them they are registered."""
    terminal = await seated(floor)
    await terminal.bet({"double-3": 1_00})
    await terminal.lies("double-3", 1_00, "bet_low")
    await expect(terminal.status).to_contain_text("the minimum here is 2 Singapore dollars")
    await expect(terminal.meter("credit")).to_have_text(money(100_00))
    await terminal.box("double-3").click()
    await terminal.lies("double-3", 2_00)


async def after_another(floor: Floor, table: str) -> TerminalPage:
    """A player at a table where somebody else has fifteen dollars on Big."""
    dealer = await floor.dealer(table)
    await dealer.open()
    terminal = await TerminalPage.at(floor, table, credit=100_00)
    other = await floor.other_terminal(table, 100_00)
    await other.place((await other.betting()).number, {"big": 15_00})
    return terminal


async def test_a_bet_that_the_server_cuts_is_shown_with_its_clause(floor: Floor) -> None:
    """Another has left room for a part of it: that part lies, and the line says by which clause."""
    terminal = await after_another(floor, SHARED)
    await terminal.bet({"big": 10_00})
    await terminal.lies("big", 5_00, "bet_cut")
    clause = rulebook_of(SHARED_PAY_TABLE).cite("excess")
    facts = {"box": called("big"), "accepted": money(5_00), "asked": money(10_00), "limit": money(20_00)}
    cited = say("source_clause", clause=clause)
    await expect(terminal.line).to_have_text(say("cut_to_limit", source=cited, **facts))
    await expect(terminal.meter("credit")).to_have_text(money(95_00))


async def test_a_bet_that_the_server_refuses_is_shown_with_its_clause(floor: Floor) -> None:
    """The box is too full for it: the chip comes back, and the sentence ends with the clause."""
    terminal = await after_another(floor, TOTALLED)
    await terminal.bet({"big": 10_00})
    await terminal.lies("big", 10_00, "bet_refused")
    clause = rulebook_of(PLAIN).cite("limits_kept")
    await expect(terminal.line).to_have_text(re.compile(rf"^Refused: .* \({re.escape(clause)}\)$"))
    await expect(terminal.alert).to_contain_text("Refused")
    await expect(terminal.meter("credit")).to_have_text(money(100_00))


async def test_a_refusal_of_the_server_is_shown_with_what_it_rests_on(floor: Floor) -> None:
    """The player's own limit is reached: the chip comes back, and the sentence says why."""
    terminal = await seated(floor)
    await terminal.act("settings").click()
    await terminal.dialog("settings").get_by_role("button", name=say("own_limits")).click()
    dialog = terminal.dialog("own_limits")
    await dialog.get_by_label(say("limit_wager_session")).fill("10")
    await dialog.get_by_role("button", name=say("limits_apply")).click()
    await expect(terminal.status).to_contain_text(say("own_limits_set"))
    await terminal.bet({"big": 25_00})
    await terminal.lies("big", 25_00, "bet_refused")
    await expect(terminal.line).to_contain_text("Refused")
    await expect(terminal.line).to_contain_text("(house procedure)")
    await expect(terminal.alert).to_contain_text("Refused")
    await expect(terminal.meter("credit")).to_have_text(money(100_00))


async def test_after_the_closing_a_tap_does_nothing_and_says_so(floor: Floor) -> None:
    """The felt is shut: the chip does not even appear."""
    terminal = await seated(floor)
    await (await floor.dealer(TABLE, clear=False)).close()
    await terminal.is_shut()
    await expect(terminal.box("big")).to_be_disabled()
    await terminal.box("big").dispatch_event("click")
    await expect(terminal.line).to_have_text(say("betting_is_shut", source=source(PLAIN, "late_bets")))
    await terminal.is_bare("big")


async def test_who_has_no_credit_is_told_to_buy_in_and_not_to_wait(floor: Floor) -> None:
    """Bets are taken, only not theirs; once the felt is shut there is nothing to do but wait."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    terminal = await TerminalPage.at(floor, TABLE)
    await expect(terminal.line).to_have_text(say("buy_in_first"))
    await dealer.close()
    await expect(terminal.line).to_have_text(say("betting_is_shut", source=""))


async def test_recall_tells_each_bet_of_the_last_rounds_with_its_explanation(floor: Floor) -> None:
    """Dice, stakes, what came back, the credit before and after, and the sentence with the clause."""
    terminal = await seated(floor)
    slip, dice = {"single-5": 10_00, "small": 5_00}, (5, 5, 1)
    await terminal.bet(slip)
    for box, stake in slip.items():
        await terminal.lies(box, stake)
    await (await floor.dealer(TABLE, clear=False)).deal(*dice)
    gain = brings(PLAIN, dice, slip)
    await expect(terminal.meter("credit")).to_have_text(money(100_00 + gain))
    await terminal.act("recall").click()
    dialog = terminal.dialog("recall")
    row = dialog.get_by_role("row", name=re.compile(f"^{called('single-5')}"))
    await expect(row.get_by_role("cell").nth(0)).to_have_text(money(10_00))
    won = returned(PLAIN, dice, {"single-5": 10_00})
    await expect(row.get_by_role("cell").nth(1)).to_have_text(money(won))
    explained = await row.get_by_role("rowheader").inner_text()
    cited = re.search(r"won on 1-5-5: .* \(([\d.]+)\)$", explained)
    assert cited is not None
    assert cited[1] in rulebook_of(PLAIN).clauses
    await expect(dialog).to_contain_text(net(gain))
    went = say("credit_went", before=money(100_00), after=money(100_00 + gain))
    await expect(dialog).to_contain_text(went)


async def test_a_slow_press_adds_where_nothing_lies_and_takes_away_where_something_does(floor: Floor) -> None:
    """A slow hand is not told nothing; a long press takes away, with a mouse as with a finger."""
    dealer = await floor.dealer(TABLE)
    terminal = await TerminalPage.at(floor, TABLE, credit=50_00)
    await dealer.open()
    await terminal.is_open()
    await terminal.choose(5_00)
    await terminal.box("big").click(delay=LONG_PRESS_MS)
    await terminal.lies("big", 5_00)
    await terminal.box("big").click(delay=LONG_PRESS_MS)
    await terminal.is_bare("big")


async def test_the_closing_comes_at_the_deadline_by_itself(floor: Floor) -> None:
    """Nobody presses anything: when the time is over the felt is shut, and the closing is called."""
    dealer = await floor.dealer(BRIEF)
    terminal = await TerminalPage.at(floor, BRIEF, credit=100_00)
    await dealer.open()
    await terminal.is_shut()
    await expect(terminal.alert).to_contain_text(say("no_more_bets"))
    await expect(terminal.box("big")).to_be_disabled()
