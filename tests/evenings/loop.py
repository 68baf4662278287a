"""An asyncio loop on a virtual clock: one thread, no sockets, and processes that can be killed.

Time jumps to the next thing that is due, so an evening takes as long as its work. Whatever runs belongs to a
process or to nobody (people, the network); what belongs to a process that was killed never runs again, as if
the power had gone between two steps of it.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any

# More steps than this without the clock moving is a loop that goes round for ever.
STEPS_AT_ONCE_MAX = 200_000


class Stuck(Exception):
    """Nothing will ever happen again, or the same things happen without end."""


class Process:
    """Something that runs and can be killed; `clock_off` is how far its clock is from the right time."""

    def __init__(self, name: str, clock_off: float = 0.0) -> None:
        self.name, self.clock_off = name, clock_off
        self.alive = True
        self.replaced = False  # another process has taken its record
        self.hung_until = 0.0  # stopped by its machine, and going on as if nothing had been


BELONGS_TO: ContextVar[Process | None] = ContextVar("BELONGS_TO", default=None)


class _Step(asyncio.Handle):
    """Something to be run, with nothing around it that a simulated loop has no use for."""

    __slots__ = ()

    def __init__(self, callback: Callable[..., Any], args: tuple[Any, ...], context: Context | None) -> None:
        self._callback, self._args, self._cancelled = callback, args, False
        self._context = context if context is not None else copy_context()

    def cancel(self) -> None:
        self._cancelled = True
        self._callback, self._args = None, None  # it may hold on to much

    def __repr__(self) -> str:
        return f"<a step of {self._callback!r}>"


class _Timed(_Step):
    """Something to be run at its time."""

    __slots__ = ("_when",)

    def __init__(
        self, when: float, callback: Callable[..., Any], args: tuple[Any, ...], context: Context | None
    ) -> None:
        self._when, self._callback, self._args, self._cancelled = when, callback, args, False
        self._context = context if context is not None else copy_context()

    def when(self) -> float:
        return self._when


class VirtualLoop(asyncio.BaseEventLoop):
    """Runs what is ready in the order in which it became so; or, with `order`, in one drawn from it."""

    def __init__(self, order: Random | None = None) -> None:
        super().__init__()
        self._time, self._order, self._at_once = 0.0, order, 0
        self._later: list[tuple[float, int, _Step]] = []  # compared by tuples, in C
        self._turns = count()
        self._kept: list[Any] = []  # a task that is let go is closed, and a dead one must not be
        self.get_debug = bool  # False, and every future asks

    def time(self) -> float:
        return self._time

    def create_task(
        self, coro: Any, *, name: str | None = None, context: Context | None = None
    ) -> "asyncio.Task[Any]":
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        self._kept.append(task)
        return task

    def start_in(
        self, process: Process | None, coroutine: Coroutine[Any, Any, Any], name: str
    ) -> "asyncio.Task[Any]":
        """Start a task that belongs to a process, or to nobody."""
        context = Context()
        context.run(BELONGS_TO.set, process)
        return self.create_task(coroutine, name=name, context=context)

    def after(self, seconds: float, call: Callable[..., Any], *args: Any) -> asyncio.TimerHandle:
        """Later, as nobody's doing: what is under way arrives though its sender has died."""
        return self.call_at(self._time + seconds, call, *args, context=Context())

    def call_soon(self, callback: Any, *args: Any, context: Context | None = None) -> Any:
        step = _Step(callback, args, context)
        self._ready.append(step)
        return step

    def call_at(self, when: float, callback: Any, *args: Any, context: Context | None = None) -> Any:
        step = _Timed(when, callback, args, context)
        heappush(self._later, (when, next(self._turns), step))
        return step

    def call_later(self, delay: float, callback: Any, *args: Any, context: Context | None = None) -> Any:
        return self.call_at(self._time + delay, callback, *args, context=context)

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> "asyncio.Future[Any]":
        """There are no threads: what would run beside the loop runs as a step of it."""
        done = self.create_future()

        def run() -> None:
            if done.cancelled():
                return
            try:
                result = func(*args)
            except Exception as error:
                done.set_exception(error)
            else:
                done.set_result(result)

        self.call_soon(run)
        return done

    def _run_once(self) -> None:
        ready, later = self._ready, self._later
        if not ready:
            self._wait_for_next(later)
        while later and later[0][0] <= self._time:
            handle = heappop(later)[2]
            if not handle._cancelled:
                ready.append(handle)
        for _ in range(len(ready)):
            if self._order is not None:
                ready.rotate(self._order.randrange(len(ready)))
            step = ready.popleft()
            owner = step._context.get(BELONGS_TO)
            if step._cancelled or (owner is not None and not owner.alive):
                continue
            if owner is not None and owner.hung_until > self._time:
                heappush(later, (owner.hung_until, next(self._turns), step))
                continue
            self._at_once += 1
            try:
                step._context.run(step._callback, *step._args)
            except (Exception, asyncio.CancelledError) as error:
                said = f"Exception in callback {step._callback!r}"
                self.call_exception_handler({"message": said, "exception": error, "handle": step})
        if self._at_once > STEPS_AT_ONCE_MAX:
            raise Stuck(f"{self._at_once} steps at {self._time:.3f} s, and the clock does not move")

    def _wait_for_next(self, later: list[tuple[float, int, _Step]]) -> None:
        while later and later[0][2]._cancelled:
            heappop(later)
        if not later:
            raise Stuck(f"nothing is left to happen at {self._time:.3f} s")
        if later[0][0] > self._time:
            self._time, self._at_once = later[0][0], 0

    def _process_events(self, event_list: Any) -> None:
        """No sockets, no events."""

    def _write_to_self(self) -> None:
        """Nobody else is there who would have to wake it."""
