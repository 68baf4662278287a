"""Every way in which a round becomes void, at the console; and the interruption after which it goes on."""

import pytest
from playwright.async_api import Locator, expect

from taisai.rulebooks.catalogue import rulebook_of
from taisai.rulebooks.model import Ground
from tests.browser.floor import PHONE, Dealer, Floor
from tests.browser.seats import ConsolePage, TerminalPage, approve
from tests.browser.tables import OPEN_COVER, PLAIN, at
from tests.browser.words import brings, ground_words, money, say

# A covered game and one without a cover have different grounds; each has all that its rulebook names.
GROUNDS = [(table, ground) for table in (PLAIN, OPEN_COVER) for ground in rulebook_of(table).void]
# Seen by the dealer before any dice have tumbled.
EARLY = (Ground.EXPOSED_EARLY, Ground.ACTIVATED_EARLY)


async def play_until(dealer: Dealer, ground: Ground) -> None:
    """To where such a thing can happen."""
    if ground in EARLY:
        return
    await dealer.close()
    if ground is not Ground.NOTHING_ESTABLISHED:
        await dealer.tumble()


async def void(floor: Floor, console: ConsolePage, ground: Ground) -> None:
    """What the dealer does about it."""
    if ground is Ground.NOTHING_ESTABLISHED:
        dialog = await console.irregular("InterruptRound")
        await dialog.get_by_role("button", name=say("interrupt_do")).click()
    elif ground is Ground.DAMAGED_DICE:
        dialog = await console.irregular("ReportDamagedDice")
        await dialog.get_by_label(say("reason")).fill("a chipped corner")
        await dialog.get_by_role("button", name=say("ask_second")).click()
        await expect(console.answer).to_contain_text(say("waits_for_second"))
        await approve(await floor.staff_page("supervisor", "/pit"), "ReportDamagedDice")
    else:
        dialog = await console.irregular("VoidRound")
        await dialog.get_by_role("radio", name=ground_words(ground), exact=True).check()
        if ground not in EARLY:  # the record says otherwise: a tumble of three, dice that were seen flat
            await dialog.get_by_label(say("reason")).fill("seen on the film")
        await dialog.get_by_role("button", name=say("void_the_round")).click()
        if ground not in EARLY:
            await expect(console.answer).to_contain_text(say("waits_for_second"))
            await approve(await floor.staff_page("supervisor", "/pit"), "VoidRound")
    await expect(dialog).to_be_hidden()


@pytest.mark.clause("sic-bo-etg-v8", "5.4", "5.9")
@pytest.mark.clause("tai-sai-open-cover", "5.1")
@pytest.mark.parametrize(("pay_table", "ground"), GROUNDS)
async def test_a_void_gives_every_bet_back_and_says_why(floor: Floor, pay_table: str, ground: Ground) -> None:
    """The stakes are credit again, and the player reads the ground and the clause."""
    table = at(pay_table)
    dealer = await floor.dealer(table)
    await dealer.open()
    terminal = await TerminalPage.at(floor, table, credit=100_00)
    await terminal.bet({"big": 10_00, "sum-4": 5_00})
    await terminal.lies("sum-4", 5_00)
    await terminal.lies("big", 10_00)
    await expect(terminal.meter("credit")).to_have_text(money(85_00))
    await play_until(dealer, ground)
    console = await ConsolePage.at(floor, table)
    await void(floor, console, ground)
    await terminal.is_void(ground, rulebook_of(pay_table).void[ground])
    await expect(terminal.meter("credit")).to_have_text(money(100_00))
    await expect(terminal.alert).to_contain_text(say("announce_void", ground=ground_words(ground)))
    await expect(console.big("do_StartRound")).to_be_visible()


async def offered(dialog: Locator) -> list[str]:
    return [await label.inner_text() for label in await dialog.get_by_role("group").locator("label").all()]


@pytest.mark.parametrize("pay_table", [PLAIN, OPEN_COVER])
async def test_the_console_offers_the_grounds_of_the_rulebook_and_no_others(
    floor: Floor, pay_table: str
) -> None:
    """Those that rest on facts of their own have acts of their own; the rest stand in the dialog."""
    dealer = await floor.dealer(at(pay_table))
    await dealer.open()
    await dealer.close()
    await dealer.tumble()
    console = await ConsolePage.at(floor, at(pay_table))
    own_acts = {Ground.NOTHING_ESTABLISHED, Ground.DAMAGED_DICE}
    wanted = {ground_words(ground) for ground in rulebook_of(pay_table).void if ground not in own_acts}
    assert set(await offered(await console.irregular("VoidRound"))) == wanted


