"""Receipts: a player's slip of a round that is in the log, with everything that proves it."""

import hmac
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from taisai.errors import InputError, InvariantBroken
from taisai.floor.desks.desk import Desk
from taisai.floor.events import table_event
from taisai.floor.proofs.bringing import bring_notary
from taisai.floor.proofs.log_state import RoundPlaces
from taisai.floor.proofs.log_tiles import checkpoints_after, last_under, places_of
from taisai.floor.proofs.registrar import Registrar
from taisai.floor.streams import table_stream
from taisai.floor.table.messages import RoundEvent
from taisai.floor.table.notary import Notarising, RoundNotary, closed_slip, result_body_of
from taisai.floor.table.state import TableState
from taisai.floor.views.round_reading import round_row
from taisai.game import events as ev
from taisai.game.evolve import evolve
from taisai.game.notary import Notary
from taisai.game.round import shipped_rules
from taisai.game.state import RoundState
from taisai.proof.merkle import consistency, inclusion
from taisai.proof.notes import SignedNote, read_checkpoint
from taisai.proof.receipt import (
    FORMAT,
    LoggedEntry,
    ProvenResult,
    ProvenSlip,
    Receipt,
    proof_text,
    receipt_bytes,
)
from taisai.proof.rounds import SLIPS
from taisai.proof.tiles import TileReader
from taisai.record.ports import Store

# Checkpoints that are looked at for one that holds a closing and not yet its result.
_CHECKPOINTS_TRIED = 64


class NoReceiptYet(InputError):
    """There is no receipt for this round, or not yet."""


class SlipProof(NamedTuple):
    """Where a slip is in the tree of its round, and the proof of it: what a terminal checks for itself."""

    place: int
    salt: bytes
    body: bytes
    proof: list[bytes]


