"""What operators ask: a notebook of cells (`# %%`) that runs from the first to the last."""

# %% [markdown]
# # What does this offer cost, and what does this table win?
# Every figure is exact, or says what it may be off by.

# %%
from fractions import Fraction

import taisai
from taisai.odds.day.simulated import simulate_days
from taisai.odds.day.table_day import TableDay
from taisai.odds.design.grid import OddsGrid
from taisai.odds.design.pay_table import pay_table_for
from taisai.odds.design.survival import bankroll_for
from taisai.odds.loaded.faces import LoadedDice, one_face
from taisai.odds.loaded.posterior import FacePosterior, edge_posteriors
from taisai.odds.loaded.turning import turns
from taisai.odds.mix import Mix
from taisai.odds.offers.chips import match_play
from taisai.odds.offers.rebate import Rebate, best_play, price_rebate

table = taisai.pay_table("tai-sai-v6/2")
mix = Mix.on(table, {"big": 100, "sum-9": 20})

# %% A rebate of 10 % on losses from 1,000 on: its cost, and what the best player makes of it
offer = Rebate(Fraction(1, 10), threshold_minor=1000)
price = price_rebate(mix.distribution, offer, rounds=200)
best = best_play(mix.distribution, offer, rounds=200)
print(f"rebate costs {price.cost.approx:.2f} of {price.theo.approx:.2f}; normal: {price.normal.cost:.2f}")
print(f"break-even share {price.break_even_share.approx:.2%}; the best play gains {best.value.approx:.2f}")

# %% A coupon is worth more on long odds
for name in ("big", "sum-9", "triple-6"):
    net = taisai.box_odds(table.box(name)).distribution
    print(
        f"match play on {name}: {float(match_play(net, stake=100, coupon=100).share_of_face):.2%} of its face"
    )

# %% The bankroll for 500 rounds at a risk of 5 %
found = bankroll_for(mix.distribution, stake=mix.stake_minor, rounds=500, risk=Fraction(1, 20), unit=20)
print(f"a bankroll of {found.amount:,} is ruined in {found.risk.approx:.2%} of sessions")

# %% Odds for a return of 96 % of this mix, in halves
proposal = pay_table_for(table, {"big": 100, "sum-9": 20}, Fraction(96, 100), OddsGrid(Fraction(1, 2), 2))
print(f"the mix would return {float(proposal.returns):.3%}")

# %% A six that comes up one time in a hundred too often
dice = LoadedDice.of(one_face(6, Fraction(1, 100)))
print(f"sixes: {float(dice.dice[0][5]):.4f}; big turns at {turns(table.box('big'))[0].kind}")
seen = edge_posteriors(table, FacePosterior((480, 505, 490, 510, 495, 520)), draws=5_000)
print(f"most in doubt after 1,000 rolls: {max(seen, key=lambda each: each.chance_gone).box}")

# %% A day of 450 rounds with three such players: win, float and drawdown
players = [mix, mix, Mix.on(table, {"small": 500})]
day = TableDay.of([Mix(tuple(bet for each in players for bet in each.bets))], 450)
win = day.win()
runs = simulate_days([players], rounds=450, days=2_000, seed=1, buy_in=5_000)
print(f"a day wins {float(win.theo):,.0f} of {float(win.handle):,.0f}; {win.chance_of_loss:.2%} of days lose")
needed = runs.quantile(runs.lowest, 0.99)
print(f"float for 99 % of days: {needed.value:,.0f} ({needed.low:,.0f} to {needed.high:,.0f})")