@pytest.mark.parametrize(
    ("tumbles", "flat", "ground"), [(2, True, "too-few-tumbles"), (3, False, "not-flat")]
)
async def test_what_the_dealer_enters_voids_the_round_by_itself(
    floor: Floor, tumbles: int, flat: bool, ground: str
) -> None:
    """Two tumbles, or a die that does not lie flat: the button says so, and asks before it voids."""
    table = at(OPEN_COVER)
    dealer = await floor.dealer(table)
    await dealer.open()
    terminal = await TerminalPage.at(floor, table, credit=100_00)
    await terminal.bet({"big": 10_00})
    await terminal.lies("big", 10_00)
    await dealer.close()
    console = await ConsolePage.at(floor, table)
    await console.stage.get_by_role("radio", name=str(tumbles), exact=True).click()
    await console.stage.get_by_role("switch", name=say("all_flat")).set_checked(flat)
    label = say("tumble_not_flat" if not flat else "tumble_void", n=tumbles)
    await console.stage.get_by_role("button", name=label, exact=True).click()
    sure = console.page.get_by_role("dialog", name=label)
    await expect(sure).to_contain_text(say("void_follows", ground=ground_words(ground)))
    assert (await floor.table(table))["round"]["phase"] == "closed"
    await sure.get_by_role("button", name=say("cancel")).click()
    await console.stage.get_by_role("button", name=label, exact=True).click()
    assert (await floor.table(table))["round"]["phase"] == "closed"
    await sure.get_by_role("button", name=label, exact=True).click()
    await terminal.is_void(ground, rulebook_of(OPEN_COVER).void[Ground(ground)])
    await expect(terminal.meter("credit")).to_have_text(money(100_00))


async def test_an_interruption_that_establishes_a_result_is_resumed_and_paid(floor: Floor) -> None:
    """All three dice were read before the power went: the round goes on, and the bets are settled."""
    table = at(PLAIN)
    dealer = await floor.dealer(table)
    await dealer.open()
    terminal = await TerminalPage.at(floor, table, credit=100_00)
    await terminal.bet({"big": 10_00})
    await terminal.lies("big", 10_00)
    await dealer.close()
    await dealer.tumble()
    console = await ConsolePage.at(floor, table)
    dialog = await console.irregular("InterruptRound")
    for face in (6, 5, 4):
        await dialog.get_by_role("button", name=say(f"face_{face}"), exact=True).click()
    await dialog.get_by_role("button", name=say("interrupt_do")).click()
    await expect(terminal.phase).to_contain_text(say("mood_held"))
    await terminal.lies("big", 10_00)
    await console.press("do_ResumeRound")
    await console.enter(4, 5, 6)
    await console.press("dice_check")
    await console.press("dice_confirm", dice="4-5-6")
    await console.press("do_SettleBets")
    gain = brings(PLAIN, (4, 5, 6), {"big": 10_00})
    await expect(terminal.meter("credit")).to_have_text(money(100_00 + gain))


@pytest.mark.clause("sic-bo-etg-v8", "5.1.1", "5.10")
async def test_dice_that_never_can_be_read_are_ruled_on_and_shown_nowhere(floor: Floor) -> None:
    """The ruling's first choice settles what the faces decide; the display and the history show no dice."""
    table = at(PLAIN)
    dealer = await floor.dealer(table)
    await dealer.open()
    terminal = await TerminalPage.at(floor, table, credit=100_00)
    await terminal.bet({"single-4": 10_00, "big": 25_00})
    await terminal.lies("big", 25_00)
    await dealer.close()
    await dealer.tumble()
    number = (await floor.table(table))["round"]["number"]
    console = await ConsolePage.at(floor, table)
    dialog = await console.irregular("InterruptRound")
    await dialog.get_by_role("button", name=say("face_4"), exact=True).click()
    await dialog.get_by_role("switch", name=say("readable_later")).set_checked(False)
    await dialog.get_by_role("button", name=say("interrupt_do")).click()
    await console.press("do_MakeRuling")
    ruling = console.page.get_by_role("dialog")
    await expect(ruling.get_by_role("radio", name=say("ruling_settle_known"))).to_be_checked()
    await ruling.get_by_label(say("reason")).fill("the cover would not open")
    await ruling.get_by_role("button", name=say("ask_second")).click()
    await approve(await floor.staff_page("shift-manager", "/pit"), "MakeRuling")
    await console.press("do_SettleBets")
    await expect(terminal.phase).to_contain_text(say("phase_known"))
    await expect(terminal.meter("credit")).to_have_text(money(110_00))
    for box in ("single-4", "big"):
        await terminal.is_bare(box)
    await terminal.page.set_viewport_size(PHONE)
    assert await terminal.phase.evaluate("(one) => one.scrollHeight - one.clientHeight") <= 0
    shown = await floor.table(table)
    assert shown["round"]["dice"] is None
    assert shown["round"]["known"] == [4]
    assert number not in [result["round"] for result in shown["history"]]
