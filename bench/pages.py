"""The pages in a real browser: tap to chip, a hundred updates a second on the felt, first paint of each page.

Baselines of the same run: an empty page for frames and for the first paint. The browser draws without a
graphics card, so the figures say what the scripts cost and not what a terminal's screen can do.
"""

import os
import tempfile
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from frontend.chromium import ARGUMENTS, chromium
from frontend.studio import PAY_TABLES, Studio, name_of, opened
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

TABLE = name_of(PAY_TABLES[0])
TAPS = "big small even odd sum-9 sum-11 double-1 double-6 triple-3 any-triple single-2 domino-56".split()
LOADS = 5
SECONDS = 5
BEAT = 1000 / 60
UPDATES_A_SECOND = 100
PAGES = {
    "terminal": f"/terminal?table={TABLE}",
    "display": f"/display?table={TABLE}",
    "console": f"/console?table={TABLE}",
    "pit": "/pit",
    "cashier": "/cashier",
    "audit": "/audit",
    "index": "/",
}
STAFF = {"console": "dealer", "pit": "supervisor", "cashier": "cashier", "audit": "auditor"}
BARE = "/livez"

# Keeps hold of the page's sockets, so that messages can be put into them as if the server had sent them.
KEEP_SOCKETS = """
const Real = WebSocket;
window.WebSocket = class extends Real {
  constructor(...given) {
    super(...given);
    window.kept = this;
    this.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "SessionChanged") window.session = message.session;
      if (message.type === "RoundChanged") window.round = message;
    });
  }
};
"""
TAP = """async (boxes) => {
  const frame = () => new Promise(requestAnimationFrame);
  const taps = [];
  for (const box of boxes) {
    await frame();
    const place = document.querySelector(`button[data-box="${box}"]`);
    const start = performance.now();
    place.click();
    let frames = 0;
    while (!place.querySelector(".stake")) { await frame(); frames += 1; }
    taps.push([frames, performance.now() - start]);
  }
  return taps;
}"""
FRAMES = """async ([seconds, kind, perSecond]) => {
  const ids = [...document.querySelectorAll("button[data-box]")].map((box) => box.dataset.box);
  const made = {
    stakes: (n) => {
      const boxes = ids.filter((_, place) => (place * 7 + n) % 11 === 0);
      const slip = Object.fromEntries(boxes.map((box) => [box, 100 * (1 + (n % 9))]));
      const session = { ...window.session, slip, slip_version: n, slip_round: window.round.round.number };
      return { type: "SessionChanged", session };
    },
    lights: (n) => {
      const winning_boxes = ids.filter((_, place) => (place + n) % 3 === 0);
      return { ...window.round, seq: 1_000_000 + 2 * n, round: { ...window.round.round, winning_boxes } };
    },
  };
  const [times, start] = [[], performance.now()];
  let sent = 0;
  await new Promise((done) => {
    const look = (now) => {
      times.push(now);
      const elapsed = performance.now() - start;
      while (kind && sent < (elapsed / 1000) * perSecond) {
        sent += 1;
        window.kept.onmessage({ data: JSON.stringify(made[kind](sent)) });
      }
      if (elapsed < seconds * 1000) requestAnimationFrame(look); else done();
    };
    requestAnimationFrame(look);
  });
  return { times, sent };
}"""
PAINT = """() => new Promise((done) => {
  const found = () => performance.getEntriesByName("first-contentful-paint")[0];
  const look = () => (found() ? done(found().startTime) : requestAnimationFrame(look));
  look();
})"""


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        with opened(Path(folder), browser) as studio:
            print(f"  load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
            frames_of_the_felt(studio)
            first_paints(studio)
        browser.close()


def frames_of_the_felt(studio: Studio) -> None:
    """What a tap and a storm of updates cost a terminal."""
    idle = frames(_empty(studio.browser), "")
    page = _terminal(studio)
    taps: list[tuple[int, float]] = page.evaluate(TAP, TAPS)
    worst = max(count for count, _ in taps)
    millis = median(time for _, time in taps)
    print(f"  tap to chip: {worst} frames at most, {millis:.2f} ms at the median of {len(taps)} taps")
    quiet, stakes, lights = (frames(page, kind) for kind in ("", "stakes", "lights"))
    print(f"  an empty page for {SECONDS} s: {idle}")
    print(f"  the terminal, nothing happening: {quiet}, {ratio(quiet, idle)}")
    print(f"  {stakes.updates} changes of five stakes each: {stakes}, {ratio(stakes, idle)}")
    print(f"  {lights.updates} changes of all lights: {lights}, {ratio(lights, idle)}", flush=True)
    page.context.close()


class Frames(NamedTuple):
    """What a page did while it was watched."""

    drawn: int
    dropped: int
    updates: int
    thread: float  # seconds of the processor that its main thread took

    def __str__(self) -> str:
        return f"{self.drawn} frames, {self.dropped} dropped, main thread {self.thread / SECONDS:.0%} busy"


def frames(page: Page, kind: str) -> Frames:
    """Watch a page for a while: the frames that it drew, and those that it left out."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    before = _thread_seconds(session)
    found = page.evaluate(FRAMES, [SECONDS, kind, UPDATES_A_SECOND])
    took = _thread_seconds(session) - before
    session.detach()
    steps = [later - earlier for earlier, later in pairwise(found["times"])]
    dropped = sum(max(0, round(step / BEAT) - 1) for step in steps)
    return Frames(len(steps) + 1, dropped, int(found["sent"]), took)


def _thread_seconds(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(each["value"]) for each in metrics if each["name"] == "ThreadTime")


def ratio(found: Frames, base: Frames) -> str:
    return f"{found.drawn / base.drawn:.2f} x the frames of the empty page"


def _empty(browser: Browser) -> Page:
    return browser.new_context().new_page()


def _terminal(studio: Studio) -> Page:
    """A terminal with credit, in a round that takes bets."""
    context = studio.browser.new_context(base_url=studio.address, viewport={"width": 1920, "height": 1080})
    context.add_init_script(KEEP_SOCKETS)
    page = context.new_page()
    page.goto(PAGES["terminal"])
    page.get_by_role("button", name="Buy in").click()
    page.locator("dialog .amounts button").nth(4).click()
    studio.act(TABLE, "StartRound")
    page.locator('.terminal[data-shut="false"]').wait_for()
    return page


def first_paints(studio: Studio) -> None:
    """The first paint of each page from the local server, with nothing in the browser's cache."""
    bare = _first_paint(studio, BARE, "")
    print(f"  first paint of a bare page: {bare:.0f} ms")
    for name, path in PAGES.items():
        took = _first_paint(studio, path, STAFF.get(name, ""))
        print(f"  first paint of {name:<9} {took:4.0f} ms, {took / bare:.2f} x the bare page", flush=True)


def _first_paint(studio: Studio, path: str, who: str) -> float:
    state: Any = studio.person(who).context.storage_state() if who else None
    took = []
    for _ in range(LOADS):
        context = studio.browser.new_context(base_url=studio.address, storage_state=state)
        page = context.new_page()
        page.goto(path)
        took.append(float(page.evaluate(PAINT)))
        context.close()
    return median(took)
