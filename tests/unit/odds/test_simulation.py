"""Simulations: exact odds met, the same seed the same result, early ends kept, bad input told."""

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

import taisai
from taisai.errors import InputError, UnknownName
from taisai.odds.cost import Budget, spending
from taisai.odds.exact import box_odds
from taisai.odds.simulation import run as module
from taisai.odds.simulation.plots import endings_by_round, fan_quantiles, plot_simulation
from taisai.odds.simulation.run import Progress, simulate
from taisai.odds.simulation_result import Ending, Share
from taisai.odds.staking.rules import Martingale

TABLE = taisai.pay_table("tai-sai-v6/2")
PATHS = {"rounds": 400, "players": 700, "seed": 5, "bankroll": 2_000, "target": 4_000}


def same(one: Any, other: Any) -> bool:
    return all(
        (getattr(one.seats, column) == getattr(other.seats, column)).all()
        for column in ("bank", "rounds", "staked", "left")
    ) and bool((one.fan == other.fan).all())


@pytest.mark.parametrize("box", ["big", "sum-9", "single-4", "domino-14", "any-triple", "four-6543"])
def test_totals_meet_the_exact_odds(box: str) -> None:
    """A hundred million rounds of each kind of box lie within four standard errors of its exact edge."""
    run = simulate(TABLE, {box: 10}, rounds=100_000_000, seed=17)
    odds = box_odds(TABLE.box(box))
    error = odds.standard_deviation / 10_000
    assert abs(run.hold - float(odds.edge)) < 4 * error
    assert run.z_score == pytest.approx((float(odds.edge) - run.hold) / error, rel=1e-6)
    assert run.total_staked == 10**9
    assert run.document()["method"] == "counts"


def test_totals_of_many_players_have_the_exact_spread() -> None:
    """Each player's own total is drawn, with the variance of that many rounds."""
    run = simulate(TABLE, {"big": 100, "sum-9": 50}, rounds=10_000, players=9_000, seed=2)
    mix = run.play.mix
    assert run.net.std() == pytest.approx(mix.standard_deviation * 100, rel=0.03)
    assert run.fan.shape == (101, 8192)
    assert (run.fan[-1] == run.net[:8192]).all()


def test_half_unit_odds_are_exact_or_refused() -> None:
    """8.5 to 1 on an even stake pays whole units; on an odd one there is no such payout."""
    table = taisai.pay_table("sic-bo-etg-v8/1")
    assert set(simulate(table, {"sum-8": 2}, rounds=1, players=200, seed=1).net.tolist()) == {-2, 17}
    with pytest.raises(InputError, match="no whole number of minor units"):
        simulate(table, {"sum-8": 1}, rounds=1)


@pytest.mark.parametrize("engine", ["numba", "numpy"])
@pytest.mark.parametrize("strategy", ["flat", "martingale", "labouchere"])
def test_the_number_of_threads_changes_nothing(engine: Any, strategy: str, monkeypatch: Any) -> None:
    """One, two or five threads: every player's result is the same, and so is the fan."""
    monkeypatch.setattr("taisai.odds.simulation.engine_numpy.BLOCK_PLAYERS", 100)
    monkeypatch.setattr("taisai.odds.simulation.engine_numpy.NumpyEngine.block_players", 100)
    runs = [
        simulate(TABLE, {"big": 100}, strategy=strategy, engine=engine, threads=threads, **PATHS)
        for threads in (1, 2, 5)
    ]
    assert same(runs[0], runs[1])
    assert same(runs[0], runs[2])
    assert len(np.unique(runs[0].seats.bank)) > 1


def test_counts_do_not_depend_on_threads_either() -> None:
    """Blocks of players have their own streams."""
    runs = [simulate(TABLE, {"big": 1}, rounds=50, players=20_000, seed=1, threads=n) for n in (1, 3)]
    assert same(*runs)


def test_another_seed_gives_another_result_and_none_is_chosen_and_told() -> None:
    """Without a seed one is drawn, and the result says which, so that the run can be repeated."""
    one, two = (simulate(TABLE, {"big": 100}, **{**PATHS, "seed": seed}) for seed in (5, 6))
    assert not same(one, two)
    first = simulate(TABLE, {"big": 100}, **{**PATHS, "seed": None})
    assert same(first, simulate(TABLE, {"big": 100}, **{**PATHS, "seed": first.seed}))
    assert simulate(TABLE, {"big": 1}, rounds=1).seed != simulate(TABLE, {"big": 1}, rounds=1).seed


