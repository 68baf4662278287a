"""A terminal checks what the house tells it between closing and dice, and alarms if it does not fit."""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.async_api import Locator, WebSocketRoute, expect

from tests.browser.floor import Floor
from tests.browser.seats import TerminalPage
from tests.browser.tables import PLAIN, UNTIMED, at
from tests.browser.words import LANGUAGE_NAMES, say

# What a message becomes on its way to the terminal; none if it never arrives.
Lie = Callable[[dict[str, Any]], dict[str, Any] | None]
STAKE = 5_00


async def lied_to(floor: Floor, table: str, lie: Lie) -> TerminalPage:
    """A terminal whose server does not tell it everything as it is."""

    def between(page: WebSocketRoute) -> None:
        def passed(raw: str | bytes) -> None:
            told = lie(json.loads(raw))
            if told is not None:
                page.send(json.dumps(told))

        page.connect_to_server().on_message(passed)

    page = await (await floor.context()).new_page()
    await page.route_web_socket(re.compile("/ws/terminal"), between)
    await page.goto(f"/terminal?table={table}")
    terminal = TerminalPage(page, table)
    await expect(terminal.felt).to_be_visible()
    return terminal


def alarm(terminal: TerminalPage, language: str = "en") -> Locator:
    return terminal.page.get_by_role("region", name=say("proof_alarm", language))


def as_it_is(told: dict[str, Any]) -> dict[str, Any]:
    return told


def another_slip(told: dict[str, Any]) -> dict[str, Any]:
    """The place in the tree is somebody else's."""
    return {**told, "place": told["place"] + 1} if told["type"] == "SlipProven" else told


def no_proof(told: dict[str, Any]) -> dict[str, Any] | None:
    return None if told["type"] == "SlipProven" else told


def another_opening(told: dict[str, Any]) -> dict[str, Any]:
    """With the closing the round is one that was opened at another time."""
    if told["type"] == "RoundChanged" and told["round"]["proof"]["root"]:
        told["round"]["proof"]["opened_at"] += 1
    return told


def another_secret(told: dict[str, Any]) -> dict[str, Any]:
    if told["type"] == "RoundChanged" and told["round"]["proof"]["secret"]:
        told["round"]["proof"]["secret"] = "00" * 32
    return told


async def bets(terminal: TerminalPage) -> None:
    await terminal.buy_in(100_00)
    await terminal.bet({"small": STAKE})
    await terminal.lies("small", STAKE)


async def test_a_terminal_tells_its_player_what_does_not_fit(floor: Floor) -> None:
    """One round, four terminals: to one of them the house is honest, to each other it lies in its own way."""
    dealer = await floor.dealer(at(PLAIN))
    await dealer.open()
    honest, slip, missing, changed = [
        await lied_to(floor, at(PLAIN), lie) for lie in (as_it_is, another_slip, no_proof, another_opening)
    ]
    for terminal in (honest, slip, missing, changed):
        await bets(terminal)
    await dealer.close()
    await expect(honest.page.get_by_text(say("proof_proved"))).to_be_visible()
    number = (await floor.table(at(PLAIN)))["round"]["number"]
    await expect(alarm(slip)).to_contain_text(say("proof_slip", round=number))
    await expect(alarm(changed)).to_contain_text(say("proof_changed", round=number))
    await expect(slip.act("attendant")).to_have_attribute("aria-pressed", "true")
    await missing.is_shut()
    await expect(alarm(missing)).to_have_count(0)
    await dealer.tumble()
    await dealer.declare(1, 2, 4)
    await expect(alarm(missing)).to_contain_text(say("proof_missing", round=number))
    await dealer.settle()
    await dealer.conclude()
    await expect(alarm(honest)).to_have_count(0)
    for language in ("zh-Hant", "zh-Hans"):
        await slip.page.get_by_role("button", name=LANGUAGE_NAMES[language]).click()
        await expect(alarm(slip, language)).to_contain_text(say("proof_slip", language, round=number))
    await alarm(slip, "zh-Hans").get_by_role("button", name=say("proof_seen", "zh-Hans")).click()
    await expect(alarm(slip, "zh-Hans")).to_have_count(0)


async def test_dice_that_do_not_follow_from_the_commitment_are_an_alarm(floor: Floor) -> None:
    """The commitment is in view from the opening on; the secret that comes with the dice is another."""
    terminal = await lied_to(floor, UNTIMED, another_secret)
    await expect(terminal.page.get_by_text(re.compile(r"committed to: [0-9a-f]{16}…"))).to_be_visible()
    number = (await floor.table(UNTIMED))["round"]["number"]
    await bets(terminal)
    await terminal.act("roll_dice").click()
    await expect(alarm(terminal)).to_contain_text(say("proof_dice", round=number))
