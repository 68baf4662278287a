"""How long does a bankroll last? Exact answers for every staking rule, and dice thrown to check them."""

# %%
from collections.abc import Mapping

import taisai
from taisai.odds.mix import Mix
from taisai.odds.risk import risk_of_ruin
from taisai.odds.sessions import Situation, simulate_strategy
from taisai.odds.staking import STAKING_RULES

table = taisai.pay_table("tai-sai-v6/2")
big = table.box("big")

# %% One unit on big until 20 have become 40 or nothing: the gambler's ruin, as a fraction
flat = risk_of_ruin(big, stake=1, bankroll=20, target=40)
print(f"ruin {flat.ruin.exact}")
print(f"   = {flat.ruin.approx:.12f} after {flat.rounds.approx:.1f} rounds on average")

# %% No staking rule beats the edge; it only buys a quicker end
for name in STAKING_RULES:
    found = risk_of_ruin(big, stake=1, bankroll=20, target=40, strategy=name, maximum=16)
    check = found.simulate(20_000, seed=1)
    print(
        f"{name:11} ruin {found.ruin.approx:.4f}  rounds {found.rounds.approx:7.1f}  "
        f"final bankroll {found.mean_final:5.2f}  simulated {check.sample.ruin:.4f} (z {check.ruin_z:+.2f})"
    )

# %% A mix of bets walks too
mix = Mix.on(table, {"big": 2, "sum-9": 1})
print(f"big and a total: ruin {risk_of_ruin(mix, bankroll=60, target=120).ruin.approx:.4f}")
print(f"ahead after 100 rounds: {mix.after(100).chance_ahead.approx:.4f}")


# %% Anything else is played out: a player who follows the last winner and leaves after 300 rounds
def follower(now: Situation) -> Mapping[str, int] | None:
    """Bet on the side that won last."""
    if now.round > 300:
        return None
    return {"small" if now.last_roll is not None and now.last_roll.total <= 10 else "big": 1}


sample = simulate_strategy(table, lambda: follower, stake=1, bankroll=20, target=40, sessions=500, seed=1)
left = sample.open / sample.sessions
print(f"follower: ruined {sample.ruin:.3f}, doubled {sample.target:.3f}, left {left:.3f}")
