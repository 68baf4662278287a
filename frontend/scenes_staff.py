"""Scenes of the staff: console, pit, cashier, audit and the front door."""

from datetime import UTC, datetime

from frontend.camera import DESK, HAND, PHONE, SIZES, STANDING, TABLET, TERMINAL, WIDE, Camera, Size
from frontend.scenes_table import ETG, bet, betting, seat
from frontend.studio import ROLLS, Studio
from playwright.sync_api import Page

DESKS: dict[str, Size] = {
    "1366": WIDE,
    "1024": DESK,
    "768": TABLET,
    "390": HAND,
    "360": PHONE,
    "1920": TERMINAL,
}


def _buy_in(studio: Studio, table: str, players: str, amount: int) -> None:
    for place, player in enumerate(players.split()):
        studio.act(table, "TakeSeat", seat=3 * place + 2, player=player)
        studio.act(table, "BuyIn", player=player, amount=amount)


def console(studio: Studio, camera: Camera) -> None:
    """A live table's console through a round."""
    for roll in ROLLS[:12]:
        studio.play("T1", roll)
    _buy_in(studio, "T1", "ann bob chen", 200_000)
    page = studio.person("dealer").page("/console?table=T1", *WIDE)
    page.locator(".big-button").wait_for()
    camera.take_sizes(page, "console-begin", DESKS)
    studio.act("T1", "StartRound")
    _slips(studio)
    page.locator(".alerts .alert").first.wait_for()
    camera.take_sizes(page, "console-open", {**DESKS, "1080x1920": STANDING, "3840": SIZES["3840"]})
    camera.take(page, "console", docs="console")
    for language in ("zh-Hant", "zh-Hans"):
        page.locator(f".languages button[lang={language}]").first.click()
        camera.take(page, f"console-open-{language}")
    page.locator(".languages button[lang=en]").first.click()
    page.get_by_role("button", name="Reject the excess").first.click()
    page.get_by_role("button", name="Advise").first.click()
    page.wait_for_timeout(1000)
    camera.take(page, "console-alerts-answered")
    page.wait_for_timeout(800)
    _step(page, camera, "console-closed")
    _step(page, camera, "console-covered")
    _step(page, camera, "console-tumbled")
    _step(page, camera, "console-dice-empty")
    for key in "655":
        page.keyboard.press(key)
    camera.take(page, "console-dice")
    page.keyboard.press("Enter")
    camera.take_sizes(page, "console-dice-check", DESKS)
    camera.take(page, "console-dice-check", docs="console-dice")
    page.wait_for_timeout(800)
    page.keyboard.press("Enter")
    page.wait_for_timeout(1000)
    camera.take_sizes(page, "console-declared", DESKS)
    _step(page, camera, "console-settled")
    page.close()


def _slips(studio: Studio) -> None:
    """Bets that need a dealer's eye: above a maximum, a difference, below a minimum."""
    slips = {
        "ann": {"big": 45_000, "sum-10": 2_000, "single-6": 500},
        "bob": {"big": 50_000, "double-5": 3_000},
        "chen": {"small": 3_000, "even": 4_000, "triple-1": 1_000},
    }
    for player, slip in slips.items():
        studio.act("T1", "PlaceBets", player=player, slip=slip, version=1)


def _step(page: Page, camera: Camera, name: str) -> None:
    page.locator(".big-button").click()
    page.wait_for_timeout(1000)
    camera.take(page, name)


def console_trouble(studio: Studio, camera: Camera) -> None:
    """What a dealer does when something goes wrong, and an electronic table's console."""
    for roll in ROLLS[:6]:
        studio.play("T1", roll)
    _buy_in(studio, "T1", "ann bob", 200_000)
    studio.act("T1", "StartRound")
    studio.act("T1", "PlaceBets", player="ann", slip={"big": 5_000}, version=1)
    studio.act("T1", "CloseBetting")
    studio.act("T1", "CoverTumbler")
    studio.act("T1", "ActivateTumbler", tumbles=3)
    page = studio.person("dealer").page("/console?table=T1", *WIDE)
    page.locator(".big-button").wait_for()
    for name in ("Void", "Interrupt", "Correct the result", "Correct the bets", "Damaged dice", "Hand over"):
        button = page.get_by_role("button", name=name).first
        if button.count() and button.is_visible():
            button.click()
            camera.take(page, f"console-panel-{name.lower().replace(' ', '-')}")
            page.keyboard.press("Escape")
    studio.act("T1", "InterruptRound", known=[6], readable=True)
    page.wait_for_timeout(600)
    camera.take_sizes(page, "console-interrupted", {"1366": WIDE, "360": PHONE})
    context, terminal = seat(studio, ETG, PHONE)
    studio.act(ETG, "StartRound")
    betting(terminal)
    bet(terminal, "big sum-10")
    page.goto(f"/console?table={ETG}")
    page.locator(".big-button").wait_for()
    page.wait_for_timeout(600)
    camera.take_sizes(page, "console-cluster", {"1366": WIDE, "360": PHONE})
    context.close()
    page.close()


