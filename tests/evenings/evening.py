"""One evening from its plan to its verdict."""

import asyncio
import logging
import time
from functools import partial

import msgspec
import segno

from taisai.floor.cluster import memory
from taisai.floor.desks import checkpoints
from tests.evenings.lines import Lost
from tests.evenings.loop import BELONGS_TO, Stuck
from tests.evenings.plan import Plan
from tests.evenings.streams import draw_from
from tests.evenings.world import CALM_SECONDS, Violation, World


class Verdict(msgspec.Struct):
    """What an evening came to."""

    seed: int
    violations: list[str] = []
    story: list[str] = []
    figures: dict[str, int] = {}
    marks: list[list[str]] = []
    digest: str = ""
    milliseconds: float = 0.0
    done: dict[str, list[int]] = {}  # the numbers of the acts that each person came to
    struck_at: dict[str, list[float]] = {}  # the moments of each kind of fault


class _Ears(logging.Handler):
    """Whatever is logged as an error is a violation."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.WARNING)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        owner = BELONGS_TO.get()
        expected = (owner and owner.replaced) or self._is_outage(record.getMessage())
        if record.levelno >= logging.ERROR and not expected:
            cause = record.exc_info[1] if record.exc_info else None
            self._world.violate(f"logged as an error: {record.getMessage()} ({cause!r})")
        else:
            self._world.tell(f"warning: {record.getMessage()}")

    def _is_outage(self, said: str) -> bool:
        """A gateway says as an error that it is cut off from the desks; so it may be, after a fault."""
        faults, now = self._world.faults, self._world.loop.time()
        lately = bool(faults.struck) and now - faults.last_at < CALM_SECONDS
        return "may be stale here" in said and self._world.gateways is not None and lately


_played: list[World] = []  # none is let go: tasks of the dead must not be closed, and would say so


def play(plan: Plan) -> Verdict:
    """Play one evening from its plan; whatever goes wrong in it is in the verdict."""
    began = time.perf_counter()
    world = World(plan)
    _played.append(world)
    back = draw_from(world.streams["entropy"])
    ears, root = _Ears(world), logging.getLogger()
    root.addHandler(ears)
    world.loop.set_exception_handler(
        lambda loop, context: world.violate(
            f"nobody retrieved: {context.get('message')} {context.get('exception')!r}"
        )
    )
    asyncio.set_event_loop(world.loop)
    undo = world.marks.follow_decisions()
    make, segno.make = segno.make, partial(segno.make, mask=0)  # which is best takes longest, and any will do
    apart = (checkpoints.EVENTS_APART, memory.ROUNDS_KEPT)
    if plan.checkpoints < apart[0]:
        checkpoints.EVENTS_APART, memory.ROUNDS_KEPT = plan.checkpoints, 1
    try:
        world.loop.run_until_complete(world.play())
    except (Violation, Stuck, Lost) as error:
        world.violate(f"{type(error).__name__}: {error}")
    finally:
        undo()
        segno.make = make
        back()
        checkpoints.EVENTS_APART, memory.ROUNDS_KEPT = apart
        root.removeHandler(ears)
        asyncio.set_event_loop(None)
    figures = {**world.figures, "acts": world.acts, "rounds": world.rounds.done}
    figures.update({f"struck {kind}": times for kind, times in world.faults.struck.items()})
    figures["acknowledged"], figures["refused"] = world.notes.acknowledged, world.notes.refused
    return Verdict(
        seed=plan.seed,
        violations=world.violations,
        story=world.story,
        figures=figures,
        marks=world.marks.rows(),
        digest=world.fingerprint,
        milliseconds=(time.perf_counter() - began) * 1000,
        done=world.done,
        struck_at=world.faults.struck_at,
    )
