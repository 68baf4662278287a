"""Receipts: a player's slip of a round that is in the log, with everything that proves it."""

import hmac
from base64 import b64encode
from collections import OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

from taisai.errors import InvariantBroken
from taisai.floor.proofs.log_state import RoundPlaces
from taisai.floor.proofs.log_tiles import checkpoints_after, last_under
from taisai.floor.proofs.proven_rounds import NoReceiptYet, ProvenRounds, notary_of
from taisai.floor.proofs.registrar import Registrar
from taisai.floor.table.notary import RoundNotary, closed_slip, result_body_of
from taisai.floor.table.state import TableState
from taisai.game.notary import Notary
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

# Checkpoints that are looked at for one that holds a closing and not yet its result.
_CHECKPOINTS_TRIED = 64


class SlipProof(NamedTuple):
    """Where a slip is in the tree of its round, and the proof of it: what a terminal checks for itself."""

    place: int
    salt: bytes
    body: bytes
    proof: list[bytes]


@dataclass
class Receipts(ProvenRounds):
    """Makes receipts from the record and the log."""

    registrar: Registrar

    async def places(self, table: str, number: int) -> RoundPlaces | None:
        known = self.registrar.state.rounds.get((table, number))
        return known or await super().places(table, number)

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

    async def receipt(self, state: TableState, number: int, player: str) -> bytes:
        """A player's receipt for a round of a table."""
        places = await self.places(state.name, number)
        after = self.registrar.state.checkpoint
        if places is None or places.closing is None or places.result is None or after is None:
            raise NoReceiptYet(f"{state.name}/{number} has no result in the log")
        if places.result >= read_checkpoint(after.text).size:
            raise NoReceiptYet(f"the result of {state.name}/{number} is not signed yet")
        before = await self._before(places.closing, places.result)
        played = await self.played(state, number)
        name = notary_of(played).name.origin
        if name != self.registrar.key.name:  # before a restore: proved by what was signed under that name
            after = await last_under(self.store, name) or after
            if read_checkpoint(after.text).size <= places.result:
                raise self.under_two_names(state.name, number, name)
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
        files, notary = self.registrar.files, notary_of(played)
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


def slip_proof(state: RoundState, player: str) -> SlipProof:
    """A player's slip in the tree of the closing."""
    notary = notary_of(state)
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
