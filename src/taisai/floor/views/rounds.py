"""The floor's read models: rounds, what each player did in them, tickets, meters. All can be made again."""

from collections.abc import Iterable, Sequence
from itertools import groupby, repeat
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from taisai.floor import streams
from taisai.floor.events import ticket_event, what_is_said
from taisai.floor.streams import table_of
from taisai.floor.table.messages import RoundEvent
from taisai.floor.tickets import TicketIssued, TicketPrinted, TicketRedeemed
from taisai.game import events as ev
from taisai.record.journal import Commit, Event, micros
from taisai.record.ports import Store
from taisai.record.views import Rows, catch_up

_encode = msgspec.json.Encoder(order="deterministic").encode
_stream = attrgetter("stream")


class RoundRow(msgspec.Struct):
    """A round as a history lists it. `first` and `last` are its versions on the table's stream.

    `known` are the faces on which a ruling settled it, where the dice never could be read whole; other rows
    do not have it, as none had in records from before.
    """

    table: str
    round: int
    pay_table: str
    opened_at: int
    first: int
    last: int
    dice: list[int] | None = None
    state: str = "open"
    ground: str | None = None
    dice_set: str | None = None
    corrected: bool = False
    players: int = 0
    bets: int = 0
    staked: int = 0
    paid: int = 0
    known: list[int] | msgspec.UnsetType = msgspec.UNSET


class PlayRow(msgspec.Struct):
    """What one player did in one round."""

    staked: int = 0
    paid: int | None = None
    state: str = "open"


class TicketRow(msgspec.Struct):
    """A ticket, by its name in the journal."""

    amount: int
    issued_at: int
    expires_at: int
    where: str
    status: str = "valid"
    ended_at: int | None = None


_decode_play = msgspec.json.Decoder(PlayRow).decode
# A table's name, an event of its stream as it is stored, and what it says.
TableEvents = list[tuple[str, Event, Any]]


class _Read(NamedTuple):
    """The events of tables in a commit: all, those of rounds, and of these the few that are no slips."""

    commit: Commit | None
    events: TableEvents
    rounds: list[tuple[str, Event, RoundEvent]]
    turns: list[tuple[str, Event, RoundEvent]]


# The commit that was read last: several views and the auditor read the same one after the other.
_read_last: list[_Read] = [_Read(None, [], [], [])]


def table_events(commit: Commit) -> TableEvents:
    """The events of tables in a commit."""
    return _read(commit).events


def round_turns(commit: Commit) -> list[tuple[str, Event, RoundEvent]]:
    """Those of rounds, without the slips: what a round is led on by."""
    return _read(commit).turns


def _read(commit: Commit) -> _Read:
    last = _read_last[0]
    if last.commit is commit:
        return last
    found: TableEvents = []
    for stream, group in groupby(commit.events, _stream):
        table = table_of(stream)
        if table is not None:
            events = list(group)
            found += zip(repeat(table), events, what_is_said(events), strict=False)
    rounds = [each for each in found if type(each[2]) is RoundEvent]
    turns = [each for each in rounds if type(each[2].event) is not ev.BetsPlaced]
    last = _read_last[0] = _Read(commit, found, rounds, turns)
    return last


def round_key(table: str, number: int) -> str:
    """Rounds of a table stand in their order."""
    return f"{table}/{number:010d}"


class Rounds:
    """Every round of every table."""

    name = "rounds"

    def keys(self, commit: Commit) -> Iterable[str]:
        return {round_key(table, event.round) for table, _, event in _read(commit).rounds}

    def apply(self, commit: Commit, rows: Rows) -> None:
        changed: dict[tuple[str, int], RoundRow] = {}
        for table, stored, wrapped in _read(commit).rounds:
            number, event = wrapped.round, wrapped.event
            row = changed.get((table, number))
            if type(event) is ev.BetsPlaced and row is not None:  # as nearly all there is
                row.last = stored.version
                continue
            if isinstance(event, ev.BettingOpened):
                version, at = stored.version, stored.at
                row = RoundRow(table, number, event.pay_table, at, version, version)
                row.dice_set = event.dice_set
            elif row is None:
                row = msgspec.json.decode(rows.get(round_key(table, number)) or b"", type=RoundRow)
            row.last = stored.version
            _follow_round(row, event)
            changed[table, number] = row
        for (table, number), row in changed.items():
            rows[round_key(table, number)] = _encode(row)


