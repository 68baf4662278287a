"""The application of a process that runs desks and serves nobody: its address says how they are."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any

from litestar import Litestar, MediaType, Response, get
from litestar.datastructures import State

from taisai.errors import TaisaiError
from taisai.floor.ports import Floor
from taisai.server.access.logins import Doors
from taisai.server.app import sweep
from taisai.server.http.ops import Liveness, ReadyReport
from taisai.server.live.hub import house_faults, house_warnings
from taisai.server.ops.metrics import METRICS
from taisai.server.ops.play_figures import count_play
from taisai.server.parts import Parts

log = logging.getLogger("taisai.desk")

OpenParts = Callable[[], AbstractAsyncContextManager[Parts]]
OnReady = Callable[[Parts], Awaitable[None]]


class DeskProcess:
    """The house as whoever watches over the process has it."""

    def __init__(self, parts: Parts) -> None:
        self.house: Floor = parts.house
        self._parts = parts
        self._tasks: dict[asyncio.Task[Any], None] = {}
        self._draining = False
        count_play(self.house)

    def spawn(self, work: Any) -> None:
        """Run something that nobody waits for, and keep hold of it."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = None
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and (error := task.exception()):
            log.error("the background task %s failed: %s", task.get_name(), error, exc_info=error)

    async def stop(self) -> None:
        """Begin nothing more."""
        self._draining = True
        for task in tuple(self._tasks):
            task.cancel()

    async def faults(self) -> list[str]:
        """What keeps the desks from taking wagers."""
        return await house_faults(self.house, ends=self._draining)

    def warnings(self) -> list[str]:
        """What somebody should look at, though wagers are taken."""
        return [*house_warnings(self.house), *self._parts.warnings()]


@get("/livez")
async def livez() -> Liveness:
    """The process answers."""
    return Liveness()


@get("/readyz")
async def readyz(state: State) -> Response[ReadyReport]:
    """Every desk writes and the store answers."""
    process: DeskProcess = state.hub
    faults = await process.faults()
    report = ReadyReport(ready=not faults, faults=faults, warnings=process.warnings())
    return Response(report, status_code=503 if faults else 200)


@get("/metrics", media_type=MediaType.TEXT)
async def metrics() -> Response[bytes]:
    """Figures for Prometheus."""
    return Response(METRICS.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def create_desk_app(open_parts: OpenParts, *, first: Sequence[OnReady] = ()) -> Litestar:
    """The application of a desk process; its house is opened when it starts and closed when it ends."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            try:
                parts = await stack.enter_async_context(open_parts())
                process = app.state.hub = DeskProcess(parts)
                app.state.parts = parts
                stack.push_async_callback(process.stop)
                await parts.house.resume()
                for ready in first:
                    await ready(parts)
                parts.house.begin_dealing()
                process.spawn(sweep(Doors(parts.house, parts.passwords, parts.sealer), parts.house))
            except (TaisaiError, OSError) as fault:
                app.state.start_fault = fault  # for whoever started the process to say
                raise
            yield

    return Litestar(
        route_handlers=[livez, readyz, metrics],
        lifespan=[lifespan],
        openapi_config=None,
        logging_config=None,
        debug=False,
    )
