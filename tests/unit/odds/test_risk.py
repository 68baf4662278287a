"""Ruin and target: closed forms, exact systems, staking rules, and their agreement with simulation."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import taisai
from taisai.errors import InputError, UnknownName
from taisai.odds.mix import Mix
from taisai.odds.risk import Risk, risk_of_ruin, risk_terms
from taisai.odds.ruin import chain as chains
from taisai.odds.ruin.chain import build_chain, solve_chain, solve_exactly
from taisai.odds.ruin.lattice import exact_flat, flat_walk, float_flat
from taisai.odds.sessions import Situation, simulate_strategy
from taisai.odds.staking.rules import DAlembert, Fibonacci, Labouchere, Martingale, Paroli, staking_rule

LIVE = taisai.pay_table("tai-sai-v6/2")
ETG = taisai.pay_table("sic-bo-etg-v8/2")
BIG = LIVE.box("big")
WIN = Fraction(105, 216)


def closed_form(bankroll: int, target: int) -> Fraction:
    """The gambler's ruin: the chance to lose `bankroll` units before reaching `target`."""
    odds = (1 - WIN) / WIN
    return (odds**bankroll - odds**target) / (1 - odds**target)


@pytest.mark.parametrize(
    ("bankroll", "target"), [(1, 2), (3, 7), (10, 20), (100, 200), (100, 110), (999, 1000)]
)
def test_flat_staking_on_even_money_is_the_gamblers_ruin(bankroll: int, target: int) -> None:
    """The closed form, as a fraction and as a float to 1e-12, and the expected rounds with it."""
    risk = risk_of_ruin(BIG, stake=1, bankroll=bankroll, target=target)
    exact = closed_form(bankroll, target)
    assert risk.ruin.exact == exact
    assert risk.target.exact == 1 - exact
    assert risk.ruin.approx == pytest.approx(float(exact), rel=1e-12)
    rounds = (bankroll - target * (1 - exact)) / (1 - 2 * WIN)
    assert risk.rounds.exact == rounds
    floats = solve_chain(risk.chain)
    assert floats.ruin == pytest.approx(float(exact), rel=1e-12)
    assert floats.target == pytest.approx(float(1 - exact), rel=1e-12)
    assert floats.rounds == pytest.approx(float(rounds), rel=1e-12)


def test_a_stake_of_ten_is_a_tenth_of_the_bankroll_in_units() -> None:
    """What is below one stake plays no part: 105 in tens is ten units and a rest."""
    assert risk_of_ruin(BIG, stake=10, bankroll=105, target=200).ruin.exact == closed_form(10, 20)
    assert risk_of_ruin(BIG, stake=10, bankroll=109, target=199).ruin.exact == closed_form(10, 19)


@pytest.mark.parametrize(
    ("table", "box", "stake", "bankroll", "target"),
    [
        (LIVE, "single-1", 1, 30, 60),
        (LIVE, "triple-1", 1, 20, 100),
        (LIVE, "sum-9", 3, 50, 80),
        (ETG, "sum-8", 1, 20, 50),
        (ETG, "sum-8", 3, 50, 100),
        (ETG, "double-1", 5, 33, 100),
    ],
)
def test_recurrence_and_linear_system_give_the_same_fraction(
    table: taisai.PayTable, box: str, stake: int, bankroll: int, target: int
) -> None:
    """Two exact routes that share nothing but the odds; floats follow to 1e-12."""
    terms = risk_terms(table.box(box), stake=stake, bankroll=bankroll, target=target)
    by_recurrence = exact_flat(flat_walk(terms.unit_net, stake=stake, bankroll=bankroll, target=target))
    chain = build_chain(terms)
    by_system = solve_exactly(chain)
    assert by_recurrence is not None
    assert by_system is not None
    assert by_recurrence == by_system[:2]
    floats = solve_chain(chain)
    assert floats.ruin == pytest.approx(float(by_system[0]), rel=1e-12)
    assert floats.rounds == pytest.approx(float(by_system[1]), rel=1e-12)
    assert floats.staked == pytest.approx(float(by_system[2]), rel=1e-12)


@settings(deadline=None, max_examples=25)
@given(
    bets=st.dictionaries(
        st.sampled_from(["big", "sum-9", "single-2", "domino-14", "four-4321"]),
        st.integers(1, 3),
        min_size=2,
        max_size=3,
    ),
    bankroll=st.integers(10, 25),
    more=st.integers(1, 20),
)
def test_a_mix_of_bets_walks_too(bets: dict[str, int], bankroll: int, more: int) -> None:
    """Bets that can lose a part walk down in different steps; both routes still agree."""
    mix = Mix.on(LIVE, bets)
    risk = risk_of_ruin(mix, bankroll=bankroll, target=bankroll + more)
    by_system = solve_exactly(risk.chain)
    assert by_system is not None
    assert (risk.ruin.exact, risk.rounds.exact) == by_system[:2]
    assert risk.ruin.exact is not None
    assert risk.target.exact is not None
    assert risk.ruin.exact + risk.target.exact == 1


