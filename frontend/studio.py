"""A house for pictures: every layout on a table of its own, dealt by hand, so that each phase can be held."""

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from playwright.sync_api import Browser, BrowserContext, Page

import taisai

SECONDS_MAX = 180
PAY_TABLES = [table.id for name in taisai.shipped_rulebooks() for table in taisai.rulebook(name).pay_tables]
# Three dice for every round of a history that has a bit of everything: runs, triples, a change at each step.
ROLLS = (
    "623 661 542 455 112 333 246 651 214 311 566 444 135 265 612 124 553 662 341 222 654 465 133 152 "
    "326 111 654 563 233 415"
).split()
# What the game and its terminals are called.
GAMES: Mapping[str, tuple[str, str]] = {"zh-Hant": ("骰寶", "終端機"), "zh-Hans": ("骰宝", "终端机")}
# Whoever presses nothing for so long may lose a practice table to the next visitor.
PRACTICE_IDLE = 20
PACE: Mapping[str, Any] = {"betting_seconds": 300, "warn_seconds": 10}


def tables() -> list[dict[str, Any]]:
    """A cluster for each pay table, live tables, one that is brief, and one without a clock."""
    money = {"unit": 100, "minimum": 100, "maximum": 100_000}
    clusters = [
        {
            "name": name_of(pay),
            "title": title_of(pay),
            "titles": {language: chinese_of(pay, language) for language in GAMES},
            "kind": "cluster",
            "pay_table": pay,
            **money,
            **PACE,
        }
        for pay in PAY_TABLES
    ]
    live = {
        "name": "T1",
        "title": "Tai Sai, live",
        "titles": {"zh-Hant": "骰寶，真人賭枱", "zh-Hans": "骰宝，真人赌台"},
        "kind": "live",
        "pay_table": "tai-sai-v6/2",
        "unit": 500,
        "minimum": 1_000,
        "maximum": 50_000,
        "differential": {"big-small": 60_000},
        "notice": "by-dealer",
        **PACE,
    }
    signed = {
        **live,
        "name": "D1",
        "title": "Tai Sai, two differentials",
        "titles": {"zh-Hant": "骰寶，兩項差額", "zh-Hans": "骰宝，两项差额"},
        "differential": {"big-small": 60_000, "odd-even": 40_000},
        "groups": {
            "triple": {"minimum": 500, "maximum": 5_000},
            "any-triple": {"minimum": 500, "maximum": 20_000},
        },
    }
    chips = {
        **live,
        "name": "L2",
        "title": "Tai Sai, chips",
        "titles": {"zh-Hant": "骰寶，現場籌碼", "zh-Hans": "骰宝，现场筹码"},
        "pay_table": "tai-sai-v3/1",
        "money": "chips",
    }
    del chips["differential"], chips["notice"]
    soon = {**clusters[0], "name": "soon", "betting_seconds": 20, "warn_seconds": 19}
    own_pace = {"zh-Hant": "骰寶，不限時", "zh-Hans": "骰宝，不限时"}
    untimed = {
        **clusters[0],
        "name": "untimed",
        "title": "Sic Bo, no clock",
        "titles": own_pace,
        "automatic": True,
    }
    del untimed["betting_seconds"]
    return [clusters[0], live, *clusters[1:], soon, untimed, signed, chips]


def name_of(pay_table: str) -> str:
    """A table's name: E1 for the first pay table of the electronic game, V61 for version 6."""
    rulebook, _, number = pay_table.partition("/")
    last = rulebook.rpartition("-")[2]
    short = last.upper() if last[0] == "v" and last[1:].isdigit() else rulebook[:3].upper()
    return f"{'E' if 'etg' in rulebook else short}{number}"


def title_of(pay_table: str) -> str:
    rulebook = taisai.rulebook(pay_table.partition("/")[0])
    return rulebook.title.replace(" (Electronic Table Game)", ", terminals")


def chinese_of(pay_table: str, language: str) -> str:
    """The game, and which rulebook and table it is; the electronic game is played at terminals."""
    rulebook, _, number = pay_table.partition("/")
    game, terminals = GAMES[language]
    return f"{game}{terminals}" if "etg" in rulebook else f"{game} {rulebook} {number}"


