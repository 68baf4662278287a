"""Whether tables, dealers and players win what the bets should bring: evidence of the gaming day, by subject.

Each settled round with dice is counted for its table, for every player in it and for the dealer who had the
table when it was opened. A round that is settled again or voided is taken out of all of them.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Final, Literal, NamedTuple

import msgspec

from taisai.game.state import RoundState
from taisai.odds.evidence.hold import HoldEvidence, HoldPrices, RoundHold, e_bh

Kind = Literal["table", "dealer", "player"]
DealerAt = Callable[[datetime], str | None]

# Of all that is flagged in the house, at most this share is flagged though nothing is wrong, on average.
FALSE_FLAGS: Final = 0.05
# How a round was counted is kept for the last ones, of a thousand players as of ten: some 200 bytes a player.
ENTRIES_KEPT: Final = 50_000


class Subject(NamedTuple):
    """Whose hold it is. A player is one of a table, a dealer one of the house."""

    kind: Kind
    name: str
    table: str = ""


class HoldFlag(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody whose win is not what the bets should bring; `e_value` to one says so."""

    kind: Kind
    name: str
    direction: str
    e_value: float
    rounds: int
    handle: int
    win: int
    theoretical_win: float


def percent_band(found: HoldEvidence, threshold: float) -> tuple[float, float] | None:
    """Between which percentages of the handle the win should stay at all times; None while that says nothing.

    Neither does a band say anything that reaches beyond the whole handle, won or lost.
    """
    band = found.band(threshold)
    if band is None or not found.handle_minor:
        return None
    low, high = (100 * win / found.handle_minor for win in band)
    return None if low < -100 or high > 100 else (round(low, 3), round(high, 3))


class HoldWatch:
    """One table's part of it."""

    def __init__(self, table: str, dealer_at: DealerAt | None = None) -> None:
        self._table, self._dealer_at = table, dealer_at
        self._prices: HoldPrices | None = None
        self.opened: dict[int, datetime] = {}
        self.reset()

    def reset(self) -> None:
        """Begin a new gaming day."""
        self.evidence: dict[Subject, HoldEvidence] = {}
        self._counted: dict[int, list[tuple[Subject, RoundHold, int]]] = {}
        self._entries = 0
        self._let_go: set[int] = set()

    def count(self, state: RoundState, in_play: Mapping[str, Mapping[str, int]]) -> None:
        """A round as it is settled now; `in_play` is what counted, by player and box.

        One that was counted and let go stays as it was counted.
        """
        if state.number in self._let_go:
            return
        if self._prices is None or self._prices.pay_table is not state.pay_table:
            self._prices = HoldPrices(state.pay_table)
        together: dict[str, int] = {}
        entries: list[tuple[Subject, RoundHold, int]] = []
        won = 0
        for player, stakes in in_play.items():
            if not stakes:
                continue
            win = state.slips[player].total() - state.paid.get(player, 0)
            won += win
            entries.append((Subject("player", player, self._table), self._prices.of(stakes), win))
            for box, stake in stakes.items():
                together[box] = together.get(box, 0) + stake
        if not together:
            return
        whole = self._prices.of(together)
        entries.append((Subject("table", self._table), whole, won))
        dealer = self._dealer_of(state.number)
        if dealer is not None:
            entries.append((Subject("dealer", dealer), whole, won))
        self._counted[state.number] = entries
        self._entries += len(entries)
        for subject, priced, win in entries:
            self.evidence.setdefault(subject, HoldEvidence()).add(priced, win)
        while self._entries > ENTRIES_KEPT and len(self._counted) > 1:
            self.let_go(next(iter(self._counted)))

    def forget(self, number: int) -> None:
        """Take a round out again."""
        entries = self._counted.pop(number, [])
        self._entries -= len(entries)
        for subject, priced, win in entries:
            self.evidence[subject].add(priced, win, -1)
            if not self.evidence[subject].rounds:
                del self.evidence[subject]

    def let_go(self, number: int) -> None:
        """A round that nothing can change any more stays counted, and how it was is not kept."""
        if number in self._counted:
            self._let_go.add(number)
        self._entries -= len(self._counted.pop(number, []))
        self.opened.pop(number, None)

    def of_table(self) -> HoldEvidence:
        """The table's own evidence."""
        return self.evidence.get(Subject("table", self._table), HoldEvidence())

    def _dealer_of(self, number: int) -> str | None:
        opened = self.opened.get(number)
        return None if opened is None or self._dealer_at is None else self._dealer_at(opened)


class HouseHold:
    """All tables together: how many are judged at once, and who is flagged."""

    def __init__(self, watches: Iterable[HoldWatch]) -> None:
        self.evidence: dict[Subject, HoldEvidence] = {}
        for watch in watches:
            for subject, found in watch.evidence.items():
                self.evidence.setdefault(subject, HoldEvidence()).join(found)
        e_values = {subject: found.e_value for subject, found in self.evidence.items()}
        self._flagged = e_bh(e_values, level=FALSE_FLAGS)

    @property
    def threshold(self) -> float:
        """The evidence that flags one of them whatever the others have."""
        return max(1, len(self.evidence)) / FALSE_FLAGS

    def is_flagged(self, subject: Subject) -> bool:
        return subject in self._flagged

    def flags(self, watch: HoldWatch) -> list[HoldFlag]:
        """Who is flagged at a table: itself, its dealers of today, its players; the clearest first."""
        return sorted(
            (self._flag(each) for each in watch.evidence if each in self._flagged),
            key=lambda flag: -flag.e_value,
        )

    def _flag(self, subject: Subject) -> HoldFlag:
        found = self.evidence[subject]
        return HoldFlag(
            kind=subject.kind,
            name=subject.name,
            direction=found.direction,
            e_value=float(f"{found.e_value:.4g}"),
            rounds=found.rounds,
            handle=found.handle_minor,
            win=found.win_minor,
            theoretical_win=round(found.mean, 2),
        )
