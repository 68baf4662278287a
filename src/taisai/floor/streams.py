"""The names of the journal's streams: one for each table, ticket and desk, made and read here alone."""

from typing import Final

CAGE: Final = "cage"
STAFF: Final = "staff"
PLAYERS: Final = "players"
PIT: Final = "pit"
APPROVALS: Final = "approvals"
INCIDENTS: Final = "incidents"
LOG: Final = "log"

TABLES: Final = "table:"
TICKETS: Final = "ticket:"
_CHECKPOINTS: Final = "checkpoint:"


def table_stream(table: str) -> str:
    """The stream of a table."""
    return TABLES + table


def table_of(stream: str) -> str | None:
    """The table whose stream this is, if it is one's."""
    return stream.removeprefix(TABLES) if stream.startswith(TABLES) else None


def ticket_stream(name: str) -> str:
    """The stream of a ticket, by the name that stands for its number."""
    return TICKETS + name


def ticket_of(stream: str) -> str | None:
    """The ticket whose stream this is, if it is one's."""
    return stream.removeprefix(TICKETS) if stream.startswith(TICKETS) else None


def checkpoint_stream(desk: str) -> str:
    """Where a desk's own summaries of its stream stand."""
    return _CHECKPOINTS + desk
