"""Server processes: each runs the application from its start to its end, and can be killed at any step."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from argon2 import PasswordHasher
from litestar import Litestar

from taisai.adapters.bus import gateway as _gateway
from taisai.adapters.bus import owner as _owner_bus
from taisai.adapters.memory import MemorySnapshot, MemoryStore
from taisai.adapters.signing.trust import Trust
from taisai.bootstrap import Outside, open_parts
from taisai.errors import StoreUnavailable
from taisai.floor.ports import Undisputed
from taisai.roles import open_gateway, open_serving
from taisai.server.app import create_app
from taisai.server.cluster_settings import ALONE
from taisai.server.config import Config
from taisai.server.desk_app import create_desk_app
from taisai.server.parts import Parts
from tests.evenings.bus import Bus
from tests.evenings.faults import Faults
from tests.evenings.keys import QuickKeys, QuickSigner
from tests.evenings.log_files import LogSigner
from tests.evenings.loop import Process, VirtualLoop
from tests.evenings.store import Disk, EveningStore, Kill, Names

OPENED_AT = datetime(2026, 5, 4, 20, 0, tzinfo=UTC)
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
TICKET_SECRET, SEALING_SECRET = b"a ticket key for evenings only!!", b"a sealing key for evenings only!"
RECEIPTS_SECRET = b"a receipts key for evenings only"
APPS_MADE = 6
_LOOK_SECONDS = 0.2


class EveningClock:
    """What time a process believes it is: right but for its offset, and never going back."""

    def __init__(self, loop: VirtualLoop, process: Process) -> None:
        self._loop, self._process = loop, process
        self._at, self._moment = 0.0, OPENED_AT + timedelta(seconds=process.clock_off)

    def now(self) -> datetime:
        at = self._loop.time()
        if at != self._at:  # it is asked several times at one moment
            self._at, self._moment = at, OPENED_AT + timedelta(seconds=at + self._process.clock_off)
        return self._moment

    async def sleep_until(self, moment: datetime) -> None:
        while (left := (moment - self.now()).total_seconds()) > 0:
            await asyncio.sleep(left)


class _Application:
    """An application that opens whatever it is told to next; dear to make, so it is used again."""

    def __init__(self, create: Callable[..., Litestar]) -> None:
        self.open: Callable[[], Any] = lambda: None
        self.litestar = create(lambda: self.open())


_made: dict[Callable[..., Litestar], list[_Application]] = {create_app: [], create_desk_app: []}


class _Lease(Undisputed):
    """Runs out when another process takes the record: from then on this one tells nobody anything."""

    def __init__(self, process: Process) -> None:
        super().__init__()
        self._process = process

    def is_overdue(self) -> bool:
        return self._process.replaced


_WARM = (_gateway, _owner_bus)  # the roles import them when they begin


def make_applications() -> None:
    """Before anything is forked: what every evening needs and none changes."""
    for create, made in _made.items():
        while len(made) < APPS_MADE:
            made.append(_Application(create))


async def _until_free(disk: Disk, faults: Faults) -> None:
    """Stand by while another process has the record; the lease of one that died runs out a little later."""
    while (holder := disk.holder) is not None:
        await asyncio.sleep(_LOOK_SECONDS if holder.alive else faults.draw("lease", 0.1, 2))
        if disk.holder is holder and not holder.alive:
            return


@asynccontextmanager
async def _outside(
    config: Config, clock: Any, *, disk: Disk, process: Process, faults: Faults, kill: Kill,
    writes: bool, waits: bool,
) -> AsyncIterator[Outside]:  # fmt: skip
    if writes:
        if waits:
            await _until_free(disk, faults)
        if disk.holder is not None and disk.holder.alive and disk.holder is not process:
            raise StoreUnavailable("the record is already being written, by another process")
        disk.holder = process
    inner = MemoryStore(disk, writer=ALONE.slot, signer=QuickSigner(), clock=clock)
    store = EveningStore(inner, disk, process, faults, kill)

    @asynccontextmanager
    async def read_record() -> AsyncIterator[MemorySnapshot]:
        async with store.snapshot() as snapshot:
            yield snapshot

    async def apart(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        return await work()

    try:
        yield Outside(
            store, Names(disk), Trust(QuickKeys()), TICKET_SECRET, SEALING_SECRET,
            read_record, apart, receipts_secret=RECEIPTS_SECRET,
            log_signer=LogSigner() if disk.log else None, log_files=disk.log,
            lease=_Lease(process) if config.writing.nats else None,  # type: ignore[arg-type] # a lease
        )  # fmt: skip
    finally:
        await store.close()


def _single(error: BaseException) -> Iterator[BaseException]:
    """The errors of a group, one by one."""
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _single(each)
    else:
        yield error


class Server:
    """One process of the house, from its start to its end: all of it, or its desks, or a gateway."""

    def __init__(
        self, loop: VirtualLoop, config: Config, disk: Disk, process: Process, faults: Faults, kill: Kill,
        *, bus: Bus | None = None, gateway: int = 0, waits: bool = False,
    ) -> None:  # fmt: skip
        self._loop, self.process, self._kill = loop, process, kill
        self.began_calm = faults.calm
        clock = EveningClock(loop, process)
        outside = partial(
            _outside, disk=disk, process=process, faults=faults, kill=kill, writes=not gateway, waits=waits
        )
        how: dict[str, Any] = {"hasher": CHEAP, "open_outside": outside}
        if bus is None:
            opened = partial(open_parts, config, clock, **how)
        elif gateway:
            opened = partial(open_gateway, config, gateway, clock, **how, open_bus=bus.link_of(process))
        else:
            opened = partial(open_serving, config, clock, **how, open_bus=bus.link_of(process))
        create = create_desk_app if bus is not None and not gateway else create_app
        self._spare = _made[create]
        self._application = self._spare.pop() if self._spare else _Application(create)
        self._application.open = opened
        self.app: Any = self._application.litestar
        self.ready = False
        self.failed = ""
        self.lines: dict[Any, None] = {}
        self.exchanges: dict[Any, None] = {}
        self._up, self._down = loop.create_future(), loop.create_future()
        self._told_to_stop = asyncio.Event()
        self._first = True

    @property
    def parts(self) -> Parts:
        parts: Parts = self.app.state.parts
        return parts

    async def start(self) -> bool:
        """Wait until it serves; False when the start failed."""
        self._loop.start_in(self.process, self._live(), self.process.name)
        self.ready = await self._up
        if self.ready:
            self._loop.start_in(self.process, self._end_when_fenced(), "fenced")
        return self.ready

    async def _end_when_fenced(self) -> None:
        """A process whose record another has taken ends by itself, for its supervisor to start it again."""
        await self.parts.house.ownership.lost.wait()
        self._kill(self.process, "by itself: another has taken its record")

    async def _live(self) -> None:
        try:
            scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
            await self.app(scope, self._said, self._hear)
        except Exception as error:
            self.failed = "; ".join(f"{type(each).__name__}: {each}" for each in _single(error))
            self._is_up(False)
        if not self._down.done():
            self._down.set_result(None)

    async def _said(self) -> dict[str, Any]:
        if self._first:
            self._first = False
            return {"type": "lifespan.startup"}
        await self._told_to_stop.wait()
        return {"type": "lifespan.shutdown"}

    async def _hear(self, message: Any) -> None:
        if message["type"] == "lifespan.startup.complete":
            self._is_up(True)
        elif message["type"] == "lifespan.startup.failed":
            self.failed = message.get("message", "")
            self._is_up(False)

    def _is_up(self, up: bool) -> None:
        if not self._up.done():
            self._up.set_result(up)

    async def stop(self) -> None:
        """End in order, as when told to by the one who runs the house."""
        self.ready = False
        await self._loop.start_in(self.process, self.app.state.hub.stop(), "farewell")
        for line in list(self.lines):
            line.cut()
        self._told_to_stop.set()
        await self._down
        self.process.alive = False
        self._spare.append(self._application)

    def kill(self) -> None:
        """No step of this process runs after this one."""
        if self.process.alive:
            self._spare.append(self._application)
        self.process.alive = self.ready = False
        for exchange in list(self.exchanges):
            self._loop.after(0.001, exchange.lose, "the process died")
        for line in list(self.lines):
            self._loop.after(0.001, line.cut)
        self._is_up(False)
