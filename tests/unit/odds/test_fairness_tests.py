"""The tests on recorded rolls: their p-values are right, fair dice pass, loaded dice do not."""

from collections import Counter
from itertools import combinations, product
from math import comb, factorial, prod

import numpy as np
import pytest
from scipy import stats

from taisai.dice import Roll
from taisai.errors import InputError
from taisai.odds.evidence.paths import combination_places
from taisai.odds.fairness import fairness
from taisai.odds.fairness.plots import plot_fairness
from taisai.odds.fairness.tests import (
    RESAMPLES,
    are_sorted,
    between_dice_test,
    counts_test,
    event_test,
    holm,
    run_tests,
    runs_test,
    serial_test,
)
from taisai.odds.power import (
    chi_square_power,
    judge_tables,
    power_table,
    roll_biased,
    rolls_to_notice,
    simulate_power,
    smallest_bias,
)

FACES = np.full(6, 1 / 6)


def fair(rolls: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(1, 7, size=(rolls, 3))


def by_name(dice: np.ndarray, **options: bool) -> dict[str, float]:
    return {test.name: test.p_value for test in run_tests(dice, **options)}


def test_chi_square_agrees_with_scipy() -> None:
    """The statistic and its p-value are the textbook's."""
    counts = np.array([90, 110, 95, 105, 120, 80])
    result = counts_test("faces", counts, FACES, seed=0)
    assert (result.statistic, result.p_value) == pytest.approx(tuple(stats.chisquare(counts)))
    assert result.method == "chi-square"


def test_small_counts_get_the_exact_multinomial() -> None:
    """Seven throws: the Monte Carlo p-value equals the one that enumerating all outcomes gives."""
    counts = np.array([4, 1, 0, 1, 1, 0])
    seen = float(((counts - 7 / 6) ** 2 / (7 / 6)).sum())
    exact = 0.0
    for other in product(range(8), repeat=6):
        if sum(other) == 7 and ((np.array(other) - 7 / 6) ** 2 / (7 / 6)).sum() >= seen - 1e-9:
            exact += factorial(7) / prod(map(factorial, other)) / 6**7
    result = counts_test("faces", counts, FACES, seed=3)
    assert result.method == "exact multinomial"
    assert result.p_value == pytest.approx(exact, abs=4 * (exact * (1 - exact) / RESAMPLES) ** 0.5)


def test_the_exact_multinomial_repeats_by_seed() -> None:
    """The same seed gives the same p-value, another seed another."""
    counts = np.array([4, 1, 0, 1, 1, 0])
    assert counts_test("x", counts, FACES, 1) == counts_test("x", counts, FACES, 1)
    assert counts_test("x", counts, FACES, 1).p_value != counts_test("x", counts, FACES, 2).p_value


def test_triples_are_tested_by_the_exact_binomial() -> None:
    """No triple among 200 rolls: twice-sided as SciPy has it, near (35/36)^200 on its own side."""
    assert event_test("triples", 0, 200, 1 / 36).p_value == pytest.approx(
        stats.binomtest(0, 200, 1 / 36).pvalue
    )


@pytest.mark.parametrize(("ones", "zeros"), [(1, 1), (3, 4), (5, 2), (1, 6), (5, 5)])
def test_runs_are_counted_exactly(ones: int, zeros: int) -> None:
    """The distribution of runs is that of all arrangements."""
    length = ones + zeros
    arrangements = [np.isin(np.arange(length), places) for places in combinations(range(length), ones)]
    runs = Counter(1 + int((signs[1:] != signs[:-1]).sum()) for signs in arrangements)
    for signs in arrangements:
        count = 1 + int((signs[1:] != signs[:-1]).sum())
        lower = sum(ways for number, ways in runs.items() if number <= count) / comb(length, ones)
        upper = sum(ways for number, ways in runs.items() if number >= count) / comb(length, ones)
        result = runs_test("runs", signs)
        assert result is not None
        assert result.p_value == pytest.approx(min(1.0, 2 * min(lower, upper)))


def test_one_sign_only_has_no_runs_to_test() -> None:
    """Nothing but big says nothing about the order."""
    assert runs_test("runs", np.ones(9, dtype=bool)) is None


def test_holm_gives_the_textbook_values() -> None:
    """Each p-value is multiplied by the number of those not smaller, and order is kept."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_combinations_do_not_depend_on_the_order_of_dice() -> None:
    """All orders of the same faces fall into one of 56 places, by their ways."""
    every = np.array(list(product(range(1, 7), repeat=3)))
    places = combination_places(every)
    assert Counter(np.bincount(places).tolist()) == {1: 6, 3: 30, 6: 20}
    assert (places == combination_places(every[:, ::-1])).all()


@pytest.mark.parametrize("rolls", [1, 2, 12, 60, 150, 2500])
def test_every_length_of_register_can_be_tested(rolls: int) -> None:
    """From one roll on there is an answer, and every p-value is one."""
    report = fairness(fair(rolls, 11))
    assert all(0 < test.p_value <= 1 for test in report.tests)
    assert report.document()["rolls"] == rolls


def test_all_tests_have_their_names() -> None:
    """A long register gets every test of the battery."""
    assert list(by_name(fair(3000, 1))) == [
        "faces", "faces of die 1", "faces of die 2", "faces of die 3", "totals", "combinations", "triples",
        "repeated faces", "between the dice", "serial correlation", "runs of big and small",
        "runs of odd and even",
    ]  # fmt: skip


@pytest.mark.parametrize("rolls", [150, 1500])
def test_fair_dice_are_called_suspect_no_more_often_than_alpha(rolls: int) -> None:
    """Of 400 fair registers about 5% fail Holm's verdict at 5%, and none of the tests strays by itself."""
    tables = [list(by_name(fair(rolls, seed)).values()) for seed in range(400)]
    alarms = np.mean([min(holm(p_values)) <= 0.05 for p_values in tables])
    assert alarms <= 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5
    each = (np.array(tables) <= 0.05).mean(axis=0)
    assert each.max() <= 0.05 + 4 * (0.05 * 0.95 / 400) ** 0.5


def test_each_fault_is_found_by_its_own_test() -> None:
    """A loaded die, dice that stick, dice that move together, a drift of totals: each raises its test."""
    loaded = by_name(roll_biased(0.06, shape=(4000,), dice=1, seed=1))
    assert loaded["faces of die 1"] < 1e-6 < loaded["faces of die 2"]
    stuck = fair(2000, 2)
    for number in range(1, len(stuck), 8):
        stuck[number, 0] = stuck[number - 1, 0]
    assert by_name(stuck)["repeated faces"] < 1e-4
    together = fair(2000, 3)
    together[::6, 1] = together[::6, 0]
    assert between_dice_test(together).p_value < 1e-6
    rng = np.random.default_rng(4)
    drift = np.clip(np.round(10.5 + 3 * np.sin(np.arange(900) / 40) + rng.normal(0, 2, 900)), 3, 18)
    assert serial_test(drift.astype(np.int64)).p_value < 1e-6
    alternating = np.arange(200) % 2 == 0
    result = runs_test("runs", alternating)
    assert result is not None
    assert result.p_value < 1e-10


def test_dice_recorded_by_size_are_not_taken_for_loaded() -> None:
    """A register that sorts the dice has no first die; tests of single dice are left out, the rest stay."""
    dice = np.sort(fair(3000, 6), axis=1)
    assert are_sorted(dice)
    report = fairness(dice)
    assert not report.ordered
    assert report.is_fair
    assert "faces of die 1" not in {test.name for test in report.tests}
    assert not fairness(dice, ordered=True).is_fair


def test_a_report_says_what_a_person_asks() -> None:
    """The verdict names what is suspect; a fair register says how small a bias it would have shown."""
    good = fairness(fair(5000, 3))
    assert good.is_fair
    assert good.verdict == "nothing stands against the dice at 0.99 confidence"
    assert good.smallest_bias_noticed == pytest.approx(0.0298, abs=1e-3)
    bad = fairness(roll_biased(0.08, shape=(3000,), dice=3, seed=1))
    assert bad.verdict.startswith("the dice are suspect: faces, ")
    assert bad.alarm_at is not None
    document = bad.document()
    assert document["fair"] is False
    assert document["sequential"]["alarm_at"] == bad.alarm_at
    assert len(bad.frame()) == len(bad.tests)


def test_rolls_of_the_game_can_be_judged() -> None:
    """A list of Rolls will do, as a table has them."""
    assert not fairness([Roll(6, 6, 6)] * 20).is_fair


@pytest.mark.parametrize("alpha", [0, 1, -0.5, float("nan")])
def test_an_impossible_alpha_is_refused(alpha: float) -> None:
    """Alpha is a chance."""
    with pytest.raises(InputError, match="alpha is a chance between 0 and 1"):
        fairness(fair(10, 1), alpha=alpha)


# --- power ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bias", "dice"), [(0.05, 1), (0.03, 3), (0.04, 2), (0.1, 1), (0.3, 1)])
def test_the_promised_number_of_rolls_notices_the_bias(bias: float, dice: int) -> None:
    """Simulated tables with that many rolls are found as often as is said, or somewhat more."""
    rolls = rolls_to_notice(bias, dice=dice, power=0.8)
    assert chi_square_power(rolls, bias, dice=dice) >= 0.8 > chi_square_power(rolls - 1, bias, dice=dice)
    found = simulate_power(bias, rolls=rolls, dice=dice, tables=400, seed=4).chi_square
    # Three standard errors below; above, what several tests together find more than the best of them.
    assert 0.74 <= found <= 0.95


def test_the_verdicts_rate_is_alpha_and_not_twice_that() -> None:
    """Half of it is for the tests and half for the monitor; 250 fair registers keep to it."""
    report = fairness(fair(300, 1), alpha=0.1)
    assert report.document()["sequential"]["alarm_log_evidence"] == pytest.approx(np.log(20))
    assert report.each_alpha == 0.05
    found = sum(not fairness(fair(150, 100 + seed), alpha=0.3).is_fair for seed in range(250))
    assert found / 250 <= 0.3


def test_smallest_bias_and_rolls_to_notice_are_each_others_inverse() -> None:
    """The bias that n rolls notice needs n rolls."""
    bias = smallest_bias(5000)
    assert bias is not None
    assert rolls_to_notice(bias) in (4999, 5000, 5001)
    assert smallest_bias(1) is None


def test_the_sequential_test_finds_a_bias_soon_enough() -> None:
    """Looking after every roll costs some rolls: with twice the fixed test's number nearly all are found."""
    result = simulate_power(0.08, rolls=2 * rolls_to_notice(0.08), tables=100, seed=2)
    assert result.sequential >= 0.95
    assert result.median_alarm is not None
    assert result.median_alarm < rolls_to_notice(0.08) * 1.3


def test_fair_tables_are_not_found() -> None:
    """The same judgement on fair dice finds next to nobody, and knows no alarm."""
    result = judge_tables(np.random.default_rng(9).integers(1, 7, size=(40, 200, 3)), alpha=0.001)
    assert (result.chi_square, result.sequential, result.median_alarm) == (0.0, 0.0, None)


def test_the_table_of_power_grows_with_certainty_and_shrinks_with_dice() -> None:
    """More certainty takes more rolls, more loaded dice fewer."""
    rows = power_table(0.03).rows()
    assert [row["biased_dice"] for row in rows] == [1, 2, 3]
    for row in rows:
        assert row["rolls_for_50%"] < row["rolls_for_90%"] < row["rolls_for_99%"]
    assert rows[0]["rolls_for_90%"] > rows[1]["rolls_for_90%"] > rows[2]["rolls_for_90%"]


@pytest.mark.parametrize("bias", [0.0, 0.9, -0.2, float("nan")])
def test_an_impossible_bias_is_refused(bias: float) -> None:
    """A face's chance lies between 0 and 1, and no bias is never noticed."""
    with pytest.raises(InputError, match="a bias changes a face's chance"):
        rolls_to_notice(bias)


def test_other_impossible_questions_of_power_are_refused() -> None:
    """Dice are one to three, chances lie between 0 and 1, and patience ends somewhere."""
    with pytest.raises(InputError, match="one, two or three dice"):
        rolls_to_notice(0.1, dice=4)
    with pytest.raises(InputError, match="power is a chance"):
        rolls_to_notice(0.1, power=1.0)
    with pytest.raises(InputError, match="is not noticed within"):
        rolls_to_notice(1e-8)


@pytest.mark.parametrize("ending", [".svg", ".png"])
def test_a_plot_is_drawn_and_repeats(tmp_path, ending: str) -> None:
    """The same rolls give the same bytes; faces, totals and evidence are in the picture."""
    report = fairness(roll_biased(0.08, shape=(800,), seed=1))
    first = plot_fairness(report, tmp_path / f"one{ending}").read_bytes()
    assert first == plot_fairness(report, tmp_path / f"two{ending}").read_bytes()
    if ending == ".svg":
        assert all(word in first.decode() for word in ("Faces", "Totals", "Evidence over time", "alarm at"))


def test_a_plot_of_another_kind_is_refused(tmp_path) -> None:
    """The ending says the format, and only these two are drawn."""
    report = fairness(fair(50, 1))
    with pytest.raises(InputError, match=r"expected a plot file ending in \.svg or \.png, got 'dice.jpg'"):
        plot_fairness(report, tmp_path / "dice.jpg")
    with pytest.raises(InputError, match="there is no directory"):
        plot_fairness(report, tmp_path / "nowhere" / "dice.svg")
