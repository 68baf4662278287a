"""Table desks: the kind of desk that runs a table, and reading single rounds from the journal."""

from collections.abc import AsyncIterator

import msgspec

from taisai.errors import InputError, InvariantBroken
from taisai.floor.acting import DeskKind
from taisai.floor.desk import Desk, DeskTaken
from taisai.floor.messages import Accepted, AnyTableCommand, AnyTableEvent, RoundEvent
from taisai.floor.ports import Clock, Store
from taisai.floor.table import FindRules, TableState
from taisai.game.events import BettingOpened
from taisai.game.evolve import evolve
from taisai.game.round import shipped_rules
from taisai.game.state import RoundState

_decode_event = msgspec.json.Decoder(AnyTableEvent | DeskTaken).decode


def stream_of(table: str) -> str:
    """The journal stream of a table."""
    return f"table:{table}"


def table_desk(
    table: str, store: Store, clock: Clock, *, find_rules: FindRules = shipped_rules
) -> Desk[TableState]:
    """The desk of one table."""

    async def prepare(store: Store, state: TableState, command: AnyTableCommand) -> None:
        number = state.wants_round(command)
        if number is not None:
            state.keep_round(number, await load_round(store, table, number, find_rules))

    kind = DeskKind(
        name=table,
        stream=stream_of(table),
        events=AnyTableEvent,
        answers=Accepted,
        fresh=lambda: TableState(table, find_rules),
        prepare=prepare,
    )
    return Desk(kind, store, clock)


async def round_events(store: Store, table: str, number: int) -> AsyncIterator[RoundEvent]:
    """The events of one round, in their order, corrections of later days included."""
    async for stored in store.events(stream_of(table)):
        event = _decode_event(stored.body)
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
