"""A process that may no longer be the record's writer shows nobody a table that may be stale."""

import asyncio
import logging
from typing import Final

from taisai.server import wire
from taisai.server.live.hub import Hub

log = logging.getLogger("taisai.lease")

LOOK_SECONDS: Final = 0.25


async def hush_when_overdue(hub: Hub) -> None:
    """Let everyone go who follows a table, each time that the lease runs out; they come back by themselves.

    Whoever comes meanwhile is refused at the door (`House.awake`), until the lease is renewed.
    """
    silent = False
    while True:
        overdue = hub.house.ownership.is_overdue()
        if overdue and not silent:
            log.error("the lease on the record has run out: nobody is told anything until it is renewed")
        if overdue:
            hush(hub)
        elif silent:
            log.warning("the lease on the record is renewed")
        silent = overdue
        await asyncio.sleep(LOOK_SECONDS)


def hush(hub: Hub) -> None:
    """End every connection that follows a table."""
    for feed in hub.feeds.values():
        for display in tuple(feed.displays):
            display.leave()
        for client in tuple(feed.clients):
            client.say(wire.Bye(reason="restarting"))
            client.drop_after()
