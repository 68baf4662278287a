"""What a table's watch must count again after a restart: the gaming day's rounds and the dice's rolls.

A desk holds its last rounds alone. The earlier ones of the day are read from the record once, when somebody
looks, so that a table is open at once however long the day has been.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from datetime import datetime

import msgspec

from taisai.dice import Roll
from taisai.floor.events import table_event
from taisai.floor.pit.watch import ROLLS_KEPT, TableWatch
from taisai.floor.streams import table_stream
from taisai.floor.table.messages import RoundEvent
from taisai.floor.table.state import FindRules
from taisai.floor.views.rounds import ROUNDS, RoundRow, round_key
from taisai.game.events import BettingOpened
from taisai.game.evolve import evolve
from taisai.game.round import shipped_rules
from taisai.game.state import RoundState
from taisai.record.journal import micros, moment
from taisai.record.ports import Store

_ROWS_AT_ONCE = 500
_decode_row = msgspec.json.Decoder(RoundRow).decode


async def first_round_since(store: Store, table: str, since: datetime, last: int) -> int:
    """The number of a table's first round that was opened at or after a moment; `last` is its newest."""
    low, high = 1, last + 1
    while low < high:
        middle = (low + high) // 2
        row = await round_row(store, table, middle)
        if row and row.opened_at < micros(since):
            low = middle + 1
        else:
            high = middle
    return low


async def round_row(store: Store, table: str, number: int) -> RoundRow | None:
    """A round as the view of rounds has it."""
    return next(iter(await _rows(store, table, range(number, number + 1))), None)


async def newest_round(store: Store, table: str) -> int:
    """The number of a table's newest round in the view; none is 0."""
    low, high = 0, 1
    while await round_row(store, table, high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if await round_row(store, table, middle) else (low, middle)
    return low


async def opened_at(store: Store, table: str, numbers: Iterable[int]) -> dict[int, datetime]:
    """When rounds were opened, as far as the view of rounds knows them."""
    found = await store.view_get(ROUNDS.name, [round_key(table, number) for number in numbers])
    rows = (_decode_row(raw) for raw in found.values())
    return {row.round: moment(row.opened_at) for row in rows}


async def recall(store: Store, watch: TableWatch, before: int) -> None:
    """Add the day's rounds below a number to a watch, and the rolls of the set of dice that it watches."""
    async for state, opened in _rounds(store, watch.table, range(max(1, watch.first), before)):
        watch.recall_round(state, opened)
        await asyncio.sleep(0)
    dice_set = watch.dice_set
    watch.recall_rolls(dice_set, await _rolls(store, watch.table, dice_set, before))


async def _rows(store: Store, table: str, numbers: range) -> list[RoundRow]:
    keys = [round_key(table, number) for number in numbers]
    found = await store.view_get(ROUNDS.name, keys)
    return [_decode_row(found[key]) for key in keys if key in found]


async def _rounds(
    store: Store, table: str, numbers: range, find_rules: FindRules = shipped_rules
) -> AsyncIterator[tuple[RoundState, datetime]]:
    """Rounds as they stand, each as soon as the stream has nothing more about it, and when it was opened."""
    ends: dict[int, int] = {}
    start = 0
    for low in range(numbers.start, numbers.stop, _ROWS_AT_ONCE):
        for row in await _rows(store, table, range(low, min(low + _ROWS_AT_ONCE, numbers.stop))):
            start = start or row.first
            ends[row.round] = row.last
    states: dict[int, RoundState] = {}
    opened: dict[int, datetime] = {}
    if not ends:
        return
    until = max(ends.values())
    async for stored in store.events(table_stream(table), after=start - 1):
        event = table_event(stored)
        if isinstance(event, RoundEvent) and event.round in ends:
            if isinstance(event.event, BettingOpened):
                states[event.round] = RoundState(*find_rules(event.event.pay_table))
                opened[event.round] = event.event.at
            evolve(states[event.round], event.event)
            if stored.version == ends[event.round]:
                yield states.pop(event.round), opened.pop(event.round)
        if stored.version >= until:
            return


async def _rolls(store: Store, table: str, dice_set: str | None, before: int) -> dict[int, Roll]:
    """What one set of dice showed in the rounds below a number, back to where it was put in."""
    found: dict[int, Roll] = {}
    for high in range(before, 1, -_ROWS_AT_ONCE):
        for row in reversed(await _rows(store, table, range(max(1, high - _ROWS_AT_ONCE), high))):
            if row.dice_set != dice_set or len(found) == ROLLS_KEPT:
                return dict(reversed(found.items()))
            if row.dice and row.state == "concluded":
                found[row.round] = Roll(*row.dice)
    return dict(reversed(found.items()))
