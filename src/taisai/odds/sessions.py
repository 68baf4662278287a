"""Sessions played with random dice until ruin, target or a number of rounds: the Monte Carlo side of risk.

Staking rules run for all players at once on columns; any other Python strategy runs round by round.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from taisai.dice import ROLLS, Roll
from taisai.errors import InputError, brief
from taisai.money import check_stake, winnings
from taisai.odds.bets.nets import fraction_gcd
from taisai.odds.bets.whole_sums import exact_sum
from taisai.odds.bounds import check_amount, check_count, check_seed
from taisai.odds.cost import Cost, TooCostly, afford
from taisai.odds.ruin.chain import Terms
from taisai.odds.staking.rules import StakingRule, check_rule_stake
from taisai.rulebooks.model import PayTable

ROUNDS_MAX: Final = 1_000_000
STRATEGY_ROUNDS_MAX: Final = 10_000
SESSIONS_MAX: Final = 10_000_000
# Sums of a bankroll and what it may win stay below 2**62.
_COUNTED_MAX: Final = 1 << 62
# A rule's stake beyond every bankroll is as good as this one.
_UNITS_MAX: Final = 1 << 53
# Measured: a session in its columns; a round of one session; a round of all, whatever their number.
_SESSION_BYTES, _STEP_SECONDS, _ROUND_SECONDS = 150.0, 4e-8, 4e-5
# Measured: a round of a strategy in Python, beside what the strategy itself takes.
_STRATEGY_SECONDS: Final = 8e-6
_PROBE_SESSIONS: Final = 20


class Situation(NamedTuple):
    """What a strategy sees before each round. `last_net` and `last_roll` are None in the first."""

    bankroll: int
    round: int
    last_net: int | None
    last_roll: Roll | None


# Given the situation, the bets by box id; None or nothing to leave the table.
Strategy = Callable[[Situation], Mapping[str, int] | None]


@dataclass(frozen=True, slots=True)
class Sample:
    """How simulated sessions ended. `open` ones left, or were still playing at the last round.

    `ended` says how many sessions ended in which round; `interrupted` that Ctrl-C came before all were over.
    """

    sessions: int
    seed: int
    ruined: int
    reached: int
    open: int
    rounds_mean: float
    rounds_error: float
    final_mean: float
    interrupted: bool = False
    ended: Mapping[int, int] = field(default_factory=dict, repr=False)

    def ended_within(self, rounds: int) -> int:
        """How many sessions came to ruin or target within so many rounds."""
        return sum(count for number, count in self.ended.items() if number <= rounds)

    @property
    def ruin(self) -> float:
        return self.ruined / self.sessions

    @property
    def target(self) -> float:
        return self.reached / self.sessions

    def interval(self, count: int, z: float = 1.959963984540054) -> tuple[float, float]:
        """Wilson's interval for the chance behind a count of sessions."""
        share, trials = count / self.sessions, self.sessions
        centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
        half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials**2)) / (1 + z * z / trials)
        return max(0.0, centre - half), min(1.0, centre + half)


def check_sessions(sessions: int, seed: int) -> None:
    """Refuse counts and seeds that mean nothing."""
    check_count("a number of sessions", sessions, most=SESSIONS_MAX)
    check_seed(seed)


def check_money(*, stake: int, bankroll: int, target: int) -> None:
    """Refuse a stake, bankroll and target between which there is nothing to play."""
    for name, amount in (("stake", stake), ("bankroll", bankroll), ("target", target)):
        check_amount(f"a {name}", amount)
    if bankroll < stake:
        raise InputError(f"a bankroll of {bankroll} is below one stake of {stake}: that is ruin already")
    if target <= bankroll:
        raise InputError(f"a target lies above the bankroll of {bankroll}, got {target}")


def check_maximum(maximum: int | None, stake: int) -> None:
    """Refuse a table's maximum that allows no stake at all."""
    if maximum is not None and (type(maximum) is not int or maximum < stake):
        raise InputError(f"a table maximum is at least one stake of {stake}, got {brief(maximum)}")


