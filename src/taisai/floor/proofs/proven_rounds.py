"""Rounds with the trees of their slips and results: as a table has them, or played again from the record."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from taisai.errors import InputError, InvariantBroken
from taisai.floor.events import table_event
from taisai.floor.proofs.bringing import bring_notary
from taisai.floor.proofs.log_state import RoundPlaces
from taisai.floor.proofs.log_tiles import checkpoints_after, places_of
from taisai.floor.streams import table_stream
from taisai.floor.table.messages import RoundEvent
from taisai.floor.table.notary import Notarising, RoundNotary
from taisai.floor.table.state import TableState
from taisai.floor.views.round_reading import round_row
from taisai.game import events as ev
from taisai.game.evolve import evolve
from taisai.game.round import shipped_rules
from taisai.game.state import RoundState
from taisai.proof.notes import read_checkpoint
from taisai.proof.rounds import SLIPS
from taisai.record.ports import Store


class NoReceiptYet(InputError):
    """There is no receipt for this round, or not yet."""


class HasTable(Protocol):
    """A table's desk, or a copy of it."""

    @property
    def state(self) -> Any: ...


@dataclass
class ProvenRounds:
    """Whoever has the record and the key of the salts can make the trees of a round again."""

    store: Store
    notarising: Notarising
    tables: Mapping[str, HasTable]

    async def closed(self, table: str, number: int) -> RoundState:
        """A round of a table whose bets are closed, with its trees."""
        return await self.played(self.tables[table].state, number)

    async def places(self, table: str, number: int) -> RoundPlaces | None:
        """Where the log has a round."""
        return await places_of(self.store, table, number)

    async def played(self, state: TableState, number: int) -> RoundState:
        """A round with its trees: as the table has it, or played again from the record."""
        await bring_notary(self.store, state, number)
        known = state.rounds.get(number)
        keeper = known.notary if known is not None else None
        if known is not None and isinstance(keeper, RoundNotary):
            trees = {SLIPS, known.attempt}
            if all(keeper.tree(each) is not None for each in trees):
                return known
        again = await self._played_again(state.name, number)
        if isinstance(keeper, RoundNotary) and keeper.name == notary_of(again).name:
            keeper.take_trees(notary_of(again))  # it alone knows the secret of dice that are still to come
        return again

    async def _played_again(self, table: str, number: int) -> RoundState:
        """From the record, under the name that the house's log had then."""
        try:
            return await self._played_under(self.notarising, table, number)
        except InvariantBroken:
            places = await self.places(table, number)
            first = await checkpoints_after(self.store, places.opening, 1) if places else []
            origin = read_checkpoint(first[0].text).origin if first else self.notarising.origin
            if origin == self.notarising.origin:
                raise
        try:
            return await self._played_under(replace(self.notarising, origin=origin), table, number)
        except InvariantBroken:
            raise self.under_two_names(table, number, origin) from None

    def under_two_names(self, table: str, number: int, origin: str) -> NoReceiptYet:
        now = self.notarising.origin
        return NoReceiptYet(
            f"{table}/{number} began under the name {origin} and ended under {now}, after a restore:"
            " no log holds both"
        )

    async def _played_under(self, notarising: Notarising, table: str, number: int) -> RoundState:
        row = await round_row(self.store, table, number)
        if row is None:
            raise NoReceiptYet(f"the table {table} has no round {number}")
        state: RoundState | None = None
        async for stored in self.store.events(table_stream(table), after=row.first - 1):
            if stored.version > row.last:
                break
            event = table_event(stored)
            if not isinstance(event, RoundEvent) or event.round != number:
                continue
            if isinstance(event.event, ev.BettingOpened):
                state = evolve(RoundState(*shipped_rules(event.event.pay_table)), event.event)
                state.notary = notarising.notary(state, stored.digest, "")
            elif state is not None:
                _prove_again(state, event.event)
                evolve(state, event.event)
        if state is None:
            raise InvariantBroken(f"{table}/{number} does not begin with its opening")
        return state


def _prove_again(state: RoundState, event: ev.AnyEvent) -> None:
    """Make a tree again where one was made, and find the same root."""
    notary, made = notary_of(state), None
    if isinstance(event, ev.BettingClosed):
        made = notary.slips(state)
    elif isinstance(event, ev.BetsSettled):
        made = notary.results(state)
    elif isinstance(event, ev.RoundVoided):
        made = notary.results(state, void_clauses=(event.clause, event.returns_clause))
    if made is not None and made.root != event.root:  # type: ignore[union-attr]  # those three have one
        raise InvariantBroken(f"{state.table}/{state.number} has another root than its bets make")


def notary_of(state: RoundState) -> RoundNotary:
    """Who makes the proofs of a round."""
    if not isinstance(state.notary, RoundNotary):
        raise InvariantBroken(f"{state.table}/{state.number} has nobody who makes its proofs")
    return state.notary
