"""A player plays a round, takes the receipt, and proves the bet when the house is gone."""

import sys
from asyncio import create_subprocess_exec, subprocess
from pathlib import Path

import httpx
from playwright.async_api import Browser, expect

from tests.browser.conftest import visiting
from tests.browser.floor import Floor, cluster
from tests.browser.seats import TerminalPage
from tests.browser.words import say
from tests.server.processes import server_process


async def test_a_receipt_is_checked_without_the_house(tmp_path: Path, browser: Browser) -> None:
    """On the page, saved beforehand and opened as a file, and then with the command."""
    table = cluster("C1", "sic-bo-etg-v8/1", automatic=True, tumble_seconds=0.1, result_seconds=600)
    house = server_process(tmp_path / "house", table)
    saved, receipt, key = tmp_path / "verify.html", tmp_path / "receipt.json", tmp_path / "house.vkey"
    (tmp_path / "house").mkdir()
    async with house as process:
        async with visiting(process, browser) as floor:
            terminal = await TerminalPage.at(floor, "C1", credit=10_000)
            await terminal.bet({"small": 500})
            await terminal.lies("small", 500)
            await terminal.act("roll_dice").click()
            await terminal.act("recall").click()
            link = terminal.dialog("recall").get_by_role("link", name=say("bet_receipt"))
            await expect(link).to_be_visible()
            address = await link.get_attribute("href")
        async with httpx.AsyncClient(base_url=process.address) as client:
            saved.write_text((await client.get("/verify")).text, encoding="utf-8")
            key.write_text((await client.get("/log/key")).text, encoding="utf-8")
            answer = await client.get(str(address))
            while answer.status_code == 404:  # the result is signed within a second
                answer = await client.get(str(address))
            receipt.write_bytes(answer.content)
        await process.stop()
    page = await browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.goto(saved.as_uri())
    await expect(page.get_by_text("No file chosen")).to_be_visible()
    await page.get_by_label("The receipt").set_input_files(receipt)
    await expect(page.get_by_text(receipt.name)).to_be_visible()
    await page.get_by_role("button", name="Check", exact=True).click()
    verdict = page.get_by_role("status")
    await expect(verdict).to_contain_text("Everything fits.")
    await expect(verdict).to_contain_text("in round 1 of C1")
    await expect(verdict).to_contain_text("follows from the committed secret and all bets")
    await expect(verdict).to_contain_text("Small $5: by")
    await page.get_by_role("button", name="简体中文").click()
    await expect(verdict).to_contain_text("小 $5：按")
    assert asked == [saved.as_uri()]
    await page.close()
    command = ["-m", "taisai", "receipt", "verify", str(receipt), "--key", str(key)]
    done = await create_subprocess_exec(sys.executable, *command, stdout=subprocess.PIPE)
    said = (await done.communicate())[0].decode()
    assert done.returncode == 0, said
    assert "The payment is what the pay table says." in said


async def test_the_page_that_checks_receipts_speaks_the_readers_language(floor: Floor) -> None:
    """By the browser's own languages, whatever the region; and by the address that a terminal links to."""
    page = await floor.page("/verify", locale="zh-TW")
    await expect(page.get_by_role("heading", level=1)).to_have_text("核對收據")
    await page.goto("/verify?lang=zh-Hans")
    await expect(page.get_by_role("heading", level=1)).to_have_text("核对收据")
    await expect(page.get_by_text("未选择文件")).to_be_visible()
