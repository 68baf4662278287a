"""Scenes of desks in three languages and in the hand, and of what is read: docs, receipts, logins."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import copy, copytree

from frontend.camera import DESK, HAND, PHONE, SIDEWAYS, TABLET, TERMINAL, WIDE, Camera, Size
from frontend.scenes_moments import in_chinese
from frontend.scenes_table import ETG, LANGUAGES, bet, betting, seat
from frontend.studio import ROLLS, Studio, opened
from playwright.sync_api import Page

ROOT = Path(__file__).parents[1]
SIZES: dict[str, Size] = {"390": HAND, "1366": WIDE}
READING: dict[str, Size] = {"360": PHONE, "768": TABLET, "1366": WIDE, "1920": TERMINAL}
ALL: dict[str, Size] = {**READING, "390": HAND, "844x390": SIDEWAYS, "1024": DESK}


def pit_alarms(studio: Studio, camera: Camera) -> None:
    """A table that always wins on one roll, one that is held; each panel of a card, in three languages."""
    studio.act("T1", "BuyIn", player="ann", amount=500_000)
    for version in range(24):
        studio.act("T1", "StartRound")
        studio.act("T1", "PlaceBets", player="ann", slip={"big": 10_000}, version=version + 1)
        studio.shake("T1")
        studio.declare("T1", "666")
        studio.settle("T1")
        studio.act("T1", "ConcludeRound")
    studio.act(ETG, "StartRound")
    studio.act(ETG, "SuspendRound")
    page = studio.person("shift-manager").page("/pit", *WIDE)
    page.locator(".alarm-list li").nth(2).wait_for()
    camera.take_sizes(page, "alarms", ALL)
    in_chinese(page, camera, "alarms")
    page.locator(".alarm-list button").first.click()
    page.wait_for_timeout(600)
    camera.take_sizes(page, "alarms-seen", SIZES)
    for language in LANGUAGES:
        page.goto(f"/pit?lang={language}")
        buttons = page.locator(".table-card", has_text="T1").first.locator("footer button")
        buttons.first.wait_for()
        for place in range(buttons.count()):
            buttons.nth(place).click()
            page.wait_for_timeout(900)
            camera.take_sizes(page, f"pit-panel-{place}-{language}", SIZES)
            page.keyboard.press("Escape")
            page.locator("dialog[open]").wait_for(state="detached")
    page.close()


def cashier_papers(studio: Studio, camera: Camera) -> None:
    """A ticket sold and its paper, one voided, a player's page, and what is owed."""
    page = studio.person("cashier").page("/cashier", *WIDE)
    page.get_by_label("Float").fill("5000")
    page.get_by_role("button", name="Open the drawer").click()
    page.get_by_label("Cash received").fill("250")
    page.get_by_role("button", name="Sell a ticket for").click()
    page.locator("article.ticket").first.wait_for()
    camera.take_sizes(page, "counter-sold", ALL)
    number = page.locator("article.ticket .number").first.inner_text()
    page.emulate_media(media="print")
    camera.take(page, "counter-paper")
    page.emulate_media(media="screen")
    page.get_by_role("button", name="Handed over").click()
    page.get_by_label("Ticket number").fill(number)
    page.get_by_role("button", name="Void or reissue").click()
    page.wait_for_timeout(400)
    camera.take_sizes(page, "counter-void", SIZES)
    page.keyboard.press("Escape")
    players = page.get_by_role("region", name="Players")
    players.get_by_label("Name").fill("Ada Wong")
    players.get_by_role("button", name="Find").click()
    page.get_by_role("button", name="Register Ada Wong").click()
    page.locator("dialog[open]").wait_for()
    page.get_by_label("Loss in a day").fill("250.50")
    page.get_by_role("button", name="Set the limits").click()
    page.wait_for_timeout(600)
    camera.take_sizes(page, "counter-player", ALL)
    page.keyboard.press("Escape")
    for language in LANGUAGES:
        page.locator(f".languages button[lang={language}]").first.click()
        found = page.locator("[aria-labelledby=players-head]")
        found.get_by_role("textbox").fill("Ada")
        found.locator("form button").last.click()
        page.locator("button", has_text="Ada Wong").first.click()
        page.locator("dialog[open]").wait_for()
        camera.take_sizes(page, f"counter-player-{language}", SIZES)
        page.keyboard.press("Escape")
    page.close()


