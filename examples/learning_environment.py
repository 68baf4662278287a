"""An agent learns the game, and finds out what the exact odds said all along: do not bet."""

# %% The environment, through Gymnasium's own door.
import gymnasium
import numpy as np

from taisai.odds.environment import SicBoEnv, register_environment

env = gymnasium.make(register_environment(), rounds=1, bankroll=10_000, chip=100).unwrapped
assert isinstance(env, SicBoEnv)

# %% A handful of choices, from the best bet to the worst, and walking away.
choices = {
    "walk away": env.walk_away(),
    "big": env.chips_on({"big": 1}),
    "single-1": env.chips_on({"single-1": 1}),
    "sum-9": env.chips_on({"sum-9": 1}),
    "any-triple": env.chips_on({"any-triple": 1}),
}
names = list(choices)

# %% Learning by trying: now and then at random, else what has paid best so far.
random = np.random.default_rng(3)
tried, paid = np.zeros(len(names)), np.zeros(len(names))
env.reset(seed=3)
for _ in range(40_000):
    mean = np.divide(paid, tried, out=np.zeros_like(paid), where=tried > 0)
    choice = int(random.integers(len(names))) if random.random() < 0.5 else int(mean.argmax())
    env.reset()
    _, reward, _, _, info = env.step(choices[names[choice]])
    tried[choice] += 1
    paid[choice] += reward

# %% What it believes, beside the truth.
print(f"{'choice':12} {'tried':>7} {'mean reward':>12} {'exact':>10}")
for number, name in enumerate(names):
    exact = float(env.expected_net(choices[name][:-1]))
    print(f"{name:12} {tried[number]:7.0f} {paid[number] / tried[number]:12.2f} {exact:10.2f}")
print("best in truth: walk away, with a mean of exactly 0")
