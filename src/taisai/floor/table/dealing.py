"""The pace of a table: betting closes at its deadline, and an automatic table deals itself.

Both look at the table's state and do the next thing that is due, so a restart in any phase goes on from
there. A round that is held waits for people, except that an automatic table resumes what only a restart
suspended.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Any, Protocol, runtime_checkable
from uuid import uuid4

import msgspec

from taisai.dice import Roll
from taisai.errors import StoreError
from taisai.floor.desks.desk import Desk
from taisai.floor.desks.incidents import act_name
from taisai.floor.table.messages import CarryOutChange, InRound, RecordDraw, StartRound
from taisai.floor.table.state import TableState
from taisai.floor.table.tumbler import COMMITTED_SOURCE, SimulatedTumbler
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from taisai.game.state import RoundState
from taisai.record.ports import Clock

log = logging.getLogger("taisai.dealing")

# A very large round is paid in parts, so that nothing else waits long behind it.
PLAYERS_PAID_AT_ONCE = 500
_RETRY_SECONDS = 1.0
_RETRY_SECONDS_MAX = 30.0
_OVER = (Phase.CONCLUDED, Phase.VOID)


class Timer(Clock, Protocol):
    """A clock that can be waited for."""

    async def sleep_until(self, moment: datetime) -> None: ...


@runtime_checkable
class Steady(Timer, Protocol):
    """A timer that goes on when the clock behind it was set back, and knows by how much."""

    def ahead(self) -> timedelta: ...


class Proving(Protocol):
    """What an automatic table with committed dice waits for, and the dice themselves."""

    async def share(self, number: int) -> str:
        """The share of a second party in a round's dice, in hex; empty where the house needs none."""
        ...

    def may_show(self, number: int) -> bool:
        """Whether a round's closing is where nobody can take it back any more."""
        ...

    async def dice(self, number: int) -> Roll:
        """The dice that follow from a round's secret and its bets."""
        ...


class AutoPace(msgspec.Struct, frozen=True, kw_only=True):
    """How an automatic table takes its time, so that people can follow."""

    tumble_seconds: float = 2.0
    result_seconds: float = 5.0


Act = Callable[[], Awaitable[Any]]
# The door of the house: a command, who sends it, and the id that they give it.
Do = Callable[[Any, Actor, str], Awaitable[Any]]
Due = tuple[datetime, Act]


