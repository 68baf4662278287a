"""The pit's question: what can this roll cost us, and what should the limits be?"""

# %%
import numpy as np

import taisai
from taisai.odds.exposure import Exposure
from taisai.odds.liability import box_maxima, liabilities, limits_under
from taisai.odds.theory import BetMade, theory

table = taisai.pay_table("tai-sai-v6/2")

# %% A hundred thousand bets as columns
random = np.random.default_rng(7)
box_index = random.integers(0, len(table.boxes), 100_000)
stake_minor = random.integers(1, 40, 100_000) * 500
exposure = Exposure.of_columns(table, box_index, stake_minor)
print(f"on the layout {exposure.handle_minor:,}; the house expects {float(exposure.mean):,.0f}")
print(f"worst: {exposure.worst.roll} at {float(exposure.worst.house_net):,.0f}")
print(f"value at risk at 99 %: {float(exposure.value_at_risk()):,.0f}")

# %% A slip changes: nothing is counted again
exposure.change({}, {"triple-2": 1_000_000})
print(f"with another 1,000,000 on triple 2: {exposure.worst.roll} at {float(exposure.worst.house_net):,.0f}")
room = exposure.headroom(1_500_000_000)
print(f"under a bound of 1,500,000,000 triple 5 takes another {room['triple-5']:,}")

# %% Limits under which no roll costs more than a million
limits = limits_under(table, 1_000_000, unit=5)
print({group: limits[group] for group in ("big", "single", "sum-4-17", "triple", "pair")})
worst = liabilities(table, box_maxima(table, limits)).worst
print(f"worst case under them: {worst.roll} at {float(worst.house_pays):,.0f}")

# %% A shift: what should have been won, and is the actual win believable?
bets = [BetMade("T1", number, "ann", "big", 100) for number in range(300)]
bets += [BetMade("T1", number, "bo", "single-4", 25) for number in range(0, 300, 2)]
found = theory(bets, table)
band = found.band(0.95)
print(f"theoretical win {float(found.win):,.2f} of {found.handle_minor:,}: a hold of {float(found.hold):.2%}")
print(f"95 % band {band.low_hold:.2%} to {band.high_hold:.2%} ({band.method})")
for actual in (900, 8_000):
    print(f"an actual win of {actual:,} is {band.judge(actual)} the band (z {found.z(actual):+.2f})")
