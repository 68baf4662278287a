"""The release after this one, as far as the bus and the record can tell: this code with a wire of its own.

Whatever it says has a field more than this release knows, in messages, acts, answers and events; it knows a
version more; and again and again it says things of kinds that nobody knows, and asks for them.
"""

import asyncio
import json
import logging
from typing import Any, Final

import msgspec

import taisai
from taisai.adapters.bus import following as nats_following
from taisai.adapters.bus import messages as nats_messages
from taisai.adapters.bus.link import NoAnswer
from taisai.floor.desks import kind

log = logging.getLogger("taisai.next")

RELEASE: Final = "0.3.0"
NEW_FIELD: Final = "of the next release"
_SECONDS: Final = 0.5
_encode, _decode = msgspec.msgpack.encode, msgspec.msgpack.decode


def _more(packed: bytes) -> bytes:
    """With a field that this release does not know: at the end of a message, or by its name."""
    plain = _decode(packed)
    if isinstance(plain, list):
        plain.append(NEW_FIELD)
    elif isinstance(plain, dict):
        plain["novelty"] = NEW_FIELD
        for part in plain.values():
            if isinstance(part, dict) and "type" in part:
                part["novelty"] = NEW_FIELD
    return _encode(plain)


def _with_new_fields() -> None:
    pack, pack_asked, pack_answer = (
        nats_messages.pack,
        nats_messages.pack_asked,
        nats_messages.pack_answer,
    )
    write = kind._encode

    def packed(message: Any) -> bytes:
        envelope = _decode(pack(message), type=nats_messages.Envelope)
        body = msgspec.Raw(_more(bytes(envelope.body)))
        return _encode(nats_messages.Envelope(envelope.kind, envelope.v, body))

    def written(event: Any) -> bytes:
        plain = json.loads(write(event))
        return json.dumps({**plain, "novelty": NEW_FIELD}, separators=(",", ":")).encode()

    nats_messages.pack = packed
    nats_messages.pack_asked = lambda asked: msgspec.Raw(_more(bytes(pack_asked(asked))))
    nats_messages.pack_answer = lambda answer: msgspec.Raw(_more(bytes(pack_answer(answer))))
    kind._encode = written


def _strange() -> tuple[bytes, bytes]:
    """A message of an unknown kind, and one of a version that is not spoken yet."""
    body = msgspec.Raw(_encode([]))
    return (
        _encode(nats_messages.Envelope("Wish", nats_messages.NEWEST, body)),
        _encode(nats_messages.Envelope("AskMany", nats_messages.NEWEST, body)),
    )


def _with_new_kinds() -> None:
    """Everyone hears them; whoever can answer has to say that they are not known."""
    start = nats_following.BusFollowing.start
    subject = nats_messages.subject
    heard = [subject("who"), subject("where"), subject("acted"), subject("pub", "table:C1")]
    asked = [subject("ask", "table:C1"), subject("enquire", "office")]

    async def probe(link: Any) -> None:
        while True:
            for message in _strange():
                for at in heard:
                    await link.say(at, message)
                for at in asked:
                    try:
                        reply = nats_messages.unpack(await link.ask(at, message, 2.0))
                    except NoAnswer:
                        continue  # nobody is there just now
                    if isinstance(reply, nats_messages.NotTaken):
                        log.error("refused by name: %s", reply.why)
                    else:
                        log.critical("taken though it is unknown: %s", reply)
            await asyncio.sleep(_SECONDS)

    async def started(self: Any) -> None:
        await start(self)
        self.probing = asyncio.create_task(probe(self._link))

    nats_following.BusFollowing.start = started


def become() -> None:
    """From here on this process is of the next release."""
    taisai.__version__ = nats_following.__version__ = RELEASE
    nats_messages.NEWEST += 1
    _with_new_fields()
    _with_new_kinds()
