"""Which rounds were played with which set of dice: a read model by set, so that they are found at once."""

from collections.abc import AsyncIterator, Iterable, Iterator
from urllib.parse import quote

import msgspec

from taisai.floor.views.rounds import ROUNDS, RoundRow, round_key, round_turns
from taisai.game.events import BettingOpened
from taisai.record.journal import Commit
from taisai.record.ports import Store
from taisai.record.views import Rows, catch_up

_ROWS_AT_ONCE = 500
_decode_row = msgspec.json.Decoder(RoundRow).decode


class DiceRounds:
    """A row for each round whose dice are known: `SET/TABLE/ROUND`, with the time of its opening."""

    name = "dice-rounds"

    def keys(self, commit: Commit) -> Iterable[str]:
        return [key for key, _ in _opened(commit)]

    def apply(self, commit: Commit, rows: Rows) -> None:
        for key, opened_at in _opened(commit):
            rows[key] = msgspec.json.encode(opened_at)


DICE_ROUNDS = DiceRounds()


def _opened(commit: Commit) -> Iterator[tuple[str, int]]:
    for table, stored, wrapped in round_turns(commit):
        event = wrapped.event
        if isinstance(event, BettingOpened) and event.dice_set:
            yield f"{_prefix(event.dice_set)}{round_key(table, wrapped.round)}", stored.at


def _prefix(dice_set: str) -> str:
    return f"{quote(dice_set, safe='')}/"


async def rounds_of_set(store: Store, dice_set: str) -> AsyncIterator[RoundRow]:
    """The rounds that used a set of dice, by table and in their order."""
    await catch_up(store, DICE_ROUNDS)
    await catch_up(store, ROUNDS)
    prefix = _prefix(dice_set)
    keys = [key.removeprefix(prefix) async for key, _ in store.view_rows(DICE_ROUNDS.name, prefix)]
    for first in range(0, len(keys), _ROWS_AT_ONCE):
        part = keys[first : first + _ROWS_AT_ONCE]
        found = await store.view_get(ROUNDS.name, part)
        for key in part:
            if key in found:
                yield _decode_row(found[key])