@dataclass
class Studio:
    """The house at its address, and those who have been let in."""

    browser: Browser
    address: str
    logins: dict[str, str]
    people: dict[str, "Person"] = field(default_factory=dict)

    def person(self, name: str) -> "Person":
        """Somebody of the staff, logged in once: a second login would end the first."""
        if name not in self.people:
            context = self.browser.new_context(base_url=self.address)
            answer = context.request.post("/api/v1/login", data={"name": name, "password": self.logins[name]})
            self.people[name] = Person(context, answer.json()["csrf"])
        return self.people[name]

    def act(self, table: str, act: str, *, by: str = "dealer", **fields: Any) -> None:
        """Do an act at a table, as its console would."""
        self.person(by).post(f"/api/v1/tables/{table}/acts", {"act": act, "fields": fields})

    def correct(self, table: str, roll: str, *, reason: str = "the film shows it") -> str:
        """The dealer asks to correct the last result; the number of the request."""
        asked = self.person("dealer").post(
            f"/api/v1/tables/{table}/acts",
            {
                "act": "CorrectResult",
                "round": self.table(table)["round"]["number"],
                "fields": {"roll": [int(face) for face in roll], "reason": reason},
            },
        )
        number: str = asked["approval"]
        return number

    def agree(self, request: str, *, by: str = "supervisor") -> None:
        """A second person agrees."""
        self.person(by).post(f"/api/v1/approvals/{request}", {"decision": "approve"})

    def shake(self, table: str) -> None:
        """From the closing to the dice that lie open."""
        self.act(table, "CloseBetting")
        covered = self.table(table)["cover"] == "covered"
        if covered:
            self.act(table, "CoverTumbler")
        self.act(table, "ActivateTumbler", tumbles=3)
        if covered:
            self.act(table, "ExposeDice")

    def declare(self, table: str, roll: str) -> None:
        self.act(table, "DeclareRoll", roll=[int(face) for face in roll])

    def settle(self, table: str) -> None:
        self.act(table, "SettleBets")

    def play(self, table: str, roll: str) -> None:
        """A whole round."""
        self.act(table, "StartRound")
        self.shake(table)
        self.declare(table, roll)
        self.settle(table)
        self.act(table, "ConcludeRound")

    def table(self, name: str) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.address}/api/v1/tables/{name}", timeout=10) as answer:
            found: dict[str, Any] = json.load(answer)["table"]
        return found


@dataclass
class Person:
    """Somebody of the staff: pages and requests share one session."""

    context: BrowserContext
    csrf: str

    def post(self, path: str, body: Any) -> Any:
        headers = {"X-CSRF-Token": self.csrf, "Idempotency-Key": uuid4().hex}
        answer = self.context.request.post(path, data=body, headers=headers)
        if not answer.ok:
            raise SystemExit(f"{path} {body}: {answer.status} {answer.text()}")
        return answer.json() if answer.text() else None

    def page(self, path: str, width: int, height: int) -> Page:
        page = self.context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.goto(path)
        return page


@contextmanager
def opened(folder: Path, browser: Browser, *switches: str) -> Iterator[Studio]:
    """The house, until the pictures are taken; with switches of `[house]` that are on in it."""
    logins = folder / "logins.json"
    command = [sys.executable, "-m", "frontend.studio", str(folder), *switches]
    house = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        address = (house.stdout.readline() if house.stdout else "").strip()
        _wait_until_ready(f"{address}/readyz", logins)
        yield Studio(browser, address, json.loads(logins.read_text(encoding="utf-8")))
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
        except (OSError, ValueError):
            time.sleep(0.2)
    raise SystemExit("the house for pictures did not start")


def serve(folder: Path, *switches: str) -> None:
    """Run the house; the first line of output is its address."""
    import socket

    from taisai.cli.serving import data_folder, start
    from taisai.server.config import load_config

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    sys.stdout.write(f"http://127.0.0.1:{port}\n")
    sys.stdout.flush()
    settings = {
        "house": {
            "name": "The Jade Pavilion",
            "names": {"zh-Hant": "骰寶館", "zh-Hans": "骰宝馆"},
            "play_money": True,
            "help_line": "Talk to somebody: the house's help line answers at any hour.",
            "help_lines": {
                "zh-Hant": "找人談談：本場求助熱線，全日接聽。",
                "zh-Hans": "找人谈谈：本场求助热线，全天接听。",
            },
            **dict.fromkeys(switches, True),
        },
        "server": {
            **data_folder(folder),
            "port": port,
            "login_tries_per_minute": 1_000,
            "visitors_per_minute": 10_000,
        },
        "practice": {"tables": 2, "idle_seconds": PRACTICE_IDLE},
        "table": tables(),
    }
    start(load_config(None, {}, base=settings), logins=folder / "logins.json")


if __name__ == "__main__":
    serve(Path(sys.argv[1]), *sys.argv[2:])
