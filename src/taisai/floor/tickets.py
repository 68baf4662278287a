"""Tickets: 18-digit validation numbers that cannot be guessed, redeemed exactly once.

A number is 16 digits that only the holder of the ticket key can make, and two check digits (ISO 7064,
MOD 97-10) that catch every single wrong digit and every transposition. The journal never holds a number: a
ticket's stream is named by the number's HMAC. The digits come from the command that asked for the ticket, so
a repeated command gives the same ticket and never a second one.
"""

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

import msgspec

from taisai.errors import InputError, InvariantBroken
from taisai.game.people import Actor
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.record.journal import micros

DIGITS = 18


class TicketKey:
    """Makes and recognises ticket numbers. The key is kept outside the store."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) < 32:
            raise InputError(f"a ticket key has at least 32 bytes, got {len(secret)}")
        self._secret = secret

    def number(self, sender: str, command_id: str) -> str:
        """The number of the ticket that this command asks for."""
        seed = hmac.digest(self._secret, f"number\n{sender}\n{command_id}".encode(), "sha256")
        body = f"{int.from_bytes(seed, 'big') % 10**16:016d}"
        return body + check_digits(body)

    def name(self, number: str) -> str:
        """The ticket's name in the journal, from which the number cannot be found."""
        return hmac.digest(self._secret, f"name\n{number}".encode(), "sha256").hex()


def check_digits(body: str) -> str:
    """Two digits that make the whole number leave 1 when divided by 97."""
    return f"{98 - int(body) * 100 % 97:02d}"


def parse_number(raw: str) -> str:
    """A ticket number as it was typed or scanned, checked."""
    digits = raw.replace(" ", "").replace("-", "")
    if len(digits) != DIGITS or not (digits.isascii() and digits.isdigit()):
        raise InputError(f"a ticket number has {DIGITS} digits, got {len(digits)} characters")
    if int(digits) % 97 != 1:
        raise InputError("the ticket number's check digits are wrong: a digit was misread")
    return digits


def masked(number: str) -> str:
    """What logs and screens may show of a number before it is redeemed."""
    return f"{'•' * (DIGITS - 4)}{number[-4:]}"


class TicketStatus(StrEnum):
    """Where a ticket stands."""

    VALID = "valid"
    EXPIRED = "expired"
    REDEEMED = "redeemed"
    VOID = "void"


class TicketEvent(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """Something that happened to a ticket, where and by whom."""

    by: Actor
    at: datetime
    where: str
    v: Literal[1] = 1


class TicketIssued(TicketEvent, frozen=True, kw_only=True):
    """A ticket was printed; `replaces` when it took another's place."""

    amount: int
    expires_at: datetime
    sequence: int
    last_four: str
    replaces: bool = False


class TicketPrinted(TicketEvent, frozen=True, kw_only=True):
    """A copy went to the cashier's printer; every one after the first is a duplicate, by two people."""

    copy: int
    second: Actor | None = None
    reason: str = ""


class TicketRedeemed(TicketEvent, frozen=True, kw_only=True):
    """A ticket was paid, once and for all."""


class TicketVoided(TicketEvent, frozen=True, kw_only=True):
    """Two people made a ticket void; `reissued` when another took its place."""

    second: Actor
    reason: str
    reissued: bool


AnyTicketEvent = TicketIssued | TicketPrinted | TicketRedeemed | TicketVoided


@dataclass(slots=True)
class Ticket:
    """One ticket, from its events."""

    issued: TicketIssued
    version: int = 0
    at: int = 0  # when the journal says that its last event was
    status: TicketStatus = TicketStatus.VALID
    ended: AnyTicketEvent | None = None
    copies: int = 0  # what a terminal printed by itself is not among them

    @property
    def amount(self) -> int:
        return self.issued.amount

    def status_at(self, now: datetime) -> TicketStatus:
        if self.status is TicketStatus.VALID and now >= self.issued.expires_at:
            return TicketStatus.EXPIRED
        return self.status

    def next_at(self, moment: datetime) -> int:
        """The time of its next event: clocks differ, but the journal's time never goes back."""
        return max(self.at, micros(moment))

    def evolve(self, event: AnyTicketEvent) -> None:
        self.version += 1
        self.at = self.next_at(event.at)
        match event:
            case TicketIssued():
                if self.version != 1:
                    raise InvariantBroken("a ticket is issued once")
            case TicketPrinted():
                self.copies = event.copy
            case TicketRedeemed():
                self.status, self.ended = TicketStatus.REDEEMED, event
            case TicketVoided():
                self.status, self.ended = TicketStatus.VOID, event


def ticket_from(events: Iterable[AnyTicketEvent]) -> Ticket | None:
    """A ticket from its stream; none where there are no events."""
    ticket: Ticket | None = None
    for event in events:
        if ticket is None:
            if not isinstance(event, TicketIssued):
                raise InvariantBroken("a ticket's first event is its issue")
            ticket = Ticket(event)
        ticket.evolve(event)
    return ticket


_WHY = {
    TicketStatus.REDEEMED: RefusalCode.TICKET_REDEEMED,
    TicketStatus.EXPIRED: RefusalCode.TICKET_EXPIRED,
    TicketStatus.VOID: RefusalCode.TICKET_VOID,
}


def unredeemable(ticket: Ticket | None, now: datetime) -> Refusal | None:
    """Why a ticket cannot be paid, or None when it can."""
    if ticket is None:
        return by_house(RefusalCode.TICKET_UNKNOWN)
    status = ticket.status_at(now)
    if status is TicketStatus.VALID:
        return None
    facts = {"last_four": ticket.issued.last_four, "status": str(status)}
    return by_house(_WHY[status], **facts)
