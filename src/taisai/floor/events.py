"""The events on the streams of tables and tickets: read from their bytes, and told apart."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

import msgspec

from taisai.floor.cluster.messages import AnyClusterEvent
from taisai.floor.desks.kind import OwnerEvent
from taisai.floor.table.messages import RoundEvent
from taisai.floor.tickets import AnyTicketEvent
from taisai.game.events import BetsPlaced, RoundConcluded
from taisai.record.journal import Event
from taisai.record.ports import InArchive, RecordCorrupt

_table = msgspec.json.Decoder(AnyClusterEvent | OwnerEvent).decode
_body = attrgetter("body")
_ticket = msgspec.json.Decoder(AnyTicketEvent).decode


def table_event(stored: Event) -> Any:
    """An event of a table's stream, live or cluster."""
    return _read(_table, stored)


def what_is_said(stored: Sequence[Event]) -> list[Any]:
    """`table_event` of each, in one go where all of them can be read: a round has very many."""
    try:
        return list(map(_table, map(_body, stored)))
    except msgspec.DecodeError:
        return [table_event(each) for each in stored]


def ticket_event(stored: Event) -> Any:
    """An event of a ticket's stream."""
    return _read(_ticket, stored)


def _read(decode: Callable[[bytes], Any], stored: Event) -> Any:
    if not stored.body:
        raise InArchive(f"{stored.stream} version {stored.version}")
    try:
        return decode(stored.body)
    except msgspec.DecodeError as error:
        raise RecordCorrupt(f"{stored.stream} version {stored.version} cannot be read: {error}") from None


def is_bet(event: Any) -> bool:
    """Slips are most of what a table publishes, and none of them changes what is due."""
    return isinstance(event, RoundEvent) and isinstance(event.event, BetsPlaced)


def is_round_end(event: Any) -> bool:
    return isinstance(event, RoundEvent) and isinstance(event.event, RoundConcluded)
