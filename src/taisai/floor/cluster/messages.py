"""What is asked of a cluster's terminals, and what is put on its stream beside the table's own events."""

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from taisai.floor.identity import Identity
from taisai.floor.table.messages import AnyTableCommand, AnyTableEvent, TableCommand, TableEvent
from taisai.game.people import Actor

TERMINALS_MAX = 1_000

ServiceState = Literal["in-service", "out-of-service", "door-open", "printer-fault"]


class EnrolTerminal(TableCommand, frozen=True, kw_only=True):
    """Make a Player Terminal known by the digest of the key that it keeps."""

    terminal: str
    key_digest: str
    label: str = ""


class CreditIn(TableCommand, frozen=True, kw_only=True):
    """Credits bought at a terminal: notes, a ticket by its name in the journal, or a gift of the house."""

    terminal: str
    source: Literal["cash", "ticket", "promo"]
    amount: int = 0
    ticket: str | None = None


class NewTicket(msgspec.Struct, frozen=True, kw_only=True):
    """The ticket that a command asks for: its name, and all but its amount.

    It is good for so many `days` from its issue; requests from before version 0.2 name the moment instead.
    """

    name: str
    last_four: str
    days: int = 0
    expires_at: datetime | None = None

    def good_until(self, issued: datetime) -> datetime:
        """When it expires, if it is issued now."""
        return self.expires_at or issued + timedelta(days=self.days)


class CashOutToTicket(TableCommand, frozen=True, kw_only=True):
    """All credits of a terminal's session leave as a ticket, and the session ends.

    What is more than `amount_max` an attendant pays by hand. With `session`, that session and no other.
    """

    terminal: str
    ticket: NewTicket
    session: str | None = None
    amount_max: int | None = None


class HandPay(TableCommand, frozen=True, kw_only=True):
    """Two people pay a session's credits in cash, as when the printer fails.

    `amount` is what the second person agreed to; if the credits have changed since, nothing is paid. A
    cashier pays from the `drawer`.
    """

    terminal: str
    amount: int | None = None
    second: Actor | None = None
    reason: str = ""
    identity: Identity | None = None
    drawer: str | None = None


class SetService(TableCommand, frozen=True, kw_only=True):
    """The terminal's condition. That people unlock one, putting it in service again, takes two of them."""

    terminal: str
    service: ServiceState
    second: Actor | None = None
    reason: str = ""


AnyClusterCommand = AnyTableCommand | EnrolTerminal | CreditIn | CashOutToTicket | HandPay | SetService


class TerminalEnrolled(TableEvent, frozen=True, kw_only=True):
    """A terminal may connect with the key of this digest."""

    terminal: str
    key_digest: str
    label: str


class SessionOpened(TableEvent, frozen=True, kw_only=True):
    """A player began at a terminal."""

    terminal: str
    session: str


class CreditsBought(TableEvent, frozen=True, kw_only=True):
    """Credits came in."""

    terminal: str
    session: str
    source: str
    amount: int


class CreditsPaidOut(TableEvent, frozen=True, kw_only=True):
    """A session's credits left, as a ticket or by hand, and the session ended."""

    terminal: str
    session: str
    amount: int
    ticket: str | None
    sequence: int
    second: Actor | None = None
    reason: str = ""
    identity: Identity | None = None


class ServiceChanged(TableEvent, frozen=True, kw_only=True):
    """A terminal's condition changed; `held` while people keep it out of service."""

    terminal: str
    service: ServiceState
    held: bool = False
    second: Actor | None = None
    reason: str = ""


AnyClusterEvent = (
    AnyTableEvent | TerminalEnrolled | SessionOpened | CreditsBought | CreditsPaidOut | ServiceChanged
)
