"""A process that may no longer be the record's writer shows nobody a table that may be stale."""

import asyncio
import logging
from typing import Final

from taisai.server import wire
from taisai.server.live.feed import Feed
from taisai.server.live.hub import Hub

log = logging.getLogger("taisai.lease")

LOOK_SECONDS: Final = 0.25


async def hush_when_stale(hub: Hub) -> None:
    """Let everyone go who follows a table that may have moved on elsewhere; they come back by themselves.

    Whoever comes meanwhile is refused at the door (`Floor.awake`), until the table is known again.
    """
    silent: set[str] = set()
    while True:
        stale = {table for table in hub.feeds if hub.house.is_stale(table)}
        for table in sorted(stale - silent):
            log.error("%s may be stale here: nobody is told anything of it", table)
        for table in sorted(silent - stale):
            log.warning("%s is known again", table)
        for table in sorted(stale):
            hush(hub.feeds[table])
        silent = stale
        await asyncio.sleep(LOOK_SECONDS)


def hush(feed: Feed) -> None:
    """End every connection that follows a table."""
    for display in tuple(feed.displays):
        display.leave()
    for client in tuple(feed.clients):
        client.say(wire.Bye(reason="restarting"))
        client.drop_after()
