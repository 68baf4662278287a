"""What the ledger says of a table since its shift began: the figures that counts are held against."""

from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from taisai.floor.approvals.asked import PitAct
from taisai.floor.cluster.messages import CreditsBought, CreditsPaidOut
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.events import table_event
from taisai.floor.pit.messages import HeldEvidence, RecordFigures
from taisai.floor.pit.recall import first_round_since, newest_round, round_row
from taisai.floor.pit.takings import held
from taisai.floor.pit.watch import Played, RoundWorth
from taisai.floor.streams import table_stream
from taisai.floor.table.messages import (
    OwedSettled,
    PlayerCashedOut,
    PlayerPaidIn,
    RackEvent,
    RoundEvent,
    UnclaimedPaid,
)
from taisai.floor.views.rounds import ROUNDS
from taisai.game import events as ev
from taisai.game.chips import ColourIssued
from taisai.game.evolve import evolve
from taisai.game.round import shipped_rules
from taisai.game.state import RoundState
from taisai.ledger.accounts import house as house_account
from taisai.odds.evidence.hold import HoldEvidence
from taisai.record.journal import micros
from taisai.record.ports import Store
from taisai.record.views import catch_up

if TYPE_CHECKING:
    from taisai.floor.house import House


class Figures(msgspec.Struct, frozen=True):
    """Money changed into chips or credits, net; what was in play; what the table won and should have won.

    What theory says is of the bets that were really made: the win's mean and variance, to whole minor units,
    and what the hold is judged by.
    """

    drop: int
    handle: int
    win: int
    expected: int
    variance: int
    evidence: HeldEvidence | None = None


async def record_figures(house: "House", table: str, key: str) -> None:
    """Put the ledger's figures of a table on the pit's record, if a shift is open."""
    since = house.pit.state.shift_since
    if house.pit.state.shift is None or since is None:
        return
    found = await ledger_figures(house.store, table, since)
    command = RecordFigures(
        by=SYSTEM,
        at=house.now(),
        table=table,
        drop=found.drop,
        handle=found.handle,
        win=found.win,
        expected=found.expected,
        variance=found.variance,
        evidence=found.evidence,
    )
    await house.do(PitAct(command), SYSTEM, key)


async def ledger_figures(store: Store, table: str, since: datetime) -> Figures:
    """A table's figures from a moment on, from nothing but the record."""
    start, drop, win = micros(since), 0, 0
    rounds = _Rounds()
    async for stored in store.events(table_stream(table), after=await _before(store, table, since)):
        event = table_event(stored)
        if isinstance(event, RoundEvent):
            rounds.follow(event, counts=stored.at >= start)
        if stored.at >= start:
            drop += _changed(event)
    account = house_account(table)
    async for transfer in store.transfers(account):
        if transfer.at >= start:
            win += transfer.amount_minor if transfer.credit == account else -transfer.amount_minor
    played = rounds.played.values()
    expected, variance = sum(each.mean for each in played), sum(each.variance for each in played)
    handle = sum(each.handle for each in played)
    return Figures(drop, handle, win, round(expected), round(variance), rounds.evidence())


async def _before(store: Store, table: str, since: datetime) -> int:
    """The version right before the round that was in play at a moment, or before all that is as late."""
    await catch_up(store, ROUNDS)
    last = await newest_round(store, table)
    first = max(1, await first_round_since(store, table, since, last) - 1)
    row = await round_row(store, table, first)
    return row.first - 1 if row and first > 1 else 0


class _Rounds:
    """What was in play in each round; one that was settled again counts once, a void one not at all.

    A round that was settled before is the business of whoever counted then, whatever becomes of it now.
    """

    def __init__(self) -> None:
        self.played: dict[int, Played] = {}
        self._states: dict[int, RoundState] = {}
        self._earlier: set[int] = set()
        self._mix = RoundWorth()

    def follow(self, event: RoundEvent, *, counts: bool) -> None:
        number, inner = event.round, event.event
        if isinstance(inner, ev.BettingOpened):
            self._states[number] = RoundState(*shipped_rules(inner.pay_table))
        state = self._states.get(number)
        if state is None:
            return
        evolve(state, inner)
        if isinstance(inner, ev.RoundVoided):
            self.played.pop(number, None)
        elif isinstance(inner, ev.BetsSettled) and not counts:
            self._earlier.add(number)
        elif isinstance(inner, ev.BetsSettled) and number not in self._earlier:
            self.played[number] = self._mix.judged(state)

    def evidence(self) -> HeldEvidence | None:
        """What all of them say of the hold; those that were settled on known faces had no chance in them."""
        found = HoldEvidence()
        for each in self.played.values():
            if each.hold is not None:
                found.add(each.hold, each.win)
        return held(found)


def _changed(event: object) -> int:
    """Cash, or what is as good as cash, that an event brought to the table."""
    match event:
        case PlayerPaidIn(source="cash") | CreditsBought(source="cash" | "ticket"):
            return event.amount
        case PlayerCashedOut() | CreditsPaidOut() | UnclaimedPaid(drawer=None):
            return -event.amount
        case OwedSettled(waived=False, source="cash", drawer=None):
            return event.amount
        case RackEvent(event=ColourIssued() as issued):
            return issued.chips * issued.value
        case _:
            return 0
