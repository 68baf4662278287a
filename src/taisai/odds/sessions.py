"""Sessions played with random dice until ruin, target or a number of rounds: the Monte Carlo side of risk.

Staking rules run for all players at once on columns; any other Python strategy runs round by round.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from taisai.dice import ROLLS, Roll
from taisai.errors import InputError
from taisai.money import check_stake, winnings
from taisai.odds.bets.nets import fraction_gcd
from taisai.odds.ruin.chain import Terms
from taisai.odds.staking.rules import StakingRule, check_rule_stake
from taisai.rulebooks.model import PayTable

ROUNDS_MAX: Final = 1_000_000
SESSIONS_MAX: Final = 10_000_000


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
    """How simulated sessions ended. `open` ones left, or were still playing at the last round."""

    sessions: int
    seed: int
    ruined: int
    reached: int
    open: int
    rounds_mean: float
    rounds_error: float
    final_mean: float

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


def check_sessions(sessions: object, seed: object) -> None:
    """Refuse counts and seeds that mean nothing."""
    if type(sessions) is not int or not 1 <= sessions <= SESSIONS_MAX:
        raise InputError(f"a number of sessions lies between 1 and {SESSIONS_MAX}, got {sessions!r}")
    if type(seed) is not int or seed < 0:
        raise InputError(f"a seed is a whole number, zero or above, got {seed!r}")


def check_money(*, stake: int, bankroll: int, target: int) -> None:
    """Refuse a stake, bankroll and target between which there is nothing to play."""
    for name, amount in (("stake", stake), ("bankroll", bankroll), ("target", target)):
        if type(amount) is not int or amount < 1:
            raise InputError(f"a {name} is a whole number of minor units above zero, got {amount!r}")
    if bankroll < stake:
        raise InputError(f"a bankroll of {bankroll} is below one stake of {stake}: that is ruin already")
    if target <= bankroll:
        raise InputError(f"a target lies above the bankroll of {bankroll}, got {target}")


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
            self.stake[number] = check_rule_stake(self._rule, state, self._rule.stake(state))
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


def simulate_rule(terms: Terms, *, sessions: int, seed: int, rounds_max: int = ROUNDS_MAX) -> Sample:
    """Play a staking rule in many sessions at once."""
    check_sessions(sessions, seed)
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
    for number in range(1, rounds_max + 1):
        units = np.minimum(columns.stake[state], bankroll // whole)
        if most is not None:
            np.minimum(units, most, out=units)
        net = lookup[random.integers(0, len(lookup), len(bankroll))] * units * terms.stake
        bankroll = bankroll + net
        state = np.where(net == 0, state, columns.after(state, net > 0))
        ruined, reached = bankroll < whole, bankroll >= terms.target * scale
        done = ruined | reached
        if done.any():
            tally.end(number, bankroll[done], int(ruined.sum()), int(reached.sum()))
            bankroll, state = bankroll[~done], state[~done]
            if not len(bankroll):
                break
    else:
        tally.end(rounds_max, bankroll, 0, 0)
    return tally.sample()


class _Tally:
    """Sums over the sessions that have ended."""

    def __init__(self, sessions: int, seed: int, scale: int = 1) -> None:
        self._sessions, self._seed, self._scale = sessions, seed, scale
        self._ruined = self._reached = 0
        self._rounds = self._rounds_squared = self._final = 0

    def end(self, rounds: int, bankrolls: npt.NDArray[np.int64], ruined: int, reached: int) -> None:
        self._ruined += ruined
        self._reached += reached
        self._rounds += rounds * len(bankrolls)
        self._rounds_squared += rounds * rounds * len(bankrolls)
        self._final += int(bankrolls.sum())

    def sample(self) -> Sample:
        mean = Fraction(self._rounds, self._sessions)
        variance = Fraction(self._rounds_squared, self._sessions) - mean**2
        return Sample(
            sessions=self._sessions,
            seed=self._seed,
            ruined=self._ruined,
            reached=self._reached,
            open=self._sessions - self._ruined - self._reached,
            rounds_mean=float(mean),
            rounds_error=sqrt(variance / self._sessions),
            final_mean=float(Fraction(self._final, self._scale * self._sessions)),
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
    rounds_max: int = 10_000,
) -> Sample:
    """Play any Python strategy; `new_strategy` makes a fresh one for each session.

    Ruin means less than `stake` left, the least a player may bet. Wins are paid in whole minor units.
    """
    check_sessions(sessions, seed)
    check_money(stake=stake, bankroll=bankroll, target=target)
    random = np.random.Generator(np.random.PCG64(seed))
    tally = _Tally(sessions, seed)
    for _ in range(sessions):
        strategy = new_strategy()
        now = Situation(bankroll, 1, None, None)
        while stake <= now.bankroll < target and now.round <= rounds_max:
            bets = strategy(now)
            if not bets:
                break
            roll = ROLLS[int(random.integers(0, len(ROLLS)))]
            net = _net(pay_table, _checked(pay_table, bets, now), roll)
            now = Situation(now.bankroll + net, now.round + 1, net, roll)
        final = np.array([now.bankroll], dtype=np.int64)
        tally.end(now.round - 1, final, int(now.bankroll < stake), int(now.bankroll >= target))
    return tally.sample()


def _checked(pay_table: PayTable, bets: object, now: Situation) -> Mapping[str, int]:
    if not isinstance(bets, Mapping):
        raise InputError(f"a strategy answers with bets by box such as {{'big': 100}}, got {bets!r}")
    staked = sum(check_stake(stake) for stake in bets.values())
    if staked > now.bankroll:
        raise InputError(
            f"round {now.round}: the strategy bets {staked}, more than the {now.bankroll} that it has"
        )
    for box_id in bets:
        pay_table.box(box_id)
    return bets


def _net(pay_table: PayTable, bets: Mapping[str, int], roll: Roll) -> int:
    net = 0
    for box_id, stake in bets.items():
        pays_to_one = pay_table.box(box_id).pays_on(roll)
        net += -stake if pays_to_one is None else winnings(stake, pays_to_one)
    return net
