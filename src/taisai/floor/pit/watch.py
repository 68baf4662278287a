"""What the pit watches at each table: exposure of the bets made, win and hold against theory, the dice.

A changed slip moves one row of the exposure for each box that it changes. A settled round is added to sums.
Nothing is summed again, however long the day.
"""

import functools
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from math import floor
from typing import Any, Final, Protocol

import msgspec
import numpy as np

from taisai.dice import Roll
from taisai.floor.gaming_day import DayClock
from taisai.floor.pit.hold_watch import FALSE_FLAGS, DealerAt, HoldWatch, percent_band
from taisai.floor.table.messages import RoundEvent
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.settlement import caps_of, effective_stakes, results_of
from taisai.game.state import RoundState
from taisai.odds.evidence.detector import RUN_LENGTH, ChangeDetector
from taisai.odds.evidence.hold import HoldPrices, RoundHold
from taisai.odds.exposure import Exposure
from taisai.odds.sequential import FairnessMonitor
from taisai.rulebooks.model import PayTable

ROUNDS_KEPT: Final = 20_000  # rounds that a correction can still take out of the sums
ROLLS_KEPT: Final = 100_000
_PAID = (Phase.SETTLED, Phase.CONCLUDED)
_OVER = (*_PAID, Phase.VOID)
_EVER = datetime.min.replace(tzinfo=UTC)


class OutcomeFigure(msgspec.Struct, frozen=True, kw_only=True):
    """What the house nets on one outcome of the dice: below zero it pays."""

    dice: str
    ways: int
    net: int


class FairnessFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence against the dice that are in use; it starts again with each set.

    Two tests watch: one asks whether they were ever fair, the other whether they have changed. `changed_at`
    is the roll at which the latter raised the alarm, `changed_since` where the change seems to have begun;
    fair dice raise it once in `run_length` rolls on average, or less often.
    """

    rolls: int
    e_value: float
    p_value: float
    alarm: bool
    alarm_at: int | None
    dice_set: str | None
    changed_at: int | None = None
    changed_since: int | None = None
    suspicion: str = ""
    run_length: int = RUN_LENGTH


class TableFigures(msgspec.Struct, frozen=True, kw_only=True):
    """One table as the pit sees it. Amounts are whole minor units, a house's loss rounded up."""

    table: str
    round: int
    staked: int
    players: int
    worst: int
    worst_dice: str
    var95: int
    by_outcome: list[OutcomeFigure]
    rounds: int
    handle: int
    win: int
    theoretical_win: float
    hold_percent: float | None
    band: tuple[float, float] | None
    verdict: str
    fairness: FairnessFigures

    @property
    def outside(self) -> bool:
        return self.verdict in ("above", "below")


@dataclass(frozen=True, slots=True)
class Played:
    """A settled round: what was in play, what the house won, and what it should win from such bets."""

    handle: int
    win: int
    mean: Fraction
    variance: Fraction
    hold: RoundHold | None = None  # where dice decided it


class RoundWorth:
    """What settled rounds were worth, one after the other."""

    def __init__(self) -> None:
        self._exposure: Exposure | None = None
        self._prices: HoldPrices | None = None

    def played(self, state: RoundState) -> Played:
        """A round as it is settled now."""
        stakes = _in_play(state)
        mix = self._exposure = _only(self._exposure, state.pay_table, stakes)
        win = state.staked() - sum(state.paid.values())
        if state.roll is None:  # settled on known faces by a ruling: money that moved, and no chance in it
            handle = sum(result.effective for result in results_of(state))
            return Played(handle, win, Fraction(win), Fraction(0))
        return Played(sum(stakes.values()), win, mix.mean, mix.variance)

    def judged(self, state: RoundState) -> Played:
        """The same with what its hold is judged by."""
        played, stakes = self.played(state), _in_play(state)
        if state.roll is None or not stakes:
            return played
        if self._prices is None or self._prices.pay_table is not state.pay_table:
            self._prices = HoldPrices(state.pay_table)
        return replace(played, hold=self._prices.of(stakes))


