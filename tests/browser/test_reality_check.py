"""What a player is told and confirms as time passes, in a house whose clock the test moves."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Browser, Locator, expect

from taisai.adapters.clock import ManualClock
from taisai.client import Console, fresh_id
from tests.browser.floor import WIDE, Watch, cluster
from tests.browser.seats import TerminalPage
from tests.browser.tables import PLAIN
from tests.browser.words import money, net, say
from tests.server.houses import Serving, dealt, serving, settings

HELP = "Help is at 1800-000-0000."


@dataclass
class Evening:
    """One terminal, its dealer, and the house's clock."""

    house: Serving
    clock: ManualClock
    console: Console
    terminal: TerminalPage

    @property
    def check(self) -> Locator:
        return self.terminal.dialog("reality_check")

    async def passes(self, minutes: int) -> None:
        """The page learns the time with what it hears next; a new connection forgets what it knew before."""
        self.clock.move(self.clock.now() + timedelta(minutes=minutes))
        await self.terminal.page.reload()
        await expect(self.terminal.felt).to_be_visible()

    async def plays(self, *dice: int, stake: int) -> None:
        await self.console.act("StartRound")
        await self.terminal.is_open()
        await self.terminal.bet({"big": stake})
        await self.terminal.lies("big", stake)
        await dealt(self.console, list(dice))


@pytest_asyncio.fixture(loop_scope="session")
async def evening(tmp_path: Path, browser: Browser) -> AsyncIterator[Evening]:
    clock = ManualClock(datetime(2026, 5, 4, 20, 0, tzinfo=UTC))
    config = settings(tmp_path, cluster("C1", PLAIN), house={"help_line": HELP})
    async with serving(config, timer=clock) as house, AsyncExitStack() as stack:
        watch = Watch(house.address)
        context = await browser.new_context(
            viewport=WIDE, locale="en", reduced_motion="reduce", base_url=house.address
        )
        stack.push_async_callback(context.close)
        await watch.over(context)
        page = await context.new_page()
        await page.goto("/terminal?table=C1")
        terminal = TerminalPage(page, "C1")
        await expect(terminal.felt).to_be_visible()
        await terminal.buy_in(100_00)
        admin = await house.person("admin")
        policy = await admin.get("/staff-policy")
        asked = await admin.post("/staff-policy", {**policy, "idle_minutes": 240})  # the dealer stays
        await (await house.person("auditor")).approve(asked["waiting"][0]["approval"])
        yield Evening(house, clock, await house.console("C1"), terminal)
        assert watch.found() == []


def figure(check: Locator, key: str) -> Locator:
    """What stands beside a term of the dialog."""
    return check.locator(f"dt:text-is('{say(key)}') + dd")


async def test_the_reality_check_tells_time_stakes_and_net_and_waits_for_an_answer(evening: Evening) -> None:
    """After the house's hour: all that was staked, more rounds than are recalled; then play goes on."""
    for _ in range(11):
        await evening.plays(1, 2, 3, stake=5_00)
    await evening.passes(59)
    await evening.plays(6, 5, 4, stake=10_00)
    await expect(evening.check).to_have_count(0)
    await evening.passes(1)
    await expect(figure(evening.check, "you_have_played")).to_contain_text("1:00:0")
    await expect(figure(evening.check, "staked_session")).to_have_text(money(65_00))
    await expect(figure(evening.check, "net_position")).to_have_text(net(-45_00))
    await expect(evening.check).to_contain_text(HELP)
    await evening.terminal.page.keyboard.press("Escape")
    await expect(evening.check).to_be_visible()
    await evening.check.get_by_role("button", name=say("keep_playing")).click()
    await expect(evening.check).to_have_count(0)
    await evening.plays(6, 5, 4, stake=10_00)
    await expect(evening.terminal.meter("credit")).to_have_text(money(65_00))
    await evening.terminal.act("recall").click()
    rounds = evening.terminal.dialog("recall").get_by_role("listitem")
    await expect(rounds).to_have_count(10)
    await expect(rounds.first).to_contain_text(say("round_number", n=13))
    await expect(rounds.last).to_contain_text(say("round_number", n=4))


