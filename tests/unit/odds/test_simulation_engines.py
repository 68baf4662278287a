"""The engines: every roll equally likely, compiled paths equal to paths played by hand, exact odds met."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

import taisai
from taisai.dice import ROLLS
from taisai.errors import InputError
from taisai.odds.risk import risk_of_ruin
from taisai.odds.simulation import simulate
from taisai.odds.simulation.engine_numba import BLOCK_PLAYERS, NumbaEngine
from taisai.odds.simulation.play import Play, Seats
from taisai.odds.staking.ladder import MONEY_MAX, tabulate
from taisai.odds.staking.rules import Labouchere, StakingRule, staking_rule
from taisai.odds.strategies import on_columns

TABLE = taisai.pay_table("tai-sai-v6/2")
RULES = ("flat", "martingale", "paroli", "dalembert", "fibonacci", "labouchere")
LONG_LINE = Labouchere(line=(1, 1, 2, 3), longest=20, cap=40)
WORD = 2**64 - 1
UNEVEN = 2**32 % 216**3


def xoshiro(state: list[int]) -> Iterator[int]:
    """xoshiro256++ as its authors describe it, on Python's integers."""

    def rotate(x: int, bits: int) -> int:
        return (x << bits | x >> (64 - bits)) & WORD

    s0, s1, s2, s3 = state
    while True:
        yield (rotate((s0 + s3) & WORD, 23) + s0) & WORD
        shifted = s1 << 17 & WORD
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = rotate(s3, 45)