class HeldRounds(Protocol):
    """A table as far as its rounds are held in memory."""

    @property
    def name(self) -> str: ...
    @property
    def rounds(self) -> Mapping[int, RoundState]: ...
    @property
    def current(self) -> RoundState | None: ...


class TableWatch:
    """Follows one table. Give it the events of each commit, and the state they led to.

    Handle, win and hold are of one gaming day, by the `day` clock: of the rounds that were opened in it.
    """

    def __init__(
        self,
        table: str,
        *,
        alpha: float = 0.01,
        ordered_dice: bool = False,
        day: DayClock | None = None,
        since: datetime = _EVER,
        first: int = 1,
        dealer_at: DealerAt | None = None,
        opened: Mapping[int, datetime] | None = None,
    ) -> None:
        self.table = table
        self.round = 0
        self.since, self.first = since, first  # when the day began, and its first round
        self._day = day
        self._alpha, self._ordered = alpha, ordered_dice
        self._exposure: Exposure | None = None  # the bets on the felt
        self._mix = RoundWorth()
        self.holds = HoldWatch(table, dealer_at)
        self.holds.opened.update(opened or {})
        self._slips: dict[str, dict[str, int]] = {}
        self._played: OrderedDict[int, Played] = OrderedDict()
        self._counted: set[int] = set()  # rounds that were looked at, void ones too
        self._rolls: OrderedDict[int, Roll] = OrderedDict()
        self.dice_set: str | None = None
        self._new_dice()
        self.reset()

    @classmethod
    def of(cls, table: HeldRounds, earlier: Iterable[RoundState] = (), **settings: Any) -> "TableWatch":
        """From what a table's state holds: its last rounds, and the bets of the current one.

        `earlier` are rounds that it no longer holds, in their order, as since the day began.
        """
        watch = cls(table.name, **settings)
        held = sorted(table.rounds.items())
        rounds = {state.number: state for state in earlier} | dict(held)
        for number, state in sorted(rounds.items()):
            watch._begin(state, number)
            watch._load(number, state)
            if state.phase is Phase.CONCLUDED:
                watch._observe_last(state, number)
        current = table.current
        watch._change(current.slips if current else (), current)
        return watch

    def reset(self) -> None:
        """Begin to count handle and win anew, as on a new gaming day. The dice are still the same."""
        self._played.clear()
        self._counted.clear()
        self.rounds = self.handle = self.win = 0
        self._mean = self._variance = Fraction(0)
        self.holds.reset()

    def turn(self, moment: datetime, first: int | None = None) -> None:
        """If a new gaming day has begun by this moment, count from nothing; `first` is its first round."""
        since = self._day.start_of(moment) if self._day else self.since
        if since > self.since:
            self.since, self.first = since, self.round + 1 if first is None else first
            self.reset()

    def recall_round(self, state: RoundState, opened: datetime | None = None) -> None:
        """A round of the day that the table no longer holds; one that was counted since then stays so."""
        if opened is not None:
            self.holds.opened[state.number] = opened
        if state.number not in self._counted:
            self._load(state.number, state)

    def recall_rolls(self, dice_set: str | None, earlier: dict[int, Roll]) -> None:
        """What the dice in use showed before the rolls that were observed."""
        if dice_set == self.dice_set:
            self._rolls = OrderedDict(sorted({**earlier, **self._rolls}.items()))
            self._observe_again()

    def follow(self, table: HeldRounds, happened: Iterable[Any]) -> None:
        """Take in what one commit made durable; `table` is the state after it."""
        touched: set[str] = set()
        settled: set[int] = set()
        for event in happened:
            if not isinstance(event, RoundEvent):
                continue
            inner, number = event.event, event.round
            if isinstance(inner, ev.BetsPlaced):  # almost all there is
                if number == self.round:
                    touched.add(inner.player)
                continue
            match inner:
                case ev.BettingOpened():
                    touched.clear()
                    self.turn(inner.at, number)
                    self.holds.opened[number] = inner.at
                    self._begin(table.rounds.get(number), number)
                case ev.BetsSettled() | ev.SettlementReversed():
                    settled.add(number)
                case ev.RoundVoided():
                    settled.add(number)
                    self._forget_roll(number)
                case ev.RoundConcluded():
                    self._observe_last(table.rounds.get(number), number)
                case ev.ResultCorrected():
                    self._correct(number, inner.after)
            if number == self.round:
                touched.update(_players_of(inner))
        self._change(touched, table.current)
        for number in settled:
            self._load(number, table.rounds.get(number))

    def figures(self, threshold: float = 1 / FALSE_FLAGS) -> TableFigures:
        """The figures now. The hold's band ends where the evidence against it reaches the threshold."""
        exposure, band = self._exposure, self.band(threshold)
        worst = exposure.worst if exposure and exposure.handle_minor else None
        return TableFigures(
            table=self.table,
            round=self.round,
            staked=exposure.handle_minor if exposure else 0,
            players=sum(1 for slip in self._slips.values() if slip),
            worst=floor(worst.house_net) if worst else 0,
            worst_dice=str(worst.roll) if worst else "",
            var95=-floor(-exposure.value_at_risk(Fraction(95, 100))) if exposure else 0,
            by_outcome=_outcomes(exposure) if exposure else [],
            rounds=self.rounds,
            handle=self.handle,
            win=self.win,
            theoretical_win=float(self._mean),
            hold_percent=100 * self.win / self.handle if self.handle else None,
            band=band,
            verdict=self.verdict(threshold),
            fairness=self._fairness(),
        )

    def band(self, threshold: float) -> tuple[float, float] | None:
        """Between which percentages the hold should stay at all times; None while that says nothing."""
        return percent_band(self.holds.of_table(), threshold)

    def verdict(self, threshold: float) -> str:
        """Whether the win is what the bets should bring: within, above, below; nothing before any round."""
        found = self.holds.of_table()
        if not found.rounds:
            return ""
        return found.direction if found.e_value >= threshold else "within"

    def _fairness(self) -> FairnessFigures:
        monitor, detector = self.monitor, self.detector
        alarms = [at for at in (monitor.alarm_at, detector.alarm_at) if at is not None]
        return FairnessFigures(
            rolls=monitor.rolls,
            e_value=monitor.evidence,
            p_value=monitor.p_value,
            alarm=bool(alarms),
            alarm_at=min(alarms, default=None),
            dice_set=self.dice_set,
            changed_at=detector.alarm_at,
            changed_since=detector.since if detector.alarmed else None,
            suspicion=detector.suspicion if detector.alarmed else "",
            run_length=detector.run_length,
        )

    def _new_dice(self) -> None:
        """Watch from nothing: another set of dice, or a history that was corrected."""
        self.monitor = FairnessMonitor(alpha=self._alpha, ordered=self._ordered)
        self.detector = ChangeDetector(ordered=self._ordered)

    def _begin(self, state: RoundState | None, number: int) -> None:
        self.round = number
        self._slips = {}
        if state is None:
            return
        self._exposure = _only(self._exposure, state.pay_table, {})
        if state.dice_set != self.dice_set:
            self.dice_set = state.dice_set
            self._rolls.clear()
            self._new_dice()

    def _change(self, players: Collection[str], state: RoundState | None) -> None:
        """These players' slips as they are on the felt now."""
        if state is None or self._exposure is None or not players:
            return
        slips = state.slips if state.phase not in _OVER else {}
        staked = {player: slips[player].slip() if player in slips else {} for player in players}
        self._exposure.change_all((self._slips.get(player, {}), slip) for player, slip in staked.items())
        self._slips |= staked

    def _load(self, number: int, state: RoundState | None) -> None:
        """A round as it is settled now, in the place of how it was settled before."""
        before = self._played.pop(number, None)
        if before:
            self._add(before, -1)
            self.holds.forget(number)
        self._counted.add(number)
        if state is None or state.phase not in _OVER:
            return
        if number == self.round:  # nothing is at stake any more
            self._exposure, self._slips = _only(self._exposure, state.pay_table, {}), {}
        if state.outcome is None or state.phase is Phase.VOID or number < self.first:
            return
        played = self._played[number] = self._mix.played(state)
        self._add(played, 1)
        if state.roll is not None:
            self.holds.count(state, counted_stakes(state))
        while len(self._played) > ROUNDS_KEPT:
            oldest, _ = self._played.popitem(last=False)
            self.holds.let_go(oldest)

    def _add(self, played: Played, sign: int) -> None:
        self.rounds += sign
        self.handle += sign * played.handle
        self.win += sign * played.win
        self._mean += sign * played.mean
        self._variance += sign * played.variance

    def _observe_last(self, state: RoundState | None, number: int) -> None:
        if state is not None and state.roll is not None and number not in self._rolls:
            self._observe(number, state.roll)

    def _observe(self, number: int, roll: Roll) -> None:
        self._rolls[number] = roll
        self.monitor.observe(roll)
        self.detector.observe(roll)
        while len(self._rolls) > ROLLS_KEPT:
            self._rolls.popitem(last=False)

    def _correct(self, number: int, roll: Roll) -> None:
        """The dice had shown something else: look at the whole history of the set again."""
        if number not in self._rolls:
            return
        self._rolls[number] = roll
        self._observe_again()

    def _forget_roll(self, number: int) -> None:
        """What the dice of a void round showed says nothing."""
        if self._rolls.pop(number, None):
            self._observe_again()

    def _observe_again(self) -> None:
        self._new_dice()
        for each in self._rolls.values():
            self.monitor.observe(each)
        if self._rolls:
            self.detector.observe_many(np.array([each.faces for each in self._rolls.values()]))


