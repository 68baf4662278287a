"""The desks of tables, clusters and the cage: which kind of desk runs each."""

from collections.abc import Awaitable

from taisai.errors import InputError
from taisai.floor import tickets
from taisai.floor.cage import (
    AnyCageCommand,
    AnyCageEvent,
    CageAnswer,
    CageState,
    PrintTicket,
    RedeemTicket,
    VoidTicket,
)
from taisai.floor.cluster.memory import cluster_memory, table_memory
from taisai.floor.cluster.messages import TERMINALS_MAX, AnyClusterCommand, AnyClusterEvent, CreditIn
from taisai.floor.cluster.state import ClusterState
from taisai.floor.desks.desk import BATCH_MAX, Desk
from taisai.floor.desks.kind import DeskKind
from taisai.floor.events import ticket_event
from taisai.floor.identity import CagePolicy
from taisai.floor.proofs.bringing import bring
from taisai.floor.streams import CAGE, table_stream, ticket_stream
from taisai.floor.table.answers import retold_slip
from taisai.floor.table.attempts import kept_refusal
from taisai.floor.table.messages import Accepted, AnyTableCommand, AnyTableEvent, StartRound
from taisai.floor.table.notary import Notarising
from taisai.floor.table.state import FindRules, TableState
from taisai.floor.tickets import Ticket, TicketStatus
from taisai.floor.views.attempts import refused_in_store
from taisai.game.round import shipped_rules
from taisai.record.ports import Clock, Store

# More than a batch can touch: one that was ended and is not durable yet is never forgotten.
TICKETS_HELD = 2 * BATCH_MAX


def _own_name(table: str) -> str:
    """A table's name; transfers are numbered under it, so no other desk may have it."""
    if table == CAGE:
        raise InputError(f"a table cannot be called {CAGE!r}: the cage is")
    return table


def is_opening(command: object) -> bool:
    """An opening is durable before a bet is taken: its digest is part of every proof of the round."""
    return isinstance(command, StartRound)


def table_desk(
    table: str,
    store: Store,
    clock: Clock,
    *,
    find_rules: FindRules = shipped_rules,
    notarising: Notarising | None = None,
) -> Desk[TableState]:
    """The desk of one table."""
    return Desk(table_kind(table, find_rules=find_rules, notarising=notarising), store, clock)


def table_kind(
    table: str, *, find_rules: FindRules = shipped_rules, notarising: Notarising | None = None
) -> DeskKind[TableState]:
    """How the desk of a live table works."""

    def prepare(store: Store, state: TableState, command: AnyTableCommand) -> Awaitable[None] | None:
        return bring(store, state, command, find_rules)

    def fresh() -> TableState:
        return TableState(table, find_rules, notarising=notarising)

    return DeskKind(
        name=_own_name(table),
        stream=table_stream(table),
        events=AnyTableEvent,
        answers=Accepted,
        fresh=fresh,
        prepare=prepare,
        memory=table_memory(fresh()),
        kept=kept_refusal,
        recall=recall_attempts,
        ends_commit=is_opening,
        retold=retold_slip,
    )


async def recall_attempts(store: Store, state: TableState) -> None:
    """Who tried how often in the round in play: refused bets are answers, which no event tells of."""
    if state.in_play:
        for refused in await refused_in_store(store, state.name, state.number):
            state.attempts.recall(refused.attempt)


def cluster_desk(
    table: str,
    store: Store,
    clock: Clock,
    *,
    find_rules: FindRules = shipped_rules,
    terminals_max: int = TERMINALS_MAX,
    notarising: Notarising | None = None,
) -> Desk[ClusterState]:
    """The desk of a cluster of Player Terminals."""
    kind = cluster_kind(table, find_rules=find_rules, terminals_max=terminals_max, notarising=notarising)
    return Desk(kind, store, clock)


def cluster_kind(
    table: str,
    *,
    find_rules: FindRules = shipped_rules,
    terminals_max: int = TERMINALS_MAX,
    notarising: Notarising | None = None,
) -> DeskKind[ClusterState]:
    """How the desk of a cluster works."""

    def prepare(store: Store, state: ClusterState, command: AnyClusterCommand) -> Awaitable[None] | None:
        if isinstance(command, CreditIn) and command.ticket:
            return bring_ticket(store, state.tickets, command.ticket)
        return bring(store, state, command, find_rules)

    def fresh() -> ClusterState:
        return ClusterState(table, find_rules, notarising=notarising, terminals_max=terminals_max)

    return DeskKind(
        name=_own_name(table),
        stream=table_stream(table),
        events=AnyClusterEvent,
        answers=Accepted,
        fresh=fresh,
        prepare=prepare,
        memory=cluster_memory(fresh()),
        kept=kept_refusal,
        recall=recall_attempts,
        ends_commit=is_opening,
        retold=retold_slip,
    )


def cage_desk(store: Store, clock: Clock, policy: CagePolicy | None = None) -> Desk[CageState]:
    """The desk of the house's cage."""
    return Desk(cage_kind(policy), store, clock)


def cage_kind(policy: CagePolicy | None = None) -> DeskKind[CageState]:
    """How the cage works."""

    def prepare(store: Store, state: CageState, command: AnyCageCommand) -> Awaitable[None] | None:
        if isinstance(command, RedeemTicket | PrintTicket | VoidTicket):
            return bring_ticket(store, state.tickets, command.ticket)
        return None

    return DeskKind(
        name=CAGE,
        stream=CAGE,
        events=AnyCageEvent,
        answers=CageAnswer,
        fresh=lambda: CageState(policy=policy or CagePolicy()),
        prepare=prepare,
    )


async def load_ticket(store: Store, name: str) -> Ticket | None:
    """A ticket as the journal has it."""
    events = [ticket_event(stored) async for stored in store.events(ticket_stream(name))]
    return tickets.ticket_from(events)


async def bring_ticket(store: Store, held: dict[str, Ticket], name: str) -> None:
    """Look a ticket up before deciding on it; one that this desk has already ended stays ended."""
    known = held.get(name)
    if known is None or known.status is TicketStatus.VALID:
        ticket = await load_ticket(store, name)
        if ticket is not None:
            held.pop(name, None)
            held[name] = ticket
    while len(held) > TICKETS_HELD:
        del held[next(iter(held))]