@dataclass
class Receipts:
    """Makes receipts from the record and the log."""

    store: Store
    registrar: Registrar
    notarising: Notarising
    tables: Mapping[str, Desk[Any]]

    async def by_salt(self, table: str, number: int, place: int, salt: str) -> bytes:
        """The receipt of a slip by its place and its salt in hex, which only its player was told."""
        if table not in self.tables:
            raise NoReceiptYet(f"there is no table {table}")
        state: TableState = self.tables[table].state
        played = await self.played(state, number)
        player = next((name for at, name in enumerate(played.slips) if at == place), "")
        if not hmac.compare_digest(slip_proof(played, player).salt.hex(), salt):
            raise NoReceiptYet(f"this is not the key to a slip of {table}/{number}")
        return await self.receipt(state, number, player)

    async def closed(self, table: str, number: int) -> RoundState:
        """A round of a table whose bets are closed, with its trees."""
        return await self.played(self.tables[table].state, number)

    async def receipt(self, state: TableState, number: int, player: str) -> bytes:
        """A player's receipt for a round of a table."""
        places = await self._places(state.name, number)
        after = self.registrar.state.checkpoint
        if places is None or places.closing is None or places.result is None or after is None:
            raise NoReceiptYet(f"{state.name}/{number} has no result in the log")
        if places.result >= read_checkpoint(after.text).size:
            raise NoReceiptYet(f"the result of {state.name}/{number} is not signed yet")
        before = await self._before(places.closing, places.result)
        played = await self.played(state, number)
        name = _notary(played).name.origin
        if name != self.registrar.key.name:  # before a restore: proved by what was signed under that name
            after = await last_under(self.store, name) or after
            if read_checkpoint(after.text).size <= places.result:
                raise self._under_two_names(state.name, number, name)
        slip = slip_proof(played, player)
        return receipt_bytes(self._receipt(places, before, after, played, slip, player))

    def _receipt(
        self,
        places: RoundPlaces,
        before: SignedNote,
        after: SignedNote,
        played: RoundState,
        slip: SlipProof,
        player: str,
    ) -> Receipt:
        files, notary = self.registrar.files, _notary(played)
        log = TileReader(files.position().size, files.read)
        first, second = read_checkpoint(before.text).size, read_checkpoint(after.text).size
        attempt = places.attempt
        tree = notary.tree(attempt)
        if places.closing is None or places.result is None or tree is None:
            raise InvariantBroken(f"{played.table}/{played.number} is in the log without its trees")

        def logged(index: int, size: int) -> LoggedEntry:
            proof = proof_text(inclusion(log.node, index, size))
            return LoggedEntry(log.entry(index).decode(), index, proof)

        result = logged(places.result, second)
        body = result_body_of(played, player, slip.place)
        return Receipt(
            FORMAT,
            logged(places.opening, first),
            logged(places.closing, first),
            str(before),
            ProvenSlip(slip.body.decode(), b64encode(slip.salt).decode(), slip.place, proof_text(slip.proof)),
            ProvenResult(
                result.entry,
                result.index,
                result.proof,
                body.decode(),
                b64encode(notary.salt(attempt, slip.place)).decode(),
                proof_text(tree.inclusion(slip.place)),
            ),
            str(after),
            proof_text(consistency(log.node, first, second)),
        )

    async def _before(self, closing: int, result: int) -> SignedNote:
        """A checkpoint that holds the closing and not yet the result, best one that witnesses signed.

        A live table waits for none: a round whose closing and result were signed together has the first that
        holds both, and then the order of the two is the house's word.
        """
        kept = self.registrar.state.checkpoints
        if not kept or next(iter(kept)) > closing + 1:  # those of then are not in memory any more
            later = await checkpoints_after(self.store, closing, _CHECKPOINTS_TRIED)
            kept = OrderedDict((read_checkpoint(note.text).size, note) for note in later)
        holding = {size: note for size, note in kept.items() if size > closing}
        between = [note for size, note in holding.items() if size <= result]
        if not holding:
            raise NoReceiptYet("no checkpoint holds the closing yet")
        return max(between, key=lambda note: len(note.lines)) if between else holding[min(holding)]

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
        if isinstance(keeper, RoundNotary) and keeper.name == _notary(again).name:
            keeper.take_trees(_notary(again))  # it alone knows the secret of dice that are still to come
        return again

    async def _places(self, table: str, number: int) -> RoundPlaces | None:
        known = self.registrar.state.rounds.get((table, number))
        return known or await places_of(self.store, table, number)

    async def _played_again(self, table: str, number: int) -> RoundState:
        """From the record, under the name that the house's log had then."""
        try:
            return await self._played_under(self.notarising, table, number)
        except InvariantBroken:
            places = await self._places(table, number)
            first = await checkpoints_after(self.store, places.opening, 1) if places else []
            origin = read_checkpoint(first[0].text).origin if first else self.notarising.origin
            if origin == self.notarising.origin:
                raise
        try:
            return await self._played_under(replace(self.notarising, origin=origin), table, number)
        except InvariantBroken:
            raise self._under_two_names(table, number, origin) from None

    def _under_two_names(self, table: str, number: int, origin: str) -> NoReceiptYet:
        now = self.registrar.key.name
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
    notary, made = _notary(state), None
    if isinstance(event, ev.BettingClosed):
        made = notary.slips(state)
    elif isinstance(event, ev.BetsSettled):
        made = notary.results(state)
    elif isinstance(event, ev.RoundVoided):
        made = notary.results(state, void_clauses=(event.clause, event.returns_clause))
    if made is not None and made.root != event.root:  # type: ignore[union-attr]  # those three have one
        raise InvariantBroken(f"{state.table}/{state.number} has another root than its bets make")


def _notary(state: RoundState) -> RoundNotary:
    if not isinstance(state.notary, RoundNotary):
        raise InvariantBroken(f"{state.table}/{state.number} has nobody who makes its proofs")
    return state.notary


def slip_proof(state: RoundState, player: str) -> SlipProof:
    """A player's slip in the tree of the closing."""
    notary = _notary(state)
    tree = notary.tree(SLIPS)
    if tree is None or player not in state.slips:
        raise NoReceiptYet(f"{player} has no slip in {state.table}/{state.number}")
    index = notary.place(state, player)
    if index >= tree.size:
        raise NoReceiptYet(f"{player} had no slip in {state.table}/{state.number} when it was closed")
    return SlipProof(index, notary.salt(SLIPS, index), closed_slip(state, player), tree.inclusion(index))


def receipt_address(state: RoundState, player: str, notary: Notary | None = None) -> str:
    """Where the receipt of a player's slip will be; nothing where the round has no tree of slips.

    A round that was read again has no notary of its own: then it is the one that is given.
    """
    notary = notary or state.notary
    if not isinstance(notary, RoundNotary) or not state.slip_root or player not in state.slips:
        return ""
    place = notary.place(state, player)
    if place >= state.slips_closed:
        return ""
    return f"/receipts/{state.table}/{state.number}/{place}/{notary.salt(SLIPS, place).hex()}"
