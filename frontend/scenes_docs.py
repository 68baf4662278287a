"""Scenes for the guides: the front door, the interface's page, a terminal before its first day, figures."""

import subprocess
import sys
import tempfile
from pathlib import Path

from frontend.camera import WIDE, Camera
from frontend.scenes_table import ETG
from frontend.studio import ROLLS, Studio
from playwright.sync_api import Page, Route

# The rolls of the guide to fair dice, and its martingale players.
_REGISTER = """
from taisai.odds.power import roll_biased
rolls = roll_biased(0.05, shape=(2_000,), dice=1, seed=1)
open("rolls.csv", "w").writelines(f"{a},{b},{c}\\n" for a, b, c in rolls.tolist())
"""
_DICE = "fairness rolls.csv --plot fairness.svg"
_PLAYERS = (
    "simulate tai-sai-v6/2 --bet big=100 --rounds 5000 --players 10000 --seed 1 "
    "--strategy martingale --bankroll 50000 --target 100000 --plot simulation.svg"
)


def guides_pages(studio: Studio, camera: Camera) -> None:
    """What an operator and an integrator meet first."""
    for roll in ROLLS[:12]:
        studio.play(ETG, roll)
    studio.play("T1", ROLLS[0])  # the page of the interface asks about this table
    studio.act(ETG, "StartRound")
    context = studio.browser.new_context(
        base_url=studio.address, viewport={"width": WIDE[0], "height": WIDE[1]}
    )
    page = context.new_page()
    page.goto("/")
    page.locator(".results li").first.wait_for()
    camera.take(page, "index", docs="index")
    page.goto("/docs#op-list_rounds")
    page.get_by_role("form", name="Try list_rounds").get_by_role("button", name="Try it").click()
    page.get_by_role("region", name="Answer: list_rounds").wait_for()
    camera.take(page, "api", docs="api")
    _enrolment(page, camera)
    context.close()


def _enrolment(page: Page, camera: Camera) -> None:
    """As in a house that plays for money: in this one a terminal enrols by itself."""

    def for_money(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('"play_money":true', '"play_money":false'))

    page.route("**/terminal?*", for_money)
    page.goto(f"/terminal?table={ETG}")
    page.get_by_label("Code").fill("7KQ4-M2XD")
    camera.take(page, "terminal-enrol", docs="terminal-enrol")


def guides_figures(studio: Studio, camera: Camera) -> None:
    """The figures that the commands of the guides draw."""
    taisai = [sys.executable, "-m", "taisai"]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-c", _REGISTER], cwd=folder, check=True)
        found = subprocess.run([*taisai, *_DICE.split()], cwd=folder, stdout=subprocess.DEVNULL, check=False)
        if found.returncode != 1:  # these dice are suspect
            raise SystemExit(f"taisai fairness ended with {found.returncode}")
        subprocess.run([*taisai, *_PLAYERS.split()], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for figure in Path(folder).glob("*.svg"):
            (camera.images / figure.name).write_bytes(figure.read_bytes())


SCENES = (guides_pages, guides_figures)
