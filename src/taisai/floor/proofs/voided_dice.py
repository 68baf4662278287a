"""Rounds that were made void although their dice were determined, and what those dice would have paid.

A void publishes the secret, so that everybody can see which dice it did away with. A house that makes rounds
void when it would lose is found by the sum.
"""

from typing import NamedTuple

import msgspec

from taisai.dice import Roll
from taisai.floor.events import table_event
from taisai.floor.proofs.log_state import CheckpointSigned
from taisai.floor.streams import LOG, table_stream
from taisai.floor.table.messages import RoundEvent
from taisai.game import events as ev
from taisai.game.evolve import evolve
from taisai.game.round import shipped_rules
from taisai.game.settlement import settle_round
from taisai.game.state import RoundState
from taisai.proof.dice import commitment, committed_dice
from taisai.proof.notes import read_checkpoint, read_note
from taisai.proof.rounds import RoundName
from taisai.record.journal import micros
from taisai.record.order import in_order
from taisai.record.ports import CommitSource


class VoidedDice(NamedTuple):
    """One such round: its dice, the stakes that went back, and what the dice would have paid."""

    table: str
    round: int
    roll: Roll
    staked: int
    unpaid: int

    @property
    def saved(self) -> int:
        """What the void saved the house; below zero it saved the players."""
        return self.unpaid - self.staked


class _Voided(msgspec.Struct):
    """Only what tells a void with a secret."""

    round: int
    event: ev.RoundVoided


class _Drawn(msgspec.Struct):
    """Only what tells whether a second party had a share in the dice."""

    round: int
    share: str = ""


_decode_drawn = msgspec.json.Decoder(_Drawn).decode
_decode_void = msgspec.json.Decoder(_Voided).decode
_decode_signed = msgspec.json.Decoder(CheckpointSigned).decode


async def voided_dice(source: CommitSource, table: str | None = None) -> list[VoidedDice]:
    """Every void after the closing of a round with committed dice, in the order of the record.

    At a table where a second party has its share, a round that was still waiting for it had no dice.
    """
    names: dict[str, None] = {}
    voids: dict[tuple[str, int], ev.RoundVoided] = {}
    shared: set[str] = set()
    async for commit in in_order(source):
        for stored in commit.events:
            if stored.stream == LOG and stored.type == "CheckpointSigned":
                names[read_checkpoint(read_note(_decode_signed(stored.body).note).text).origin] = None
            elif stored.type == "DiceDrawn" and _decode_drawn(stored.body).share:
                shared.add(stored.stream)
            elif stored.type == "RoundVoided" and (not table or stored.stream == table_stream(table)):
                void = _decode_void(stored.body)
                if void.event.secret:
                    voids[stored.stream, void.round] = void.event
    for key in [key for key, void in voids.items() if not void.share and key[0] in shared]:
        del voids[key]
    if not voids:
        return []
    rounds = await _rounds(source, set(voids))
    found = (_voided(state, voids[key], list(names)) for key, state in rounds.items())
    return [each for each in found if each is not None]


async def _rounds(source: CommitSource, wanted: set[tuple[str, int]]) -> dict[tuple[str, int], RoundState]:
    """These rounds, each as it was when it was made void."""
    rounds: dict[tuple[str, int], RoundState] = {}
    over: set[tuple[str, int]] = set()
    streams = {stream for stream, _ in wanted}
    async for commit in in_order(source):
        for stored in commit.events:
            event = table_event(stored) if stored.stream in streams else None
            if not isinstance(event, RoundEvent) or (stored.stream, event.round) not in wanted - over:
                continue
            key, happened = (stored.stream, event.round), event.event
            if isinstance(happened, ev.BettingOpened):
                rounds[key] = evolve(RoundState(*shipped_rules(happened.pay_table)), happened)
            elif isinstance(happened, ev.RoundVoided):
                over.add(key)
            elif key in rounds:
                evolve(rounds[key], happened)
    return rounds


def _voided(state: RoundState, void: ev.RoundVoided, names: list[str]) -> VoidedDice | None:
    """The dice of a round that was closed, under the name that the house had when it committed to them."""
    secret, share = bytes.fromhex(void.secret), bytes.fromhex(void.share)
    if not state.slip_root or state.opened_at is None:
        return None
    for origin in names:
        if commitment(origin, state.table, state.number, secret).hex() != state.commitment:
            continue
        name = RoundName(
            origin=origin,
            table=state.table,
            number=state.number,
            opened_at=micros(state.opened_at),
            rulebook_digest=state.rulebook.digest,
            pay_table_digest=state.pay_table.digest,
            commitment=bytes.fromhex(state.commitment),
        )
        roll = committed_dice(secret, name.context(), bytes.fromhex(state.slip_root), share)
        unpaid = sum(result.returned for result in settle_round(state, roll))
        return VoidedDice(state.table, state.number, roll, state.staked(), unpaid)
    return None