def _follow_round(row: RoundRow, event: ev.AnyEvent) -> None:
    match event:
        case ev.RollDeclared():
            row.dice, row.known = list(event.roll), msgspec.UNSET
        case ev.KnownFacesDeclared():
            row.known = list(event.known)
        case ev.ResultCorrected():
            row.dice, row.corrected = list(event.after), True
        case ev.BetsCorrected():
            row.corrected = True
        case ev.BetsSettled():
            row.players, row.bets = event.players, event.bets
            row.staked, row.paid = event.staked, event.paid
            row.state = "concluded" if row.state == "concluded" else "settled"
        case ev.RoundConcluded():
            row.state = "concluded"
        case ev.RoundVoided():
            row.state, row.ground, row.paid = "void", event.ground, sum(event.returned.values())
            row.staked = row.paid


class Plays:
    """What each player staked and got back, by player and round."""

    name = "plays"

    def keys(self, commit: Commit) -> Iterable[str]:
        found = set()
        for table, _, wrapped in _read(commit).rounds:
            event = wrapped.event
            if isinstance(event, ev.BetsPlaced):
                found.add(_play_key(event.player, table, wrapped.round))
            else:
                found.update([_play_key(play[0], table, wrapped.round) for play in _plays(event)])
        return found

    def apply(self, commit: Commit, rows: Rows) -> None:
        changed: dict[str, PlayRow] = {}
        here, suffix = ("", 0), ""
        for table, _, wrapped in _read(commit).rounds:
            if here != (table, wrapped.round):
                here = (table, wrapped.round)
                suffix = f"/{round_key(*here)}"
            event = wrapped.event
            if type(event) is ev.BetsPlaced:  # as nearly all there is
                key = event.player + suffix
                row = changed.get(key)
                if row is None:
                    row = changed[key] = _play_row(rows.get(key))
                row.staked = sum(event.slip.values())
                continue
            for player, staked, less, paid, state in _plays(event):
                key = player + suffix
                row = changed.get(key)
                if row is None:
                    row = changed[key] = _play_row(rows.get(key))
                row.staked = (row.staked if staked is None else staked) - less
                if state is not None:
                    row.paid, row.state = paid, state
        rows.update(zip(changed, map(_encode, changed.values()), strict=True))


def _play_row(held: bytes | None) -> PlayRow:
    return _decode_play(held) if held else PlayRow()


def _play_key(player: str, table: str, number: int) -> str:
    return f"{player}/{round_key(table, number)}"


# A player; all that is staked now, if that changed, and what of it went back; what was paid, and as what.
_Play = tuple[str, int | None, int, int | None, str | None]


def _plays(event: ev.AnyEvent) -> Sequence[_Play]:
    """What an event other than a slip does to plays."""
    match event:
        case ev.BetsCorrected():
            return ((event.player, sum(event.after.values()), 0, None, None),)
        case ev.ExcessRejected() | ev.BetsReturned():
            return [(taken.player, None, taken.amount, None, None) for taken in event.taken]
        case ev.PayoutsMade():
            return [(player, None, 0, paid, "settled") for player, paid in event.payouts.items()]
        case ev.SettlementReversed():
            return [(player, None, 0, None, "reversed") for player in event.payouts]
        case ev.RoundVoided():
            return [(player, back, 0, back, "void") for player, back in event.returned.items()]
    return ()


def ticket_events(commit: Commit) -> Sequence[Event]:
    """The events of tickets in a commit, as they are stored. Nearly always all are of one other stream."""
    return [stored for stored in commit.events if stored.stream.startswith(streams.TICKETS)]


class Tickets:
    """Every ticket and where it stands."""

    name = "tickets"

    def keys(self, commit: Commit) -> Iterable[str]:
        return {stored.stream for stored in ticket_events(commit)}

    def apply(self, commit: Commit, rows: Rows) -> None:
        for stored in ticket_events(commit):
            event = ticket_event(stored)
            if isinstance(event, TicketPrinted):
                continue  # a copy changes nothing about what the ticket is worth
            if isinstance(event, TicketIssued):
                row = TicketRow(event.amount, stored.at, micros(event.expires_at), event.where)
            else:
                row = msgspec.json.decode(rows.get(stored.stream) or b"", type=TicketRow)
                row.ended_at = stored.at
                row.status = "redeemed" if isinstance(event, TicketRedeemed) else "void"
            rows[stored.stream] = _encode(row)


ROUNDS, PLAYS, TICKETS = Rounds(), Plays(), Tickets()


async def corrected_of(store: Store, table: str, numbers: Iterable[int]) -> set[int]:
    """Which of these rounds of a table were corrected, as the record has them now."""
    await catch_up(store, ROUNDS)
    keys = {round_key(table, number): number for number in numbers}
    rows = await store.view_get(ROUNDS.name, keys)
    return {keys[key] for key, row in rows.items() if msgspec.json.decode(row, type=RoundRow).corrected}
