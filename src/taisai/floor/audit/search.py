"""Rounds by what was in them: whose bets, on which box, how much, who dealt, which clause, what was refused.

A table's rounds are looked at from a number back, so many at once and no more: whoever wants to see further
asks for the next page. Nothing is kept for it beside the journal and its views.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import msgspec

from taisai.floor.events import table_event
from taisai.floor.streams import table_stream
from taisai.floor.table.messages import RoundEvent
from taisai.floor.table.player_names import plain_player
from taisai.floor.views.attempts import REFUSED_BETS, RefusedBet
from taisai.floor.views.rounds import ROUNDS, RoundRow, round_key
from taisai.game import events as ev
from taisai.game.people import Role
from taisai.record.journal import moment
from taisai.record.ports import InArchive, Store
from taisai.record.views import catch_up

ROUNDS_AT_ONCE: Final = 50
ROUNDS_LOOKED_AT: Final = 500
# A correction of a later day stands far from its round; then rounds are read one by one.
_EVENTS_AT_ONCE: Final = 20_000
HITS_SHOWN: Final = 5

DealerAt = Callable[[datetime], str | None]
_decode_row = msgspec.json.Decoder(RoundRow).decode
_decode_refused = msgspec.json.Decoder(RefusedBet).decode


class RoundQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for; what is not said matches everything.

    `least` and `most` are of one bet on one box, in minor units. A clause is that clause and all below it.
    """

    player: str = ""
    box: str = ""
    least: int | None = None
    most: int | None = None
    dealer: str = ""
    clause: str = ""
    refused: bool = False

    @property
    def asks_for_bets(self) -> bool:
        return bool(self.player or self.box or self.least is not None or self.most is not None)

    def is_of(self, player: str, table: str) -> bool:
        """By name or pseudonym at a live table; by session or terminal in a cluster."""
        known = {player, plain_player(player, table), player.rpartition(".")[0]}
        return not self.player or self.player.casefold() in {name.casefold() for name in known}

    def takes(self, box: str, amount: int) -> bool:
        enough = self.least is None or amount >= self.least
        return self.box in ("", box) and enough and (self.most is None or amount <= self.most)

    def cites(self, clause: str) -> bool:
        return not self.clause or clause == self.clause or clause.startswith(f"{self.clause}.")


class BetHit(msgspec.Struct, frozen=True, kw_only=True):
    """A bet that was looked for; `code` says why it was refused, and is empty where it was registered."""

    player: str
    box: str
    amount: int
    code: str = ""
    clause: str = ""


class ActHit(msgspec.Struct, frozen=True, kw_only=True):
    """An act under the clause that was looked for."""

    type: str
    clause: str
    by: str


@dataclass(slots=True)
class RoundHit:
    """A round that was looked for, and what in it made it so."""

    row: RoundRow
    bets: list[BetHit] = field(default_factory=list)
    acts: list[ActHit] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FoundRounds:
    """A page of rounds, newest first; `next` is where the next one begins, none after the first round."""

    hits: list[RoundHit]
    looked_at: int
    next: int | None


@dataclass(slots=True)
class _Facts:
    """What is known of one round."""

    row: RoundRow
    slips: dict[str, dict[str, int]] = field(default_factory=dict)
    acts: list[ActHit] = field(default_factory=list)
    staff: set[str] = field(default_factory=set)
    refused: list[RefusedBet] = field(default_factory=list)

    def follow(self, event: ev.AnyEvent) -> None:
        by = event.by
        if by.role not in (Role.PLAYER, Role.SYSTEM):
            self.staff.add(by.name)
        self.acts.append(ActHit(type=type(event).__name__, clause=event.clause, by=by.name))
        match event:
            case ev.BetsPlaced():
                self.slips[event.player] = dict(event.slip)
            case ev.BetsCorrected():
                self.slips[event.player] = dict(event.after)