@dataclass
class Dealing:
    """Keeps one table's time. With a tumbler it also deals; without one it only closes at the deadline."""

    desk: Desk[Any]
    timer: Timer
    do: Do
    may_start: Callable[[], bool]
    tumbler: SimulatedTumbler | None = None
    pace: AutoPace = field(default_factory=AutoPace)
    proving: Proving | None = None

    def __post_init__(self) -> None:
        self.actor = Actor("auto-dealer" if self.tumbler else "table-clock", Role.SYSTEM)
        self._sender = Actor(f"dealing:{self.desk.kind.name}", Role.SYSTEM)
        # Every process asks under names of its own; the state decides whether an act is due.
        self._prefix, self._numbers = uuid4().hex, count()
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[Any] | None = None
        # Since when the round is as it is now: what is shown, is shown for so long.
        self._since, self._stands = self.timer.now(), self._standing()

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"dealing {self.desk.kind.name}")

    async def stop(self) -> None:
        tasks = [task for task in (self._task, self._closing) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._task = None

    def changed(self) -> None:
        """The table moved on. Coins, cards and doors of its terminals do not hold up a round's dice."""
        stands = self._standing()
        if stands != self._stands:
            self._since, self._stands = self.timer.now(), stands
        self._changed.set()

    def _standing(self) -> tuple[Any, ...]:
        """How far the round is."""
        if not self.desk.has_state:
            return ()
        state: TableState = self.desk.state
        current = state.current
        if current is None:
            return (state.number, state.closed)
        return (state.number, current.phase, current.held, current.covered, current.tumbles, current.exposed)

    def look_again(self) -> None:
        """Something else than the table moved on that may keep it from its next round."""
        self._changed.set()

    def is_past_deadline(self, now: datetime) -> bool:
        """Whether betting should be closed: whatever came later is decided after the closing, however late
        we woke up."""
        state: TableState = self.desk.state
        current, window = state.current, state.window
        if current is None or current.phase is not Phase.BETTING or current.held or window is None:
            return False
        return window.closes_at is not None and now >= window.closes_at

    def is_busy(self) -> bool:
        """Whether something is to be done at this moment: then a clock that somebody moves waits for it."""
        due = self._due(self.desk.state)
        return due is not None and due[0] <= self._now()

    async def close(self) -> None:
        """One closing at a time: whoever finds the deadline past waits for the same one."""
        if self._closing is None or self._closing.done():
            self._closing = asyncio.create_task(
                self._in_round(cmd.CloseBetting(by=self.actor, at=self._now()))
            )
        await asyncio.shield(self._closing)

    async def _run(self) -> None:
        pause = _RETRY_SECONDS
        while True:
            self._changed.clear()
            try:
                await self.desk.wake()
                due = self._due(self.desk.state)
                if due is None:
                    await self._changed.wait()
                elif await self._comes(due[0]):
                    await due[1]()
                    pause = _RETRY_SECONDS
            except Exception as error:
                if self.desk.stopped:
                    log.error("%s: dealing has stopped: %s", self.desk.kind.name, error)
                    return
                log.warning(
                    "%s: the next step of dealing failed: %s: %s",
                    self.desk.kind.name,
                    type(error).__name__,
                    error,
                )
                await self.timer.sleep_until(self._now() + timedelta(seconds=pause))
                if not isinstance(error, StoreError):  # a bug of ours does not pass by itself
                    pause = min(2 * pause, _RETRY_SECONDS_MAX)

    async def _comes(self, moment: datetime) -> bool:
        """Wait for a moment; False when the table moved on first."""
        if moment <= self._now():
            return True
        sleeping = asyncio.ensure_future(self.timer.sleep_until(moment))
        changing = asyncio.ensure_future(self._changed.wait())
        try:
            await asyncio.wait({sleeping, changing}, return_when=asyncio.FIRST_COMPLETED)
            return sleeping.done() and not changing.done()
        finally:
            sleeping.cancel()
            changing.cancel()

    def _due(self, state: TableState) -> Due | None:
        """What to do next, and when."""
        current, now = state.current, self._now()
        if current is None or current.phase in _OVER:
            return _sooner(self._change(state), self._next_round(state) if self.tumbler else None)
        if current.held:
            return (now, self._resume) if self.tumbler and current.held == "suspended" else None
        if current.phase is Phase.BETTING:
            closes_at = state.window.closes_at if state.window else None
            return (closes_at, self.close) if closes_at else None
        return self._dealt(state, current, now) if self.tumbler else None

    def _change(self, state: TableState) -> Due | None:
        """A change of what the table plays by, at its time: whoever looks at the table sees it then."""
        if state.planned is None:
            return None
        return state.planned.effective, lambda: self._ask(CarryOutChange(by=self.actor, at=self._now()))

    def _next_round(self, state: TableState) -> Due | None:
        if state.settings is None or state.closed or not self.may_start():
            return None
        opens = self._since
        if state.window:
            shown = self._since + timedelta(seconds=self.pace.result_seconds)
            opens = max(shown, state.settings.timing.may_open_at(state.window.opens_at, self._now()))
        return opens, lambda: self._ask(StartRound(by=self.actor, at=self._now()))

    def _dealt(self, state: TableState, current: RoundState, now: datetime) -> Due | None:
        """From the closing to the end of a round that deals itself."""
        by = self.actor
        match current.phase:
            case Phase.CLOSED if state.draw is None or state.draw.round != state.number:
                return now, self._draw
            case Phase.CLOSED:
                return self._tumbled(state, current, now)
            case Phase.DECLARED:
                parts = PLAYERS_PAID_AT_ONCE
                return now, lambda: self._in_round(cmd.SettleBets(by=by, at=self._now(), players_max=parts))
            case Phase.SETTLED:
                return now, lambda: self._in_round(cmd.ConcludeRound(by=by, at=self._now()))
            case _:
                return None  # a ruling is people's

    def _tumbled(self, state: TableState, current: RoundState, now: datetime) -> Due | None:
        """The dice are on the record; now they are shown as the rulebook says.

        Committed dice are never shown before the closing is where nobody can take it back.
        """
        by, covered = self.actor, current.rulebook.procedure.cover == "covered"
        if covered and not current.covered and current.tumbles is None:
            return now, lambda: self._in_round(cmd.CoverTumbler(by=by, at=self._now()))
        if current.tumbles is None:
            tumbles = current.rulebook.procedure.tumbles_min
            return now, lambda: self._in_round(cmd.ActivateTumbler(by=by, at=self._now(), tumbles=tumbles))
        if self.proving and current.commitment and not self.proving.may_show(state.number):
            return None
        if not current.exposed:
            shown = self._since + timedelta(seconds=self.pace.tumble_seconds)
            return shown, lambda: self._in_round(cmd.ExposeDice(by=by, at=self._now()))
        return now, self._declare

    async def _draw(self) -> None:
        """Draw after the closing is durable, and put the dice on the record before anyone sees them."""
        if self.tumbler is None:
            return
        state: TableState = self.desk.state
        number, by = state.number, self.actor
        if self.proving and state.current and state.current.commitment:
            share = await self.proving.share(number)
            draw = RecordDraw(by=by, at=self._now(), round=number, source=COMMITTED_SOURCE, share=share)
        else:
            source, roll = self.tumbler.source, self.tumbler.draw()
            draw = RecordDraw(by=by, at=self._now(), round=number, roll=roll, source=source)
        await self._ask(draw)

    async def _declare(self) -> None:
        state: TableState = self.desk.state
        roll = state.draw.roll if state.draw else None
        if roll is None and self.proving:
            roll = await self.proving.dice(state.number)
        if roll is not None:
            await self._in_round(cmd.DeclareRoll(by=self.actor, at=self._now(), roll=roll))

    async def _resume(self) -> None:
        await self._in_round(cmd.ResumeRound(by=self.actor, at=self._now()))

    async def _in_round(self, command: cmd.AnyCommand) -> None:
        await self._ask(InRound(by=command.by, at=command.at, command=command))

    async def _ask(self, command: Any) -> None:
        answer = await self.do(command, self._sender, f"{self._prefix}.{next(self._numbers)}")
        if isinstance(answer, Refusal) and not self._changed.is_set():
            # Somebody else was first, and that change is on its way; a refusal with no change is tried again.
            log.info("%s: %s was refused: %s", self.desk.kind.name, act_name(command), answer.code)
            await self._comes(self._now() + timedelta(seconds=_RETRY_SECONDS))

    def _now(self) -> datetime:
        return self.timer.now()


def _sooner(change: Due | None, opening: Due | None) -> Due | None:
    """The one that is due first; a change goes before the round that opens at the same moment."""
    if change is None or opening is None:
        return change or opening
    return change if change[0] <= opening[0] else opening
