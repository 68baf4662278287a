"""A cluster: an electronic table with Player Terminals, each with the credits of its player's session.

The player of a round is the session. A session begins with the first credits and ends when they are paid out;
credits are not paid out while bets are on the felt, and winnings of a terminal that was cut off wait on its
session.
"""

from dataclasses import dataclass, field
from datetime import datetime
from functools import singledispatchmethod

from taisai.floor.cluster.messages import (
    TERMINALS_MAX,
    AnyClusterCommand,
    AnyClusterEvent,
    CashOutToTicket,
    CreditIn,
    CreditsBought,
    CreditsPaidOut,
    EnrolTerminal,
    HandPay,
    ServiceChanged,
    ServiceState,
    SessionOpened,
    SetService,
    TerminalEnrolled,
)
from taisai.floor.desks.kind import Acted, Outcome, new_event
from taisai.floor.permits import not_by_two, not_permitted
from taisai.floor.streams import ticket_stream
from taisai.floor.table.messages import InRound
from taisai.floor.table.owed import owes
from taisai.floor.table.state import TableState
from taisai.floor.tickets import Ticket, TicketIssued, TicketRedeemed, unredeemable
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger import Occasion, Reason, Transfer, numbered
from taisai.ledger.accounts import CASH, PROMO, TICKETS, credit
from taisai.ledger.settling_up import repay
from taisai.record.journal import StreamEvents, micros

# In these conditions no ticket can be printed; an attendant pays.
_NO_TICKETS: frozenset[ServiceState] = frozenset({"door-open", "printer-fault"})


@dataclass(slots=True)
class TerminalState:
    """One Player Terminal."""

    key_digest: str
    label: str
    service: ServiceState = "in-service"
    held: bool = False  # put out of service by people: only they put it back
    session: str | None = None
    sessions: int = 0


