"""The WebSocket of a Game Console: acts of the dealer and the pit, and what they need to see."""

import asyncio
import logging
from typing import Any, Final

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from taisai.errors import InputError, StoreError
from taisai.floor.door.answers import Waiting
from taisai.floor.door.forms import do_at_table
from taisai.floor.door.seating import seat_first
from taisai.game.refusals import Refusal
from taisai.server import wire
from taisai.server.access.logins import Doors, Person
from taisai.server.live.feed import Feed
from taisai.server.live.hub import Hub
from taisai.server.live.outbox import Outbox
from taisai.server.live.table_view import millis
from taisai.server.ops.metrics import METRICS
from taisai.server.sockets.common import (
    FAULTS_MAX,
    ID_LEN_MAX,
    close_quietly,
    greeting,
    outbox,
    until_broken,
)
from taisai.server.sockets.console_view import console_view

log = logging.getLogger("taisai.console")

_AGAIN_SECONDS: Final = 0.5  # a state that is being made again is soon there
_PUSH_SECONDS: Final = 0.1
_decode = msgspec.json.Decoder(wire.FromConsole).decode


async def serve_console(
    socket: WebSocket[Any, Any, Any], hub: Hub, doors: Doors, person: Person, token: str
) -> None:
    """One console, from its hello to its end."""
    await socket.accept()
    client = outbox(socket)
    client.start()
    link: ConsoleLink | None = None
    try:
        hello = await greeting(socket, _decode)
        feed = hub.feeds.get(hello.table) if hello else None
        if hello is None or feed is None:
            client.say(wire.Bye(reason="hello-expected" if hello is None else "unknown-table"))
            return
        if hub.house.is_stale(hello.table):
            client.say(wire.Bye(reason="restarting"))
            return
        link = ConsoleLink(hub, doors, feed, client, person, token)
        link.begin(hello.last_seq)
        await until_broken(client, link.run(socket))
    except (WebSocketDisconnect, TimeoutError):
        pass
    finally:
        if link is not None:
            link.end()
        await client.finish()
        await close_quietly(socket)


class ConsoleLink:
    """A console whose person is known."""

    def __init__(
        self, hub: Hub, doors: Doors, feed: Feed, client: Outbox, person: Person, token: str
    ) -> None:
        self.hub, self.doors, self.feed, self.client, self.person = hub, doors, feed, client, person
        self._token = token
        self._due: asyncio.TimerHandle | None = None
        self._faults = 0

    def begin(self, last_seq: int | None) -> None:
        """What was missed, or a snapshot; and what there is to do."""
        missed = None if last_seq is None else self.feed.missed(last_seq)
        if last_seq is None or missed is None:
            last_seq, missed = self.feed.seq, [self.feed.snapshot()]
        for message in missed:
            self.client.put(message)
        self.feed.clients[self.client] = last_seq
        self.feed.on_change.append(self._changed)
        self.hub.consoles.setdefault(self.person.token, {})[self.client] = None
        self._push()

    def end(self) -> None:
        """Look no longer."""
        self.feed.clients.pop(self.client, None)
        if self._changed in self.feed.on_change:
            self.feed.on_change.remove(self._changed)
        consoles = self.hub.consoles.get(self.person.token, {})
        consoles.pop(self.client, None)
        if not consoles:
            self.hub.consoles.pop(self.person.token, None)
        if self._due is not None:
            self._due.cancel()

    def _changed(self) -> None:
        """Many changes in a moment are one look."""
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(_PUSH_SECONDS, self._push)

    def _push_now(self) -> None:
        """What an act changed is there before its answer, so that no button offers the act once more."""
        if self._due is not None:
            self._due.cancel()
            self._push()

    def _push(self) -> None:
        self._due = None
        try:
            now = self.hub.house.now()
            self.client.say(console_view(self.feed, self.person.actor, now, self.feed.seq))
        except StoreError as error:
            log.warning("%s: a console could not be brought up to date: %s", self.feed.plan.name, error)
            self._due = asyncio.get_running_loop().call_later(_AGAIN_SECONDS, self._push)

    async def run(self, socket: WebSocket[Any, Any, Any]) -> None:
        while self._faults < FAULTS_MAX:
            raw = await socket.receive_data(mode="text")
            try:
                message = _decode(raw)
            except msgspec.DecodeError as error:
                self._fault(str(error))
                continue
            match message:
                case wire.Ping():
                    self.client.say(wire.Pong(t=message.t, server_time=self.feed.now()))
                case wire.ConsoleAct():
                    await self._act(message)
                case _:
                    self._fault("this connection has said hello")
        self.client.say(wire.Bye(reason="too-many-faults"))

    def _fault(self, what: str) -> None:
        self._faults += 1
        self.client.say(self.hub.failed("", InputError(what), about=self.feed.plan.name))

    async def _act(self, message: wire.ConsoleAct) -> None:
        if not 0 < len(message.id) <= ID_LEN_MAX:
            self._fault(f"an id has 1 to {ID_LEN_MAX} characters")
            return
        try:
            await self.hub.house.awake()
            person = self.doors.admit(self._token, self.hub.house.now(), acted=True)
            if isinstance(person, Refusal):
                self.client.say(self.hub.refused(message.id, person))
                self.client.say(wire.Bye(reason="session-ended"))
                return
            table = self.feed.plan.name
            await seat_first(self.hub.house, table, message.act, by=person.actor, key=message.id)
            answer = await do_at_table(
                self.hub.house,
                table,
                message.act,
                message.fields,
                by=person.actor,
                key=message.id,
                number=message.round,
            )
        except Exception as error:  # also a bug of ours: the console is told, and its connection stays
            METRICS.failed(error)
            about = f"{self.feed.plan.name}: {message.act} at the console"
            self.client.say(self.hub.failed(message.id, error, about=about))
            return
        match answer:
            case Refusal():
                METRICS.refused(answer.code)
                self.client.say(self.hub.refused(message.id, answer))
            case Waiting():
                expires_at = millis(answer.expires_at)
                self.client.say(
                    wire.NeedsApproval(id=message.id, approval=answer.approval, expires_at=expires_at)
                )
            case _:
                self._push_now()
                self.client.say(wire.Acknowledged(id=message.id, happened=answer.happened))
