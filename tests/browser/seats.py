"""Pages as people use them: everything is found by its role and its name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Locator, Page, expect

from tests.browser.floor import Floor
from tests.browser.words import called, ground_words, money, say


@dataclass(eq=False)
class TerminalPage:
    """The Player Terminal."""

    page: Page
    table: str

    @classmethod
    async def at(cls, floor: Floor, table: str, *, credit: int = 0, **options: Any) -> "TerminalPage":
        """A new terminal at a table, with play money bought by hand."""
        terminal = cls(await floor.page(f"/terminal?table={table}", **options), table)
        await expect(terminal.felt).to_be_visible()
        if credit:
            await terminal.buy_in(credit)
        return terminal

    @property
    def felt(self) -> Locator:
        return self.page.get_by_role("grid", name=say("layout"))

    @property
    def phase(self) -> Locator:
        return self.page.get_by_role("region", name=say("phase"))

    @property
    def line(self) -> Locator:
        """The line that explains boxes and tells messages."""
        return self.page.get_by_role("region", name=say("about_box"))

    @property
    def alert(self) -> Locator:
        return self.page.get_by_role("alert")

    @property
    def status(self) -> Locator:
        return self.page.locator("#status")

    def box(self, box: str) -> Locator:
        return self.felt.get_by_role("button", name=re.compile(rf"^{re.escape(called(box))}, "))

    def act(self, key: str) -> Locator:
        return self.page.get_by_role("button", name=say(key), exact=True)

    def dialog(self, key: str) -> Locator:
        return self.page.get_by_role("dialog", name=say(key))

    def meter(self, key: str) -> Locator:
        term = self.page.get_by_role("term").filter(has_text=re.compile(rf"^{re.escape(say(key))}"))
        return self.page.locator("dl > div", has=term).get_by_role("definition")

    async def buy_in(self, amount: int, *, before: int = 0) -> None:
        await self.act("buy_in").click()
        await self.dialog("buy_in").get_by_role("button", name=money(amount), exact=True).click()
        await expect(self.meter("credit")).to_have_text(money(before + amount))

    async def choose(self, amount: int) -> None:
        """Take a chip from the rail."""
        chips = self.page.get_by_role("radiogroup", name=say("chips"))
        await chips.get_by_role("radio", name=re.compile(rf"^Chip of {amount // 100}(\D|$)")).click()

    async def bet(self, slip: Mapping[str, int]) -> None:
        """One chip for each bet."""
        for box, stake in slip.items():
            await self.choose(stake)
            await self.box(box).click()

    async def lies(self, box: str, amount: int, state: str = "bet_registered") -> None:
        """What lies on a box, as it is said."""
        await expect(self.box(box)).to_have_accessible_name(re.compile(say(state, amount=spoken(amount))))

    async def is_bare(self, box: str) -> None:
        await expect(self.box(box)).to_have_accessible_name(re.compile(r"to 1(, wins.*)?$"))

    async def is_open(self) -> None:
        await expect(self.phase).to_contain_text(say("mood_open"))
        await expect(self.box("big")).to_have_attribute("aria-disabled", "false")

    async def is_shut(self) -> None:
        await expect(self.phase).to_contain_text(say("mood_shut"))

    async def is_void(self, ground: str, clause: str) -> None:
        await expect(self.phase).to_contain_text(say("phase_void"))
        await expect(self.phase).to_contain_text(ground_words(ground))
        if clause != "house":
            await expect(self.phase).to_contain_text(say("clause", clause=clause))


def lost(page: Page) -> Locator:
    """Where a page says that its connection is lost."""
    return page.get_by_text(say("link_reconnecting")).filter(visible=True).first


def spoken(amount: int) -> str:
    """An amount as it is said, as a pattern."""
    figure = f"{amount // 100:,}" if amount % 100 == 0 else f"{amount / 100:,.2f}"
    return f"{re.escape(figure)} Singapore dollars?"


def wins(box: str) -> re.Pattern[str]:
    """The name of a box that has won, whether or not something lay on it."""
    return re.compile(rf"^{re.escape(called(box))}, .*{say('box_won')}")


@dataclass(eq=False)
class ConsolePage:
    """The Game Console."""

    page: Page
    table: str

    @classmethod
    async def at(cls, floor: Floor, table: str, *, name: str = "dealer", **options: Any) -> "ConsolePage":
        console = cls(await floor.staff_page(name, f"/console?table={table}", **options), table)
        await expect(console.stage).to_be_visible()
        return console

    @property
    def stage(self) -> Locator:
        return self.page.get_by_role("region", name=say("next_act"))

    @property
    def answer(self) -> Locator:
        """What became of the last act."""
        return self.page.get_by_role("region", name=say("last_answer"))

    def big(self, key: str, **facts: object) -> Locator:
        """The one big button, when it says this; a smaller one beside it may say the same."""
        named = self.page.get_by_role("button", name=say(key, **facts), exact=True)
        return self.stage.locator(".big-button").and_(named)

    def figure(self, key: str) -> Locator:
        term = self.page.get_by_role("term").filter(has_text=re.compile(rf"^{re.escape(say(key))}$"))
        return self.page.locator("dl > div", has=term).get_by_role("definition")

    async def press(self, key: str, **facts: object) -> None:
        await self.big(key, **facts).click()

    async def enter(self, *dice: int) -> None:
        """Three dice by touch."""
        pad = self.stage.get_by_role("group", name=say("dice_keypad"))
        for face in dice:
            await pad.get_by_role("button", name=say(f"face_{face}"), exact=True).click()

    async def player(self, name: str) -> Locator:
        """Open the dialog about a player."""
        await self.page.get_by_role("button", name=say("player_more", player=name), exact=True).click()
        return self.page.get_by_role("dialog", name=name)

    async def bets_for(self, name: str) -> Locator:
        """Begin to enter bets for a player; the tray."""
        await self.page.get_by_role("button", name=say("bets_for", player=name), exact=True).click()
        return self.page.get_by_role("region", name=say("bets_for", player=name))

    def box(self, box: str) -> Locator:
        felt = self.page.get_by_role("grid", name=say("layout"))
        return felt.get_by_role("button", name=re.compile(rf"^{re.escape(called(box))}, "))

    async def irregular(self, act: str) -> Locator:
        """Open the dialog of an act for when something goes wrong."""
        place = self.page.get_by_role("region", name=say("irregularities"))
        await place.get_by_role("button", name=say(f"act_{act}"), exact=True).click()
        dialog = self.page.get_by_role("dialog", name=say(f"act_{act}"))
        await expect(dialog).to_be_visible()
        return dialog


@dataclass(eq=False)
class DisplayPage:
    """The display on the wall, which nobody touches."""

    page: Page
    table: str

    @classmethod
    async def at(cls, floor: Floor, table: str, **options: Any) -> "DisplayPage":
        display = cls(await floor.page(f"/display?table={table}", **options), table)
        await expect(display.stage).to_be_visible()
        return display

    @property
    def stage(self) -> Locator:
        return self.page.get_by_role("region", name=say("phase"))

    @property
    def latest(self) -> Locator:
        return self.page.get_by_role("region", name=say("last_results"))

    @property
    def lit(self) -> Locator:
        """Boxes that are lit: on a wall they are a picture, without names."""
        return self.page.locator("[data-box][data-lit=won]")

    async def is_open(self) -> None:
        await expect(self.stage).to_contain_text(say("mood_open"))

    async def is_shut(self) -> None:
        await expect(self.stage).to_contain_text(say("mood_shut"))


@dataclass(eq=False)
class CashierPage:
    """The cashier's counter."""

    page: Page

    @classmethod
    async def at(cls, floor: Floor, **options: Any) -> "CashierPage":
        cashier = cls(await floor.staff_page("cashier", "/cashier", **options))
        await expect(cashier.drawer).to_be_visible()
        return cashier

    @property
    def drawer(self) -> Locator:
        return self.page.get_by_role("region", name=say("drawer"))

    @property
    def sell(self) -> Locator:
        return self.page.get_by_role("region", name=say("sell_ticket"))

    @property
    def answer(self) -> Locator:
        return self.page.get_by_role("region", name=say("last_answer"))

    @property
    def paper(self) -> Locator:
        """The ticket on the counter, as it would be printed now."""
        return self.page.get_by_role("article", name=say("paper_ticket"), exact=True)

    @property
    def number(self) -> Locator:
        return self.redeem.get_by_label(say("ticket_number_is"), exact=True)

    def button(self, key: str, **facts: object) -> Locator:
        return self.page.get_by_role("button", name=say(key, **facts), exact=True)

    async def ask_to_sell(self, amount: int) -> None:
        await self.sell.get_by_label(say("cash_received")).fill(str(amount // 100))
        await self.sell.get_by_role("button", name=say("sell_for", amount=money(amount))).click()

    async def sold(self, amount: int) -> str:
        """Sell a ticket; its number as it is printed."""
        await self.ask_to_sell(amount)
        return await self.paper.locator(".number").first.inner_text()

    async def lay_down(self, number: str) -> None:
        """Type a number at the counter, and wait until it is looked up."""
        await self.number.fill(number)
        await expect(self.redeem.get_by_role("button", name=say("next_ticket"))).to_be_visible()

    async def stub_printer(self) -> None:
        """What goes to the printer is read, since nobody has one here."""
        await self.page.evaluate(
            "() => { window.papers = []; window.print = () => { window.papers.push("
            "document.querySelector('article.ticket').innerText) } }"
        )

    async def printed(self) -> list[str]:
        papers: list[str] = await self.page.evaluate("window.papers")
        return papers

    @property
    def redeem(self) -> Locator:
        return self.page.get_by_role("region", name=say("redeem_ticket"))

    async def open_drawer(self, float_: int) -> None:
        """Unless it is open already."""
        await expect(self.drawer).not_to_contain_text(say("loading"))
        if await self.drawer.get_by_role("button", name=say("drawer_open")).count():
            await self.drawer.get_by_label(say("drawer_float")).fill(str(float_ // 100))
            await self.drawer.get_by_role("button", name=say("drawer_open")).click()
        await expect(self.drawer.get_by_role("button", name=say("drawer_close"))).to_be_visible()


async def approve(page: Page, act: str) -> None:
    """In the pit: agree to what somebody asked for."""
    request = page.get_by_role("listitem").filter(has_text=say(f"act_{act}"))
    agree = request.get_by_role("button", name=say("approve"), exact=True)
    await agree.click()
    await expect(agree).to_have_count(0)
    await expect(page.get_by_role("region", name=say("last_answer"))).to_contain_text(say("approved"))