RULES = [
    Martingale(),
    Martingale(cap=8),
    Martingale(cap=8, hold=True),
    DAlembert(cap=5),
    Paroli(),
    Fibonacci(),
    Labouchere(line=(1, 1), longest=3),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.name}-{rule.cap}")
@pytest.mark.parametrize("box", ["big", "single-1"])
def test_the_edge_takes_its_share_of_every_stake(rule: Martingale, box: str) -> None:
    """No staking rule changes what the house expects: what is lost is the edge times the stakes."""
    risk = risk_of_ruin(LIVE.box(box), stake=1, bankroll=12, target=20, strategy=rule)
    exact = solve_exactly(risk.chain)
    if exact is not None:
        assert (risk.ruin.exact, risk.rounds.exact, risk.staked.exact) == exact
    assert risk.mean_final == pytest.approx(_mean_final(risk), rel=1e-11)
    assert risk.ruin.approx + risk.target.approx == pytest.approx(1, abs=1e-12)


def _mean_final(risk: Risk) -> float:
    """The expected final bankroll by following every state: an independent sum over all endings."""
    terms, here = risk.terms, {(risk.terms.bankroll, risk.terms.rule.start): 1.0}
    final = 0.0
    for _ in range(20_000):
        following: dict[object, float] = {}
        for (bankroll, state), chance in here.items():
            stake = min(terms.rule.stake(state), bankroll)
            for net, share in terms.unit_net.items():
                then = int(bankroll + stake * net)
                part = chance * float(share)
                if then < 1 or then >= terms.target:
                    final += part * then
                else:
                    key = (then, terms.rule.after(state, net > 0))
                    following[key] = following.get(key, 0.0) + part
        here = following
        if sum(here.values()) < 1e-16:
            break
    return final


@pytest.mark.parametrize("name", ["flat", "martingale", "dalembert", "paroli", "fibonacci", "labouchere"])
def test_simulated_sessions_agree_with_the_exact_answer(name: str) -> None:
    """Both shown with their agreement: within 3.29 standard errors for a fixed seed."""
    risk = risk_of_ruin(BIG, stake=1, bankroll=15, target=30, strategy=name, maximum=16)
    agreement = risk.simulate(20_000, seed=8)
    assert agreement.agrees, agreement.as_json()
    low, high = agreement.sample.interval(agreement.sample.ruined)
    assert low < agreement.sample.ruin < high
    assert agreement.sample.final_mean == pytest.approx(risk.mean_final, abs=0.5)


def test_a_simulation_of_something_else_does_not_agree() -> None:
    """The agreement is a test that can fail."""
    risk = risk_of_ruin(BIG, stake=1, bankroll=15, target=30)
    other = risk_of_ruin(BIG, stake=1, bankroll=14, target=30)
    assert not type(risk.simulate(100, seed=1))(risk, other.simulate(20_000, seed=1).sample).agrees


UNFACTORED = {"FACTORED_EVEN_MAX": 1, "FACTORED_STATES_MAX": 1}
WAYS = [
    (UNFACTORED, "iterated linear system"),
    (UNFACTORED | {"ITERATED_STATES_MAX": 1}, "dynamic programming"),
    (UNFACTORED | {"REFINEMENTS_MAX": 0, "ENOUGH": 0}, "dynamic programming"),
]