def _players_of(event: ev.AnyEvent) -> Iterator[str]:
    """The players whose bets an event changes."""
    match event:
        case ev.BetsPlaced() | ev.BetsCorrected():
            yield event.player
        case ev.ExcessRejected() | ev.BetsReturned():
            yield from (taken.player for taken in event.taken)


def _only(exposure: Exposure | None, pay_table: PayTable, stakes: dict[str, int]) -> Exposure:
    """An exposure of these stakes and no others; one that is there is used again, being dear to make."""
    if exposure is None or exposure.pay_table is not pay_table:
        return Exposure(pay_table, stakes)
    exposure.change(exposure.stakes, stakes)
    return exposure


def counted_stakes(state: RoundState) -> dict[str, dict[str, int]]:
    """What counted of each player's bets, by box: all that was placed, but for boxes shared pro rata."""
    counted = {player: slip.slip() for player, slip in state.slips.items()}
    bets = functools.cache(state.bets)
    caps = caps_of(
        state.rulebook,
        state.pay_table,
        state.limits,
        state.totals,
        lambda box: [bet.stake for bet in bets() if bet.box == box],
        lighter_side=state.lighter_side,
    )
    if caps:
        shares = effective_stakes(state.pay_table, state.limits, bets(), caps)
        for bet, share in zip(bets(), shares, strict=True):
            if bet.box in caps:
                counted[bet.player][bet.box] = share
    return {
        player: {box: stake for box, stake in stakes.items() if stake} for player, stakes in counted.items()
    }


def _in_play(state: RoundState) -> dict[str, int]:
    """What counted on each box."""
    totals: dict[str, int] = {}
    for stakes in counted_stakes(state).values():
        for box, stake in stakes.items():
            totals[box] = totals.get(box, 0) + stake
    return totals


def _outcomes(exposure: Exposure) -> list[OutcomeFigure]:
    return [
        OutcomeFigure(dice=str(result.roll), ways=result.ways, net=floor(result.house_net))
        for result in exposure.results
    ]
