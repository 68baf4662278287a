"""Players at the cashier: registered, limited, seated, and excluded for as long as they said."""

from playwright.async_api import Locator, expect

from tests.browser.floor import Floor
from tests.browser.seats import CashierPage
from tests.browser.tables import PLAIN, at
from tests.browser.words import money, say

TABLE = at(PLAIN)


async def registered(cashier: CashierPage, name: str) -> Locator:
    """Somebody new, with their page open."""
    players = cashier.page.get_by_role("region", name=say("players_known"))
    await players.get_by_label(say("player_called")).fill(name)
    await players.get_by_role("button", name=say("player_find")).click()
    await expect(players).to_contain_text(say("player_none"))
    await players.get_by_role("button", name=say("player_register", name=name)).click()
    dialog = cashier.page.get_by_role("dialog", name=say("player_open", name=name))
    await expect(dialog).to_contain_text(say("player_may_play"))
    return dialog


async def test_a_player_is_registered_limited_and_seated(floor: Floor) -> None:
    """Day limits hold at once, looser ones when confirmed after a wait; the seat is a terminal."""
    floor.foresee("status of 409")
    cashier = await CashierPage.at(floor)
    await floor.dealer(TABLE)
    terminal = (await floor.other_terminal(TABLE, 100_00)).key.terminal
    dialog = await registered(cashier, "Ada Wong")
    await expect(dialog).to_contain_text(say("player_limits_none"))
    await dialog.get_by_label(say("player_loss_day")).fill("250.50")
    await dialog.get_by_role("button", name=say("player_limits_apply")).click()
    await expect(dialog.get_by_role("definition").filter(has_text=money(250_50))).to_have_count(1)
    await dialog.get_by_label(say("player_loss_day")).fill("400")
    await dialog.get_by_role("button", name=say("player_limits_apply")).click()
    await expect(dialog).to_contain_text(say("player_limits_later", at=""))
    for amount in (250_50, 400_00):
        await expect(dialog.get_by_role("definition").filter(has_text=money(amount))).to_have_count(1)
    await dialog.get_by_role("button", name=say("player_limits_confirm")).click()
    await expect(cashier.answer).to_contain_text("looser limits can be confirmed from")
    await expect(dialog.get_by_role("definition").filter(has_text=money(250_50))).to_have_count(1)
    await dialog.get_by_label(say("player_terminal"), exact=True).fill(terminal)
    await dialog.get_by_role("button", name=say("player_seat_known")).click()
    await expect(dialog.get_by_role("definition").filter(has_text=terminal)).to_have_count(1)
    await cashier.page.keyboard.press("Escape")
    players = cashier.page.get_by_role("region", name=say("players_known"))
    await players.get_by_label(say("player_called")).fill("ada")
    await players.get_by_role("button", name=say("player_find")).click()
    await players.get_by_role("button", name=say("player_open", name="Ada Wong")).click()
    again = cashier.page.get_by_role("dialog", name=say("player_open", name="Ada Wong"))
    await expect(again).to_contain_text(terminal)


async def test_an_exclusion_of_ones_own_can_be_made_longer_and_not_shorter(floor: Floor) -> None:
    """The page says since when and until when; a shorter one is refused in words."""
    floor.foresee("status of 409")
    cashier = await CashierPage.at(floor)
    dialog = await registered(cashier, "Ben Ho")
    own = dialog.get_by_text(say("player_excluded_own", since="", until="").split(",")[0].rstrip())
    for days in ("7", "30"):
        await dialog.get_by_role("radio", name=say(f"player_days_{days}")).check()
        await dialog.get_by_role("switch", name=say("player_exclude_sure")).check()
        await dialog.get_by_role("button", name=say("player_exclude"), exact=True).click()
        await expect(cashier.answer).to_contain_text(say("player_excluded_now"))
        await expect(own).to_have_count(1)
    await expect(dialog.get_by_text(say("player_may_play"))).to_have_count(0)
    await dialog.get_by_role("radio", name=say("player_days_1")).check()
    await expect(dialog.get_by_role("button", name=say("player_exclude"), exact=True)).to_be_disabled()
    await dialog.get_by_role("switch", name=say("player_exclude_sure")).check()
    await dialog.get_by_role("button", name=say("player_exclude"), exact=True).click()
    await expect(dialog).to_contain_text("Refused: the exclusion stands")
