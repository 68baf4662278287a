"""Exact distributions over 1,000 rounds, exposure of 100,000 bets, the PAR sheet of 107 boxes."""

import time
from collections.abc import Callable

import numpy as np

import taisai
from taisai.odds.bets.nets import Lattice
from taisai.odds.exposure import Exposure
from taisai.odds.mix import Mix
from taisai.odds.par.html import par_html
from taisai.odds.par.sheet import par_sheet
from taisai.odds.risk import Risk, risk_of_ruin

ROUNDS = 1000
BETS = 100_000


def best_of(times: int, run: Callable[[], object]) -> float:
    """Seconds of the fastest run: what the machine can do when nothing disturbs it."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def convolved(mix: Mix) -> np.ndarray:
    """The baseline: floats, one round after the other."""
    lattice = Lattice.of(mix.distribution)
    one = np.array(lattice.weights) / lattice.total
    chances = one
    for _ in range(ROUNDS - 1):
        chances = np.convolve(chances, one)
    return chances


def convolved_exactly(mix: Mix) -> np.ndarray:
    """The same in whole numbers, as NumPy objects."""
    one = np.array(Lattice.of(mix.distribution).weights, dtype=object)
    weights = one
    for _ in range(ROUNDS - 1):
        weights = np.convolve(weights, one)
    return weights


def distributions() -> None:
    """The net after 1,000 rounds, exact where that is practical."""
    table = taisai.pay_table("tai-sai-v6/2")
    mixes = [
        {"big": 100},
        {"triple-1": 1},
        {"sum-9": 1},
        {"single-1": 1},
        {"big": 100, "sum-9": 20},
        {"big": 100, "single-1": 10, "triple-1": 1, "double-3": 7},
    ]
    for bets in mixes:
        mix = Mix.on(table, bets)
        after = mix.after(ROUNDS)
        seconds = best_of(9, lambda mix=mix: mix.after(ROUNDS))
        name = " ".join(f"{box}={stake}" for box, stake in bets.items())
        line = f"  {name:42} {'exact' if after.is_exact else 'transform':9} {1000 * seconds:8.3f} ms"
        if len(after) < 20_000:
            plain = best_of(2, lambda mix=mix: convolved(mix))
            assert np.abs(convolved(mix) - after.chances).max() < 1e-12
            line += f"   {plain / seconds:6.2f}x repeated float convolution ({1000 * plain:.1f} ms)"
        if bets == {"big": 100}:
            exact = best_of(1, lambda mix=mix: convolved_exactly(mix))
            assert convolved_exactly(mix).tolist() == after.weights
            line += f", {exact / seconds:.0f}x one in whole numbers ({1000 * exact:.0f} ms)"
            line += f"   limit 10 ms: {'met' if seconds < 0.010 else 'MISSED'}"
        print(line)


def exposure() -> None:
    """100,000 bets from nothing, and one changed slip."""
    table = taisai.pay_table("tai-sai-v6/3")
    random = np.random.default_rng(107)
    box_index = random.integers(0, len(table.boxes), BETS)
    stake_minor = random.integers(1, 5_000, BETS)
    bets = list(zip(box_index.tolist(), stake_minor.tolist(), strict=True))
    rolls = [result.roll for result in Exposure(table).results]
    pays = [[box.pays_on(roll) for roll in rolls] for box in table.boxes]

    def bet_by_bet() -> list[int]:
        nets = [0] * len(rolls)
        for box, stake in bets[: BETS // 20]:
            for place, to_one in enumerate(pays[box]):
                nets[place] += stake if to_one is None else -stake * int(to_one)
        return nets

    whole = best_of(5, lambda: Exposure.of_columns(table, box_index, stake_minor).worst)
    naive = 20 * best_of(2, bet_by_bet)
    print(
        f"  {f'{BETS:,} bets on {len(table.boxes)} boxes':52} {1000 * whole:8.3f} ms"
        f"   {naive / whole:6.0f}x a loop over bets ({1000 * naive:,.0f} ms)"
        f"   limit 50 ms: {'met' if whole < 0.050 else 'MISSED'}"
    )
    held = Exposure.of_columns(table, box_index, stake_minor)
    names = [box.id for box in table.boxes]
    before, after = {names[k]: 10 for k in range(12)}, {names[k + 4]: 20 for k in range(12)}
    held.change({}, before)

    def change() -> None:
        held.change(before, after)
        _ = held.worst
        held.change(after, before)
        _ = held.worst

    once = best_of(20, change) / 2
    print(
        f"  {'one changed slip of 12 boxes':52} {1000 * once:8.3f} ms"
        f"   {whole / once:6.1f}x counting all anew"
        f"   limit 1 ms: {'met' if once < 0.001 else 'MISSED'}"
    )


def par() -> None:
    """From the pay table to the page."""
    table, book = taisai.pay_table("tai-sai-v6/3"), taisai.rulebook("tai-sai-v6")
    small, its_book = taisai.pay_table("tai-sai-v6/1"), taisai.rulebook("tai-sai-v6")
    first = best_of(1, lambda: par_html(par_sheet(table, book)))
    again = best_of(2, lambda: par_html(par_sheet(table, book)))
    fifty = best_of(2, lambda: par_html(par_sheet(small, its_book)))
    print(
        f"  {'PAR sheet of 107 boxes as HTML':52} {first:8.3f} s    {again / fifty:6.2f}x that of 50 boxes"
        f" ({again:.2f} s against {fifty:.2f} s when warm)   limit 3 s: {'met' if first < 3 else 'MISSED'}"
    )


def ruin() -> None:
    """Exact fractions against the float system, for the gambler's ruin and a martingale."""
    box = taisai.pay_table("tai-sai-v6/2").box("big")
    for name, bankroll in (("flat", 100), ("flat", 1000), ("martingale", 20), ("martingale", 1000)):
        seconds = best_of(2, lambda name=name, bankroll=bankroll: _risk(box, name, bankroll))
        sessions = 2000
        found = _risk(box, name, bankroll)
        simulated = best_of(1, lambda found=found, sessions=sessions: found.simulate(sessions, seed=1))
        kind = "exact" if found.ruin.exact is not None else "float"
        words = f"ruin, {name} {bankroll} to {2 * bankroll}, {found.states:,} states, {kind}"
        print(
            f"  {words:52} {1000 * seconds:8.3f} ms   {simulated / seconds:6.1f}x {sessions:,} simulated"
            f" sessions ({1000 * simulated:,.0f} ms)"
        )


def _risk(box: taisai.Box, name: str, bankroll: int) -> Risk:
    return risk_of_ruin(box, stake=1, bankroll=bankroll, target=2 * bankroll, strategy=name)


def main() -> None:
    """All of it."""
    distributions()
    exposure()
    par()
    ruin()


if __name__ == "__main__":
    main()
