"""Who of the staff acted lately, over the bus: nobody is idle who acts at another gateway."""

import asyncio
from datetime import UTC, datetime
from typing import Final

from nats.aio.msg import Msg

from taisai.adapters.bus import messages as msg
from taisai.adapters.bus.link import BusLink
from taisai.adapters.bus.listening import listen
from taisai.floor.staff.presence import StaffPresence

SAY_SECONDS: Final = 1.0


class BusStaffPresence:
    """Begin with `start`, end with `stop`. A message that is lost is made good by the next act."""

    def __init__(self, link: BusLink, presence: StaffPresence) -> None:
        self._link, self._presence = link, presence
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Hear who acted elsewhere, and say who acted here."""
        wanted = "who acted lately"
        await listen(self._link, msg.subject("acted"), msg.StaffActed, self._heard, wanted=wanted)
        self._task = asyncio.create_task(self._say())

    async def stop(self) -> None:
        """Say what is new, then nothing more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            await self._say_news()

    async def _say(self) -> None:
        while True:
            await asyncio.sleep(SAY_SECONDS)
            await self._say_news()

    async def _say_news(self) -> None:
        news = self._presence.news()
        if news:
            seen = {token: round(at.timestamp() * 1000) for token, at in news.items()}
            await self._link.say(msg.subject("acted"), msg.pack(msg.StaffActed(seen)))

    def _heard(self, message: msg.StaffActed, _: Msg) -> None:
        self._presence.heard(
            {token: datetime.fromtimestamp(at / 1000, UTC) for token, at in message.seen.items()}
        )
