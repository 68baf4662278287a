"""A public display's way of following a table: server-sent events from a bounded queue."""

import asyncio
from collections.abc import AsyncIterator

from taisai.server import wire
from taisai.server.live.feed import Feed
from taisai.server.live.outbox import text

_WAITING_MAX = 128
QUIET_SECONDS = 5.0

# The name of the event, its sequence number, its data. A sign of life has no number: nothing happened.
News = tuple[str, int | None, bytes]


class Display:
    """One display. When it falls behind its stream ends, and it comes back by itself for a snapshot."""

    def __init__(self, feed: Feed, seen: int | None) -> None:
        self._feed = feed
        self._news: asyncio.Queue[News | None] = asyncio.Queue(_WAITING_MAX)
        missed = None if seen is None else feed.missed_news(seen)
        if seen is None or missed is None or len(missed) >= _WAITING_MAX:
            seen, missed = feed.seq, [("snapshot", feed.seq, feed.snapshot())]
        for news in missed:
            self._news.put_nowait(news)
        feed.displays[self] = seen

    def tell(self, news: News) -> None:
        """Something happened at the table."""
        try:
            self._news.put_nowait(news)
        except asyncio.QueueFull:
            self.leave()

    def leave(self) -> None:
        """Follow no longer; whoever reads gets what waits and then the end."""
        if self in self._feed.displays:
            del self._feed.displays[self]
            if self._news.full():
                self._news.get_nowait()
            self._news.put_nowait(None)

    async def follow(self) -> AsyncIterator[News]:
        """News as they come, with a sign of life when there are none."""
        while True:
            try:
                news = await asyncio.wait_for(self._news.get(), QUIET_SECONDS)
            except TimeoutError:
                yield ("ping", None, text(wire.StillHere(server_time=self._feed.now())))
                continue
            if news is None:
                return
            yield news