def test_more_players_leave_the_first_ones_as_they_were() -> None:
    """A player's dice depend on the block alone, not on how many others there are."""
    few = simulate(TABLE, {"big": 100}, **{**PATHS, "players": 512}, engine="numba")
    many = simulate(TABLE, {"big": 100}, **{**PATHS, "players": 1024}, engine="numba")
    assert (few.seats.bank == many.seats.bank[:512]).all()


def test_the_engine_is_named() -> None:
    """A result says what made it."""
    names = {
        engine: simulate(TABLE, {"big": 100}, engine=engine, **PATHS).document()["engine"]
        for engine in ("auto", "numba", "numpy")
    }
    assert names["auto"] == names["numba"]
    assert names["numba"].startswith("numba ")
    assert names["numba"].endswith("xoshiro256++")
    assert names["numpy"] == f"numpy {np.__version__}, SFC64"


def test_without_numba_numpy_plays(monkeypatch: Any) -> None:
    """The extra `fast` is optional: auto falls back, and asking for numba says what to install."""
    monkeypatch.setattr(module, "_has_numba", lambda: False)
    assert simulate(TABLE, {"big": 100}, **PATHS).engine.startswith("numpy")
    monkeypatch.setitem(__import__("sys").modules, "numba", None)
    with pytest.raises(InputError, match=r"this needs numba: install taisai\[fast\]"):
        simulate(TABLE, {"big": 100}, engine="numba", **PATHS)


def test_a_rule_of_ones_own_can_be_compiled() -> None:
    """Any staking rule of finite state plays in both engines; here a martingale that holds at its cap."""
    rule = Martingale(cap=8, hold=True)
    run = simulate(TABLE, {"big": 100}, strategy=rule, **{**PATHS, "players": 5000}, engine="numba")
    other = simulate(TABLE, {"big": 100}, strategy=rule, **{**PATHS, "players": 5000}, engine="numpy")
    shares = [each.share(Ending.RUINED).value for each in (run, other)]
    assert shares[0] == pytest.approx(shares[1], abs=0.04)


# --- strategies on columns -----------------------------------------------------------------------------


class Columns:
    """A strategy on columns made from a function, for tests."""

    name = "own"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def start(self, players: int) -> dict[str, Any]:
        return {"seen": np.zeros(players, dtype=np.int64)}

    def units(self, bankroll: Any, last_net: Any, state: dict[str, Any], *, slip_minor: int) -> Any:
        state["seen"] += 1
        return self.answer(bankroll, last_net, state, slip_minor)


def test_a_strategy_on_columns_sees_bankroll_last_net_and_its_own_state() -> None:
    """Stakes follow what the strategy remembers, player by player, also after others have stopped."""

    def check(bankroll: Any, last_net: Any, state: dict[str, Any], slip: int) -> Any:
        assert (np.abs(last_net) <= 200).all()
        assert (bankroll <= 2_000 + 200 * state["seen"]).all()
        return np.minimum(np.where(last_net < 0, 2, 1), bankroll // slip)

    run = simulate(TABLE, {"big": 100}, strategy=Columns(check), **PATHS)
    assert run.strategy == "own"
    assert run.z_score is not None
    assert abs(run.z_score) < 4
    assert set(run.frame()["ending"]) == {"ruined", "target", "played"}


def test_staking_nothing_leaves_the_table() -> None:
    """A strategy that answers zero is done; the round in which it answered does not count."""
    run = simulate(
        TABLE,
        {"big": 100},
        strategy=Columns(lambda b, n, s, slip: (s["seen"] <= 3).astype(np.int64)),
        **PATHS,
    )
    assert run.share(Ending.LEFT).count == 700
    assert (run.seats.rounds == 3).all()
    assert (run.seats.staked == 300).all()


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (
            lambda b, n, s, slip: b // slip + 1,
            r"'own' bets more than it has: 2100 with a bankroll of 2000 \(player 1, round 1\)",
        ),
        (lambda b, n, s, slip: np.full(len(b), 2**62), "'own' bets more than it has"),
        (lambda b, n, s, slip: np.full(len(b), -1), "'own' bets less than nothing: -100"),
        (lambda b, n, s, slip: b / slip, r"'own' answers an array of float64 of shape \(700,\): expected"),
        (lambda b, n, s, slip: np.ones(3, dtype=int), r"'own' answers an array of int64 of shape \(3,\)"),
        (lambda b, n, s, slip: 1, "'own' answers 1: expected a whole number for each of 700 players"),
    ],
)
def test_a_strategy_that_stakes_the_impossible_is_told_where(answer: Any, complaint: str) -> None:
    """More than it has, less than nothing, halves, or an answer of the wrong shape: one clear error."""
    with pytest.raises(InputError, match=complaint):
        simulate(TABLE, {"big": 100}, strategy=Columns(answer), **PATHS)


