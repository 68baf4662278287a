"""The WebSocket of a Player Terminal."""

import hmac
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from time import perf_counter
from typing import Any
from uuid import uuid4

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected

from taisai.errors import InvariantBroken
from taisai.floor.approvals.asked import TableAct
from taisai.floor.cluster.messages import (
    AnyClusterCommand,
    CashOutToTicket,
    CreditIn,
    SetService,
)
from taisai.floor.door.acts import PlayersAct
from taisai.floor.door.answers import Waiting
from taisai.floor.players.messages import ConfirmPlayLimits, ConfirmRealityCheck, PlayLimits, SetPlayLimits
from taisai.floor.table.attempts import LATE
from taisai.floor.table.messages import Accepted, InRound
from taisai.floor.ticket_office import TicketNumber
from taisai.game import commands as cmd
from taisai.game.events import Cut
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.record.ports import CommandAltered
from taisai.server import wire
from taisai.server.live.feed import Feed
from taisai.server.live.hub import Hub
from taisai.server.live.outbox import Outbox
from taisai.server.live.ticket_view import ticket_view
from taisai.server.ops.metrics import METRICS
from taisai.server.protocols import vouch
from taisai.server.sockets.common import (
    FAULTS_MAX,
    ID_LEN_MAX,
    close_quietly,
    greeting,
    outbox,
    receiver,
    until_broken,
)
from taisai.server.words.say import server_refusal

log = logging.getLogger("taisai.terminal")

_decode = msgspec.json.Decoder(wire.FromTerminal).decode


def _cut_view(cut: Cut) -> wire.CutView:
    """A box on which less was taken, as the terminal is told."""
    return wire.CutView(
        box=cut.box, asked=cut.asked, accepted=cut.accepted, limit=cut.limit, clause=cut.clause
    )


def key_digest(key: str) -> str:
    """What the record keeps of a terminal's key."""
    return sha256(key.encode()).hexdigest()


async def serve_terminal(socket: WebSocket[Any, Any, Any], hub: Hub) -> None:
    """One connection, from its hello to its end."""
    await socket.accept()
    client = outbox(socket)
    client.start()
    link: TerminalLink | None = None
    try:
        link = await _greeted(socket, hub, client)
        if link is not None:
            link.begin()
            await until_broken(client, link.run(socket))
    except (WebSocketDisconnect, ClientDisconnected, TimeoutError):
        pass
    finally:
        if link is not None:
            hub.leave_terminal(link.feed, link.terminal, client)
        await client.finish()
        await close_quietly(socket)


async def _greeted(socket: WebSocket[Any, Any, Any], hub: Hub, client: Outbox) -> "TerminalLink | None":
    """The first message says who connects; nothing is told to a stranger."""
    hello = await greeting(socket, _decode)
    if hello is None:
        client.say(wire.Bye(reason="hello-expected"))
        return None
    feed = hub.feeds.get(hello.table)
    if feed is None or feed.plan.kind != "cluster":
        client.say(wire.Bye(reason="unknown-table"))
        return None
    if hub.house.is_stale(hello.table):
        client.say(wire.Bye(reason="restarting"))
        return None
    known = feed.seats.key_digests.get(hello.terminal)
    if known is None or not hmac.compare_digest(known, key_digest(hello.key)):
        client.say(wire.Bye(reason="unknown-terminal" if known is None else "wrong-key"))
        return None
    vouch(socket.scope)
    return TerminalLink(hub, feed, hello, client)