def audit_searches(studio: Studio, camera: Camera) -> None:
    """Corrected and void rounds found and told, the registers, a PAR sheet, in three languages."""
    context, terminal = seat(studio, ETG, WIDE)
    for roll in ROLLS[:3]:
        studio.act(ETG, "StartRound")
        betting(terminal)
        bet(terminal, "big sum-11")
        studio.shake(ETG)
        studio.declare(ETG, roll)
        studio.settle(ETG)
        studio.act(ETG, "ConcludeRound")
    studio.agree(studio.correct(ETG, "114"))
    studio.act(ETG, "StartRound")
    studio.act(ETG, "VoidRound", ground="exposed-early")
    context.close()
    page = studio.person("auditor").page("/audit", *WIDE)
    page.get_by_label("Table").first.select_option(ETG)
    page.get_by_role("button", name="Find").first.click()
    page.locator(".row-link").nth(1).wait_for()
    page.locator(".found").evaluate("found => scrollTo(0, found.offsetTop - innerHeight / 2)")
    camera.take_sizes(page, "audit-found", ALL)
    in_chinese(page, camera, "audit-found")
    page.locator(".row-link").nth(1).click()
    page.locator(".told .felt").wait_for()
    for language in ("en", *LANGUAGES):
        page.locator(f".languages button[lang={language}]").first.click()
        for said, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for part in (0, 1, 2):
                down = "([told, part]) => scrollTo(0, told.offsetTop - 12 + part * innerHeight)"
                page.locator(".told").evaluate(f"(told, part) => ({down})([told, part])", part)
                camera.take(page, f"audit-told-{language}-{said}-{part}")
    page.close()
    page = studio.person("auditor").page("/api/v1/par/tai-sai-v6/2.html", *WIDE)
    camera.take_sizes(page, "par-sheet", SIZES)
    page.close()


def admin_in_hand(studio: Studio, camera: Camera) -> None:
    """The administrator's page to its end, in three languages."""
    page = studio.person("admin").page("/admin", *WIDE)
    page.locator("#settings-head").wait_for()
    page.locator(".keys .path").evaluate_all("(paths) => paths.forEach((one) => one.remove())")
    for language in ("en", *LANGUAGES):
        page.locator(f".languages button[lang={language}]").first.click()
        for said, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for part in (0, 1, 2, 3):
                page.evaluate("(part) => scrollTo(0, part * innerHeight)", part)
                camera.take(page, f"admin-part-{language}-{said}-{part}")
            page.evaluate("scrollTo(0, 0)")
    page.close()


def light_pages(studio: Studio, camera: Camera) -> None:
    """The desks by daylight, with a table that is held and a request."""
    for roll in ROLLS[:4]:
        studio.play("T1", roll)
    studio.correct("T1", "123")
    studio.act(ETG, "StartRound")
    studio.act(ETG, "SuspendRound")
    desks = {"supervisor": "pit", "cashier": "cashier", "auditor": "audit", "admin": "admin"}
    for name, path in desks.items():
        page = studio.person(name).page(f"/{path}", *WIDE)
        page.get_by_role("button", name="Light page").click()
        page.wait_for_timeout(1200)
        camera.take_sizes(page, f"light-{path}", ALL)
        if path == "pit":
            page.locator(".table-card", has_text="T1").first.get_by_role("button", name="Rounds").click()
            page.wait_for_timeout(1200)
            camera.take_sizes(page, "light-pit-rounds", SIZES)
        page.close()