def test_a_strategy_on_columns_is_not_compiled() -> None:
    """Asking the compiled engine for it says which engine takes it."""
    with pytest.raises(InputError, match="a strategy on columns needs engine numpy"):
        simulate(TABLE, {"big": 100}, strategy=Columns(None), engine="numba", **PATHS)


# --- early ends ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["numba", "numpy"])
def test_an_interruption_keeps_what_was_played(engine: Any) -> None:
    """Ctrl-C between two looks: everyone has played the same rounds or more, and the figures hold."""
    seen: list[Progress] = []

    def interrupt(progress: Progress) -> None:
        seen.append(progress)
        if progress.settled >= 300 * 3_000:
            raise KeyboardInterrupt

    run = simulate(
        TABLE,
        {"big": 100},
        rounds=120_000,
        players=300,
        seed=1,
        bankroll=10**9,
        engine=engine,
        progress=interrupt,
    )
    assert run.interrupted
    assert 0 < run.rounds_done < 120_000
    assert (run.seats.rounds >= run.rounds_done).all()
    assert (run.seats.staked == 100 * run.seats.rounds).all()
    assert run.document()["rounds_done"] == run.rounds_done
    assert len(run.checkpoints) == len(run.fan) < 101
    assert run.z_score is not None
    assert abs(run.z_score) < 4
    assert 0 < seen[-1].played <= seen[-1].settled < seen[-1].total == 120_000 * 300


def test_an_interrupted_run_has_the_beginning_of_the_whole_one() -> None:
    """What was kept is what the full run had at those checkpoints."""
    looks: list[Progress] = []

    def interrupt(progress: Progress) -> None:
        looks.append(progress)
        if progress.settled >= 50 * 2_000:
            raise KeyboardInterrupt

    options: dict[str, Any] = {"rounds": 6_000, "players": 50, "seed": 3, "bankroll": 10**6}
    part = simulate(TABLE, {"big": 100}, **options, progress=interrupt)
    whole = simulate(TABLE, {"big": 100}, **options)
    assert part.interrupted
    assert (part.fan == whole.fan[: len(part.fan)]).all()


def test_a_real_ctrl_c_is_kept_too() -> None:
    """The signal itself, sent to this process while an engine's thread is at work."""

    def press(bankroll: Any, last_net: Any, state: dict[str, Any], slip: int) -> Any:
        if (state["seen"] == 5_000).all():
            os.kill(os.getpid(), signal.SIGINT)
        return np.ones(len(bankroll), dtype=np.int64)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        options: dict[str, Any] = {"rounds": 10**9, "players": 100, "seed": 1, "bankroll": 10**12}
        with spending(Budget(memory_bytes=1e9, seconds=1e6)):
            run = simulate(TABLE, {"big": 100}, strategy=Columns(press), **options)
    finally:
        signal.signal(signal.SIGINT, before)
    assert run.interrupted
    assert 4_000 <= run.rounds_done < 10**7
    assert run.player_rounds >= run.rounds_done * 100