@pytest.mark.parametrize(("limits", "method"), WAYS)
@pytest.mark.parametrize("box", ["big", "single-1"])
def test_every_way_to_solve_a_chain_gives_the_same_figures(
    limits: dict[str, float], method: str, box: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Factorised, iterated or followed round by round: the same to 1e-12."""
    terms = risk_terms(LIVE.box(box), stake=1, bankroll=20, target=40, strategy="fibonacci")
    chain = build_chain(terms)
    factored = solve_chain(chain)
    assert factored.method == "sparse linear system"
    for name, value in limits.items():
        monkeypatch.setattr(chains, name, value)
    found = solve_chain(chain)
    assert found.method == method
    assert found.ruin == pytest.approx(factored.ruin, rel=1e-12)
    assert found.target == pytest.approx(factored.target, rel=1e-12)
    assert found.rounds == pytest.approx(factored.rounds, rel=1e-12)
    assert found.staked == pytest.approx(factored.staked, rel=1e-12)


@pytest.mark.parametrize(
    ("table", "box", "stake", "bankroll", "target"),
    [
        (LIVE, "big", 1, 300, 310),
        (LIVE, "single-1", 1, 30, 60),
        (LIVE, "triple-1", 1, 20, 100),
        (ETG, "sum-8", 3, 50, 100),
        (LIVE, "big", 1, 1, 2),
    ],
)
def test_the_banded_system_is_the_recurrence_in_floats(
    table: taisai.PayTable, box: str, stake: int, bankroll: int, target: int
) -> None:
    """What serves where fractions grow too long, checked where they do not."""
    terms = risk_terms(table.box(box), stake=stake, bankroll=bankroll, target=target)
    walk = flat_walk(terms.unit_net, stake=stake, bankroll=bankroll, target=target)
    exact = exact_flat(walk)
    assert exact is not None
    assert float_flat(walk) == pytest.approx((exact[0], 1 - exact[0], exact[1]), rel=1e-12)


def test_long_walks_have_floats_and_too_long_ones_one_clear_line() -> None:
    """Fifty thousand units one by one: no fraction, but the closed form is met."""
    risk = risk_of_ruin(BIG, stake=1, bankroll=50_000, target=50_100)
    assert (risk.ruin.exact, risk.method) == (None, "banded linear system")
    odds = 37 / 35
    assert risk.target.approx == pytest.approx(odds**-100, rel=1e-12)
    with pytest.raises(InputError, match="is too long to solve"):
        risk_of_ruin(LIVE.box("triple-1"), stake=1, bankroll=10**6, target=2 * 10**6)


def test_large_chains_have_floats_and_no_fraction() -> None:
    """Where a fraction would be impractical, exact is null and says so."""
    risk = risk_of_ruin(BIG, stake=1, bankroll=200, target=400, strategy="martingale")
    assert risk.ruin.exact is None
    assert risk.ruin.as_json()["exact"] is None
    assert risk.method == "sparse linear system"


def test_within_a_number_of_rounds_everything_adds_up() -> None:
    """Ruined, done and still playing are all there is, and time only ends games."""
    risk = risk_of_ruin(BIG, stake=1, bankroll=3, target=6)
    early, late = risk.within(3), risk.within(500)
    assert sum(early.values()) == pytest.approx(1)
    assert early["ruin"] == pytest.approx(float((1 - WIN) ** 3))
    assert late["ruin"] == pytest.approx(risk.ruin.approx, abs=1e-12)


def test_overshooting_the_target_reaches_it() -> None:
    """A bet at 180 to 1 jumps over: that counts as reached."""
    risk = risk_of_ruin(LIVE.box("triple-1"), stake=1, bankroll=1, target=5)
    assert risk.target.exact == Fraction(1, 216)


def test_a_stake_beyond_the_bankroll_becomes_what_is_left() -> None:
    """A martingale player with 2 units who loses 1 bets the last one, not 2."""
    risk = risk_of_ruin(BIG, stake=1, bankroll=2, target=3, strategy="martingale")
    # Win at once; or lose one, then all or nothing with the last unit, back to 2 and the rule's start.
    lose = 1 - WIN
    assert risk.ruin.exact == lose * lose / (1 - lose * WIN)


@pytest.mark.parametrize(
    ("rule", "results", "stakes"),
    [
        (Martingale(), "LLLW", [1, 2, 4, 8, 1]),
        (Martingale(cap=4), "LLL", [1, 2, 4, 1]),
        (Martingale(cap=4, hold=True), "LLL", [1, 2, 4, 4]),
        (DAlembert(), "LLWWW", [1, 2, 3, 2, 1, 1]),
        (DAlembert(cap=2), "LLL", [1, 2, 2, 2]),
        (Paroli(), "WWWWL", [1, 2, 4, 1, 2, 1]),
        (Paroli(cap=2), "WWW", [1, 2, 1, 2]),
        (Fibonacci(), "LLLLLWW", [1, 1, 2, 3, 5, 8, 3, 1]),
        (Fibonacci(cap=2), "LLLL", [1, 1, 2, 2, 2]),
        (Labouchere(line=(1, 2, 3)), "LWW", [4, 5, 5, 4]),
        (Labouchere(line=(1, 2, 3), longest=4), "LL", [4, 5, 4]),
        (Labouchere(line=(1, 2, 3), cap=4), "L", [4, 4]),
    ],
)
def test_each_rule_stakes_as_it_is_played(rule: Martingale, results: str, stakes: list[int]) -> None:
    """The well-known sequences, and what happens at the cap."""
    state, staked = rule.start, [rule.stake(rule.start)]
    for result in results:
        state = rule.after(state, result == "W")
        staked.append(rule.stake(state))
    assert staked == stakes


def test_a_rule_of_ones_own_needs_three_things() -> None:
    """Any finite-state rule works: here, two units after a win and one after a loss."""

    class Streak:
        name = "streak"
        start = 1

        def stake(self, state: int) -> int:
            return state

        def after(self, state: int, won: bool) -> int:
            return 2 if won else 1

    risk = risk_of_ruin(BIG, stake=1, bankroll=6, target=12, strategy=Streak())
    assert risk.ruin.exact is not None
    assert risk.simulate(20_000, seed=3).agrees


def test_any_python_strategy_is_played_out() -> None:
    """A strategy sees its bankroll, the round and what happened, and may leave."""
    seen: list[Situation] = []

    def cautious() -> object:
        def play(now: Situation) -> Mapping[str, int] | None:
            seen.append(now)
            return None if now.round > 2 else {"big": 1, "sum-9": 1}

        return play

    sample = simulate_strategy(
        LIVE,
        cautious,
        stake=1,
        bankroll=10,
        target=100,
        sessions=50,
        seed=5,
    )
    assert (sample.open, sample.rounds_mean) == (50, 2.0)
    assert seen[0] == Situation(10, 1, None, None)
    assert seen[1].last_roll is not None
    assert seen[1].bankroll == 10 + (seen[1].last_net or 0)


def test_a_python_strategy_agrees_with_the_exact_answer() -> None:
    """The same question through the round-by-round engine."""
    exact = risk_of_ruin(BIG, stake=1, bankroll=5, target=10)
    sample = simulate_strategy(
        LIVE, lambda: lambda now: {"big": 1}, stake=1, bankroll=5, target=10, sessions=4000, seed=11
    )
    low, high = sample.interval(sample.ruined, z=3.29)
    assert low < exact.ruin.approx < high


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bankroll": -5}, "a bankroll is a whole number of minor units above zero, got -5"),
        ({"bankroll": 1.5}, "a bankroll is a whole number of minor units above zero, got 1.5"),
        ({"stake": 0}, "a stake is a whole number of minor units above zero, got 0"),
        ({"stake": 11}, "a bankroll of 10 is below one stake of 11"),
        ({"target": 10}, "a target lies above the bankroll of 10, got 10"),
        ({"maximum": 0}, "a table maximum is at least one stake of 1, got 0"),
        ({"strategy": "martingal"}, "unknown strategy 'martingal': did you mean 'martingale'"),
        ({"stake": None}, "a bet on big needs a stake"),
    ],
)
def test_questions_that_make_no_sense_get_one_clear_line(changes: dict[str, object], message: str) -> None:
    """Bad money, bad limits, unknown strategies."""
    question = {"stake": 1, "bankroll": 10, "target": 20} | changes
    with pytest.raises(InputError, match=message):
        risk_of_ruin(BIG, **question)


def test_rules_and_strategies_that_misbehave_are_named() -> None:
    """A stake of nothing, more than one has, a box that is not there, no bets by box at all."""

    class Nothing(Martingale):
        def stake(self, state: int) -> int:
            return 0

    with pytest.raises(InputError, match="the rule 'martingale' stakes 0 in state 0"):
        risk_of_ruin(BIG, stake=1, bankroll=10, target=20, strategy=Nothing())

    def played(bets: object) -> None:
        simulate_strategy(
            LIVE,
            lambda: lambda now: bets,
            stake=1,
            bankroll=10,
            target=20,
            sessions=1,
            seed=1,
        )

    with pytest.raises(InputError, match="round 1: the strategy bets 11, more than the 10 that it has"):
        played({"big": 11})
    with pytest.raises(UnknownName, match="unknown box"):
        played({"bug": 1})
    with pytest.raises(InputError, match="a strategy answers with bets by box"):
        played([1])
    with pytest.raises(InputError, match=r"a stake is a whole number of minor units, got 0\.5"):
        played({"big": 0.5})
    with pytest.raises(InputError, match="a cap is a whole number of units"):
        staking_rule("martingale", cap=0)
    with pytest.raises(InputError, match="a Labouchère line"):
        Labouchere(line=())
    with pytest.raises(InputError, match="the longest line"):
        Labouchere(line=(1, 2, 3), longest=2)
    with pytest.raises(InputError, match="a number of sessions"):
        risk_of_ruin(BIG, stake=1, bankroll=1, target=2).simulate(0, seed=1)
    with pytest.raises(InputError, match="a seed"):
        risk_of_ruin(BIG, stake=1, bankroll=1, target=2).simulate(1, seed=-1)


def test_bets_that_cannot_win_have_no_target_to_reach() -> None:
    """Small and big at once net nothing or lose: the target is out of reach, and that is said."""
    with pytest.raises(InputError, match="cannot both win and lose"):
        risk_of_ruin(Mix.on(LIVE, {"big": 1, "small": 1}), bankroll=10, target=20)


def test_a_rule_with_too_many_states_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rather than fill the memory."""
    monkeypatch.setattr(chains, "STATES_MAX", 50)
    with pytest.raises(InputError, match="more than 50 states"):
        risk_of_ruin(BIG, stake=1, bankroll=50, target=100, strategy="labouchere")
