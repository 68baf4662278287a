"""Simulated players: totals, paths with a bankroll and a stop, staking rules, and a strategy of one's own."""

# %% Totals only: a thousand million rounds are one draw from the multinomial.
import numpy as np

import taisai
from taisai.odds.risk import risk_of_ruin
from taisai.odds.simulation import simulate
from taisai.odds.simulation_result import Ending
from taisai.odds.strategies import Ints, State

table = taisai.pay_table("tai-sai-v6/2")
run = simulate(table, {"big": 100, "sum-9": 20}, rounds=1_000_000_000, seed=1)
print(f"hold {run.hold:.6f}, exact edge {run.play.edge} = {float(run.play.edge):.6f}")
print(f"that is {run.z_score:+.2f} standard errors off")

# %% Staking rules change when players are ruined, never what they lose on a unit staked.
print(f"{'rule':12} {'ruined':>8} {'exact':>8} {'target':>8} {'rounds':>8} {'hold':>8}")
for rule in ("flat", "martingale", "paroli", "dalembert", "fibonacci", "labouchere"):
    run = simulate(
        table,
        {"big": 100},
        rounds=20_000,
        players=20_000,
        seed=1,
        strategy=rule,
        bankroll=2_000,
        target=4_000,
    )
    exact = risk_of_ruin(table.box("big"), stake=100, bankroll=2_000, target=4_000, strategy=rule)
    ruined, target = run.share(Ending.RUINED).value, run.share(Ending.TARGET).value
    rounds = run.player_rounds / run.players
    print(f"{rule:12} {ruined:8.4f} {exact.ruin.approx:8.4f} {target:8.4f} {rounds:8.1f} {run.hold:8.4f}")
print("engine:", run.engine)


# %% A strategy of one's own: whole columns of players at once, what it remembers in columns beside them.
class DoubleAfterTwoLosses:
    """Two units after two losses in a row, else one; leaves the table when 1,000 ahead."""

    name = "double after two losses"

    def start(self, players: int) -> State:
        return {"losses": np.zeros(players, dtype=np.int64)}

    def units(self, bankroll: Ints, last_net: Ints, state: State, *, slip_minor: int) -> Ints:
        state["losses"] += 1
        state["losses"] *= last_net < 0
        wanted = np.where(state["losses"] >= 2, 2, 1)
        wanted = np.where(bankroll >= 6_000, 0, wanted)
        return np.minimum(wanted, bankroll // slip_minor)


run = simulate(
    table, {"big": 100}, rounds=500, players=20_000, seed=1, strategy=DoubleAfterTwoLosses(), bankroll=5_000
)
left, ruined = run.share(Ending.LEFT).value, run.share(Ending.RUINED).value
print(f"{run.strategy}: {left:.1%} leave 1,000 ahead, {ruined:.1%} are ruined")
print(f"hold {run.hold:.4f}: the edge of 1/36 = {1 / 36:.4f} is still there")

# %% Every player as a row, for any data-frame library; `run.write("players.parquet")` keeps them.
print(run.frame())
print(run.frame().rows()[0])
