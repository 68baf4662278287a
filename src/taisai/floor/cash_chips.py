"""Cash chips are good at every table, so no single desk knows how many are out: the house does.

A bet or a change of more chips than the house has given out is a slip of the hand, and is refused before it
could stand in the ledger.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from taisai.floor.desks.desk import Desk
from taisai.floor.table.messages import AtRack, CashOut, InRound
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.chips import PayInColour
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.ledger.accounts import CASH_CHIPS
from taisai.record.ports import Store
from taisai.record.views import balances

# Asks the desk; with a refusal, to put that on record.
Ask = Callable[[Refusal | None], Awaitable[Any]]


class CashChips:
    """What is in circulation: what the record said once, and what each desk's book has added since."""

    def __init__(self, store: Store, desks: "dict[str, Desk[Any]]") -> None:
        self._store, self._desks = store, desks
        self._before: int | None = None
        self._turn = asyncio.Lock()

    def forget(self) -> None:
        """A desk was rebuilt: its book begins from nothing, so the record is asked again."""
        self._before = None

    async def ask(self, table: str, command: Any, ask: Ask) -> Any:
        """Ask a table's desk, unless a command needs more cash chips than there are.

        From the look at what is out to the answer one at a time: two tables must not take the same chips.
        """
        state: TableState = self._desks[table].state
        needed = chips_needed(state, command) if state.uses_chips or isinstance(command, AtRack) else 0
        if needed <= 0:
            return await ask(None)
        async with self._turn:
            available = await self._out()
            if needed <= available:
                return await ask(None)
        facts = {"needed": needed, "available": max(0, available)}
        return await ask(by_house(RefusalCode.FUNDS_INSUFFICIENT, **facts))

    async def _out(self) -> int:
        if self._before is None:
            debits, credits = (await balances(self._store, [CASH_CHIPS]))[CASH_CHIPS]
            self._before = credits - debits - self._in_books()
        return self._before + self._in_books()

    def _in_books(self) -> int:
        return sum(_balances(desk.state for desk in self._desks.values() if not desk.stopped))


def _balances(states: Iterable[TableState]) -> Iterable[int]:
    return (state.book.balance(CASH_CHIPS) for state in states)


def chips_needed(state: TableState, command: Any) -> int:
    """The worth of the cash chips that a command takes out of circulation."""
    if isinstance(command, CashOut):
        return command.chips
    if isinstance(command, AtRack) and isinstance(command.command, PayInColour) and state.rack:
        colour = state.rack.colours.get(command.command.colour)
        return command.command.chips * colour.value if colour else 0
    if not isinstance(command, InRound) or not isinstance(command.command, cmd.PlaceBets):
        return 0
    placing, current = command.command, state.current
    lies = current.slips.get(placing.player) if current else None
    held = lies.total() - sum(map(lies.coloured, lies.stacks)) if lies else 0
    amounts = [amount for amount in placing.slip.values() if type(amount) is int]
    coloured = sum(placing.chips.boxes.values()) if placing.chips else 0
    return sum(amounts) - coloured - held
