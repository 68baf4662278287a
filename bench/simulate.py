"""Players with a bankroll and a stop: rounds a second, as ratios to an object loop and to plain NumPy."""

import os
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import taisai
from taisai.odds.simulation import simulate

PAY_TABLE = taisai.pay_table("tai-sai-v6/2")
STAKE, BANKROLL, TARGET = 100, 200_000, 400_000


# The object loop: a table with players, a strategy and bets for each, as simulators of table games write it.


@dataclass
class ObjectDice:
    random: np.random.Generator
    faces: tuple[int, ...] = (1, 1, 1)

    def roll(self) -> None:
        self.faces = tuple(int(face) for face in self.random.integers(1, 7, 3))


@dataclass
class ObjectBet:
    box: Any
    stake: int

    def net(self, dice: ObjectDice) -> int:
        pays = self.box.pays_on(taisai.Roll(*dice.faces))
        return -self.stake if pays is None else int(pays * self.stake)


@dataclass
class ObjectPlayer:
    bankroll: int
    bets: list[ObjectBet] = field(default_factory=list)

    def bet(self) -> None:
        if STAKE <= self.bankroll < TARGET:
            self.bets.append(ObjectBet(PAY_TABLE.box("big"), STAKE))

    def settle(self, dice: ObjectDice) -> None:
        for bet in self.bets:
            self.bankroll += bet.net(dice)
        self.bets.clear()


def object_loop(players: int = 10, rounds: int = 1_500) -> float:
    dice = ObjectDice(np.random.default_rng(1))
    table = [ObjectPlayer(BANKROLL) for _ in range(players)]
    begin = time.perf_counter()
    for _ in range(rounds):
        for player in table:
            player.bet()
        dice.roll()
        for player in table:
            player.settle(dice)
    return players * rounds / (time.perf_counter() - begin)


def plain_numpy(players: int = 8_192, rounds: int = 3_000) -> float:
    """What one writes without a library: a bankroll column, dice for all, a mask for those who stopped."""
    random = np.random.default_rng(1)
    totals = np.arange(1, 7)[:, None, None] + np.arange(1, 7)[:, None] + np.arange(1, 7)
    triple = np.zeros((6, 6, 6), dtype=bool)
    triple[range(6), range(6), range(6)] = True
    nets = np.where((totals >= 11) & ~triple, STAKE, -STAKE).ravel()
    bank = np.full(players, BANKROLL)
    played = 0
    begin = time.perf_counter()
    for _ in range(rounds):
        alive = (bank >= STAKE) & (bank < TARGET)
        bank += np.where(alive, nets[random.integers(0, 216, players)], 0)
        played += int(alive.sum())
    return played / (time.perf_counter() - begin)


class PressAfterWins:
    """A strategy of one's own on columns: two units after a win, three after two wins, else one."""

    name = "press"

    def start(self, players: int) -> dict[str, Any]:
        return {"wins": np.zeros(players, dtype=np.int64)}

    def units(self, bankroll: Any, last_net: Any, state: dict[str, Any], *, slip_minor: int) -> Any:
        wins = state["wins"]
        wins += 1
        wins *= last_net > 0
        return np.minimum(np.minimum(wins, 2) + 1, bankroll // slip_minor)


def rate(strategy: Any, engine: Any, players: int, rounds: int) -> float:
    """The best of three runs: the machine may be busy with something else during one."""

    def once() -> float:
        begin = time.perf_counter()
        run = simulate(
            PAY_TABLE,
            {"big": STAKE},
            rounds=rounds,
            players=players,
            seed=1,
            strategy=strategy,
            bankroll=BANKROLL,
            target=TARGET,
            engine=engine,
        )
        return run.player_rounds / (time.perf_counter() - begin)

    return max(once() for _ in range(3))


def main() -> None:
    for strategy in ("flat", "martingale", "labouchere"):
        simulate(
            PAY_TABLE, {"big": STAKE}, rounds=1, seed=1, strategy=strategy, bankroll=BANKROLL, engine="numba"
        )
    objects = object_loop()
    plain = max(plain_numpy() for _ in range(3))
    figures = [
        ("object loop, flat", objects, None),
        ("plain NumPy, flat", plain, None),
        ("numba, flat", rate("flat", "numba", 262_144, 4_000), 1e9),
        ("numba, martingale", rate("martingale", "numba", 262_144, 4_000), 5e8),
        ("numba, paroli", rate("paroli", "numba", 262_144, 4_000), None),
        ("numba, dalembert", rate("dalembert", "numba", 262_144, 4_000), None),
        ("numba, fibonacci", rate("fibonacci", "numba", 262_144, 4_000), None),
        ("numba, labouchere", rate("labouchere", "numba", 65_536, 2_000), None),
        ("numpy engine, flat", rate("flat", "numpy", 16_384, 2_000), None),
        ("numpy engine, martingale", rate("martingale", "numpy", 16_384, 2_000), None),
        (
            "numpy engine, a strategy of one's own",
            rate(PressAfterWins(), "numpy", 16_384, 2_000),
            0.3 * plain,
        ),
    ]
    busy = f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"paths with a bankroll and a stop, player-rounds a second (load of the last minute: {busy})")
    for name, value, wanted in figures:
        verdict = "" if wanted is None else f"  wanted {wanted:.3g}: {'met' if value >= wanted else 'MISSED'}"
        ratios = f"{value / objects:10,.1f} x objects {value / plain:8.2f} x NumPy"
        print(f"  {name:38} {value:10.3g}  {ratios}{verdict}")
    begin = time.perf_counter()
    simulate(PAY_TABLE, {"big": STAKE}, rounds=100_000_000, seed=1)
    print(f"counts of 1e8 rounds: {(time.perf_counter() - begin) * 1e3:.2f} ms")


if __name__ == "__main__":
    main()
