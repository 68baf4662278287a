"""A lawful restore: two people of the copy's own staff list declare that the record goes on from a copy."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from taisai.adapters.people.signing_in import SigningIn, two_signed_in
from taisai.adapters.sealing import Sealer
from taisai.adapters.stores import read_store
from taisai.errors import InputError
from taisai.floor.events import ticket_event
from taisai.floor.streams import ticket_of
from taisai.floor.tickets import TicketRedeemed, TicketStatus, ticket_from
from taisai.game.people import Actor
from taisai.record.anchor import PaidAfterwards, RestoreDeclared, append
from taisai.record.journal import Tip
from taisai.record.order import in_order
from taisai.record.ports import RecordSnapshot, Store


@dataclass(frozen=True)
class Declaring:
    """Who declares a restore, and why; `lost` is where the record that was lost can still be read."""

    by: SigningIn
    second: SigningIn
    reason: str
    lost: str = ""


async def declare(
    store: Store, sealer: Sealer, asked: Declaring, kept: Iterable[Tip], at: datetime
) -> tuple[RestoreDeclared, Actor, Actor]:
    """Check the two people, find out what was left behind, and put the declaration on the record."""
    people = (asked.by, asked.second)
    by, second = await two_signed_in(store, sealer, people, asked.reason, at, "a restore is declared")
    tips = await store.tips()
    ends = {writer: tip.number for writer, tip in tips.items()}
    seen: dict[str, int] = {}
    for tip in kept:
        seen[tip.writer] = max(tip.number, seen.get(tip.writer, 0))
    paid: tuple[PaidAfterwards, ...] = ()
    if asked.lost:
        async with read_store(asked.lost) as lost:
            await _check_is_later(lost, tips, asked.lost)
            for writer, tip in (await lost.tips()).items():
                seen[writer] = max(tip.number, seen.get(writer, 0))
            paid = await _paid_afterwards(store, lost, ends)
    declared = RestoreDeclared(
        at=at,
        by=by.name,
        second=second.name,
        reason=asked.reason,
        ends=ends,
        seen={writer: number for writer, number in seen.items() if number > ends.get(writer, 0)},
        paid=paid,
        paid_is_known=bool(asked.lost),
    )
    await append(store, declared)
    return declared, by, second


async def _check_is_later(lost: RecordSnapshot, tips: dict[str, Tip], where: str) -> None:
    """The record that was lost went on from this copy."""
    for writer, tip in tips.items():
        if (await lost.seals(writer, [tip.number])).get(tip.number) != (tip.digest, tip.signature):
            raise InputError(f"{where} does not hold commit {writer}/{tip.number}: the copy is not one of it")


async def _paid_afterwards(
    copy: Store, lost: RecordSnapshot, ends: dict[str, int]
) -> tuple[PaidAfterwards, ...]:
    """Tickets that the lost record paid, and that the copy would pay again."""
    found = []
    async for commit in in_order(lost, after=ends):
        for stored in commit.events:
            name = ticket_of(stored.stream)
            if name is None or not isinstance(ticket_event(stored), TicketRedeemed):
                continue
            ticket = ticket_from([ticket_event(each) async for each in copy.events(stored.stream)])
            if ticket is not None and ticket.status is TicketStatus.VALID:
                four = ticket.issued.last_four
                found.append(PaidAfterwards(ticket=name, last_four=four, amount=ticket.amount))
    return tuple(found)