def pit(studio: Studio, camera: Camera) -> None:
    """The pit with bets on the tables, a request, the inspector and the limits."""
    shift = studio.person("shift-manager")
    today = datetime.now(UTC).date().isoformat()
    shift.post("/api/v1/pit/acts", {"act": "OpenDay", "fields": {"day": today}})
    shift.post("/api/v1/pit/acts", {"act": "StartShift", "fields": {"shift": "evening"}})
    for table in (ETG, "T1"):
        studio.person("dealer").post(f"/api/v1/tables/{table}/dealer", {"name": "dealer"})
    for roll in ROLLS:
        studio.play(ETG, roll)
    for roll in ROLLS[:9]:
        studio.play("T1", roll)
    _buy_in(studio, "T1", "ann bob chen", 200_000)
    studio.act("T1", "StartRound")
    _slips(studio)
    context, terminal = seat(studio, ETG, WIDE)
    for roll in ("655", "114"):
        studio.act(ETG, "StartRound")
        betting(terminal)
        bet(terminal, "big sum-11 single-6 double-5")
        studio.shake(ETG)
        studio.declare(ETG, roll)
        studio.settle(ETG)
        studio.act(ETG, "ConcludeRound")
    studio.act(ETG, "StartRound")
    betting(terminal)
    bet(terminal, "big big sum-11 triple-6")
    manager = studio.person("pit-manager")
    settings = manager.context.request.get("/api/v1/tables/T1/settings").json()
    settings["limits"]["default"]["maximum"] = 80_000
    manager.post("/api/v1/tables/T1/settings", {"settings": settings, "reason": "a busy evening"})
    page = studio.person("supervisor").page("/pit", *WIDE)
    page.locator(".table-card").first.wait_for()
    page.wait_for_timeout(1500)
    camera.take_sizes(page, "pit", {**DESKS, "3840": SIZES["3840"]})
    camera.take(page, "pit", docs="pit")
    for language in ("zh-Hant", "zh-Hans"):
        page.locator(f".languages button[lang={language}]").first.click()
        camera.take(page, f"pit-{language}")
    page.locator(".languages button[lang=en]").first.click()
    card = page.locator(".table-card").first
    for name in ("Details", "Limits", "Rounds"):
        card.get_by_role("button", name=name).click()
        page.wait_for_timeout(1200)
        if name == "Details":
            camera.take(page, "pit-details", docs="pit-details")
        if name == "Rounds":
            rows = page.locator("dialog .row-link, dialog tbody button")
            if rows.count() > 1:
                rows.nth(1).click()
            page.wait_for_timeout(1200)
            camera.take(page, "pit-rounds", docs="pit-round")
        camera.take_sizes(page, f"pit-{name.lower()}", {"1366": WIDE, "360": PHONE, "1920": TERMINAL})
        page.keyboard.press("Escape")
    page.locator(".bar-tools .tool").first.click()
    page.locator("dialog[data-panel=day]").wait_for()
    page.wait_for_timeout(1500)
    page.get_by_text("Fills, credits, counts").click()
    camera.take_sizes(page, "pit-counting", {"1366": WIDE, "360": PHONE})
    page.get_by_text("Take a drop box away").click()
    page.locator("dialog select").select_option("T1")
    page.get_by_label("Number of the drop box").fill("D-7")
    page.get_by_role("button", name="Record it").click()
    page.locator(".takings-table").wait_for()
    page.get_by_text("Fills, credits, counts").click()
    camera.take_sizes(page, "pit-day", {"1366": WIDE, "360": PHONE})
    context.close()
    page.close()


def cashier(studio: Studio, camera: Camera) -> None:
    """A drawer from its opening to its count, with a ticket in between."""
    context, terminal = seat(studio, ETG, WIDE)
    terminal.get_by_role("button", name="Cash out").click()
    terminal.get_by_role("button", name="Print ticket").click()
    number = terminal.locator(".ticket .number").first.inner_text()
    page = studio.person("cashier").page("/cashier", *WIDE)
    page.get_by_role("button", name="Open the drawer").wait_for()
    camera.take_sizes(page, "cashier-shut", DESKS)
    page.get_by_label("Float").fill("5000")
    page.get_by_role("button", name="Open the drawer").click()
    page.get_by_label("Ticket number").wait_for()
    page.wait_for_timeout(600)
    camera.take_sizes(page, "cashier-open", DESKS)
    page.get_by_label("Ticket number").fill(number)
    page.get_by_text("Valid").first.wait_for()
    camera.take_sizes(page, "cashier-valid", DESKS)
    camera.take(page, "cashier", docs="cashier")
    for language in ("zh-Hant", "zh-Hans"):
        page.locator(f".languages button[lang={language}]").first.click()
        camera.take(page, f"cashier-valid-{language}")
    page.locator(".languages button[lang=en]").first.click()
    page.get_by_role("button", name="Pay $").first.click()
    page.wait_for_timeout(800)
    camera.take(page, "cashier-paid")
    if page.locator("dialog[open]").count():
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Count and close").click()
    page.wait_for_timeout(300)
    camera.take(page, "cashier-count")
    context.close()
    page.close()


