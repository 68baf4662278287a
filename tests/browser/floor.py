"""A house in a process of its own, a real browser before it, and those who watch that nothing goes wrong."""

import re
from collections import deque
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    ViewportSize,
    WebSocket,
)

from taisai.client import Refused, Staff, Terminal, Visitor, fresh_id
from taisai.rulebooks.catalogue import rulebook_of
from tests.cluster.balanced import Balanced
from tests.server.processes import ServerProcess

WIDE: ViewportSize = {"width": 1366, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}
TOUCH: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
UNIT, MINIMUM, MAXIMUM = 100, 200, 100_000

DECIDERS = ("casino-manager", "shift-manager")
FRAMES_KEPT, FRAME_SHOWN = 60, 240

# A policy that is broken is heard of in the page; here it is told as an error.
_TELL_VIOLATIONS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy broken: ${event.violatedDirective} ${event.blockedURI}`));
"""


def cluster(name: str, pay_table: str, **more: Any) -> dict[str, Any]:
    """Terminals at a table that a dealer deals by hand, so that a test decides when what happens."""
    return {
        "name": name,
        "title": f"Table {name}",
        "kind": "cluster",
        "pay_table": pay_table,
        "unit": UNIT,
        "minimum": MINIMUM,
        "maximum": MAXIMUM,
        **more,
    }


@dataclass
class Watch:
    """What pages did that they should not: errors, broken policies, requests to anybody else."""

    address: str
    faults: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list, repr=False)
    frames: deque[str] = field(default_factory=lambda: deque(maxlen=FRAMES_KEPT), repr=False)

    async def over(self, context: BrowserContext) -> None:
        self.contexts.append(context)
        context.on("page", lambda page: page.on("websocket", self._socket))
        await context.add_init_script(_TELL_VIOLATIONS)
        context.on("console", self._console)
        context.on("weberror", lambda error: self.faults.append(str(error.error)))
        context.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.type}: {message.text}")

    def _request(self, request: Request) -> None:
        self.asked.append(request.url)
        if not request.url.startswith((f"{self.address}/", "blob:")):
            self.faults.append(f"asked somebody else: {request.url}")

    def _socket(self, socket: WebSocket) -> None:
        def kept(way: str, frame: str | bytes) -> None:
            if not re.search('"P[io]ng"', str(frame)):  # they tell nothing
                self.frames.append(f"{datetime.now(UTC):%H:%M:%S.%f} {way} {str(frame)[:FRAME_SHOWN]}")

        socket.on("framesent", lambda frame: kept(">", frame))
        socket.on("framereceived", lambda frame: kept("<", frame))
        socket.on("close", lambda _: kept("closed", socket.url))

    async def story(self) -> str:
        """What the pages show and what their sockets said last: for whoever asks why a test failed."""
        told = []
        for page in (page for context in self.contexts for page in context.pages):
            try:
                told += [page.url, await page.locator("body").aria_snapshot(timeout=2_000)]
            except Error as error:
                told.append(f"cannot be read: {error}")
        return "\n".join([*told, *self.frames, *self.faults])

    def found(self) -> list[str]:
        """The faults that no test has foreseen."""
        return [fault for fault in self.faults if not any(re.search(one, fault) for one in self.allowed)]


@dataclass
class Floor:
    """What one test plays with: pages of its own at tables that nobody else uses meanwhile."""

    server: ServerProcess | Balanced
    browser: Browser
    stack: AsyncExitStack
    staff: dict[str, Staff]
    watch: Watch

    @property
    def address(self) -> str:
        return self.server.address

    def foresee(self, *patterns: str) -> None:
        """What the browser will complain of because the test makes it happen."""
        self.watch.allowed += patterns

    async def context(self, **options: Any) -> BrowserContext:
        """A browser of its own: storage, cookies, size."""
        chosen: dict[str, Any] = {
            "viewport": WIDE,
            "locale": "en",
            "reduced_motion": "reduce",
            "base_url": self.address,
            **options,
        }
        context = await self.browser.new_context(**chosen)
        self.stack.push_async_callback(context.close)
        await self.watch.over(context)
        return context

    async def page(self, path: str, **options: Any) -> Page:
        page = await (await self.context(**options)).new_page()
        await page.goto(path)
        return page

    async def staff_page(self, name: str, path: str, **options: Any) -> Page:
        """A page for somebody of the staff, who is logged in already."""
        page = await (await self.staff_context(name, **options)).new_page()
        await page.goto(path)
        return page

    async def staff_context(self, name: str, **options: Any) -> BrowserContext:
        """A browser in which somebody of the staff is logged in already."""
        context = await self.context(**options)
        person = await self.person(name)
        await context.add_cookies(
            [{"name": key, "value": value, "url": self.address} for key, value in person.http.cookies.items()]
        )
        return context

    async def person(self, name: str) -> Staff:
        """Somebody of the staff over HTTP, logged in once for all tests."""
        if name not in self.staff:
            person = self.staff[name] = Staff(self.address)
            await person.log_in(name, self.server.password(name))
        return self.staff[name]

    async def forget(self, name: str) -> None:
        """Somebody has logged in by hand, which ended their session here."""
        if name in self.staff:
            await self.staff.pop(name).http.aclose()

    async def deny_all(self) -> None:
        """Requests that nobody decided would be found by the next test."""
        manager = await self.person("casino-manager")
        for asked in await manager.get("/approvals"):
            decides = await self.person(next(name for name in DECIDERS if name != asked["by"]))
            denied = {"decision": "deny", "reason": "left over"}
            with suppress(Refused):  # its time has just run out
                await decides.post(f"/approvals/{asked['id']}", denied, key=fresh_id())

    async def ask_for_tokens(self) -> None:
        """The server was started anew: logins still count, their tokens do not."""
        for person in self.staff.values():
            person.http.headers["X-CSRF-Token"] = (await person.get("/me"))["csrf"]

    async def visitor(self) -> Visitor:
        return await self.stack.enter_async_context(Visitor(self.address))

    async def other_terminal(self, table: str, credit: int) -> Terminal:
        """A player whom no page shows."""
        terminal = Terminal(self.address, await (await self.visitor()).demo_terminal(table))
        await self.stack.enter_async_context(terminal)
        await terminal.cash_in(credit)
        return terminal

    async def table(self, name: str) -> dict[str, Any]:
        """How a table stands, as anyone may see it."""
        found: dict[str, Any] = (await (await self.person("dealer")).get(f"/tables/{name}"))["table"]
        return found

    async def seat(self, table: str, name: str) -> None:
        """Somebody deals at a live table, whoever dealt there before; it may be they themselves."""
        dealer = await self.person("dealer")
        try:
            await dealer.post(f"/tables/{table}/dealer", {"name": name}, key=fresh_id())
        except Refused as refused:
            if refused.code != "nothing_changes":
                raise

    async def dealer(self, table: str, *, clear: bool = True) -> "Dealer":
        """A dealer who has brought the table's last round to its end, unless it is wanted as it is."""
        dealer = Dealer(self, table)
        if clear:
            await dealer.clear()
        return dealer


@dataclass
class Dealer:
    """A dealer's acts over HTTP, where the test is not about the console."""

    floor: Floor
    table: str

    async def act(self, act: str, **fields: Any) -> Any:
        return await (await self.floor.person("dealer")).act(self.table, act, **fields)

    async def open(self) -> None:
        await self.act("StartRound")

    async def close(self) -> None:
        await self.act("CloseBetting")

    async def tumble(self) -> None:
        """From the closing to dice that can be read."""
        covered = await self.is_covered()
        if covered:
            await self.act("CoverTumbler")
        await self.act("ActivateTumbler", tumbles=3)
        if covered:
            await self.act("ExposeDice")

    async def declare(self, *dice: int) -> None:
        await self.act("DeclareRoll", roll=list(dice))

    async def settle(self) -> None:
        await self.act("SettleBets")

    async def conclude(self) -> None:
        await self.act("ConcludeRound")

    async def deal(self, *dice: int) -> None:
        """From the closing to the end of the round."""
        await self.close()
        await self.tumble()
        await self.declare(*dice)
        await self.settle()
        await self.conclude()

    async def is_covered(self) -> bool:
        view = await self.floor.table(self.table)
        return rulebook_of(view["pay_table"]).procedure.cover == "covered"

    async def clear(self) -> None:
        """Whatever an earlier test left in play comes to its end."""
        round_ = (await self.floor.table(self.table)).get("round")
        if not round_ or round_["phase"] in ("concluded", "void", "not-open"):
            return
        if round_["phase"] == "awaiting-ruling":
            await self._rule()
            return
        if round_.get("held"):
            await self.act("ResumeRound")
        if round_["phase"] in ("betting", "closed"):
            await self.act("InterruptRound", known=[])
        if round_["phase"] == "declared":
            await self.settle()
        if round_["phase"] in ("declared", "settled"):
            await self.conclude()

    async def _rule(self) -> None:
        """Two people void what waits for them."""
        first, second = await self.floor.person("shift-manager"), await self.floor.person("casino-manager")
        asked = await first.act(self.table, "MakeRuling", decision="void", reason="left over")
        await second.approve(asked["approval"])