def rolls_of(word: int, *, whole: bool) -> list[int]:
    """The rolls in a word, three a half: the digits to base 216 of the half as a fraction of 2^32.

    A half whose remainder is uneven is dropped; with `whole`, the word is dropped with it.
    """
    found: list[int] = []
    for half in (word & 0xFFFF_FFFF, word >> 32):
        number, rest = divmod(half * 216**3, 2**32)
        if rest >= UNEVEN:
            found += [number // 216**2, number // 216 % 216, number % 216]
        elif whole:
            return []
    return found


def by_hand(play: Play, rule: StakingRule, players: int, seed: int) -> list[tuple[int, int, int]]:
    """Bankroll, rounds and stakes of each player of the first block, one round after the other."""
    keys = np.random.Generator(np.random.Philox(np.random.SeedSequence(seed)))
    words = xoshiro(keys.integers(0, 2**64, size=4, dtype=np.uint64).tolist())
    slip = play.slip_minor
    ended = []
    for _ in range(players):
        bank, rounds, staked, state = play.bankroll_minor or 0, 0, 0, rule.start

        def stopped() -> bool:
            return bank < slip or bank >= play.ceiling_minor or rounds >= play.rounds  # noqa: B023 - called in this turn

        while not stopped():
            for roll in rolls_of(next(words), whole=rule.name == "flat"):
                if stopped():
                    break
                units = min(rule.stake(state), bank // slip, play.cap or MONEY_MAX)
                net = int(play.nets[roll])
                bank, staked, rounds = bank + units * net, staked + units * slip, rounds + 1
                state = rule.after(state, net > 0) if net else state
        ended.append((bank, rounds, staked))
    return ended


def columns(seats: Seats) -> list[tuple[int, int, int]]:
    return list(zip(seats.bank.tolist(), seats.rounds.tolist(), seats.staked.tolist(), strict=True))


def test_the_generator_is_xoshiro() -> None:
    """The authors' first words from the state 1, 2, 3, 4."""
    assert list(islice(xoshiro([1, 2, 3, 4]), 4)) == [
        41943041, 58720359, 3588806011781223, 3591011842654386
    ]  # fmt: skip


def test_every_roll_is_exactly_equally_likely() -> None:
    """Of all 2^32 halves each triple of rolls keeps the same number once the uneven ones are dropped.

    Halves whose product with 216^3 falls on a number number * 2^32 + rest are spaced 216^3 apart, so each
    number has floor(2^32 / 216^3) of them with a rest that is not uneven, and perhaps one more that is.
    """
    space, triples = 2**32, 216**3
    for number in [*range(0, triples, 99_991), triples - 1]:
        first = -(-number * space // triples)
        halves = range(first, -(-(number + 1) * space // triples))
        kept = [half for half in halves if half * triples - number * space >= UNEVEN]
        assert len(kept) == space // triples


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(
    ("bets", "bankroll", "target", "maximum"),
    [
        ({"big": 10}, 400, 900, None),
        ({"single-1": 10}, 1000, None, 80),
        ({"big": 10, "small": 10, "sum-9": 4}, 3000, 5000, None),
    ],
)
def test_compiled_paths_are_those_played_by_hand(
    name: str, bets: dict[str, int], bankroll: int, target: int | None, maximum: int | None
) -> None:
    """Same dice, same rule: the kernels' tables give what playing round by round gives, to the cent."""
    play = Play(TABLE, bets, 300, 40, bankroll, target, maximum)
    seats = Seats.for_play(play)
    rule = staking_rule(name, cap=play.cap)
    NumbaEngine(play, rule, seats, seed=11).advance(0, play.rounds)
    assert columns(seats) == by_hand(play, rule, 40, seed=11)


@pytest.mark.parametrize("engine", ["numba", "numpy"])
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("box", ["big", "single-1"])
def test_both_engines_meet_the_exact_risk_of_ruin(name: str, box: str, engine: str) -> None:
    """Ruin and length of play lie within four standard errors of the solved Markov chain."""
    exact = risk_of_ruin(TABLE.box(box), stake=1, bankroll=12, target=24, strategy=name, maximum=8)
    players = 20_000
    run = simulate(
        TABLE, {box: 1}, rounds=5_000, players=players, seed=21, strategy=name, bankroll=12, target=24,
        maximum=8, engine=engine,
    )  # fmt: skip
    ruined = run.document()["ruined"]["share"]
    error = (exact.ruin.approx * (1 - exact.ruin.approx) / players) ** 0.5
    assert abs(ruined - exact.ruin.approx) < 4 * error
    rounds = run.seats.rounds
    assert abs(rounds.mean() - exact.rounds.approx) < 4 * rounds.std() / players**0.5
    staked = run.seats.staked
    assert abs(staked.mean() - exact.staked.approx) < 4 * staked.std() / players**0.5
    assert run.z_score is not None
    assert abs(run.z_score) < 4


@pytest.mark.parametrize("engine", ["numba", "numpy"])
def test_flat_paths_have_the_exact_mean_and_spread(engine: str) -> None:
    """200 rounds of a slip on three boxes with no stop in reach: mean and variance are the exact ones."""
    bets = {"big": 100, "single-3": 40, "pair-113": 10}
    run = simulate(TABLE, bets, rounds=200, players=20_000, seed=3, bankroll=10**9, engine=engine)
    mix = run.play.mix
    assert (run.seats.rounds == 200).all()
    assert run.net.mean() == pytest.approx(
        200 * float(mix.mean), abs=4 * mix.standard_deviation * (200 / 20_000) ** 0.5
    )
    assert run.net.std() == pytest.approx(mix.standard_deviation * 200**0.5, rel=0.05)


@pytest.mark.parametrize("rule", [*map(staking_rule, RULES), LONG_LINE], ids=[*RULES, "a long line"])
def test_rules_on_columns_follow_the_rule_itself(rule: StakingRule) -> None:
    """Strategy by columns, one player by hand: the same stakes along a fixed sequence of results."""
    strategy = on_columns(rule)
    signs = np.random.default_rng(4).choice([-1, 0, 1], p=[0.5, 0.1, 0.4], size=(200, 8))
    state, bank = strategy.start(8), np.full(8, 10**7)
    by_player = [rule.start] * 8
    last = np.zeros(8, dtype=np.int64)
    for row in signs:
        units = strategy.units(bank, last, state, slip_minor=1)
        assert units.tolist() == [rule.stake(each) for each in by_player]
        last = row * units
        by_player = [
            rule.after(each, sign > 0) if sign else each for each, sign in zip(by_player, row, strict=True)
        ]


def test_a_long_labouchere_line_moves_along_its_row() -> None:
    """A rule with a long line and its own cap plays by hand and compiled alike."""
    play = Play(TABLE, {"big": 1}, 2000, 30, 5_000, 20_000)
    seats = Seats.for_play(play)
    NumbaEngine(play, LONG_LINE, seats, seed=2).advance(0, play.rounds)
    assert columns(seats) == by_hand(play, LONG_LINE, 30, seed=2)


@pytest.mark.parametrize("engine", ["numba", "numpy"])
def test_a_rule_that_outgrows_its_table_is_told_so(engine: str) -> None:
    """d'Alembert on a box that hardly ever wins climbs past 4,096 units: an error, not a wrong stake."""
    with pytest.raises(InputError, match="dalembert has gone past the 4096 states that are tabulated"):
        simulate(
            TABLE, {"triple-1": 1}, rounds=6000, players=4, seed=1, strategy="dalembert",
            bankroll=10**9, engine=engine,
        )  # fmt: skip


@pytest.mark.parametrize("engine", ["numba", "numpy"])
def test_a_bankroll_beyond_counting_is_an_error(engine: str) -> None:
    """Money stays in whole numbers that cannot overflow; past that the run says so."""
    with pytest.raises(InputError, match="has grown past 281474976710656 minor units"):
        simulate(
            TABLE,
            {"big": 10**12},
            rounds=3000,
            players=50,
            seed=1,
            bankroll=MONEY_MAX - 10**13,
            engine=engine,
        )


def test_tables_cut_stakes_to_the_maximum_and_mark_their_edge() -> None:
    """A capped rule has a closed table; an open one ends in a state from which nobody plays."""
    capped = tabulate(staking_rule("dalembert", cap=5), cap=5)
    assert capped.units.tolist() == [1, 2, 3, 4, 5]
    assert capped.edge == -1
    opened = tabulate(staking_rule("dalembert"), states_max=10)
    assert opened.units.tolist() == [*range(1, 11), 1]
    assert opened.edge == 10 == opened.on_loss[9]


def test_blocks_are_a_fixed_number_of_players() -> None:
    """A block's size is part of what a seed means, so it is written down here."""
    assert BLOCK_PLAYERS == 256
    assert len(ROLLS) == 216
