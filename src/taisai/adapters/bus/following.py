"""Commits over the bus (`Following`): an owner tells each of them, and a gateway keeps its copies up.

What is lost on the way is found by where the owner says that its streams stand, and read from the record.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Container, Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from itertools import count
from typing import Any, Final, Protocol
from uuid import uuid4

from nats.aio.msg import Msg

from taisai import __version__
from taisai.adapters.bus import messages as msg
from taisai.adapters.bus.link import PAYLOAD_MAX, BusLink
from taisai.adapters.bus.listening import listen
from taisai.errors import InputError, StoreUnavailable
from taisai.floor.desks.copy import Carried, DeskCopy, carried_by
from taisai.record.journal import Batch

log = logging.getLogger("taisai.bus")

SAY_SECONDS: Final = 0.5
TELL_MAX: Final = 5_000  # commits that wait to be told; beyond that whoever follows reads the record
# So long after its last word an owner counts as away.
QUIET_SECONDS: Final = 3.0
CATCH_UP_SECONDS: Final = 0.5
_TRIES_TO_CATCH_UP: Final = 10  # as long as a terminal waits: a busy machine is slow, and no more than that
CLOCK_SECONDS: Final = 1.0
_CLOCKS_KEPT: Final = 8
_LOOKS_TO_MEET: Final = 10

# Where a stream stands now; nothing, where its desk has stopped and nobody is to count on it.
Standing = Callable[[], int | None]
Now = Callable[[], datetime]


class BusTelling:
    """An owner's side: begin with `start`, let the store `carry` each batch that is durable.

    What it commits is told of whichever stream; where streams stand it says of those that are its own now.
    """

    def __init__(
        self,
        link: BusLink,
        owner: str,
        streams: Mapping[str, Standing],
        now: Now,
        carried: Container[str],
    ) -> None:
        self._link, self._owner, self._streams, self._now = link, owner, streams, now
        self._carried = carried
        self._to_tell: deque[Carried] = deque()
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Tell what is carried, and say again and again, and whenever asked, where the streams stand."""
        wanted = "a question where streams stand"
        await listen(self._link, msg.subject("where"), msg.Where, self._asked, wanted=wanted)
        self._tasks = [asyncio.create_task(self._tell()), asyncio.create_task(self._say())]

    async def stop(self) -> None:
        """Tell what waits, then nothing more."""
        while self._to_tell and self._link.is_up:
            await self._tell_next()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def carry(self, batch: Batch) -> None:
        """A batch is durable; what it brought to streams of ours goes out, in the order of the commits."""
        for carried in carried_by(batch, self._carried):
            if len(self._to_tell) >= TELL_MAX:
                self._link.counted("full")
                self._to_tell.clear()
                log.warning("commits wait to be told: those who follow read them from the record")
            self._to_tell.append(carried)
            self._wake.set()

    async def _tell(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._to_tell:
                await self._tell_next()

    async def _tell_next(self) -> None:
        carried = self._to_tell.popleft()
        payload, at = msg.pack(carried), msg.subject("pub", carried.stream)
        if len(payload) > PAYLOAD_MAX or not await self._link.say(at, payload):
            self._link.counted("not told")  # where the stream stands is said soon

    def _stands(self, asked: int = 0) -> bytes:
        stand = {name: version() for name, version in self._streams.items()}
        versions = {name: version for name, version in stand.items() if version is not None}
        at_ms = round(self._now().timestamp() * 1000)
        spoken = (__version__, msg.OLDEST, msg.NEWEST)
        return msg.pack(msg.Stands(self._owner, versions, at_ms, asked, *spoken))

    async def _say(self) -> None:
        while True:
            await self._link.say(msg.subject("who"), self._stands())
            await asyncio.sleep(SAY_SECONDS)

    async def _asked(self, message: msg.Where, asked: Msg) -> None:
        await self._link.say(asked.reply, self._stands(message.asked))


class Follows(Protocol):
    """Whoever has copies of desks."""

    @property
    def streams(self) -> Collection[str]: ...

    async def start(self) -> None: ...

    def now(self) -> datetime: ...

    def hear(self, carried: Carried) -> None: ...

    def stands_at(self, stream: str, version: int) -> None: ...

    def behind(self, versions: Mapping[str, int]) -> list[tuple[DeskCopy[Any], int]]: ...


class BusFollowing:
    """A gateway's side: brings each commit to the copies."""

    def __init__(self, link: BusLink, house: Follows) -> None:
        self._link, self._house = link, house
        self.heard_at: dict[str, float] = {}  # when each owner was last heard of, by the loop's clock
        self._owned_at: dict[str, float] = {}  # and somebody who owns a stream
        self._clocks: dict[str, deque[float]] = {}
        self._strangers: dict[str, str] = {}  # owners of a release that this one cannot work with
        self._inbox = f"ts.stood.{uuid4().hex}"
        self._numbers = count(1)
        self._catching: asyncio.Task[bool] | None = None
        self._next: asyncio.Task[bool] | None = None
        self._stood: dict[int, tuple[set[str], asyncio.Future[None]]] = {}
        self._standing: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen first, then read the record: nothing falls between the two."""
        wanted = "a commit, or where streams stand"
        for subject in ("ts.pub.*", msg.subject("who"), self._inbox):
            await listen(self._link, subject, Carried | msg.Stands, self._heard, wanted=wanted)
        await self._link.flush()
        await self._house.start()

    def is_quiet(self, stream: str) -> bool:
        """Whether nobody who owns a stream was heard of lately: what is known of it may be stale."""
        return asyncio.get_running_loop().time() - self._owned_at.get(stream, 0.0) > QUIET_SECONDS

    def quiet(self) -> list[str]:
        """The streams that nobody seems to own."""
        return [stream for stream in self._house.streams if self.is_quiet(stream)]

    async def meet(self, owners: AbstractSet[str]) -> None:
        """Hear of these for a moment before anything is begun beside them: `InputError` if it must not be."""
        for _ in range(_LOOKS_TO_MEET):
            if not owners - self.heard_at.keys():
                break
            await asyncio.sleep(SAY_SECONDS / 5)
        for why in self.strangers():
            raise InputError(why)

    def strangers(self) -> list[str]:
        """Owners that are heard of, and whose release does not understand this one."""
        late = asyncio.get_running_loop().time() - QUIET_SECONDS
        return [why for owner, why in self._strangers.items() if self.heard_at[owner] > late]

    def clocks_apart(self) -> float:
        """By how many seconds our clock is ahead of an owner's that is furthest from it, at the least.

        A message that was late makes ours seem ahead: of the last ones the best counts.
        """
        apart = (min(each) for each in self._clocks.values() if len(each) == _CLOCKS_KEPT)
        return max(apart, key=abs, default=0.0)

    async def reached(self, versions: Mapping[str, int]) -> bool:
        """Wait until the copies are where an owner said that its streams stand, for a while; are they?"""
        waiting = self._house.behind(versions)
        if not waiting:
            return True
        try:
            async with asyncio.timeout(QUIET_SECONDS):
                await asyncio.gather(*(copy.reach(version) for copy, version in waiting))
        except TimeoutError:
            self._link.counted("behind")
            log.warning("the copies here are behind the record")
            return False
        return True

    async def catch_up(self) -> None:
        """Know all that was durable before this was called; those who ask together are answered together.

        An owner that is not heard of is not waited for: what is known of its desks is stale, and said to be.
        One that is must be caught up with, or whoever comes from another gateway would see less here.
        """
        if self._catching is None or self._catching.done():
            asked = self._catching = asyncio.create_task(self._caught_up())
        elif self._next is None or self._next.done():  # what runs already may have been answered before
            asked = self._next = asyncio.create_task(self._after(self._catching))
        else:
            asked = self._next
        if not await asyncio.shield(asked):
            raise StoreUnavailable("the copies of the desks here are behind the record")

    async def _after(self, catching: "asyncio.Task[bool]") -> bool:
        await asyncio.wait([catching])
        self._next = None
        if self._catching is catching:
            self._catching = asyncio.current_task()
        return await self._caught_up()

    async def _caught_up(self) -> bool:
        missing = {stream for stream in self._house.streams if not self.is_quiet(stream)}
        number, answered = next(self._numbers), asyncio.get_running_loop().create_future()
        self._stood[number] = (missing, answered)
        try:
            for _ in range(_TRIES_TO_CATCH_UP):
                if all(map(self.is_quiet, missing)):  # of those that are left; mostly none are
                    return True
                await self._link.say(msg.subject("where"), msg.pack(msg.Where(number)), reply=self._inbox)
                await asyncio.wait([answered], timeout=CATCH_UP_SECONDS)
                if answered.done():
                    return True
                self._link.counted("behind")
            return all(map(self.is_quiet, missing))
        finally:
            del self._stood[number]

    def _heard(self, message: Carried | msg.Stands, _: Msg) -> None:
        if isinstance(message, Carried):
            self._house.hear(message)
        else:
            self._stands(message)

    def _stands(self, stands: msg.Stands) -> None:
        now = asyncio.get_running_loop().time()
        self.heard_at[stands.owner] = now
        self._greet(stands)
        for stream, version in stands.versions.items():
            self._owned_at[stream] = now
            if not stands.asked:
                self._house.stands_at(stream, version)
        if stands.at_ms:
            ahead = self._house.now().timestamp() - stands.at_ms / 1000
            self._clocks.setdefault(stands.owner, deque(maxlen=_CLOCKS_KEPT)).append(ahead)
        if stands.asked in self._stood:
            missing, answered = self._stood[stands.asked]
            task = asyncio.create_task(self._stood_at(stands, missing, answered))
            self._standing.add(task)
            task.add_done_callback(self._standing.discard)

    def _greet(self, stands: msg.Stands) -> None:
        """Releases that have no version in common are not to be mixed, and whoever sees it says so."""
        if stands.oldest <= msg.NEWEST and stands.newest >= msg.OLDEST:
            self._strangers.pop(stands.owner, None)
        elif stands.owner not in self._strangers:
            theirs, ours = msg.spoken(stands.oldest, stands.newest), msg.spoken(msg.OLDEST, msg.NEWEST)
            self._link.counted("release")
            self._strangers[stands.owner] = why = (
                f"{stands.owner} is of release {stands.release}, which speaks version {theirs} on the bus; "
                f"this one, {__version__}, speaks {ours}: upgrade by a release between them"
            )
            log.error("%s", why)

    async def _stood_at(self, stands: msg.Stands, missing: set[str], answered: asyncio.Future[None]) -> None:
        if not await self.reached(stands.versions):
            return
        missing.difference_update(stands.versions)
        if not missing and not answered.done():
            answered.set_result(None)
