"""The cage: cashiers with drawers, who sell and redeem tickets. One desk for the house.

A drawer is opened with a float and closed with a count; the difference between what should be there and what
was counted is kept, not smoothed over.
"""

from dataclasses import dataclass, field
from datetime import datetime
from functools import singledispatchmethod
from typing import Any, Literal

import msgspec

from taisai.errors import InvariantBroken
from taisai.floor.cluster.messages import NewTicket
from taisai.floor.desks.kind import Acted, Outcome, new_event
from taisai.floor.identity import CagePolicy, CashPayment, Identity
from taisai.floor.permits import not_by_two, not_permitted
from taisai.floor.streams import ticket_stream
from taisai.floor.tickets import (
    Ticket,
    TicketIssued,
    TicketPrinted,
    TicketRedeemed,
    TicketVoided,
    unredeemable,
)
from taisai.game.people import Actor
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.ledger import Book, Reason, Transfer
from taisai.ledger.accounts import CASH, TICKETS
from taisai.record.journal import StreamEvents, micros


class CageCommand(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """Something asked of the cage."""

    by: Actor
    at: datetime
    v: Literal[1] = 1


class OpenDrawer(CageCommand, frozen=True, kw_only=True):
    """Begin with this float."""

    float_minor: int


class CloseDrawer(CageCommand, frozen=True, kw_only=True):
    """End with this count."""

    counted_minor: int


class SellTicket(CageCommand, frozen=True, kw_only=True):
    """Cash for a ticket."""

    amount: int
    ticket: NewTicket


class RedeemTicket(CageCommand, frozen=True, kw_only=True):
    """A ticket, by its name in the journal, for cash; from some amount on with more than one's word."""

    ticket: str
    identity: Identity | None = None
    second: Actor | None = None
    reason: str = ""
    amount: int | None = None  # for the eyes of the second person; the ticket itself says what is paid


class PrintTicket(CageCommand, frozen=True, kw_only=True):
    """Print a ticket that the cage issued; each copy after the first takes two people."""

    ticket: str
    second: Actor | None = None
    reason: str = ""
    amount: int | None = None


class VoidTicket(CageCommand, frozen=True, kw_only=True):
    """Two people make a ticket void; with `reissue` another takes its place, else it is paid in cash."""

    ticket: str
    second: Actor | None
    reason: str
    reissue: NewTicket | None = None
    amount: int | None = None
    identity: Identity | None = None


class MoveDrawer(CageCommand, frozen=True, kw_only=True):
    """Cash of a decision at a table came into a drawer, or left it when below zero."""

    drawer: str
    amount: int
    player: str


AnyCageCommand = OpenDrawer | CloseDrawer | SellTicket | RedeemTicket | PrintTicket | VoidTicket | MoveDrawer


class CageEvent(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """Something that happened in the cage."""

    by: Actor
    at: datetime
    v: Literal[1] = 1


class DrawerOpened(CageEvent, frozen=True, kw_only=True):
    """A cashier began."""

    float_minor: int


class DrawerClosed(CageEvent, frozen=True, kw_only=True):
    """A cashier's count, what it should have been, and the difference."""

    expected_minor: int
    counted_minor: int
    variance_minor: int


class TicketSold(CageEvent, frozen=True, kw_only=True):
    """Cash came in for a ticket."""

    ticket: str
    amount: int
    sequence: int


class TicketPaid(CageEvent, frozen=True, kw_only=True):
    """Cash went out for a ticket."""

    ticket: str
    amount: int
    identity: Identity | None = None
    second: Actor | None = None
    reason: str = ""


class CopyPrinted(CageEvent, frozen=True, kw_only=True):
    """A ticket was printed; every copy but the first is marked as a duplicate."""

    ticket: str
    copy: int
    second: Actor | None
    reason: str


class TicketCancelled(CageEvent, frozen=True, kw_only=True):
    """A ticket was made void, and perhaps replaced."""

    ticket: str
    second: Actor
    reason: str
    amount: int
    replaced_by: str | None
    sequence: int
    identity: Identity | None = None


class DrawerMoved(CageEvent, frozen=True, kw_only=True):
    """A debt was collected into a drawer, or unclaimed money paid out of it; the table's books have it."""

    drawer: str
    amount: int
    player: str


AnyCageEvent = (
    DrawerOpened | DrawerClosed | TicketSold | TicketPaid | CopyPrinted | TicketCancelled | DrawerMoved
)


class CageAnswer(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """What the cage did."""

    happened: list[str]
    amount: int | None = None
    variance_minor: int | None = None
    sequence: int | None = None
    copy: int | None = None


@dataclass(slots=True)
class Drawer:
    """What should be in a cashier's drawer."""

    float_minor: int
    expected_minor: int


@dataclass
class CageState:
    """Drawers by cashier, and the tickets that were looked up for a command."""

    drawers: dict[str, Drawer] = field(default_factory=dict)
    sequence: int = 0
    tickets: dict[str, Ticket] = field(default_factory=dict)
    book: Book = field(default_factory=Book)
    policy: CagePolicy = field(default_factory=CagePolicy)

    def owned_accounts(self) -> list[str]:
        """None: cash and tickets are everyone's, and are sums of transfers."""
        return []

    def act(self, command: AnyCageCommand, act_id: str) -> Outcome:
        """Decide and apply."""
        refusal = not_permitted(command)
        if refusal:
            return refusal
        if (
            not isinstance(command, OpenDrawer | PrintTicket | VoidTicket | MoveDrawer)
            and command.by.name not in self.drawers
        ):
            return by_house(RefusalCode.DRAWER_NOT_OPEN, name=command.by.name)
        return self._act(command, act_id)

    @singledispatchmethod
    def _act(self, command: Any, act_id: str) -> Outcome:
        raise InvariantBroken(f"no such command: {type(command).__name__}")

    @_act.register
    def _open(self, command: OpenDrawer, act_id: str) -> Outcome:
        if command.by.name in self.drawers:
            return by_house(RefusalCode.DRAWER_OPEN, name=command.by.name)
        if command.float_minor < 0:
            return by_house(RefusalCode.AMOUNT_INVALID, amount=command.float_minor)
        event = DrawerOpened(by=command.by, at=command.at, float_minor=command.float_minor)
        return self._done(event, CageAnswer(happened=["DrawerOpened"], amount=command.float_minor))

    @_act.register
    def _close(self, command: CloseDrawer, act_id: str) -> Outcome:
        if command.counted_minor < 0:
            return by_house(RefusalCode.AMOUNT_INVALID, amount=command.counted_minor)
        expected = self.drawers[command.by.name].expected_minor
        variance = command.counted_minor - expected
        event = DrawerClosed(
            by=command.by,
            at=command.at,
            expected_minor=expected,
            counted_minor=command.counted_minor,
            variance_minor=variance,
        )
        return self._done(
            event, CageAnswer(happened=["DrawerClosed"], amount=expected, variance_minor=variance)
        )

    @_act.register
    def _sell(self, command: SellTicket, act_id: str) -> Outcome:
        if command.amount <= 0:
            return by_house(RefusalCode.AMOUNT_INVALID, amount=command.amount)
        sequence = self.sequence + 1
        event = TicketSold(
            by=command.by,
            at=command.at,
            ticket=command.ticket.name,
            amount=command.amount,
            sequence=sequence,
        )
        made = _transfer(act_id, CASH, TICKETS, command.amount, Reason.TICKET_ISSUED, command.at)
        also = (_issued(command, command.ticket, command.amount, sequence),)
        answer = CageAnswer(happened=["TicketSold"], amount=command.amount, sequence=sequence)
        return self._done(event, answer, [made], also)

    @_act.register
    def _redeem(self, command: RedeemTicket, act_id: str) -> Outcome:
        ticket = self.tickets.get(command.ticket)
        refusal = unredeemable(ticket, command.at)
        if refusal or ticket is None:
            return refusal or by_house(RefusalCode.TICKET_UNKNOWN)
        refusal = self.unpayable(command, ticket.amount)
        if refusal:
            return refusal
        redeemed = TicketRedeemed(by=command.by, at=command.at, where="cage")
        also = (_moved(command.ticket, ticket, redeemed, command.at),)
        event = TicketPaid(
            by=command.by,
            at=command.at,
            ticket=command.ticket,
            amount=ticket.amount,
            identity=command.identity,
            second=command.second,
            reason=command.reason,
        )
        made = _transfer(act_id, TICKETS, CASH, ticket.amount, Reason.TICKET_REDEEMED, command.at)
        return self._done(event, CageAnswer(happened=["TicketPaid"], amount=ticket.amount), [made], also)

    def unpayable(
        self, command: RedeemTicket | VoidTicket, amount: int, *, asking: bool = False
    ) -> Refusal | None:
        """What a payment of this amount still lacks; whoever is only asking lacks no second person yet."""
        payment = CashPayment(by=command.by, amount=amount, identity=command.identity, in_cage=True)
        two = not asking and (isinstance(command, VoidTicket) or self.policy.needs_second(amount))
        lack = payment.lack(self.policy, self.drawers)
        return lack or (not_by_two(command, reason=command.reason) if two else None)

    @_act.register
    def _print(self, command: PrintTicket, act_id: str) -> Outcome:
        ticket = self.tickets.get(command.ticket)
        refusal = unredeemable(ticket, command.at)
        if refusal or ticket is None:
            return refusal or by_house(RefusalCode.TICKET_UNKNOWN)
        refusal = not_by_two(command, reason=command.reason) if ticket.copies else None
        if refusal:
            return refusal
        said: dict[str, Any] = {
            "copy": ticket.copies + 1,
            "second": command.second,
            "reason": command.reason,
        }
        printed = TicketPrinted(by=command.by, at=command.at, where="cage", **said)
        event = CopyPrinted(by=command.by, at=command.at, ticket=command.ticket, **said)
        also = (_moved(command.ticket, ticket, printed, command.at),)
        return self._done(event, CageAnswer(happened=["CopyPrinted"], copy=ticket.copies), also=also)

    @_act.register
    def _void(self, command: VoidTicket, act_id: str) -> Outcome:
        refusal, second = not_by_two(command, reason=command.reason), command.second
        if refusal or second is None:
            return refusal or by_house(RefusalCode.SECOND_PERSON_MISSING)
        ticket = self.tickets.get(command.ticket)
        refusal = unredeemable(ticket, command.at)
        expired = refusal is not None and refusal.code is RefusalCode.TICKET_EXPIRED
        if ticket is None or (refusal and not expired):
            return refusal or by_house(RefusalCode.TICKET_UNKNOWN)
        refusal = None if command.reissue else self.unpayable(command, ticket.amount)
        if refusal:
            return refusal
        return self._cancel(command, second, ticket, act_id)

    def _cancel(self, command: VoidTicket, second: Actor, ticket: Ticket, act_id: str) -> Outcome:
        """Void; the money goes to cash for a hand-pay, or on into the ticket that takes its place."""
        reissue = command.reissue
        voided = TicketVoided(
            by=command.by,
            at=command.at,
            where="cage",
            second=second,
            reason=command.reason,
            reissued=reissue is not None,
        )
        sequence = self.sequence + 1 if reissue else self.sequence
        event = TicketCancelled(
            by=command.by,
            at=command.at,
            ticket=command.ticket,
            second=second,
            reason=command.reason,
            amount=ticket.amount,
            replaced_by=reissue.name if reissue else None,
            sequence=sequence,
            identity=command.identity,
        )
        amount = ticket.amount
        also = [_moved(command.ticket, ticket, voided, command.at)]
        transfers = []
        if reissue:
            also.append(_issued(command, reissue, amount, sequence))
        else:
            transfers.append(_transfer(act_id, TICKETS, CASH, amount, Reason.TICKET_REDEEMED, command.at))
        answer = CageAnswer(happened=["TicketCancelled"], amount=amount, sequence=sequence)
        return self._done(event, answer, transfers, tuple(also))

    @_act.register
    def _move_drawer(self, command: MoveDrawer, act_id: str) -> Outcome:
        if command.drawer not in self.drawers:
            return by_house(RefusalCode.DRAWER_NOT_OPEN, name=command.drawer)
        event = DrawerMoved(
            by=command.by,
            at=command.at,
            drawer=command.drawer,
            amount=command.amount,
            player=command.player,
        )
        return self._done(event, CageAnswer(happened=["DrawerMoved"], amount=abs(command.amount)))

    def _done(
        self,
        event: AnyCageEvent,
        answer: CageAnswer,
        transfers: list[Transfer] | None = None,
        also: tuple[StreamEvents, ...] = (),
    ) -> Acted:
        self.book.apply(transfers or [])
        self.evolve(event)
        return Acted([event], transfers or [], answer, also)

    def evolve(self, event: AnyCageEvent) -> None:
        """Apply one event of the cage's stream."""
        match event:
            case DrawerOpened():
                self.drawers[event.by.name] = Drawer(event.float_minor, event.float_minor)
            case DrawerClosed():
                del self.drawers[event.by.name]
            case TicketSold():
                self.drawers[event.by.name].expected_minor += event.amount
                self.sequence = event.sequence
            case TicketPaid():
                self.drawers[event.by.name].expected_minor -= event.amount
            case DrawerMoved():
                self.drawers[event.drawer].expected_minor += event.amount
            case CopyPrinted():
                pass  # no money, and the ticket's own stream counts its copies
            case TicketCancelled():
                self.sequence = event.sequence
                if event.replaced_by is None and event.by.name in self.drawers:
                    self.drawers[event.by.name].expected_minor -= event.amount


def _issued(command: SellTicket | VoidTicket, ticket: NewTicket, amount: int, sequence: int) -> StreamEvents:
    event = TicketIssued(
        by=command.by,
        at=command.at,
        where="cage",
        amount=amount,
        expires_at=ticket.good_until(command.at),
        sequence=sequence,
        last_four=ticket.last_four,
        replaces=isinstance(command, VoidTicket),
    )
    return StreamEvents(ticket_stream(ticket.name), 0, (new_event(event, micros(command.at)),))


def _moved(
    name: str, ticket: Ticket, event: TicketPrinted | TicketRedeemed | TicketVoided, at: datetime
) -> StreamEvents:
    """The ticket's next event, applied here so that a second command in the same batch sees it."""
    moved = StreamEvents(ticket_stream(name), ticket.version, (new_event(event, ticket.next_at(at)),))
    ticket.evolve(event)
    return moved


def _transfer(act_id: str, debit: str, to: str, amount: int, reason: Reason, at: datetime) -> Transfer:
    return Transfer(f"{act_id}.1", debit, to, amount, reason, micros(at), "cage")
