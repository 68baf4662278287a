"""Proofs: what each tree costs a slip, and how long others wait while a very large round is hashed.

The baseline is SHA-256 itself over as many bytes: a tree needs some five hashes a slip.
"""

import asyncio
import gc
from collections.abc import Coroutine
from datetime import UTC, datetime
from hashlib import sha256
from time import process_time, thread_time
from typing import Any

from taisai.dice import Roll
from taisai.floor.table.notary import RoundNotary
from taisai.game import events as ev
from taisai.game.evolve import evolve
from taisai.game.limits import house_limits
from taisai.game.people import Actor, Role
from taisai.game.round import shipped_rules
from taisai.game.state import RoundState
from taisai.proof.dice import commitment
from taisai.proof.rounds import RoundName, Salts

SLIPS_TIMED, SLIPS_LARGE = 50_000, 1_000_000
PASSES = 5
ORIGIN = "house.example/taisai"
AT = datetime(2026, 1, 1, tzinfo=UTC)
BY = Actor("bench", Role.SYSTEM)


def played(slips: int) -> RoundState:
    """A round with four bets on every slip, closed and declared."""
    rulebook, pay_table = shipped_rules("sic-bo-etg-v8/1")
    state = RoundState(rulebook, pay_table)
    opened = ev.BettingOpened(
        by=BY,
        at=AT,
        clause="",
        table="T1",
        number=1,
        rulebook=rulebook.id,
        rulebook_digest=rulebook.digest,
        pay_table=pay_table.id,
        pay_table_digest=pay_table.digest,
        limits=house_limits(pay_table),
    )
    evolve(state, opened)
    boxes = [box.id for box in pay_table.boxes]
    for number in range(slips):
        slip = {boxes[(number + each * 7) % len(boxes)]: 100 * (1 + number % 9) for each in range(4)}
        placed = ev.BetsPlaced(
            by=BY, at=AT, clause="", player=f"C1-{number:07}.1", version=1, slip=slip, asked=slip
        )
        evolve(state, placed)
    return state


def notary_of(state: RoundState, secret: bytes = b"") -> RoundNotary:
    """Who makes the trees of the round."""
    name = RoundName(
        origin=ORIGIN,
        table="T1",
        number=1,
        opened_at=0,
        rulebook_digest=state.rulebook.digest,
        pay_table_digest=state.pay_table.digest,
        commitment=commitment(ORIGIN, "T1", 1, secret) if secret else b"",
    )
    return RoundNotary(name, Salts(bytes(32), name, bytes(32)), secret)


def main() -> None:
    """Print the figures."""
    state = played(SLIPS_TIMED)
    notary = notary_of(state)
    hashed = min(_timed(lambda: [sha256(b"x" * 120).digest() for _ in range(SLIPS_TIMED)]) for _ in range(3))
    print(f"one SHA-256                {hashed / SLIPS_TIMED * 1e6:6.2f} µs")
    slips = min(_timed(lambda: notary_of(state).slips(state)) for _ in range(PASSES))
    state.slip_root, state.slips_closed = notary.slips(state).root, len(state.slips)
    state.roll = Roll(3, 5, 6)
    results = min(_results(state) for _ in range(PASSES))
    for what, seconds in (("tree of slips", slips), ("tree of results", results)):
        each = seconds / SLIPS_TIMED * 1e6
        print(f"{what:24}   {each:6.2f} µs a slip, {seconds / hashed:.1f} hashes (at most 3)")
    asyncio.run(pauses())


async def pauses() -> None:
    """What everybody else waits at most while a very large round is hashed in slices."""
    state = played(SLIPS_LARGE)
    notary = notary_of(state)
    longest = await _longest_pause(notary.prepare(state))
    state.slip_root, state.slips_closed = notary.slips(state).root, len(state.slips)
    state.roll = Roll(3, 5, 6)
    later = await _longest_pause(notary.prepare(state, ()))
    print(
        f"a million slips in slices  {longest * 1e3:6.1f} ms at most without a turn for others,"
        f" results {later * 1e3:.1f} ms (processor time)"
    )


async def _longest_pause(hashing: Coroutine[Any, Any, None]) -> float:
    """The longest that the loop worked at one stretch while something was hashed."""
    gc.collect()
    gc.freeze()  # as a server does with what it has read at its start
    task = asyncio.ensure_future(hashing)
    longest, before = 0.0, thread_time()
    while not task.done():
        await asyncio.sleep(0)
        now = thread_time()
        longest, before = max(longest, now - before), now
    await task
    return longest


def _results(state: RoundState) -> float:
    """The second tree as a round makes it: after the first, from whose salts its own are the other halves."""
    notary = notary_of(state)
    notary.slips(state)
    return _timed(lambda: notary.results(state))


def _timed(work: object) -> float:
    start = process_time()
    work()  # type: ignore[operator]  # whatever is timed is called
    return process_time() - start
