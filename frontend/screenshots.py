"""Pictures of the pages for the documentation: `make screenshots` opens a demo house and takes them."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).parents[1] / "docs" / "images"
WIDE, PHONE = {"width": 1366, "height": 768}, {"width": 360, "height": 740}
SECONDS_MAX = 60


def main() -> None:
    """Take every picture anew."""
    with (
        tempfile.TemporaryDirectory() as folder,
        demo(Path(folder)) as (address, logins),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        table = cluster(address)
        picture_terminal(browser, address, table, WIDE, "terminal")
        picture_terminal(browser, address, table, PHONE, "terminal-phone")
        picture(browser, f"{address}/display?table={table}", "display")
        picture_staff(browser, address, logins, "dealer", f"/console?table={live(address)}", "console")
        picture_staff(browser, address, logins, "supervisor", "/pit", "pit")
        picture_staff(browser, address, logins, "cashier", "/cashier", "cashier")
        picture_staff(browser, address, logins, "auditor", "/audit", "audit")
        browser.close()


def chromium() -> str:
    """The browser: named by the environment, or the machine's own."""
    found = os.environ.get("TAISAI_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not found:
        raise SystemExit("no Chromium on this machine: name one with TAISAI_CHROMIUM")
    return found


@contextmanager
def demo(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """A demo house on a free port, and its logins."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    logins = folder / "logins.json"
    command = [sys.executable, "-m", "taisai", "demo", "--port", str(port), "--logins", str(logins)]
    house = subprocess.Popen([*command, "--data", str(folder / "house")], stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_until_ready(f"{address}/readyz", logins)
        yield address, json.loads(logins.read_text(encoding="utf-8"))
    finally:
        house.terminate()
        house.wait()


def _wait_until_ready(ready: str, logins: Path) -> None:
    until = time.monotonic() + SECONDS_MAX
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(ready, timeout=1):
                if logins.exists():
                    return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the demo house did not start")


def _tables(address: str) -> list[dict[str, Any]]:
    with urllib.request.urlopen(f"{address}/api/v1/tables", timeout=10) as answer:
        found: list[dict[str, Any]] = json.load(answer)
    return found


def cluster(address: str) -> str:
    return str(next(table["name"] for table in _tables(address) if table["kind"] == "cluster"))


def live(address: str) -> str:
    return str(next(table["name"] for table in _tables(address) if table["kind"] == "live"))


def _save(page: Page, name: str) -> None:
    page.screenshot(path=IMAGES / f"{name}.jpg", type="jpeg", quality=82)
    sys.stdout.write(f"wrote docs/images/{name}.jpg\n")


def picture(browser: Browser, address: str, name: str) -> None:
    page = browser.new_page(viewport=WIDE)
    page.goto(address)
    page.wait_for_timeout(4000)
    _save(page, name)
    page.close()


def picture_terminal(browser: Browser, address: str, table: str, size: Any, name: str) -> None:
    page = browser.new_page(viewport=size)
    page.goto(f"{address}/terminal?table={table}")
    page.wait_for_timeout(4000)
    _save(page, name)
    page.close()


def picture_staff(
    browser: Browser, address: str, logins: dict[str, str], who: str, path: str, name: str
) -> None:
    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    page.goto(f"{address}{path}")
    page.wait_for_timeout(1500)
    if page.locator("input[type=password]").count():
        page.locator("input").first.fill(who)
        page.locator("input[type=password]").first.fill(logins[who])
        page.keyboard.press("Enter")
    page.wait_for_timeout(4000)
    _save(page, name)
    context.close()


if __name__ == "__main__":
    main()
