"""Hearing one sort of message on the bus; what is not understood is counted and said, and stops nothing."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from taisai.adapters.bus import messages as msg
from taisai.adapters.bus.link import BusLink
from taisai.errors import WireError

log = logging.getLogger("taisai.bus")

# In a rolling upgrade a newer process may say the same thing twice a second: the log has it once.
_SAID_MAX: Final = 100

Call = Callable[[Any, Msg], Awaitable[None] | None]


async def listen(link: BusLink, subject: str, kind: Any, call: Call, *, wanted: str) -> Subscription:
    """Be called for each message of a kind, one after the other; `wanted` says what is expected here."""
    said: set[str] = set()

    async def heard(raw: Msg) -> None:
        try:
            message = msg.unpack(raw.data)
            if not isinstance(message, kind):
                raise msg.unexpected(message, wanted)
        except WireError as error:
            link.counted("not understood")
            if (why := str(error)) not in said and len(said) < _SAID_MAX:
                said.add(why)
                log.error("the bus said what this process does not understand: %s", why)
            return
        done = call(message, raw)
        if done is not None:
            await done

    return await link.hear(subject, heard)