async def test_a_looser_limit_holds_when_its_player_confirms_it_after_the_wait(evening: Evening) -> None:
    """A day later *My limits* asks, and only then is more taken."""
    terminal = evening.terminal

    async def limit(amount: str) -> None:
        await terminal.act("settings").click()
        await terminal.dialog("settings").get_by_role("button", name=say("own_limits")).click()
        dialog = terminal.dialog("own_limits")
        await dialog.get_by_label(say("limit_wager_session")).fill(amount)
        await dialog.get_by_role("button", name=say("limits_apply")).click()

    await limit("10")
    await expect(terminal.status).to_contain_text(say("own_limits_set"))
    await limit("50")
    await terminal.act("settings").click()
    await terminal.dialog("settings").get_by_role("button", name=say("own_limits")).click()
    dialog = terminal.dialog("own_limits")
    await expect(dialog).to_contain_text(money(50_00))
    await dialog.get_by_role("button", name=say("close"), exact=True).first.click()
    await evening.passes(24 * 60)
    await evening.check.get_by_role("button", name=say("keep_playing")).click()
    admin = await evening.house.person("dealer")
    await admin.log_in("dealer", evening.house.logins["dealer"])  # a day is longer than a login
    evening.console = await evening.house.console("C1")
    await evening.console.act("StartRound")
    await terminal.is_open()
    await terminal.bet({"big": 25_00})
    await terminal.lies("big", 25_00, "bet_refused")
    await terminal.act("settings").click()
    await terminal.dialog("settings").get_by_role("button", name=say("own_limits")).click()
    await expect(dialog).to_contain_text(say("own_limits_ripe"))
    await dialog.get_by_role("button", name=say("limits_confirm")).click()
    await expect(dialog).not_to_contain_text(say("own_limits_ripe"))
    await dialog.get_by_role("button", name=say("close"), exact=True).first.click()
    await terminal.bet({"big": 25_00})
    await terminal.lies("big", 25_00)


async def test_where_help_is_found_stands_wherever_money_goes_in_or_out(evening: Evening) -> None:
    """The house's own words: when buying in, when cashing out, and with the rules."""
    for act in ("buy_in", "cash_out", "rules_and_odds"):
        await evening.terminal.act(act).click()
        dialog = evening.terminal.dialog(act)
        await expect(dialog.get_by_text(HELP)).to_be_visible()
        await dialog.get_by_role("button", name=say("close"), exact=True).first.click()


async def test_where_help_is_found_stands_before_the_first_bet(tmp_path: Path, browser: Browser) -> None:
    """A terminal that is not enrolled yet says it too."""
    config = settings(tmp_path, cluster("C1", PLAIN), house={"help_line": HELP, "play_money": False})
    async with serving(config) as house:
        page = await browser.new_page(locale="en", base_url=house.address)
        await page.goto("/terminal?table=C1")
        await expect(page.get_by_text(say("enrol_text"))).to_be_visible()
        await expect(page.get_by_text(HELP)).to_be_visible()
        await page.context.close()


async def test_the_reality_check_leads_to_the_cash_out(evening: Evening) -> None:
    """Who stops is asked for nothing else: the ticket is one touch away."""
    await evening.passes(60)
    await evening.check.get_by_role("button", name=say("stop_playing")).click()
    cash_out = evening.terminal.dialog("cash_out")
    await expect(cash_out).to_contain_text(money(100_00))
    await cash_out.get_by_role("button", name=say("print_ticket")).click()
    ticket = evening.terminal.page.get_by_role("article", name=say("paper_ticket"), exact=True)
    await expect(ticket).to_be_visible()


async def test_the_reality_check_waits_while_bets_can_change(evening: Evening) -> None:
    """It comes due in the middle of the betting and shows itself when the round is over."""
    await evening.console.act("StartRound")
    await evening.terminal.is_open()
    await evening.terminal.bet({"small": 10_00})
    await evening.terminal.lies("small", 10_00)
    await evening.passes(60)
    await evening.terminal.is_open()
    await evening.terminal.lies("small", 10_00)
    await expect(evening.check).to_have_count(0)
    await dealt(evening.console, [1, 2, 3])
    await expect(figure(evening.check, "staked_session")).to_have_text(money(10_00))


async def test_a_reality_check_ends_with_the_session_that_it_was_for(evening: Evening) -> None:
    """An attendant pays while it is asked: the next player is not asked for another's hour."""
    await evening.passes(60)
    await expect(evening.check).to_be_visible()
    dealer = await evening.house.person("dealer")
    [seat] = await dealer.get("/tables/C1/terminals")
    path = f"/tables/C1/terminals/{seat['terminal']}/hand-pay"
    asked = await dealer.post(path, {"reason": "the player asked"}, key=fresh_id())
    await (await evening.house.person("supervisor")).approve(asked["approval"])
    await expect(evening.check).to_have_count(0)
    await evening.terminal.buy_in(50_00)
    await expect(evening.check).to_have_count(0)
    await evening.plays(6, 5, 4, stake=10_00)
    await expect(evening.terminal.meter("credit")).to_have_text(money(60_00))
