"""Commits over the bus (`Following`): an owner tells each of them, and a gateway keeps its copies up.

What is lost on the way is found by where the owner says that its streams stand, and read from the record.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

from nats.aio.msg import Msg

from taisai.adapters import nats_messages as msg
from taisai.adapters.nats_link import PAYLOAD_MAX, BusLink
from taisai.errors import WireError
from taisai.floor.desks.copy import Carried, carried_by
from taisai.floor.followed import FollowedHouse
from taisai.record.journal import Batch

log = logging.getLogger("taisai.bus")

SAY_SECONDS: Final = 0.5
TELL_MAX: Final = 5_000  # commits that wait to be told; beyond that whoever follows reads the record

# Where a stream stands now.
Standing = Callable[[], int]


class BusTelling:
    """An owner's side: begin with `start`, let the store `carry` each batch that is durable."""

    def __init__(self, link: BusLink, owner: str, streams: Mapping[str, Standing]) -> None:
        self._link, self._owner, self._streams = link, owner, streams
        self._to_tell: deque[Carried] = deque()
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Tell what is carried, and say again and again where the streams stand."""
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
        for carried in carried_by(batch, self._streams):
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

    async def _say(self) -> None:
        while True:
            stands = msg.Stands(self._owner, {name: version() for name, version in self._streams.items()})
            await self._link.say(msg.subject("who"), msg.pack(stands))
            await asyncio.sleep(SAY_SECONDS)


class BusFollowing:
    """A gateway's side: brings each commit to the copies."""

    def __init__(self, link: BusLink, house: FollowedHouse) -> None:
        self._link, self._house = link, house
        self.heard_at: dict[str, float] = {}  # when each owner was last heard of, by the loop's clock

    async def start(self) -> None:
        """Listen first, then read the record: nothing falls between the two."""
        await self._link.hear("ts.pub.*", self._heard)
        await self._link.hear(msg.subject("who"), self._heard)
        await self._link.flush()
        await self._house.start()

    async def _heard(self, heard: Msg) -> None:
        try:
            message = msg.unpack(heard.data)
            if not isinstance(message, Carried | msg.Stands):
                raise msg.unexpected(message, "a commit, or where streams stand")
        except WireError as error:
            self._link.counted("not understood")
            log.error("the bus said what this process does not understand: %s", error)
            return
        if isinstance(message, Carried):
            self._house.hear(message)
            return
        self.heard_at[message.owner] = asyncio.get_running_loop().time()
        for stream, version in message.versions.items():
            self._house.stands_at(stream, version)
