"""Theoretical win from the bets actually made, and how far the actual hold may stray from it.

The bets of one round ride on the same dice, so the spread is computed round by round from the house's result
on each of the 56 outcomes; rounds are independent and their variances add.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import isfinite, sqrt
from statistics import NormalDist
from typing import Any, Final, Literal, NamedTuple

from taisai.errors import InputError, UnknownName
from taisai.money import check_stake
from taisai.odds.bets.nets import fraction_gcd
from taisai.odds.bets.outcomes import OUTCOMES, WAYS, WAYS_TOTAL, net_on
from taisai.odds.extras import needs
from taisai.odds.results.frame import Frame
from taisai.rulebooks.model import PayTable

# Bits of the exact distribution of a shift beyond which the normal approximation serves.
EXACT_BITS_MAX: Final = 200_000_000

Verdict = Literal["within", "above", "below"]


class BetMade(NamedTuple):
    """One bet of the record: which round of which table, who, on what, how much."""

    table: str
    round: Hashable
    player: str
    box: str
    stake_minor: int


@dataclass(frozen=True, slots=True)
class HoldBand:
    """Where the house's win lies with the chance `level`; `method` says how the ends were found."""

    level: float
    low: Fraction
    high: Fraction
    handle_minor: int
    method: Literal["exact", "normal"]

    @property
    def low_hold(self) -> float:
        return float(self.low / self.handle_minor)

    @property
    def high_hold(self) -> float:
        return float(self.high / self.handle_minor)

    def judge(self, actual_win_minor: int) -> Verdict:
        """Whether an actual win lies within the band."""
        if actual_win_minor < self.low:
            return "below"
        return "above" if actual_win_minor > self.high else "within"