def audit(studio: Studio, camera: Camera) -> None:
    """A round told again, and the record verified."""
    context, terminal = seat(studio, ETG, WIDE)
    for roll in ROLLS[:14]:
        studio.act(ETG, "StartRound")
        betting(terminal)
        bet(terminal, "big sum-11 single-6 double-5")
        studio.shake(ETG)
        studio.declare(ETG, roll)
        studio.settle(ETG)
        studio.act(ETG, "ConcludeRound")
    page = studio.person("auditor").page("/audit", *WIDE)
    page.wait_for_timeout(1500)
    camera.take(page, "audit-begin")
    page.get_by_label("Table").first.select_option(ETG)
    page.get_by_role("button", name="Find").click()
    page.locator(".row-link").nth(2).click()
    page.locator(".told .felt").wait_for()
    page.locator(".told").evaluate("(told) => scrollTo(0, told.offsetTop - 12)")
    camera.take(page, "audit-round", docs="audit")
    page.get_by_role("button", name="Verify now").click()
    page.locator(".verdict").wait_for(timeout=120_000)
    page.evaluate("scrollTo(0, 0)")
    camera.take_sizes(page, "audit", DESKS)
    for language in ("zh-Hant", "zh-Hans"):
        page.locator(f".languages button[lang={language}]").first.click()
        camera.take(page, f"audit-{language}")
    page.locator(".languages button[lang=en]").first.click()
    _void(studio)
    terminal.get_by_role("button", name="Cash out").click()
    terminal.get_by_role("button", name="Print ticket").click()
    terminal.locator(".ticket .number").first.wait_for()
    page.get_by_role("heading", name="Significant events").click()
    page.get_by_role("heading", name="Tickets", exact=True).click()
    page.locator(".register .found").first.wait_for()
    page.locator(".register .verdict").wait_for()
    camera.take_sizes(page, "audit-registers", DESKS)
    page.locator(".registers").evaluate("(all) => all.scrollIntoView()")
    camera.take(page, "audit-registers", docs="audit-registers")
    page.goto("/api/v1/par/sic-bo-etg-v8/1.html", timeout=60_000)
    camera.take(page, "audit-par", docs="par")
    context.close()
    page.close()


def admin(studio: Studio, camera: Camera) -> None:
    """The staff list, the house as it is in force and its health, in three languages."""
    page = studio.person("admin").page("/admin", *WIDE)
    page.locator("#settings-head").wait_for()
    # Where this house keeps its keys for a moment is nobody's business.
    page.locator(".keys .path").evaluate_all("(paths) => paths.forEach((one) => one.remove())")
    camera.take_sizes(page, "admin", DESKS)
    camera.take(page, "admin", docs="admin")
    for language in ("zh-Hant", "zh-Hans"):
        page.locator(f".languages button[lang={language}]").first.click()
        camera.take(page, f"admin-{language}")
    page.locator(".languages button[lang=en]").first.click()
    page.get_by_role("button", name="dealer", exact=True).click()
    camera.take_sizes(page, "admin-member", {"1366": WIDE, "360": PHONE})
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Check now").click()
    page.locator(".verdict").wait_for(timeout=120_000)
    camera.take_sizes(page, "admin-health", {"1366": WIDE, "360": PHONE})
    page.close()


def _void(studio: Studio) -> None:
    """A round that is void: the dice were tumbled once too few."""
    studio.act(ETG, "StartRound")
    studio.act(ETG, "CloseBetting")
    studio.act(ETG, "CoverTumbler")
    studio.act(ETG, "ActivateTumbler", tumbles=2)


def front_door(studio: Studio, camera: Camera) -> None:
    """The index, a login, and a terminal that is not enrolled."""
    context = studio.browser.new_context(base_url=studio.address)
    page = context.new_page()
    page.goto("/")
    page.wait_for_timeout(800)
    camera.take_sizes(page, "index", DESKS)
    for path in ("console?table=T1", "pit", "cashier", "audit", "admin"):
        page.goto(f"/{path}")
        page.get_by_label("Name").wait_for()
        camera.take_sizes(page, f"login-{path.partition('?')[0]}", {"1366": WIDE, "360": PHONE})
    context.close()


SCENES = (console, console_trouble, pit, cashier, audit, admin, front_door)
