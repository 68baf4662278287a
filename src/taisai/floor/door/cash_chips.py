"""Cash chips are good at every table, so no single desk knows how many are out: the house does.

A bet or a change of more chips than the house has given out is a slip of the hand, and is refused before it
could stand in the ledger. Chips that another table gives out are there once that is durable: its commit may
fail, or come after the one that took them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from taisai.errors import StoreUnavailable
from taisai.floor.desks.copy import AnyDesk
from taisai.floor.desks.desk import Desk
from taisai.floor.table.messages import AtRack, CashOut, InRound
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.chips import PayInColour
from taisai.game.colours import coloured_on, kept
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.game.state import PlayerSlip
from taisai.ledger.accounts import CASH_CHIPS
from taisai.record.ports import Store
from taisai.record.views import balances

# Asks the desk; with a refusal, to put that on record.
Ask = Callable[[Refusal | None], Awaitable[Any]]
# Asks the same once the office has allotted so many chips to a table, or with its refusal.
Allotted = Callable[[str, int, Ask], Awaitable[Any]]
_OVER = (Phase.SETTLED, Phase.CONCLUDED, Phase.VOID)
# So often a count is begun again because a table of chips wrote meanwhile.
_COUNTS_MAX: Final = 50


class CashChips:
    """What is in circulation: what the record said once, and what each desk's book has added since."""

    def __init__(self, store: Store, desks: "Mapping[str, AnyDesk[Any]]") -> None:
        self._store, self._desks = store, desks
        self._before: int | None = None
        self._durable: dict[str, int] = {}  # by table: what its book had when it last was as the record
        self._turn = asyncio.Lock()

    def forget(self) -> None:
        """A desk was rebuilt: its book begins from nothing, so the record is asked again."""
        self._before = None

    def written(self, table: str) -> None:
        """A table's book is what the record holds."""
        self._durable[table] = _book(self._desks[table])

    async def ask(self, table: str, command: Any, ask: Ask, *, allotted: Allotted | None = None) -> Any:
        """Ask a table's desk, unless a command needs more cash chips than there are.

        From the look at what is out to the answer one at a time: two tables must not take the same chips.
        Where other processes run tables too, the chips are `allotted` by the office.
        """
        state: TableState = self._desks[table].state
        needed = chips_needed(state, command) if state.uses_chips else 0
        if needed <= 0:
            return await ask(None)
        async with self._turn:
            if allotted is not None:
                return await allotted(table, chips_needed(state, command), ask)
            available = await self._out(table)
            if available is None or needed <= available:
                return await ask(None)
        facts = {"needed": needed, "available": max(0, available)}
        return await ask(by_house(RefusalCode.FUNDS_INSUFFICIENT, **facts))

    async def _out(self, table: str) -> int | None:
        """What is out as this table may count on it: its own commits keep their order.

        None when its desk has stopped meanwhile, which the desk itself says to whoever asks it.
        """
        before = await self._count() if self._before is None else self._before
        books = {name: _book(desk) for name, desk in self._running().items()}
        if table not in books:
            return None
        elsewhere = (
            min(here, self._durable.get(name, here)) for name, here in books.items() if name != table
        )
        return before + books[table] + sum(elsewhere)

    async def _count(self) -> int:
        """Ask the record at a moment when no table of chips is writing, so that the books say the same."""
        for _ in range(_COUNTS_MAX):
            running = self._running()
            chips = [desk for desk in running.values() if desk.state.uses_chips]
            await asyncio.gather(*(desk.wake() for desk in chips if desk.is_writing))
            seen = _moment(chips)
            debits, credits = (await balances(self._store, [CASH_CHIPS]))[CASH_CHIPS]
            if seen is not None and seen == _moment(chips):
                self._durable = {name: _book(desk) for name, desk in running.items()}
                self._before = credits - debits - sum(self._durable.values())
                return self._before
        raise StoreUnavailable("the cash chips that are out cannot be counted: their tables are writing")

    def _running(self) -> dict[str, Desk[Any]]:
        return {
            name: desk for name, desk in self._desks.items() if isinstance(desk, Desk) and not desk.stopped
        }


def _book(desk: AnyDesk[Any]) -> int:
    balance: int = desk.state.book.balance(CASH_CHIPS)
    return balance


def _moment(desks: list[Desk[Any]]) -> list[int] | None:
    """The versions of desks none of which is writing just now."""
    return None if any(desk.is_writing for desk in desks) else [desk.version for desk in desks]


def chips_needed(state: TableState, command: Any) -> int:
    """The worth of the cash chips that a command takes out of circulation."""
    if isinstance(command, CashOut):
        return command.chips
    if isinstance(command, AtRack):
        return _chips_for_colour(state, command)
    if not isinstance(command, InRound) or not isinstance(command.command, cmd.PlaceBets | cmd.CorrectBets):
        return 0
    number = state.number if command.round is None else command.round
    current, asked = state.rounds.get(number), command.command
    if current is None or asked.player in current.paid or current.phase in _OVER:
        return 0  # what was settled is brought to its player net, and no chips move
    on_felt = current.slips.get(asked.player) or PlayerSlip()
    chips = asked.chips
    if chips is None and isinstance(asked, cmd.CorrectBets):
        chips = kept(on_felt, asked.slip)
    slip = {box: amount for box, amount in asked.slip.items() if type(amount) is int}
    plain = sum(slip.values()) - coloured_on(chips, slip)
    return plain - (on_felt.total() - coloured_on(on_felt.chips, on_felt.amounts))


def _chips_for_colour(state: TableState, command: AtRack) -> int:
    """Cash chips that are taken for colour chips: winnings that are paid in them."""
    rack = state.rack if isinstance(command.command, PayInColour) and state.uses_chips else None
    colour = rack.find(command.command.colour)[1] if rack else None
    return command.command.chips * colour.value if colour else 0