def test_errors_of_one_block_end_the_run() -> None:
    """An error in a worker reaches the caller, and the other workers stop."""
    with pytest.raises(ZeroDivisionError):
        simulate(TABLE, {"big": 100}, strategy=Columns(lambda *_: 1 // 0), **PATHS)


# --- results -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["parquet", "csv", "json"])
def test_results_are_written_with_a_row_for_each_player(tmp_path: Path, ending: str) -> None:
    """The file has the players' endings, bankrolls, nets, rounds and stakes."""
    run = simulate(TABLE, {"big": 100}, **PATHS)
    path = run.write(tmp_path / f"run.{ending}")
    assert path.stat().st_size > 1000
    if ending == "parquet":
        table = pyarrow.parquet.read_table(path)
        assert table.num_rows == 700
        assert table.column("net_minor").to_pylist() == run.net.tolist()
        assert table.column_names == [
            "player",
            "ending",
            "bankroll_minor",
            "net_minor",
            "rounds",
            "staked_minor",
        ]


def test_the_frame_speaks_arrow() -> None:
    """Any data-frame library can take the result as it is."""
    table = pyarrow.table(simulate(TABLE, {"big": 100}, **PATHS).frame())
    assert table.num_rows == 700


def test_figures_of_a_run_fit_together() -> None:
    """Endings cover everyone, the ruin curve ends at the share of the ruined, quantiles are ordered."""
    run = simulate(TABLE, {"big": 100}, strategy="martingale", **PATHS)
    assert sum(run.share(ending).count for ending in Ending) == 700
    rounds, shares = endings_by_round(run, Ending.RUINED)
    assert shares[-1] == run.share(Ending.RUINED).value
    assert (np.diff(rounds) >= 0).all()
    assert list(run.quantiles().values()) == sorted(run.quantiles().values())
    fan = fan_quantiles(run)
    assert (fan[0.05] <= fan[0.95]).all()
    assert run.fan.shape == (101, 700)
    assert (run.fan[0] == 2_000).all()
    assert (run.fan[-1] == run.seats.bank).all()
    assert run.total_net == int(run.net.sum())


def test_an_interval_is_wilsons() -> None:
    """Known values: none of ten, half of a hundred."""
    assert Share(0, 10).interval == pytest.approx((0.0, 0.27754), abs=1e-5)
    assert Share(50, 100).interval == pytest.approx((0.40383, 0.59617), abs=1e-5)


@pytest.mark.parametrize("options", [{}, {"bankroll": 2_000}, {"bankroll": 2_000, "target": 2_500}])
def test_a_plot_of_a_run_is_drawn(tmp_path: Path, options: dict[str, int]) -> None:
    """The fan and the histogram always; the curve of those who stopped where there is a bankroll."""
    run = simulate(TABLE, {"big": 100}, rounds=200, players=300, seed=1, **options)
    picture = plot_simulation(run, tmp_path / "run.svg").read_text(encoding="utf-8")
    assert "median" in picture
    assert "Where players ended" in picture
    assert ("Who has stopped" in picture) == ("bankroll" in options)


# --- bad input -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"bankroll": -5}, "a bankroll covers the slip of 100 and stays below 281474976710656, got -5"),
        ({"bankroll": 99}, "a bankroll covers the slip of 100"),
        ({"bankroll": 1e6}, "a bankroll covers the slip of 100"),
        ({"bankroll": 500, "target": 500}, "a target lies above the bankroll of 500"),
        ({"target": 500}, "a target needs a bankroll to start from"),
        ({"bankroll": 500, "maximum": 50}, "a maximum allows the slip of 100, got 50"),
        ({"strategy": "martingal"}, "unknown strategy 'martingal': did you mean 'martingale'?"),
        ({"strategy": "martingale"}, "the strategy 'martingale' needs a bankroll to play from"),
        ({"rounds": 0}, "rounds is a whole number from 1 to"),
        ({"players": 10**12}, "players is a whole number from 1 to 50000000, got 1000000000000"),
        ({"seed": -1}, "a seed is a whole number, zero or above, got -1"),
        ({"threads": 0}, "threads is a whole number from 1 to 256, got 0"),
        ({"engine": "fortran"}, "unknown engine 'fortran'"),
        ({"bets": {}}, "expected at least one bet such as big=100, got none"),
        ({"bets": {"bigg": 100}}, "unknown box on tai-sai-v6/2 'bigg': did you mean 'big'?"),
        ({"bets": {"big": 0}}, "a stake is above zero, got 0"),
        ({"bets": {"big": 1.5}}, "a stake is a whole number of minor units, got 1.5"),
        ({"rounds": 10**15, "bets": {"big": 10**6}}, "add up to more than can be counted"),
    ],
)
def test_bad_input_gets_one_clear_line(options: dict[str, Any], complaint: str) -> None:
    """What was expected, and what came."""
    arguments = {"bets": {"big": 100}, "rounds": 10, **options}
    with pytest.raises(InputError) as caught:
        simulate(TABLE, arguments.pop("bets"), **arguments)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_name_suggests_the_nearest() -> None:
    """Strategies are found by name, and a slip of the pen is seen."""
    with pytest.raises(UnknownName) as caught:
        simulate(TABLE, {"big": 100}, rounds=1, bankroll=1000, strategy="fibonaci")
    assert caught.value.nearest == "fibonacci"