class _RuleColumns:
    """A staking rule's states by number, found as they are first met."""

    def __init__(self, rule: StakingRule) -> None:
        self._rule = rule
        self._states: list[Any] = []
        self._number: dict[Any, int] = {}
        self.stake = np.zeros(0, dtype=np.int64)
        self.following = np.zeros((0, 2), dtype=np.int64)
        self.number_of(rule.start)

    def number_of(self, state: Any) -> int:
        number = self._number.get(state)
        if number is None:
            number = self._number[state] = len(self._states)
            self._states.append(state)
            if number >= len(self.stake):
                room = max(16, 2 * number)
                self.stake = np.concatenate([self.stake, np.zeros(room, dtype=np.int64)])
                self.following = np.concatenate([self.following, np.full((room, 2), -1, dtype=np.int64)])
            units = check_rule_stake(self._rule, state, self._rule.stake(state))
            self.stake[number] = min(units, _UNITS_MAX)
        return number

    def after(self, states: npt.NDArray[np.int64], won: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """The state that follows for each player."""
        following = self.following[states, won.astype(np.int64)]
        if (following < 0).any():
            unknown = np.unique(np.stack([states, won.astype(np.int64)])[:, following < 0], axis=1)
            for state, win in unknown.T.tolist():
                number = self.number_of(self._rule.after(self._states[state], bool(win)))
                self.following[state, win] = number
            following = self.following[states, won.astype(np.int64)]
        return following


def simulate_rule(
    terms: Terms,
    *,
    sessions: int,
    seed: int,
    rounds_max: int = ROUNDS_MAX,
    rounds_expected: float | None = None,
) -> Sample:
    """Play a staking rule in many sessions at once; `rounds_expected` of a session makes the cost known.

    Ctrl-C ends it early: sessions that were still playing are then open.
    """
    check_sessions(sessions, seed)
    _check_columns(terms, sessions, min(float(rounds_max), rounds_expected or rounds_max))
    random = np.random.Generator(np.random.PCG64(seed))
    scale = lcm(*(net.denominator for net in terms.unit_net))
    unit = fraction_gcd(list(terms.unit_net.values()))
    nets = np.array([int(net * scale) for net in terms.unit_net], dtype=np.int64)
    lookup = np.repeat(nets, [int(chance / unit) for chance in terms.unit_net.values()])
    columns = _RuleColumns(terms.rule)
    bankroll = np.full(sessions, terms.bankroll * scale, dtype=np.int64)
    state = np.zeros(sessions, dtype=np.int64)
    whole = terms.stake * scale
    most = terms.maximum // terms.stake if terms.maximum is not None else None
    tally = _Tally(sessions, seed, scale)
    number = 0
    try:
        while len(bankroll) and number < rounds_max:
            units = np.minimum(columns.stake[state], bankroll // whole)
            if most is not None:
                np.minimum(units, most, out=units)
            net = lookup[random.integers(0, len(lookup), len(bankroll))] * units * terms.stake
            state = np.where(net == 0, state, columns.after(state, net > 0))
            bankroll = bankroll + net
            number += 1
            ruined, reached = bankroll < whole, bankroll >= terms.target * scale
            done = ruined | reached
            if done.any():
                tally.end(
                    number, int(done.sum()), exact_sum(bankroll[done]), int(ruined.sum()), int(reached.sum())
                )
                bankroll, state = bankroll[~done], state[~done]
    except KeyboardInterrupt:
        tally.interrupted = True
    tally.end(number, len(bankroll), exact_sum(bankroll), 0, 0)
    return tally.sample()


def _check_columns(terms: Terms, sessions: int, rounds: float) -> None:
    """Refuse what 64 bits cannot count, and what takes too long."""
    scale = lcm(*(net.denominator for net in terms.unit_net))
    most = max(abs(net) for net in terms.unit_net)
    if (most + 1) * scale * terms.target > _COUNTED_MAX:
        raise TooCostly(
            f"a target of {terms.target} at odds of {most} to 1 is more than can be counted: lower it"
        )
    afford(
        f"{sessions:,} sessions of about {rounds:,.0f} rounds",
        Cost(
            memory_bytes=_SESSION_BYTES * sessions,
            seconds=sessions * rounds * _STEP_SECONDS + 10 * rounds * _ROUND_SECONDS,
        ),
        less="ask for fewer sessions, raise the stake or lower the target",
    )


class _Tally:
    """Sums over the sessions that have ended."""

    def __init__(self, sessions: int, seed: int, scale: int = 1) -> None:
        self._sessions, self._seed, self._scale = sessions, seed, scale
        self._ruined = self._reached = 0
        self._rounds = self._rounds_squared = self._final = 0
        self._ended: dict[int, int] = {}
        self.interrupted = False

    def end(self, rounds: int, sessions: int, bankrolls: int, ruined: int, reached: int) -> None:
        """Sessions that ended in this round, and what they have left together."""
        self._ruined += ruined
        self._reached += reached
        if ruined or reached:
            self._ended[rounds] = self._ended.get(rounds, 0) + ruined + reached
        self._rounds += rounds * sessions
        self._rounds_squared += rounds * rounds * sessions
        self._final += bankrolls

    def sample(self, sessions: int | None = None) -> Sample:
        """The sums so far; `sessions` where fewer were played than asked for."""
        sessions = self._sessions if sessions is None else sessions
        mean = Fraction(self._rounds, sessions)
        variance = Fraction(self._rounds_squared, sessions) - mean**2
        return Sample(
            sessions=sessions,
            seed=self._seed,
            ruined=self._ruined,
            reached=self._reached,
            open=sessions - self._ruined - self._reached,
            rounds_mean=float(mean),
            rounds_error=sqrt(variance / sessions),
            final_mean=float(Fraction(self._final, self._scale * sessions)),
            interrupted=self.interrupted,
            ended=self._ended,
        )


def simulate_strategy(
    pay_table: PayTable,
    new_strategy: Callable[[], Strategy],
    *,
    stake: int,
    bankroll: int,
    target: int,
    sessions: int,
    seed: int,
    rounds_max: int = STRATEGY_ROUNDS_MAX,
    maximum: int | None = None,
) -> Sample:
    """Play any Python strategy; `new_strategy` makes a fresh one for each session.

    Ruin means less than `stake` left, the least a player may bet. Wins are paid in whole minor units.
    `maximum` is the table's, on each box: a bet above it is cut. Ctrl-C ends it with the sessions that are
    over.
    """
    check_sessions(sessions, seed)
    check_money(stake=stake, bankroll=bankroll, target=target)
    check_count("a number of rounds", rounds_max)
    check_maximum(maximum, stake)
    random = np.random.Generator(np.random.PCG64(seed))
    tally = _Tally(sessions, seed)
    played, number = 0, 1
    try:
        for number in range(1, sessions + 1):
            now = Situation(bankroll, 1, None, None)
            strategy = _asked(new_strategy)
            while stake <= now.bankroll < target and now.round <= rounds_max:
                bets = _asked(strategy, now)
                if not bets:
                    break
                roll = ROLLS[int(random.integers(0, len(ROLLS)))]
                net = _net(pay_table, _checked(pay_table, bets, now, maximum), roll)
                now = Situation(now.bankroll + net, now.round + 1, net, roll)
            left = now.bankroll
            tally.end(now.round - 1, 1, left, int(left < stake), int(left >= target))
            played += now.round - 1
            if number == _PROBE_SESSIONS:
                _check_strategy(sessions, played / number)
    except KeyboardInterrupt:
        if number == 1:
            raise
        tally.interrupted = True
        return tally.sample(number - 1)
    return tally.sample()


def _check_strategy(sessions: int, rounds: float) -> None:
    """After the first few sessions it is known about how long one takes."""
    afford(
        f"{sessions:,} sessions of about {rounds:,.0f} rounds",
        Cost(seconds=sessions * (rounds + 1) * _STRATEGY_SECONDS),
        less="ask for fewer sessions, raise the stake or lower the target",
    )


def _asked(strategy: Callable[..., Any], *situation: Situation) -> Any:
    """What a strategy of the player's own answers; whatever it raises is said in one line."""
    try:
        return strategy(*situation)
    except TooCostly:  # whoever set a deadline has raised it
        raise
    except (Exception, SystemExit) as error:
        where = f"in round {situation[0].round}" if situation else "when a session begins"
        raise InputError(f"the strategy fails {where}: {type(error).__name__}: {brief(str(error))}") from None


def _checked(pay_table: PayTable, bets: object, now: Situation, maximum: int | None) -> Mapping[str, int]:
    if not isinstance(bets, Mapping) or not all(type(box_id) is str for box_id in bets):
        raise InputError(f"a strategy answers with bets by box such as {{'big': 100}}, got {brief(bets)}")
    stakes = {box_id: check_stake(stake) for box_id, stake in bets.items()}
    if maximum is not None:
        stakes = {box_id: min(stake, maximum) for box_id, stake in stakes.items()}
    staked = sum(stakes.values())
    if staked > now.bankroll:
        raise InputError(
            f"round {now.round}: the strategy bets {staked}, more than the {now.bankroll} that it has"
        )
    for box_id in stakes:
        pay_table.box(box_id)
    return stakes


def _net(pay_table: PayTable, bets: Mapping[str, int], roll: Roll) -> int:
    net = 0
    for box_id, stake in bets.items():
        pays_to_one = pay_table.box(box_id).pays_on(roll)
        net += -stake if pays_to_one is None else winnings(stake, pays_to_one)
    return net