async def search_rounds(
    store: Store, table: str, query: RoundQuery, *, first: int, limit: int, dealer_at: DealerAt
) -> FoundRounds:
    """The rounds of a table that a query asks for, from a number back.

    A page ends where archives begin; whoever asks for the next one is told so.
    """
    await catch_up(store, ROUNDS)
    await catch_up(store, REFUSED_BETS)
    hits: list[RoundHit] = []
    high, stop, at_once = first, max(0, first - ROUNDS_LOOKED_AT), ROUNDS_AT_ONCE
    while high > stop:
        low = max(stop + 1, high - at_once + 1)
        try:
            facts = await _read(store, table, range(low, high + 1))
        except InArchive:
            if low < high:
                at_once = 1
                continue
            if high == first:
                raise
            return FoundRounds(hits, first - high, high)
        for number in range(high, low - 1, -1):
            hit = _hit(facts[number], query, dealer_at) if number in facts else None
            if hit is not None:
                hits.append(hit)
            if len(hits) == limit:
                return FoundRounds(hits, first - number + 1, number - 1 or None)
        high = low - 1
    return FoundRounds(hits, first - stop, stop or None)


async def _read(store: Store, table: str, numbers: range) -> dict[int, _Facts]:
    keys = [round_key(table, number) for number in numbers]
    found = await store.view_get(ROUNDS.name, keys)
    rows = [_decode_row(found[key]) for key in keys if key in found]
    facts = {row.round: _Facts(row) for row in rows}
    if not rows:
        return facts
    start, end = min(row.first for row in rows), max(row.last for row in rows)
    spans = [(start, end)] if end - start <= _EVENTS_AT_ONCE else _spans(rows)
    for begins, ends in spans:
        async for stored in store.events(table_stream(table), after=begins - 1):
            if stored.version > ends:
                break
            event = table_event(stored)
            if isinstance(event, RoundEvent) and event.round in facts:
                facts[event.round].follow(event.event)
    async for key, raw in store.view_rows(REFUSED_BETS.name, f"{table}/", after=keys[0]):
        if key > f"{keys[-1]}/~":
            break
        refused = _decode_refused(raw)
        if refused.attempt.round in facts:
            facts[refused.attempt.round].refused.append(refused)
    return facts


def _spans(rows: list[RoundRow]) -> Iterator[tuple[int, int]]:
    """Each round by itself, and those that stand close to one another once."""
    done = 0
    for row in rows:
        if row.last > done:
            yield max(row.first, done + 1), row.last
            done = max(done, row.last)


def _hit(facts: _Facts, query: RoundQuery, dealer_at: DealerAt) -> RoundHit | None:
    table = facts.row.table
    if query.dealer and query.dealer not in facts.staff | {dealer_at(moment(facts.row.opened_at)) or ""}:
        return None
    registered = _registered(facts, query, table) if not query.refused else ()
    # A refused bet is found by the clause that refused it; a registered one by what happened in its round.
    refused = _refused(facts, query, table) if query.refused or query.clause else ()
    acts = [act for act in facts.acts if query.cites(act.clause)] if query.clause else []
    bets = [*registered, *refused]
    if query.refused and not refused:
        return None
    if query.asks_for_bets and not bets:
        return None
    if query.clause and not (acts or refused):
        return None
    shown = bets if query.asks_for_bets or query.refused else list(refused)
    return RoundHit(facts.row, shown[:HITS_SHOWN], acts[:HITS_SHOWN] if not query.refused else [])


def _registered(facts: _Facts, query: RoundQuery, table: str) -> list[BetHit]:
    return [
        BetHit(player=plain_player(player, table), box=box, amount=amount)
        for player, slip in facts.slips.items()
        if query.is_of(player, table)
        for box, amount in slip.items()
        if query.takes(box, amount)
    ]


def _refused(facts: _Facts, query: RoundQuery, table: str) -> list[BetHit]:
    def bets(refused: Iterable[RefusedBet]) -> Iterator[BetHit]:
        for each in refused:
            tried: Any = each.attempt
            if not (query.is_of(tried.player, table) and query.cites(each.clause)):
                continue
            for box, amount in tried.slip.items():
                if query.takes(box, amount):
                    player = plain_player(tried.player, table)
                    yield BetHit(player=player, box=box, amount=amount, code=each.code, clause=each.clause)

    return list(bets(facts.refused))
