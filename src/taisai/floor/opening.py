"""Table desks: the kind of desk that runs a table, and reading single rounds from the journal."""

from collections.abc import AsyncIterator, Awaitable

import msgspec

from taisai.errors import InputError, InvariantBroken
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
from taisai.floor.events import table_event, ticket_event
from taisai.floor.identity import CagePolicy
from taisai.floor.streams import CAGE, table_stream, ticket_stream
from taisai.floor.table.attempts import kept_refusal
from taisai.floor.table.damaged_dice import rounds_of
from taisai.floor.table.messages import Accepted, AnyTableCommand, AnyTableEvent, RoundEvent
from taisai.floor.table.state import FindRules, TableState
from taisai.floor.tickets import Ticket, TicketStatus
from taisai.floor.views.attempts import refused_in_store
from taisai.floor.views.rounds import ROUNDS, RoundRow, round_key
from taisai.game.events import BettingOpened
from taisai.game.evolve import evolve
from taisai.game.round import shipped_rules
from taisai.game.state import RoundState
from taisai.record.ports import Clock, Store
from taisai.record.views import catch_up

# More than a batch can touch: one that was ended and is not durable yet is never forgotten.
TICKETS_HELD = 2 * BATCH_MAX


def _own_name(table: str) -> str:
    """A table's name; transfers are numbered under it, so no other desk may have it."""
    if table == CAGE:
        raise InputError(f"a table cannot be called {CAGE!r}: the cage is")
    return table


def table_desk(
    table: str, store: Store, clock: Clock, *, find_rules: FindRules = shipped_rules
) -> Desk[TableState]:
    """The desk of one table."""

    def prepare(store: Store, state: TableState, command: AnyTableCommand) -> Awaitable[None] | None:
        return _bring_round(store, state, command, find_rules)

    kind = DeskKind(
        name=_own_name(table),
        stream=table_stream(table),
        events=AnyTableEvent,
        answers=Accepted,
        fresh=lambda: TableState(table, find_rules),
        prepare=prepare,
        memory=table_memory(TableState(table, find_rules)),
        kept=kept_refusal,
        recall=recall_attempts,
    )
    return Desk(kind, store, clock)


def _bring_round(
    store: Store, state: TableState, command: object, find_rules: FindRules
) -> Awaitable[None] | None:
    """Earlier rounds that a command speaks of are read from the journal first."""
    numbers = state.wants_rounds(command)
    return _keep_rounds(store, state, command, numbers, find_rules) if numbers else None


async def _keep_rounds(
    store: Store, state: TableState, command: object, numbers: list[int], find_rules: FindRules
) -> None:
    wanted = rounds_of(command) or numbers
    for number in numbers:
        state.keep_round(number, await load_round(store, state.name, number, find_rules), wanted)


async def recall_attempts(store: Store, state: TableState) -> None:
    """Who tried how often in the round in play: refused bets are answers, which no event tells of."""
    if state.in_play:
        for refused in await refused_in_store(store, state.name, state.number):
            state.attempts.recall(refused.attempt)


async def round_events(store: Store, table: str, number: int) -> AsyncIterator[RoundEvent]:
    """The events of one round, in their order, corrections of later days included."""
    await catch_up(store, ROUNDS)
    key = round_key(table, number)
    row = (await store.view_get(ROUNDS.name, [key])).get(key)
    if row is None:
        return
    where = msgspec.json.decode(row, type=RoundRow)
    async for stored in store.events(table_stream(table), after=where.first - 1):
        if stored.version > where.last:
            return
        event = table_event(stored)
        if isinstance(event, RoundEvent) and event.round == number:
            yield event


async def load_round(
    store: Store, table: str, number: int, find_rules: FindRules = shipped_rules
) -> RoundState:
    """One round's state from the journal."""
    state: RoundState | None = None
    async for event in round_events(store, table, number):
        if state is None:
            if not isinstance(event.event, BettingOpened):
                raise InvariantBroken(f"{table}/{number} does not begin with its opening")
            state = RoundState(*find_rules(event.event.pay_table))
        evolve(state, event.event)
    if state is None:
        raise InputError(f"the table {table} has no round {number}")
    return state


def cluster_desk(
    table: str,
    store: Store,
    clock: Clock,
    *,
    find_rules: FindRules = shipped_rules,
    terminals_max: int = TERMINALS_MAX,
) -> Desk[ClusterState]:
    """The desk of a cluster of Player Terminals."""

    def prepare(store: Store, state: ClusterState, command: AnyClusterCommand) -> Awaitable[None] | None:
        if isinstance(command, CreditIn) and command.ticket:
            return bring_ticket(store, state.tickets, command.ticket)
        return _bring_round(store, state, command, find_rules)

    kind = DeskKind(
        name=_own_name(table),
        stream=table_stream(table),
        events=AnyClusterEvent,
        answers=Accepted,
        fresh=lambda: ClusterState(table, find_rules, terminals_max=terminals_max),
        prepare=prepare,
        memory=cluster_memory(ClusterState(table, find_rules, terminals_max=terminals_max)),
        kept=kept_refusal,
        recall=recall_attempts,
    )
    return Desk(kind, store, clock)


def cage_desk(store: Store, clock: Clock, policy: CagePolicy | None = None) -> Desk[CageState]:
    """The desk of the house's cage."""

    def prepare(store: Store, state: CageState, command: AnyCageCommand) -> Awaitable[None] | None:
        if isinstance(command, RedeemTicket | PrintTicket | VoidTicket):
            return bring_ticket(store, state.tickets, command.ticket)
        return None

    kind = DeskKind(
        name=CAGE,
        stream=CAGE,
        events=AnyCageEvent,
        answers=CageAnswer,
        fresh=lambda: CageState(policy=policy or CagePolicy()),
        prepare=prepare,
    )
    return Desk(kind, store, clock)


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
