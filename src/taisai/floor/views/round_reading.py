"""Single rounds read from the journal."""

from collections.abc import AsyncIterator

import msgspec

from taisai.errors import InputError, InvariantBroken
from taisai.floor.events import table_event
from taisai.floor.streams import table_stream
from taisai.floor.table.messages import RoundEvent
from taisai.floor.table.state import FindRules
from taisai.floor.views.rounds import ROUNDS, RoundRow, round_key
from taisai.game.events import BettingOpened
from taisai.game.evolve import evolve
from taisai.game.round import shipped_rules
from taisai.game.state import RoundState
from taisai.record.ports import Store
from taisai.record.views import catch_up


async def round_row(store: Store, table: str, number: int) -> RoundRow | None:
    """Where a round is on its table's stream."""
    await catch_up(store, ROUNDS)
    key = round_key(table, number)
    row = (await store.view_get(ROUNDS.name, [key])).get(key)
    return None if row is None else msgspec.json.decode(row, type=RoundRow)


async def round_events(store: Store, table: str, number: int) -> AsyncIterator[RoundEvent]:
    """The events of one round, in their order, corrections of later days included."""
    where = await round_row(store, table, number)
    if where is None:
        return
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
