"""A house to try out: each position by one press at its own computer, and what others are offered."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, expect

from taisai.client import Staff
from tests.browser.conftest import visiting
from tests.browser.floor import Floor, cluster
from tests.browser.words import say
from tests.server.processes import server_process

# For whom each page is: whoever has nothing to do there is not offered it.
POSITIONS = {
    "console": ("dealer", "pit-supervisor", "pit-manager", "shift-manager", "casino-manager"),
    "pit": ("pit-supervisor", "pit-manager", "shift-manager", "casino-manager", "auditor"),
    "cashier": ("cashier", "pit-supervisor", "pit-manager", "shift-manager", "casino-manager"),
    "audit": ("auditor", "casino-manager"),
    "admin": ("administrator",),
}
# A proxy speaks for somebody at another computer.
ELSEWHERE = {"X-Forwarded-For": "192.0.2.7"}


@asynccontextmanager
async def open_house(folder: Path, browser: Browser, **house: Any) -> AsyncIterator[Floor]:
    server = {"login_tries_per_minute": 1_000}
    tables = cluster("C1", "sic-bo-etg-v8/1")
    started = server_process(folder, tables, house={"open_logins": True, **house}, server=server)
    async with started as process, visiting(process, browser) as floor:
        yield floor


def role(name: str) -> str:
    return say(f"role_{name.replace('-', '_')}")


async def offered(page: Page) -> set[str]:
    """Whom the login page offers to be; it is drawn when its form is."""
    await expect(page.get_by_label(say("login_password"), exact=True)).to_be_visible()
    section = page.get_by_role("region", name=say("open_logins"))
    return {await button.inner_text() for button in await section.get_by_role("button").all()}


async def _is_shut_to_others(floor: Floor) -> None:
    """Somebody at another computer is offered nothing without the second switch, and a press is refused."""
    page = await floor.page("/pit", extra_http_headers=ELSEWHERE)
    assert await offered(page) == set()
    answer = await page.request.post("/api/v1/login/open", data={"name": "supervisor"})
    assert (answer.status, (await answer.json())["code"]) == (403, "not_open")


async def test_each_position_comes_in_by_one_press_at_this_computer(tmp_path: Path, browser: Browser) -> None:
    """Each page offers its own, to nobody elsewhere; each is marked; each press is on the record as one."""
    presses = 0
    async with open_house(tmp_path, browser) as floor:
        floor.foresee("status of 401")  # a page that looks by itself may do so right after the logging out
        context = await floor.context()
        page = await context.new_page()
        for name, positions in POSITIONS.items():
            await page.goto(f"/{name}")
            assert await offered(page) == set(map(role, positions))
            # Every position once, at a page that is for it.
            for position in positions if name == "console" else positions[:1]:
                await page.get_by_role("button", name=role(position), exact=True).click()
                await expect(page.locator("header").get_by_text(say("open_house"))).to_be_visible()
                presses += 1
                await page.get_by_role("button", name=say("log_out")).click()
                await expect(page.get_by_label(say("login_password"), exact=True)).to_be_visible()
        await _is_shut_to_others(floor)
        auditor = await floor.person("auditor")
        record = (await auditor.http.get("/api/v1/audit/export")).text
    assert len(re.findall(r'\\?"open\\?":true', record)) == presses


async def test_the_second_switch_lets_in_all_but_the_administrator(tmp_path: Path, browser: Browser) -> None:
    """From another computer; at the house's own the administrator is one of them."""
    async with open_house(tmp_path, browser, open_logins_anywhere=True) as floor:
        page = await floor.page("/pit", extra_http_headers=ELSEWHERE)
        assert await offered(page) == set(map(role, POSITIONS["pit"]))
        refused = await page.request.post("/api/v1/login/open", data={"name": "admin"})
        assert (refused.status, (await refused.json())["code"]) == (403, "not_open")
        await page.get_by_role("button", name=role("auditor"), exact=True).click()
        await expect(page.locator("header").get_by_text(say("open_house"))).to_be_visible()
        async with Staff(floor.address) as here:
            assert (await here.post("/login/open", {"name": "admin"}))["role"] == "administrator"


async def test_one_changes_ones_own_password_at_any_time(tmp_path: Path, browser: Browser) -> None:
    """By a press on one's name: with a wrong old one it stays; then the new one counts."""
    new = "a longer word than before"
    async with open_house(tmp_path, browser) as floor:
        floor.foresee("status of 4")
        page = await floor.page("/cashier")
        await page.get_by_role("button", name=role("cashier"), exact=True).click()
        await page.locator("header").get_by_role("button", name="cashier").click()
        form = page.get_by_role("dialog", name=say("password_own"))
        await form.get_by_label(say("password_old")).fill("not this one")
        await form.get_by_label(say("password_new")).fill(new)
        await form.get_by_role("button", name=say("password_change")).click()
        await expect(form.get_by_role("alert")).not_to_be_empty()
        await form.get_by_label(say("password_old")).fill(floor.server.password("cashier"))
        await form.get_by_role("button", name=say("password_change")).click()
        await expect(form).to_have_count(0)
        await expect(page.get_by_text(say("password_changed")).first).to_be_visible()
        async with Staff(floor.address) as again:
            assert (await again.post("/login", {"name": "cashier", "password": new}))["role"] == "cashier"