def open_logins(studio: Studio, camera: Camera) -> None:
    """A house in which anyone may be anyone: each position by one press, and the mark on the pages."""
    with (
        tempfile.TemporaryDirectory() as folder,
        opened(Path(folder), studio.browser, "open_logins") as house,
    ):
        context = house.browser.new_context(base_url=house.address)
        page = context.new_page()
        for path in ("console?table=T1", "pit", "cashier", "audit", "admin"):
            for language in ("en", *LANGUAGES):
                page.goto(f"/{path}{'&' if '?' in path else '?'}lang={language}")
                page.locator("form").first.wait_for()
                sizes = ALL if path == "pit" and language == "en" else SIZES
                camera.take_sizes(page, f"open-{path.partition('?')[0]}-{language}", sizes)
        page.goto("/pit")
        page.get_by_role("button", name="shift manager", exact=True).click()
        page.locator(".table-card").first.wait_for()
        page.wait_for_timeout(800)
        camera.take_sizes(page, "open-pit-inside", SIZES)
        page.locator("header button", has_text="shift-manager").first.click()
        camera.take_sizes(page, "open-password", SIZES)
        context.close()


def receipts(studio: Studio, camera: Camera) -> None:
    """A receipt that fits, and one that somebody has changed."""
    context, page = seat(studio, "untimed", WIDE)
    betting(page)
    bet(page, "small big")
    page.locator(".act.roll").click()
    page.locator(".result-card").wait_for()
    page.get_by_role("button", name="My last rounds").first.click()
    address = page.get_by_role("link", name="Receipt", exact=False).first.get_attribute("href") or ""
    answer = context.request.get(address)
    while not answer.ok:  # the result is signed within a second
        page.wait_for_timeout(300)
        answer = context.request.get(address)
    whole = answer.text()
    told = json.loads(whole)
    with tempfile.TemporaryDirectory() as folder:
        good, bad = Path(folder, "good.json"), Path(folder, "bad.json")
        good.write_text(whole, encoding="utf-8")
        bad.write_text(json.dumps({**told, "round": 7}), encoding="utf-8")
        for name, file in (("good", good), ("bad", bad)):
            for language in ("en", *LANGUAGES):
                page.goto(f"/verify?lang={language}")
                page.locator("input[type=file]").first.set_input_files(file)
                page.locator("form button, main button").last.click()
                page.wait_for_timeout(900)
                camera.take_sizes(page, f"receipt-{name}-{language}", SIZES)
    context.close()


def reference(studio: Studio, camera: Camera) -> None:
    """The interface's page, and the documentation's site by day and by night."""
    context = studio.browser.new_context(base_url=studio.address)
    page = context.new_page()
    page.goto("/docs")
    page.get_by_role("heading", level=1).wait_for()
    camera.take_sizes(page, "docs", READING)
    page.goto("/docs#op-list_rounds")
    page.wait_for_timeout(400)
    camera.take_sizes(page, "docs-operation", READING)
    context.close()
    with tempfile.TemporaryDirectory() as folder:
        copytree(ROOT / "docs", Path(folder, "docs"))
        copy(ROOT / "mkdocs.yml", folder)
        build = [Path(sys.executable).with_name("zensical"), "build"]
        subprocess.run(build, check=True, capture_output=True, cwd=folder)
        for scheme in ("light", "dark"):
            context = studio.browser.new_context(color_scheme="dark" if scheme == "dark" else "light")
            _site(context.new_page(), camera, Path(folder, "site"), scheme)
            context.close()


def _site(page: Page, camera: Camera, site: Path, scheme: str) -> None:
    for name in ("index", "guides/player", "concepts/what-people-expect"):
        page.goto((site / f"{name}.html").as_uri())
        camera.take_sizes(page, f"site-{name.replace('/', '-')}-{scheme}", READING)


SCENES = (
    pit_alarms,
    cashier_papers,
    audit_searches,
    admin_in_hand,
    light_pages,
    open_logins,
    receipts,
    reference,
)
