"""The game as a Gymnasium environment, for agents that learn (needs the extra `rl`).

Every box has an edge for the house, so the best an agent can do is not to bet: walk away at once, for a
return of exactly zero. The environment says so in `info`, where each step carries the exact expected net of
the slip. What it is good for is everything around that: how an agent learns that there is nothing to find,
how far a bonus on stakes bends it, or how a bankroll fares under a policy.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from taisai.dice import ROLLS
from taisai.errors import InputError, brief
from taisai.odds.bounds import check_count
from taisai.odds.exact import box_odds
from taisai.odds.simulation.play import Play
from taisai.rulebooks.catalogue import pay_table as find_pay_table
from taisai.rulebooks.model import PayTable

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise InputError("this needs gymnasium: install taisai[rl]") from None

Observation: TypeAlias = dict[str, npt.NDArray[np.int64]]
Action: TypeAlias = npt.NDArray[np.int64]

BANKROLL_MAX: Final = 1 << 48


class SicBoEnv(gymnasium.Env[Observation, Action]):
    """One player, one bankroll, one round a step.

    An action has an entry for each box, in the order of `pay_table.boxes`: how many chips to stake there,
    from 0 to `chips_max`; and a last entry, where 1 walks away. All zeros sit the round out. A slip that the
    bankroll does not cover is refused whole and the round passes without it; `info["refused"]` says so.

    An observation has the bankroll in minor units, the rounds left, and the last dice (zeros at first). The
    reward is the round's net in minor units. The episode terminates when the player walks away or cannot
    cover one chip, and is truncated after `rounds`.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium's own way to say it

    def __init__(
        self,
        pay_table: str | PayTable = "tai-sai-v6/2",
        *,
        bankroll: int = 10_000,
        chip: int = 100,
        chips_max: int = 10,
        rounds: int = 200,
        render_mode: str | None = None,
    ) -> None:
        self.pay_table = find_pay_table(pay_table) if isinstance(pay_table, str) else pay_table
        if type(chips_max) is not int or not 1 <= chips_max <= 1_000_000:
            raise InputError(f"chips_max is a whole number from 1 to 1000000, got {chips_max!r}")
        if render_mode not in (None, "ansi"):
            raise InputError(f"expected a render mode of 'ansi' or none, got {render_mode!r}")
        boxes = self.pay_table.boxes
        # One chip on every box at once: this also checks chip, bankroll and rounds in the one place for it.
        Play(self.pay_table, {box.id: chip for box in boxes}, rounds, 1)
        if type(bankroll) is not int or not chip <= bankroll < BANKROLL_MAX:
            raise InputError(
                f"a bankroll covers a chip of {chip} and stays below {BANKROLL_MAX}, got {bankroll!r}"
            )
        self.bankroll_start, self.chip, self.rounds, self.render_mode = bankroll, chip, rounds, render_mode
        self._chip_nets = chip_nets(self.pay_table, chip)
        self._chip_means = [chip * box_odds(box).mean for box in boxes]
        self._best_mean = max(Fraction(0), *self._chip_means)  # nothing, unless a house made a mistake
        self.action_space = spaces.MultiDiscrete([chips_max + 1] * len(boxes) + [2])
        seen: dict[str, spaces.Space[Any]] = {
            "bankroll": spaces.Box(0, BANKROLL_MAX, shape=(1,), dtype=np.int64),
            "rounds_left": spaces.Box(0, rounds, shape=(1,), dtype=np.int64),
            "dice": spaces.Box(0, 6, shape=(3,), dtype=np.int64),
        }
        self.observation_space = cast("spaces.Space[Observation]", spaces.Dict(seen))
        self._bankroll, self._left = bankroll, rounds
        self._dice: tuple[int, int, int] = (0, 0, 0)
        self._ended = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode; a seed makes its dice repeatable."""
        super().reset(seed=seed)
        self._bankroll, self._left, self._dice = self.bankroll_start, self.rounds, (0, 0, 0)
        self._ended = False
        return self._observe(), self._info(0, 0, Fraction(0))

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play one round, or walk away."""
        if self._ended:
            raise InputError("the episode is over: call reset() before the next step")
        if not np.issubdtype(np.asarray(action).dtype, np.integer) or not self.action_space.contains(action):
            raise InputError(f"expected an action of {self.action_space}, got {brief(action)}")
        if action[-1]:
            self._ended = True
            return self._observe(), 0.0, True, False, self._info(0, 0, Fraction(0), walked_away=True)
        chips = action[:-1].astype(np.int64)
        staked = int(chips.sum()) * self.chip
        refused = staked > self._bankroll
        if refused:
            chips, staked = np.zeros_like(chips), 0
        roll = int(self.np_random.integers(len(ROLLS)))
        net = int(chips @ self._chip_nets[:, roll])
        # Gymnasium's spaces have bounds; a bankroll at the bound stays there.
        self._bankroll = min(self._bankroll + net, BANKROLL_MAX)
        self._left -= 1
        self._dice = ROLLS[roll].faces
        info = self._info(staked, net, self.expected_net(chips), refused=refused)
        broke, over = self._bankroll < self.chip, self._left == 0
        self._ended = broke or over
        return self._observe(), float(net), broke, over, info

    def render(self) -> str | None:
        """The dice and the bankroll as a line of text, in the mode `ansi`."""
        if self.render_mode is None:
            return None
        return f"dice {'-'.join(map(str, self._dice))}  bankroll {self._bankroll}  rounds left {self._left}"

    def expected_net(self, chips: npt.NDArray[np.integer]) -> Fraction:
        """The exact expected net of so many chips on each box, in minor units."""
        staked = np.flatnonzero(chips).tolist()
        return sum((int(chips[box]) * self._chip_means[box] for box in staked), Fraction(0))

    def chips_on(self, bets: Mapping[str, int]) -> Action:
        """An action from box ids and numbers of chips."""
        action = np.zeros(len(self.pay_table.boxes) + 1, dtype=np.int64)
        for box_id, chips in bets.items():
            check_count(f"chips on {box_id}", chips, least=0)
            action[self.pay_table.index[self.pay_table.box(box_id).id]] = chips
        return action

    def walk_away(self) -> Action:
        """The action that ends the episode, and the best there is."""
        action = self.chips_on({})
        action[-1] = 1
        return action

    def _observe(self) -> Observation:
        return {
            "bankroll": np.array([self._bankroll], dtype=np.int64),
            "rounds_left": np.array([self._left], dtype=np.int64),
            "dice": np.array(self._dice, dtype=np.int64),
        }

    def _info(
        self, staked: int, net: int, expected: Fraction, *, refused: bool = False, walked_away: bool = False
    ) -> dict[str, Any]:
        return {
            "staked_minor": staked,
            "net_minor": net,
            "expected_net": {"exact": str(expected), "float": float(expected)},
            "best_expected_net_per_chip": str(self._best_mean),
            "refused": refused,
            "walked_away": walked_away,
        }


def chip_nets(pay_table: PayTable, chip: int) -> npt.NDArray[np.int64]:
    """The net of one chip on each box (rows) for each of the 216 rolls (columns)."""
    rows = [Play(pay_table, {box.id: chip}, 1, 1).nets for box in pay_table.boxes]
    return np.stack(rows)


def register_environment(name: str = "taisai/SicBo-v0") -> str:
    """Make the environment known to `gymnasium.make`, and give the name back."""
    if name not in gymnasium.registry:
        gymnasium.register(id=name, entry_point="taisai.odds.environment:SicBoEnv")
    return name
