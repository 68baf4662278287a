"""A round's events as entries of the log."""

from collections.abc import Mapping, MutableMapping
from typing import Final

from taisai.floor.proofs.log_state import RoundPlaces
from taisai.floor.table.messages import RoundEvent
from taisai.game import events as ev
from taisai.proof.entries import Closing, Entry, Opening, Result
from taisai.record.journal import Event, micros

# What the log hears of: the rest of a round is in the record.
LOGGED: Final = (
    ev.BettingOpened,
    ev.BettingClosed,
    ev.RollDeclared,
    ev.KnownFacesDeclared,
    ev.BetsSettled,
    ev.RoundVoided,
)

Places = MutableMapping[tuple[str, int], RoundPlaces]
Secrets = Mapping[tuple[str, int], tuple[str, str]]


def entry_of(
    table: str, heard: RoundEvent, stored: Event, places: Places, index: int, secrets: Secrets
) -> Entry | None:
    """The entry that an event makes at an index of the log, if it makes one.

    `places` is where rounds are in the log, and is brought up to date. A round whose opening is not in the
    log has no further entries, and one without a tree neither.
    """
    event, key = heard.event, (table, heard.round)
    where = places.get(key)
    if isinstance(event, ev.BettingOpened):
        places[key] = RoundPlaces(index)
        return Opening(
            table,
            heard.round,
            micros(event.at),
            event.rulebook_digest,
            event.pay_table_digest,
            event.commitment,
            stored.version,
            stored.digest.hex(),
        )
    if where is None or not getattr(event, "root", ""):
        return None
    if isinstance(event, ev.BettingClosed):
        where.closing = index
        number, version, digest = heard.round, stored.version, stored.digest.hex()
        return Closing(
            table, number, micros(event.at), where.opening, event.slips, event.root, version, digest
        )
    if isinstance(event, ev.BetsSettled | ev.RoundVoided):
        made = _result(table, heard.round, event, stored, where, secrets.get(key))
        where.result, where.attempt = index, event.attempt
        return made
    return None


def _result(
    table: str,
    number: int,
    event: ev.BetsSettled | ev.RoundVoided,
    stored: Event,
    where: RoundPlaces,
    published: tuple[str, str] | None,
) -> Result:
    secret, share = published or (where.secret, where.share)
    dice, clause = None, f"void {event.clause}"
    if isinstance(event, ev.BetsSettled):
        dice = list(event.roll) if event.roll else None
        clause = event.dice_clause or (event.clause if dice else f"ruled {event.clause}")
    where.secret, where.share = secret, share
    return Result(
        table,
        number,
        micros(event.at),
        where.closing,
        event.attempt,
        where.result,
        dice,
        clause,
        secret,
        share,
        event.results,
        event.root,
        stored.version,
        stored.digest.hex(),
    )
