"""The receipts of a session, for a player who comes to the cashier with the ticket that it ended with."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from taisai.floor.proofs.bringing import notary_to_read
from taisai.floor.table.notary import Notarising, closed_slip
from taisai.floor.tickets import TicketIssued
from taisai.floor.views.round_reading import load_round
from taisai.ledger import Reason, Transfer
from taisai.ledger.accounts import TICKETS, credit
from taisai.proof.rounds import SLIPS, leaf_of
from taisai.record.journal import micros
from taisai.record.ports import Store

# A paper with more codes than that is no paper any more.
ROUNDS_MAX: Final = 60


class ReceiptPlace(NamedTuple):
    """Where the receipt of one slip is: whoever knows its salt may have it. Salt and leaf are in hex."""

    table: str
    round: int
    place: int
    salt: str
    leaf: str

    @property
    def address(self) -> str:
        return f"/receipts/{self.table}/{self.round}/{self.place}/{self.salt}"


@dataclass(frozen=True, slots=True)
class SessionReceipts:
    """The receipts of a session, newest first, and how many older rounds were left off."""

    session: str
    receipts: list[ReceiptPlace]
    left_off: int = 0


async def session_of_ticket(store: Store, terminal: str, sessions: int, issued: TicketIssued) -> str | None:
    """The session of a terminal that ended with a ticket: sessions follow each other, so few are read."""
    at, low, high = micros(issued.at), 0, sessions
    while low < high:  # the last session whose money first moved before the ticket was issued
        middle = (low + high + 1) // 2
        first = await _first(store, f"{terminal}.{middle}")
        if first is not None and first.at <= at:
            low = middle
        else:
            high = middle - 1
    if not low:
        return None
    session = f"{terminal}.{low}"
    async for transfer in store.transfers(credit(session)):
        is_ticket = transfer.reason == Reason.TICKET_ISSUED and transfer.credit == TICKETS
        if is_ticket and (transfer.at, transfer.amount_minor) == (at, issued.amount):
            return session
    return None


async def _first(store: Store, session: str) -> Transfer | None:
    async for transfer in store.transfers(credit(session)):
        return transfer
    return None


async def receipts_of_session(store: Store, notarising: Notarising, session: str) -> SessionReceipts:
    """Where the receipts of a session's rounds are. Rounds that were closed without a tree have none."""
    rounds: dict[tuple[str, int], None] = {}
    async for transfer in store.transfers(credit(session)):
        table, _, number = transfer.ref.partition("/")
        if transfer.reason == Reason.STAKE and number:
            rounds[table, int(number)] = None
    newest = list(rounds)[::-1]
    found = [await _place(store, notarising, session, *each) for each in newest[:ROUNDS_MAX]]
    kept = [place for place in found if place is not None]
    return SessionReceipts(session, kept, max(0, len(newest) - ROUNDS_MAX))


async def _place(
    store: Store, notarising: Notarising, session: str, table: str, number: int
) -> ReceiptPlace | None:
    played = await load_round(store, table, number)
    if not played.slip_root or session not in played.slips:
        return None
    notary = await notary_to_read(store, notarising, played)
    place = notary.place(played, session)
    if place >= played.slips_closed:
        return None
    salt = notary.salt(SLIPS, place)
    leaf = leaf_of(notary.context, salt, closed_slip(played, session))
    return ReceiptPlace(table, number, place, salt.hex(), leaf.hex())