@dataclass(frozen=True)
class Theory:
    """What the house should win from a set of bets. Each round is its distribution of the house's net."""

    handle_minor: int
    bets: int
    rounds: tuple[Mapping[Fraction, int], ...] = field(repr=False)

    @cached_property
    def win(self) -> Fraction:
        """The theoretical win in minor units: each stake times its box's edge."""
        return sum((_mean(nets) for nets in self.rounds), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        return sum((_variance(nets) for nets in self.rounds), Fraction(0))

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def hold(self) -> Fraction:
        """The theoretical win as a share of all that was staked."""
        return self.win / self.handle_minor

    def z(self, actual_win_minor: int) -> float:
        """How many standard deviations the actual win lies from theory."""
        return float(actual_win_minor - self.win) / self.standard_deviation if self.variance else 0.0

    def band(self, level: float = 0.95, *, exact: bool | None = None) -> HoldBand:
        """The central band of the house's win.

        Exact (from the product of the rounds' generating polynomials) while that is quick, else normal;
        `exact` insists on one or the other.
        """
        if not isfinite(level) or not 0 < level < 1:
            raise InputError(f"a level lies between 0 and 1, got {level}")
        if exact or (exact is None and self._bits <= EXACT_BITS_MAX):
            low, high = self._exact_ends(Fraction(level))
            return HoldBand(level, low, high, self.handle_minor, "exact")
        half = Fraction(NormalDist().inv_cdf((1 + level) / 2) * self.standard_deviation)
        return HoldBand(level, self.win - half, self.win + half, self.handle_minor, "normal")

    @cached_property
    def _lattice(self) -> tuple[Fraction, Fraction]:
        """The lowest possible win, and the step on which all wins lie."""
        lowest = sum((min(nets) for nets in self.rounds), Fraction(0))
        gaps = [net - min(nets) for nets in self.rounds for net in nets]
        return lowest, fraction_gcd(gaps) or Fraction(1)

    @property
    def _bits(self) -> int:
        _, step = self._lattice
        degree = sum(int((max(nets) - min(nets)) / step) for nets in self.rounds)
        return degree * len(self.rounds) * WAYS_TOTAL.bit_length()

    def _exact_ends(self, level: Fraction) -> tuple[Fraction, Fraction]:
        lowest, step = self._lattice
        weights = _product([_polynomial(nets, step) for nets in self.rounds])
        tail = (1 - level) / 2 * WAYS_TOTAL ** len(self.rounds)
        return lowest + _place(weights, tail) * step, lowest + _place_from_top(weights, tail) * step


def _mean(nets: Mapping[Fraction, int]) -> Fraction:
    return sum((net * ways for net, ways in nets.items()), Fraction(0)) / WAYS_TOTAL


def _variance(nets: Mapping[Fraction, int]) -> Fraction:
    return sum((net**2 * ways for net, ways in nets.items()), Fraction(0)) / WAYS_TOTAL - _mean(nets) ** 2


def _polynomial(nets: Mapping[Fraction, int], step: Fraction) -> Any:
    lowest = min(nets)
    weights = [0] * (int((max(nets) - lowest) / step) + 1)
    for net, ways in nets.items():
        weights[int((net - lowest) / step)] = ways
    return needs("flint").fmpz_poly(weights)


def _product(polynomials: list[Any]) -> list[int]:
    """Multiplied in pairs, so that the large products come last and are few."""
    while len(polynomials) > 1:
        pairs = [a * b for a, b in zip(polynomials[::2], polynomials[1::2], strict=False)]
        polynomials = pairs + (polynomials[-1:] if len(polynomials) % 2 else [])
    return [int(weight) for weight in polynomials[0].coeffs()]


def _place(weights: list[int], tail: Fraction) -> int:
    """The first place at which more than the tail lies at or below."""
    reached = 0
    for place, weight in enumerate(weights):
        reached += weight
        if reached > tail:
            return place
    return len(weights) - 1


def _place_from_top(weights: list[int], tail: Fraction) -> int:
    return len(weights) - 1 - _place(weights[::-1], tail)


PayTables = PayTable | Mapping[str, PayTable]


def theory(bets: Iterable[BetMade], pay_tables: PayTables) -> Theory:
    """The theory of all these bets together; `pay_tables` is one for all, or one for each table's name."""
    found = theory_by(bets, pay_tables, key=lambda bet: None)
    if not found:
        raise InputError("a theoretical win needs at least one bet, got none")
    return found[None]


def theory_by(
    bets: Iterable[BetMade], pay_tables: PayTables, *, key: Any = lambda bet: (bet.table, bet.player)
) -> dict[Any, Theory]:
    """A theory for each key: each player at each table if nothing else is asked."""
    slips: dict[Any, dict[tuple[str, Hashable], dict[str, int]]] = {}
    handle: dict[Any, int] = {}
    count: dict[Any, int] = {}
    for bet in bets:
        group = key(bet)
        stakes = slips.setdefault(group, {}).setdefault((bet.table, bet.round), {})
        stake = check_stake(bet.stake_minor)
        stakes[bet.box] = stakes.get(bet.box, 0) + stake
        handle[group] = handle.get(group, 0) + stake
        count[group] = count.get(group, 0) + 1
    houses: dict[str, _House] = {}
    theories = {}
    for group, rounds in slips.items():
        nets = []
        for (table, _), stakes in rounds.items():
            if table not in houses:
                houses[table] = _House(_pay_table_of(table, pay_tables))
            nets.append(houses[table].nets(stakes))
        theories[group] = Theory(handle[group], count[group], tuple(nets))
    return theories


def _pay_table_of(table: str, pay_tables: PayTables) -> PayTable:
    if isinstance(pay_tables, PayTable):
        return pay_tables
    if table not in pay_tables:
        raise UnknownName("table", table, pay_tables)
    return pay_tables[table]


class _House:
    """What the house nets on each outcome, box by box, looked up once per box, in 1/unit of a minor unit."""

    def __init__(self, pay_table: PayTable) -> None:
        self._pay_table = pay_table
        self._rows: dict[str, list[int]] = {}

    def nets(self, stakes: Mapping[str, int]) -> dict[Fraction, int]:
        """The ways of each house net for one round's stakes."""
        rows = [(self._row(box_id), stake) for box_id, stake in stakes.items()]
        ways_of: dict[int, int] = {}
        for place, ways in enumerate(WAYS):
            net = sum(row[place] * stake for row, stake in rows)
            ways_of[net] = ways_of.get(net, 0) + ways
        return {Fraction(net, self._pay_table.unit): ways for net, ways in ways_of.items()}

    def _row(self, box_id: str) -> list[int]:
        if box_id not in self._rows:
            box = self._pay_table.box(box_id)
            self._rows[box_id] = [int(-net_on(box, roll) * self._pay_table.unit) for roll in OUTCOMES]
        return self._rows[box_id]


def hold_frame(
    theories: Mapping[Any, Theory], actual_wins: Mapping[Any, int] | None = None, *, level: float = 0.95
) -> Frame:
    """One row for each theory: handle, theoretical win and hold, band, and the flag where a win is known."""
    rows = []
    for key, each in theories.items():
        band = each.band(level)
        actual = None if actual_wins is None else actual_wins.get(key)
        rows.append(
            {
                "of": " ".join(map(str, key)) if isinstance(key, tuple) else str(key),
                "bets": each.bets,
                "rounds": len(each.rounds),
                "handle_minor": each.handle_minor,
                "theoretical_win": each.win,
                "hold": float(each.hold),
                "hold_low": band.low_hold,
                "hold_high": band.high_hold,
                "method": band.method,
                "actual_win_minor": actual,
                "z": None if actual is None else each.z(actual),
                "verdict": None if actual is None else band.judge(actual),
            }
        )
    return Frame.from_rows(rows)