class TerminalLink:
    """A terminal that has said who it is."""

    def __init__(self, hub: Hub, feed: Feed, hello: wire.Hello, client: Outbox) -> None:
        self.hub, self.feed, self.client = hub, feed, client
        self.terminal, self._last_seq = hello.terminal, hello.last_seq
        self.house = hub.house
        self._by = Actor(self.terminal, Role.PLAYER)
        self._sender = f"terminal:{self.terminal}"
        self._session, self._player = 0, self._by  # the last one here, by its number
        self._faults = 0
        self._handlers: dict[type, Callable[[Any], Awaitable[None]]] = {
            wire.Place: self._place,
            wire.CashIn: self._cash_in,
            wire.TicketIn: self._ticket_in,
            wire.CashOutAll: self._cash_out,
            wire.Service: self._service,
            wire.CallAttendant: self._call,
            wire.Ready: self._ready,
            wire.SetLimits: self._set_limits,
            wire.ConfirmLimits: self._confirm,
            wire.ConfirmCheck: self._confirm,
        }

    def begin(self) -> None:
        """What was missed and the session as it stands; or a snapshot."""
        missed = None if self._last_seq is None else self.feed.missed(self._last_seq)
        session, known = self.feed.session_view(self.terminal), self._last_seq
        if known is None or missed is None or session is None:
            known = self.feed.seq
            self.client.put(self.feed.snapshot(self.terminal))
        else:
            for message in missed:
                self.client.put(message)
            self.client.say(wire.TerminalService(service=self.feed.service_of(self.terminal)))
            self.client.say(wire.SessionChanged(session=session))
        self._played()
        self.hub.join_terminal(self.feed, self.terminal, self.client, known)
        self.feed.tell_proofs(self.terminal)

    async def run(self, socket: WebSocket[Any, Any, Any]) -> None:
        received = receiver(socket)
        while self._faults < FAULTS_MAX:
            text = await received()
            try:
                message = _decode(text)
            except msgspec.DecodeError as error:
                self._fault(str(error))
                continue
            is_slip = type(message) is wire.Place
            message_id = message.id if is_slip else getattr(message, "id", "-")
            if not 0 < len(message_id) <= ID_LEN_MAX:
                self._fault(f"an id has 1 to {ID_LEN_MAX} characters")
                continue
            try:
                # A slip, which is almost all there is, reads no state before the door, which looks, too.
                await (self._place(message) if is_slip else self._handle(message))
            except Exception as error:  # also a bug of ours: the terminal is told, and its connection stays
                METRICS.failed(error)
                about = f"{self.feed.plan.name}: {type(message).__name__} of {self.terminal}"
                self.client.say(self.hub.failed(message_id, error, about=about))
        self.client.say(wire.Bye(reason="too-many-faults"))

    async def _handle(self, message: Any) -> None:
        if isinstance(message, wire.Ping):
            await self.client.answer(wire.Pong(t=message.t, server_time=self.feed.now()))
        elif isinstance(message, wire.Hello):
            self._fault("this connection has said hello")
        else:
            self._played()
            if not self.house.is_awake:
                await self.house.awake()
            await self._handlers[type(message)](message)

    def _played(self) -> None:
        """Somebody is at this terminal, which a practice table wants to know."""
        if self.feed.plan.practice:
            self.hub.practice.touched(self.terminal)

    def _fault(self, what: str) -> None:
        self._faults += 1
        self._turn("", "input_invalid", message=what)

    def _turn(self, message_id: str, why: str, **told: Any) -> None:
        """What no desk decides is refused by the server itself."""
        code, clause, facts, said = server_refusal(why, **told)
        METRICS.refused(code)  # what has no session or no form of its own is counted, not kept
        self.client.say(wire.Refused(id=message_id, code=code, clause=clause, facts=facts, sentences=said))

    async def _ask(self, message_id: str, command: Any) -> Accepted | None:
        """Ask the desk; a refusal is answered here."""
        answer = await self._do(command, message_id)
        if isinstance(answer, Accepted):
            return answer
        METRICS.refused(answer.code)
        self.client.say(self.hub.refused(message_id, answer))
        return None

    async def _do(self, command: AnyClusterCommand, key: str) -> Accepted | Refusal:
        return self._decided(await self.house.do(TableAct(self.feed.plan.name, command), self._by, key))

    def _decided(self, answer: Accepted | Waiting | Refusal) -> Accepted | Refusal:
        if isinstance(answer, Waiting):
            raise InvariantBroken(f"an act of {self.terminal} waits for a second person")
        return answer

    async def _place(self, message: wire.Place) -> None:
        feed, seats = self.feed, self.feed.seats
        if feed.plan.practice:
            self._played()
        received, start = self.house.now(), perf_counter()
        number = seats.began.get(self.terminal, 0)
        if number != self._session:
            self._session, self._player = number, Actor(f"{self.terminal}.{number}", Role.PLAYER)
        answer: Accepted | Refusal
        try:
            if not number:
                answer = by_house(RefusalCode.SESSION_UNKNOWN)
            else:
                answer = self._decided(await self._asked(message, received, self._player))
        except CommandAltered as altered:
            answer = await self._asked_before(message, received, altered)
        METRICS.ack.observe(perf_counter() - start)
        if not isinstance(answer, Accepted):
            METRICS.refused(answer.code)
            late = self._late_by(message.round, answer, received)
            self.client.say(self.hub.refused(message.id, answer, late_by_ms=late))
            return
        board = seats.boards.get(self.terminal)
        registered = wire.SlipRegistered(
            id=message.id,
            round=answer.round or message.round,
            version=answer.slip_version or message.version,
            slip=answer.slip or {},
            cuts=list(map(_cut_view, answer.cuts)),
            credit=0 if board is None else board.credit,
            staked=0 if board is None else board.on_felt,
        )
        if not self.client.answered(registered):
            await self.client.answer(registered)

    def _asked(
        self, message: wire.Place, received: datetime, by: Actor
    ) -> Awaitable[Accepted | Waiting | Refusal]:
        """Ask the desk for the slip of a session."""
        placing = cmd.PlaceBets(
            by=by,
            at=received,
            player=by.name,
            slip=message.slip,
            version=message.version,
            all_or_nothing=message.all_or_nothing,
        )
        asked = InRound(by=by, at=received, command=placing, round=message.round)
        return self.house.do(TableAct(self.feed.plan.name, asked), self._by, message.id)

    async def _asked_before(
        self, message: wire.Place, received: datetime, altered: CommandAltered
    ) -> Accepted | Refusal:
        """A slip that is asked for again may be of a session that has ended since: its id finds it there."""
        for session in self.feed.seats.sessions_before(self.terminal):
            with suppress(CommandAltered):
                return self._decided(await self._asked(message, received, Actor(session, Role.PLAYER)))
        raise altered

    def _late_by(self, number: int, refusal: Refusal, received: datetime) -> int | None:
        round_ = self.feed.table.round
        if refusal.code not in LATE or round_ is None or round_.number != number:
            return None
        closed = self.feed.closed_at
        return None if closed is None else max(0, round(received.timestamp() * 1000) - closed)

    async def _cash_in(self, message: wire.CashIn) -> None:
        if not self.hub.takes_cash:
            self._turn(message.id, "not_here")
            return
        command = CreditIn(
            by=self._by,
            at=self.house.now(),
            terminal=self.terminal,
            source="cash",
            amount=message.amount,
        )
        await self._credited(message.id, command)

    async def _ticket_in(self, message: wire.TicketIn) -> None:
        if self.feed.plan.practice:  # what is practised with neither comes from anywhere nor leaves
            self._turn(message.id, "not_here")
            return
        wait = await self.hub.redemptions.wait(self._sender)
        if wait > 0:
            self._turn(message.id, "too_many", seconds=int(wait) + 1)
            return
        command = CreditIn(
            by=self._by,
            at=self.house.now(),
            terminal=self.terminal,
            source="ticket",
            ticket=self.house.tickets.read(message.number).name,
        )
        await self._credited(message.id, command)

    async def _credited(self, message_id: str, command: CreditIn) -> None:
        if await self._ask(message_id, command) is None:
            return
        board = self.feed.seats.boards.get(self.terminal)
        if board is None:
            # A repeated message of a session that has ended since.
            self.client.say(wire.Acknowledged(id=message_id, happened=[]))
            return
        self.client.say(
            wire.CreditChanged(id=message_id, credit=board.credit, net=board.net, owed=board.owed)
        )

    async def _cash_out(self, message: wire.CashOutAll) -> None:
        """Whoever asks again gets the ticket that was issued, whatever has changed at the terminal since."""
        if self.feed.plan.practice:
            self._turn(message.id, "not_here")
            return
        tickets = self.house.tickets
        number = tickets.for_request(self._by, message.id)
        issued = await tickets.find(number.name)
        if issued is None:
            if not await self._issued(message, number):
                return
            issued = await tickets.find(number.name)
        if issued is None:
            raise InvariantBroken(f"a ticket was issued at {self.terminal} and is not on the record")
        board = self.feed.seats.boards.get(self.terminal)
        self.client.say(
            wire.TicketPaper(
                id=message.id,
                ticket=ticket_view(self.house.plan, number.digits, issued.issued),
                credit=board.credit if board else 0,
            )
        )

    async def _issued(self, message: wire.CashOutAll, number: TicketNumber) -> bool:
        """Whether the session's credits left as this ticket; a refusal is answered here."""
        command = CashOutToTicket(
            by=self._by,
            at=self.house.now(),
            terminal=self.terminal,
            ticket=self.house.tickets.to_issue(number),
            session=message.session,
        )
        return await self._ask(message.id, command) is not None

    async def _service(self, message: wire.Service) -> None:
        command = SetService(by=self._by, at=self.house.now(), terminal=self.terminal, service=message.state)
        await self._do(command, uuid4().hex)

    async def _call(self, message: wire.CallAttendant) -> None:
        await self.house.gatherings.call(self.feed.plan.name, self.terminal, wanted=message.wanted)

    async def _ready(self, message: wire.Ready) -> None:
        """Only where the players decide when the dice are rolled, and only with bets on the felt."""
        table = self.feed.plan.name
        if not await self.house.gatherings.wants_dice(
            table, self.terminal, message.round, ready=message.ready
        ):
            self._turn(message.id, "not_now")
            return
        self.client.say(wire.Acknowledged(id=message.id, happened=[]))

    async def _set_limits(self, message: wire.SetLimits) -> None:
        limits = PlayLimits(
            loss_session=message.loss_session,
            wager_session=message.wager_session,
            minutes_session=message.minutes_session,
            reality_check_minutes=message.reality_check_minutes,
        )
        by, at = self._by, self.house.now()
        await self._of_player(message.id, SetPlayLimits(by=by, at=at, player=by.name, limits=limits))

    async def _confirm(self, message: wire.ConfirmCheck | wire.ConfirmLimits) -> None:
        confirmed = ConfirmRealityCheck if isinstance(message, wire.ConfirmCheck) else ConfirmPlayLimits
        by, at = self._by, self.house.now()
        await self._of_player(message.id, confirmed(by=by, at=at, player=by.name))

    async def _of_player(
        self, message_id: str, command: SetPlayLimits | ConfirmPlayLimits | ConfirmRealityCheck
    ) -> None:
        """What the player at this terminal asks of the registry; who that is, the house knows."""
        answer = await self.house.do(PlayersAct(command), self._by, message_id)
        if isinstance(answer, Refusal):
            self.client.say(self.hub.refused(message_id, answer))
        else:
            self.feed.tell_session(self.terminal)
            self.client.say(wire.Acknowledged(id=message_id, happened=answer.happened))
