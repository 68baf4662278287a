"""Are these dice fair? Tests on recorded rolls, a monitor for a live table, and what they can notice."""

# %% Recorded rolls. Here they are made up: 4,000 rolls with fair dice, and 4,000 with one loaded die.
import numpy as np

from taisai.dice import Roll
from taisai.odds.fairness import fairness
from taisai.odds.power import power_table, roll_biased, rolls_to_notice, simulate_power
from taisai.odds.sequential import FairnessMonitor

fair = np.random.default_rng(2).integers(1, 7, size=(4_000, 3))
loaded = roll_biased(0.05, shape=(4_000,), dice=1, seed=2)

# %% All tests at once, with one verdict that accounts for their number.
for name, dice in (("fair dice", fair), ("one loaded die", loaded)):
    report = fairness(dice, alpha=0.01)
    print(f"{name}: {report.verdict}")
    for row in report.frame():
        mark = "  <- suspect" if row["suspect"] else ""
        print(f"  {row['test']:30} {row['method']:18} p = {row['p_value']:.4f}{mark}")

# %% How small a bias can be seen at all? For one, two and three loaded dice.
print("rolls needed for a face that is 0.02 too likely:")
for row in power_table(0.02):
    print(f"  {row}")

# %% The formula and the experiment agree.
rolls = rolls_to_notice(0.08, power=0.8)
print(
    f"{rolls} rolls should notice a bias of 0.08 in 80%:",
    simulate_power(0.08, rolls=rolls, tables=200, seed=1),
)

# %% A live table: one monitor for each set of dice, looked at after every roll, for ever.
monitor = FairnessMonitor(alpha=0.01)
for number, faces in enumerate(loaded.tolist(), start=1):
    if monitor.observe(Roll(*faces)):
        loudest = max(monitor.evidence_by_question().items(), key=lambda item: item[1])[0]
        print(f"alarm at roll {number}: the evidence is {monitor.evidence:.0f} to 1, mostly from {loudest}")
        break

# %% The monitor survives a restart: its state is plain JSON and does not grow.
again = FairnessMonitor.from_state(monitor.state())
print(f"restored after {again.rolls} rolls, alarm at roll {again.alarm_at}")
