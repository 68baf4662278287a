"""Whether a win is what the bets should bring: false alarms, power, bands, and flags over a whole house."""

from math import exp, isclose

import numpy as np
import numpy.typing as npt
import pytest

import taisai
from taisai.dice import ROLLS
from taisai.odds.evidence.hold import RATES, HoldEvidence, HoldPrices, RoundHold, e_bh

TABLE = taisai.pay_table("tai-sai-v6/2")
PRICES = HoldPrices(TABLE)
SLIPS = [{"big": 100}, {"triple-1": 100}, {"big": 5_000, "sum-9": 200, "triple-6": 50}]
Floats = npt.NDArray[np.float64]


def house_nets(stakes: dict[str, int]) -> Floats:
    """What the house nets on each of the 216 rolls, by the boxes themselves."""
    nets = []
    for roll in ROLLS:
        pays = {box: TABLE.box(box).pays_on(roll) or -1 for box in stakes}
        nets.append(sum(-stake * pays[box] for box, stake in stakes.items()))
    return np.array(nets, dtype=np.float64)


def ever_flagged(
    nets: Floats,
    priced: RoundHold,
    *,
    days: int,
    rounds: int,
    threshold: float,
    seed: int,
    chances: Floats | None,
) -> float:
    """The share of days on which somebody who looks after every round sees the evidence past a threshold."""
    random = np.random.default_rng(seed)
    deviation = np.zeros(days)
    flagged = np.zeros(days, dtype=bool)
    for number in range(1, rounds + 1):
        deviation += nets[random.choice(216, size=days, p=chances)] - priced.mean
        logs = RATES * deviation[:, None] - number * priced.log_prices
        top = logs.max(axis=1)
        evidence = top + np.log(np.exp(logs - top[:, None]).mean(axis=1))
        flagged |= evidence >= np.log(threshold)
    return float(flagged.mean())


@pytest.mark.parametrize("stakes", SLIPS, ids=["even money", "triples", "a mix"])
def test_a_fair_table_is_flagged_on_fewer_days_than_stated(stakes: dict[str, int]) -> None:
    """Looked at after every one of 800 rounds, on 600 days: at most 5 % of days, skewed bets too."""
    share = ever_flagged(
        house_nets(stakes), PRICES.of(stakes), days=600, rounds=800, threshold=20, seed=1, chances=None
    )
    assert share <= 0.05


def test_loaded_dice_are_flagged() -> None:
    """Dice that show a six twice as often cost big's players less than they should, and that is seen."""
    faces = np.array([1, 1, 1, 1, 1, 2]) / 7
    chances = np.array([faces[a - 1] * faces[b - 1] * faces[c - 1] for a, b, c in ROLLS])
    big = {"big": 100}
    share = ever_flagged(
        house_nets(big), PRICES.of(big), days=200, rounds=800, threshold=20, seed=2, chances=chances
    )
    assert share >= 0.9


def test_prices_are_the_exact_means_of_what_a_bettor_holds() -> None:
    """By brute force over the 216 rolls."""
    stakes = {"big": 40, "triple-6": 3}
    nets, priced = house_nets(stakes), PRICES.of(stakes)
    assert isclose(priced.mean, nets.mean())
    assert (priced.handle_minor, priced.worst, priced.best) == (43, nets.min(), nets.max())
    for place in (6, 10, len(RATES) // 2 + 8):
        expected = np.exp(RATES[place] * (nets - nets.mean())).mean()
        assert isclose(exp(priced.log_prices[place]), expected, rel_tol=1e-9)
    assert PRICES.of({"triple-6": 3, "big": 40}) is priced


def test_a_round_that_is_taken_out_leaves_nothing_behind() -> None:
    """Corrections and voids: the sums are those of the rounds that stand."""
    one, other = PRICES.of({"big": 100}), PRICES.of({"small": 50, "sum-9": 10})
    with_both, with_one = HoldEvidence(), HoldEvidence()
    with_both.add(one, 100)
    with_both.add(other, -20)
    with_both.add(other, -20, -1)
    with_one.add(one, 100)
    assert (with_both.rounds, with_both.handle_minor, with_both.win_minor) == (1, 100, 100)
    assert isclose(with_both.e_value, with_one.e_value)
    joined = HoldEvidence()
    joined.join(with_one)
    assert joined.e_value == with_one.e_value


def test_a_band_is_there_once_it_says_something() -> None:
    """Never beyond what the bets could bring at all; the evidence at its ends is the threshold."""
    found, priced = HoldEvidence(), PRICES.of({"big": 100})
    assert (found.band(20), found.e_value) == (None, 1.0)
    for _ in range(5):
        found.add(priced, 100)
    assert found.band(20) is None
    for _ in range(495):
        found.add(priced, 0)
    band = found.band(20)
    assert band is not None
    low, high = band
    assert -50_000 < low < found.mean < high < 50_000
    for end in band:
        assert isclose(exp(found.log_evidence_at(end)), 20, rel_tol=1e-6)
    rare = HoldEvidence()
    for _ in range(500):
        rare.add(PRICES.of({"triple-1": 100}), 100)
    assert rare.band(20) is None


def test_a_win_that_the_bets_do_not_explain_has_a_direction() -> None:
    """Thirty rounds of even money, all won by the house, or all lost."""
    priced = PRICES.of({"big": 100})
    won, lost = HoldEvidence(), HoldEvidence()
    for _ in range(30):
        won.add(priced, 100)
        lost.add(priced, -100)
    assert won.e_value > 1_000 < lost.e_value
    assert (won.direction, lost.direction) == ("above", "below")


def test_false_flags_over_a_house_stay_within_their_share() -> None:
    """Of 60 subjects 6 are really wrong: among those that are flagged, one in twenty is not, on average."""
    random = np.random.default_rng(3)
    shares, found = [], 0
    for _ in range(400):
        # A bettor's money on fair dice has a mean of one, whatever its distribution.
        e_values = {f"fair {n}": float(np.exp(random.normal(-8, 4))) for n in range(54)}
        e_values |= {f"wrong {n}": float(np.exp(random.normal(9, 1))) for n in range(6)}
        flagged = e_bh(e_values, level=0.05)
        shares.append(sum(name.startswith("fair") for name in flagged) / max(1, len(flagged)))
        found += sum(name.startswith("wrong") for name in flagged)
    assert np.mean(shares) <= 0.05
    assert found >= 0.8 * 6 * 400


def test_flags_need_more_where_more_are_judged() -> None:
    """One of one, one of many, and several that help one another."""
    assert e_bh({"a": 20.0}, level=0.05) == {"a"}
    assert e_bh({"a": 20.0, "b": 1.0}, level=0.05) == set()
    assert e_bh({"a": 20.0, "b": 20.0}, level=0.05) == {"a", "b"}
    assert e_bh({}, level=0.05) == set()
