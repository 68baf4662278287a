"""The chance of ruin, of reaching a target before it, and how long that takes: exact and simulated.

Ruin is a bankroll below one base stake. A bet that pays more than even money may jump over the target; that
counts as reached. When a rule's next stake exceeds the bankroll, the whole units that are left are staked;
when it exceeds the table's maximum, the maximum is staked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any, Final

from taisai.errors import InputError
from taisai.odds.bets.nets import moments
from taisai.odds.bounds import check_count
from taisai.odds.exact import box_odds
from taisai.odds.extras import needs
from taisai.odds.mix import Mix
from taisai.odds.results.chance import Chance
from taisai.odds.ruin.chain import (
    EXACT_STATES_MAX,
    Chain,
    Terms,
    build_chain,
    solve_chain,
    solve_exactly,
)
from taisai.odds.ruin.follow import within_cost, within_rounds
from taisai.odds.ruin.lattice import exact_flat, flat_walk, float_flat
from taisai.odds.sessions import Sample, check_maximum, check_money, simulate_rule
from taisai.odds.staking.rules import Flat, StakingRule, staking_rule
from taisai.rulebooks.model import Box

# The chance that a sound simulation is said to disagree, shared by its two questions.
DIFFERS_LEVEL: Final = 0.001
# How long following the rounds may take that the second question needs; else only the first is asked.
_FOLLOW_SECONDS: Final = 2.0


@dataclass(frozen=True)
class Risk:
    """The answer to one question of risk, and how many states of play lie behind it."""

    terms: Terms
    ruin: Chance
    target: Chance
    rounds: Chance
    staked: Chance
    states: int
    method: str

    @cached_property
    def chain(self) -> Chain:
        """Every state of bankroll and rule that play can reach."""
        return build_chain(self.terms)

    @property
    def mean_final(self) -> float:
        """The expected bankroll when play ends: what was brought, less the edge on all that was staked."""
        return self.terms.bankroll + float(moments(self.terms.unit_net)[0]) * self.staked.approx

    def within(self, rounds: int) -> dict[str, float]:
        """The chances that play has ended in ruin, or at the target, within a number of rounds."""
        check_count("a number of rounds", rounds)
        ruin, target, playing = within_rounds(self.chain, rounds)
        return {"ruin": ruin, "target": target, "still_playing": playing}

    def simulate(self, sessions: int, *, seed: int) -> "Agreement":
        """Play the same question out with random dice and say how well the two agree."""
        sample = simulate_rule(self.terms, sessions=sessions, seed=seed, rounds_expected=self.rounds.approx)
        return Agreement(self, sample)

    @cached_property
    def half_way(self) -> tuple[int, float] | None:
        """A number of rounds near the expected one, and the exact chance that play has ended by then.

        None where following so many rounds would take long.
        """
        rounds = max(1, round(self.rounds.approx))
        if within_cost(self.chain, rounds).seconds > _FOLLOW_SECONDS:
            return None
        ruin, target, _ = within_rounds(self.chain, rounds)
        return rounds, ruin + target


@dataclass(frozen=True)
class Agreement:
    """Exact and simulated figures side by side.

    Standard scores are for reading. The verdict comes from exact binomial tests, which err no more often
    than stated however few the sessions or rare the ruin: how many were ruined, and how many had ended by
    about the expected number of rounds.
    """

    risk: Risk
    sample: Sample

    @cached_property
    def ruin_z(self) -> float:
        """How many standard errors the simulated chance of ruin lies from the exact one."""
        chance = self.risk.ruin.approx
        error = sqrt(chance * (1 - chance) / self.sample.sessions)
        return (self.sample.ruin - chance) / error if error > 0 else 0.0

    @cached_property
    def rounds_z(self) -> float:
        error = self.sample.rounds_error
        return (self.sample.rounds_mean - self.risk.rounds.approx) / error if error > 0 else 0.0

    @cached_property
    def ruin_p(self) -> float:
        """How likely so many or so few ruins are; sessions still open may have ended either way."""
        sample, chance = self.sample, self.risk.ruin.approx
        likeliest = min(max(round(chance * sample.sessions), sample.ruined), sample.ruined + sample.open)
        return _binomial_p(likeliest, sample.sessions, chance)

    @cached_property
    def rounds_p(self) -> float | None:
        """How likely it is that so many sessions had ended half-way; None where that is not computed."""
        if self.risk.half_way is None:
            return None
        rounds, chance = self.risk.half_way
        return _binomial_p(self.sample.ended_within(rounds), self.sample.sessions, chance)

    @property
    def agrees(self) -> bool:
        """Whether nothing is less likely than stated; an interrupted simulation has nothing to say."""
        if self.sample.interrupted:
            return True
        found = [p for p in (self.ruin_p, self.rounds_p) if p is not None]
        return min(found) > DIFFERS_LEVEL / len(found)

    @property
    def verdict(self) -> str:
        """One word for a table."""
        return "interrupted" if self.sample.interrupted else "agrees" if self.agrees else "DIFFERS"

    def as_json(self) -> dict[str, Any]:
        sample = self.sample
        return {
            "sessions": sample.sessions,
            "seed": sample.seed,
            "ruin_probability": sample.ruin,
            "ruin_interval_95": list(sample.interval(sample.ruined)),
            "target_probability": sample.target,
            "expected_rounds": sample.rounds_mean,
            "ruin_z": self.ruin_z,
            "rounds_z": self.rounds_z,
            "ruin_p": self.ruin_p,
            "rounds_p": self.rounds_p,
            "open": sample.open,
            "interrupted": sample.interrupted,
            "agrees": self.agrees,
        }


def _binomial_p(count: int, trials: int, chance: float) -> float:
    """Both sides of the exact binomial test; a chance is known to some 13 digits and no better."""
    chance = min(1.0, max(0.0, chance))
    if min(chance, 1 - chance) * trials < 1e-9:
        return 1.0 if count == round(chance * trials) else 0.0
    return float(needs("scipy.stats").binomtest(count, trials, chance).pvalue)


def unit_net_of(wager: Box | Mix) -> Mapping[Fraction, Fraction]:
    """The net distribution of one unit staked on a box, or spread over a mix."""
    if isinstance(wager, Box):
        return box_odds(wager).distribution
    return {net / wager.stake_minor: chance for net, chance in wager.distribution.items()}


def risk_terms(
    wager: Box | Mix,
    *,
    bankroll: int,
    target: int,
    stake: int | None = None,
    strategy: str | StakingRule = "flat",
    maximum: int | None = None,
) -> Terms:
    """The question, checked. A mix brings its own stake; a box needs one."""
    if stake is None:
        if isinstance(wager, Box):
            raise InputError(f"a bet on {wager.id} needs a stake")
        stake = wager.stake_minor
    check_money(stake=stake, bankroll=bankroll, target=target)
    check_maximum(maximum, stake)
    unit_net = unit_net_of(wager)
    if not any(net < 0 for net in unit_net) or not any(net > 0 for net in unit_net):
        raise InputError("these bets cannot both win and lose: there is no risk to compute")
    if isinstance(strategy, str):
        strategy = staking_rule(strategy, cap=None if maximum is None else maximum // stake)
    return Terms(unit_net, stake, bankroll, target, strategy, maximum)


def risk_of_ruin(
    wager: Box | Mix,
    *,
    bankroll: int,
    target: int,
    stake: int | None = None,
    strategy: str | StakingRule = "flat",
    maximum: int | None = None,
) -> Risk:
    """The chances of ruin and of the target, and the expected rounds.

    >>> import taisai
    >>> big = taisai.pay_table("tai-sai-v6/2").box("big")
    >>> risk_of_ruin(big, stake=1, bankroll=1, target=2).ruin.exact
    Fraction(37, 72)
    """
    terms = risk_terms(
        wager, bankroll=bankroll, target=target, stake=stake, strategy=strategy, maximum=maximum
    )
    figures, states, method = _figures(terms)
    return Risk(
        terms=terms,
        ruin=figures[0],
        target=figures[1],
        rounds=figures[2],
        staked=figures[3],
        states=states,
        method=method,
    )


def _figures(terms: Terms) -> tuple[list[Chance], int, str]:
    """Ruin, target, rounds and stakes by the best route that there is."""
    if isinstance(terms.rule, Flat):
        return _flat_figures(terms)
    chain = build_chain(terms)
    exact = solve_exactly(chain)
    if exact is not None:
        ruin, rounds, staked = exact
        values = (ruin, 1 - ruin, rounds, staked)
        return [Chance.of(value) for value in values], len(chain), "exact linear system"
    found = solve_chain(chain)
    figures = (found.ruin, found.target, found.rounds, found.staked)
    return [Chance(None, value) for value in figures], len(chain), found.method


def _flat_figures(terms: Terms) -> tuple[list[Chance], int, str]:
    walk = flat_walk(terms.unit_net, stake=terms.stake, bankroll=terms.bankroll, target=terms.target)
    exact, method = exact_flat(walk), "exact recurrence"
    if exact is None and walk.places <= EXACT_STATES_MAX:
        solved, method = solve_exactly(build_chain(terms)), "exact linear system"
        exact = None if solved is None else solved[:2]
    if exact is not None:
        ruin, rounds = exact
        values = (ruin, 1 - ruin, rounds, rounds * terms.stake)
        return [Chance.of(value) for value in values], walk.places, method
    lost, reached, played = float_flat(walk)
    figures = (lost, reached, played, played * terms.stake)
    return [Chance(None, value) for value in figures], walk.places, "banded linear system"