@dataclass
class ClusterState(TableState):
    """A table whose players sit at terminals."""

    terminals: dict[str, TerminalState] = field(default_factory=dict)
    terminal_of: dict[str, str] = field(default_factory=dict)
    session_began: dict[str, datetime] = field(default_factory=dict)
    tickets: dict[str, Ticket] = field(default_factory=dict)
    ticket_sequence: int = 0
    terminals_max: int = TERMINALS_MAX

    def act(self, command: AnyClusterCommand, act_id: str) -> Outcome:
        """Decide and apply a cluster's command, or a table's."""
        if isinstance(command, InRound):
            return self._in_service(command, act_id)
        return self._act_here(command, act_id)

    @property
    def seats_max(self) -> int:
        """None: players sit at terminals."""
        return 0

    def has_left(self, player: str) -> bool:
        """A session is at its terminal until it is paid out."""
        terminal = self.terminals.get(player.rpartition(".")[0])
        return terminal is None or terminal.session != player

    @singledispatchmethod
    def _act_here(self, command: AnyClusterCommand, act_id: str) -> Outcome:
        return super().act(command, act_id)  # type: ignore[arg-type] # its own were taken above

    @_act_here.register
    def _in_service(self, command: InRound, act_id: str) -> Outcome:
        """Bets come from terminals that are in service."""
        asked = command.command
        if isinstance(asked, cmd.PlaceBets):
            terminal = self.terminals.get(self.terminal_of.get(asked.player, ""))
            if terminal is None or terminal.session != asked.player:
                return self.refuse(RefusalCode.SESSION_UNKNOWN)
            if terminal.service != "in-service" and asked.slip:
                return self.refuse(RefusalCode.TERMINAL_OUT_OF_SERVICE, service=terminal.service)
            return self.in_round(command, act_id)  # a session's name is good: it was made here
        return super().act(command, act_id)

    @_act_here.register
    def _enrol(self, command: EnrolTerminal, act_id: str) -> Outcome:
        refusal = not_permitted(command)
        if refusal:
            return refusal
        if command.terminal not in self.terminals and len(self.terminals) >= self.terminals_max:
            return self.refuse(RefusalCode.TERMINALS_FULL, terminals=self.terminals_max)
        event = TerminalEnrolled(
            by=command.by,
            at=command.at,
            terminal=command.terminal,
            key_digest=command.key_digest,
            label=command.label,
        )
        return self.done([event], [])

    @_act_here.register
    def _credit_in(self, command: CreditIn, act_id: str) -> Outcome:
        terminal = self.terminals.get(command.terminal)
        if terminal is None:
            return self.refuse(RefusalCode.TERMINAL_UNKNOWN)
        if terminal.service != "in-service":
            return self.refuse(RefusalCode.TERMINAL_OUT_OF_SERVICE, service=terminal.service)
        amount = command.amount
        also: tuple[StreamEvents, ...] = ()
        if command.source == "ticket":
            redeemed = self._redeemed(command)
            if isinstance(redeemed, Refusal):
                return redeemed
            amount, also = redeemed[0], (redeemed[1],)
        if amount <= 0:
            return self.refuse(RefusalCode.AMOUNT_INVALID, amount=amount)
        events: list[AnyClusterEvent] = []
        session = terminal.session
        if session is None:
            session = f"{command.terminal}.{terminal.sessions + 1}"
            events.append(
                SessionOpened(by=command.by, at=command.at, terminal=command.terminal, session=session)
            )
        events.append(
            CreditsBought(
                by=command.by,
                at=command.at,
                terminal=command.terminal,
                session=session,
                source=command.source,
                amount=amount,
            )
        )
        account, reason = _SOURCES[command.source]
        occasion = Occasion(self.name, micros(command.at), numbered(act_id))
        made = Transfer(occasion.next_id(), account, credit(session), amount, reason, occasion.at, self.name)
        # What the session owes is paid from it first; the terminal has said so before.
        repaid = repay(self.book, self.purse(session), amount, source=credit(session), occasion=occasion)
        return self._done_also(events, [made, *repaid], also, amount=amount)

    def _redeemed(self, command: CreditIn) -> tuple[int, StreamEvents] | Refusal:
        """A ticket's amount and the event that ends it."""
        name = command.ticket or ""
        ticket = self.tickets.get(name)
        refusal = unredeemable(ticket, command.at)
        if refusal or ticket is None:
            return refusal or self.refuse(RefusalCode.TICKET_UNKNOWN)
        event = TicketRedeemed(by=command.by, at=command.at, where=command.terminal)
        moved = StreamEvents(
            ticket_stream(name), ticket.version, (new_event(event, ticket.next_at(command.at)),)
        )
        ticket.evolve(event)
        return ticket.amount, moved

    @_act_here.register
    def _cash_out_to_ticket(self, command: CashOutToTicket, act_id: str) -> Outcome:
        paying = self._payable(command.terminal)
        if isinstance(paying, Refusal):
            return paying
        session, amount = paying
        if command.session not in (None, session):
            return self.refuse(RefusalCode.SESSION_UNKNOWN)
        service = self.terminals[command.terminal].service
        if service in _NO_TICKETS:
            return self.refuse(RefusalCode.TERMINAL_OUT_OF_SERVICE, service=service)
        if command.amount_max is not None and amount > command.amount_max:
            return self.refuse(RefusalCode.TICKET_TOO_LARGE, amount=amount, limit=command.amount_max)
        sequence = self.ticket_sequence + 1
        issued = TicketIssued(
            by=command.by,
            at=command.at,
            where=command.terminal,
            amount=amount,
            expires_at=command.ticket.good_until(command.at),
            sequence=sequence,
            last_four=command.ticket.last_four,
        )
        name = command.ticket.name
        also = (StreamEvents(ticket_stream(name), 0, (new_event(issued, micros(command.at)),)),)
        return self._paid_out(command, session, amount, act_id, TICKETS, name, sequence, also)

    @_act_here.register
    def _hand_pay(self, command: HandPay, act_id: str) -> Outcome:
        refusal = not_by_two(command)
        if refusal:
            return refusal
        paying = self._payable(command.terminal)
        if isinstance(paying, Refusal):
            return paying
        session, amount = paying
        if command.amount not in (None, amount):
            return self.refuse(RefusalCode.AMOUNT_INVALID, amount=command.amount)
        return self._paid_out(command, session, amount, act_id, CASH, None, self.ticket_sequence, ())

    def _payable(self, terminal_name: str) -> tuple[str, int] | Refusal:
        """The session of a terminal and what it can take away now."""
        terminal = self.terminals.get(terminal_name)
        if terminal is None:
            return self.refuse(RefusalCode.TERMINAL_UNKNOWN)
        session = terminal.session
        if session is None:
            return self.refuse(RefusalCode.SESSION_UNKNOWN)
        state = self.current
        playing = state is not None and state.phase not in (Phase.CONCLUDED, Phase.VOID)
        if playing and state is not None and session in state.slips and state.slips[session].amounts:
            return self.refuse(RefusalCode.BETS_LYING, round=self.number)
        refusal = owes(self, session)
        if refusal:
            return refusal
        amount = self.book.balance(credit(session))
        return (session, amount) if amount else self.refuse(RefusalCode.AMOUNT_INVALID, amount=0)

    def _paid_out(
        self,
        command: CashOutToTicket | HandPay,
        session: str,
        amount: int,
        act_id: str,
        to: str,
        ticket: str | None,
        sequence: int,
        also: tuple[StreamEvents, ...],
    ) -> Outcome:
        event = CreditsPaidOut(
            by=command.by,
            at=command.at,
            terminal=command.terminal,
            session=session,
            amount=amount,
            ticket=ticket,
            sequence=sequence,
            second=command.second if isinstance(command, HandPay) else None,
            reason=command.reason if isinstance(command, HandPay) else "",
            identity=command.identity if isinstance(command, HandPay) else None,
        )
        reason = Reason.TICKET_ISSUED if ticket else Reason.CASH_OUT
        made = Transfer(f"{act_id}.1", credit(session), to, amount, reason, micros(command.at), self.name)
        return self._done_also([event], [made], also, amount=amount)

    @_act_here.register
    def _set_service(self, command: SetService, act_id: str) -> Outcome:
        """A terminal says what it finds; what people have put out of service stays so until they end it."""
        terminal = self.terminals.get(command.terminal)
        if terminal is None:
            return self.refuse(RefusalCode.TERMINAL_UNKNOWN)
        service: ServiceState = command.service
        by_people = command.by.is_pit_employee
        held = service == "out-of-service" if by_people else terminal.held
        if not by_people and held and service == "in-service":
            service = "out-of-service"
        if (terminal.service, terminal.held) == (service, held):
            return self.done([], [])
        refusal = not_by_two(command)
        if by_people and service == "in-service" and refusal:
            return refusal
        event = ServiceChanged(
            by=command.by,
            at=command.at,
            terminal=command.terminal,
            service=service,
            held=held,
            second=command.second,
            reason=command.reason,
        )
        return self.done([event], [])

    def _done_also(
        self,
        events: list[AnyClusterEvent],
        transfers: list[Transfer],
        also: tuple[StreamEvents, ...],
        *,
        amount: int,
    ) -> Acted:
        done = self.done(events, transfers, amount=amount)
        return Acted(done.events, done.transfers, done.answer, also)

    def evolve(self, event: AnyClusterEvent) -> None:
        """Apply one event of the cluster's stream, without its money."""
        match event:
            case TerminalEnrolled():
                known = self.terminals.get(event.terminal)
                if known:  # enrolled again: a new key for the same place
                    known.key_digest, known.label = event.key_digest, event.label
                else:
                    self.terminals[event.terminal] = TerminalState(event.key_digest, event.label)
            case SessionOpened():
                terminal = self.terminals[event.terminal]
                terminal.session, terminal.sessions = event.session, terminal.sessions + 1
                self.terminal_of[event.session] = event.terminal
                self.session_began[event.session] = event.at
                self.players.add(event.session)
            case CreditsPaidOut():
                self.terminals[event.terminal].session = None
                self.ticket_sequence = event.sequence
                self.left.add(event.session)
            case ServiceChanged():
                terminal = self.terminals[event.terminal]
                terminal.service, terminal.held = event.service, event.held
            case CreditsBought():
                pass  # only money
            case _:
                super().evolve(event)


_SOURCES = {
    "cash": (CASH, Reason.BUY_IN),
    "ticket": (TICKETS, Reason.TICKET_REDEEMED),
    "promo": (PROMO, Reason.PROMO),
}
