"""A staking rule as tables: states numbered, with the units and the successors of each.

Tables are what both engines play from, so a rule is written once, in `staking.py`, and never again.
"""

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from taisai.odds.results.alike import Alike
from taisai.odds.staking.rules import StakingRule, check_rule_stake

Ints = npt.NDArray[np.int64]

# A rule such as d'Alembert's has no last state. Reaching this many takes losses of millions of units, and a
# player who gets there is told so rather than simulated wrongly.
STATES_MAX: Final = 4_096
# Bankrolls stay below this many minor units, so that no product of stake and odds can overflow.
MONEY_MAX: Final = 1 << 48
_UNITS_MAX: Final = MONEY_MAX


@dataclass(frozen=True, eq=False)
class Ladder(Alike):
    """A tabulated rule; play starts in state 0.

    `edge` is the state that stands for "beyond the table", or -1 when the table holds every state.
    """

    name: str
    units: Ints
    on_win: Ints
    on_loss: Ints
    edge: int

    def __len__(self) -> int:
        return len(self.units)


def tabulate(rule: StakingRule, *, cap: int | None = None, states_max: int = STATES_MAX) -> Ladder:
    """Follow the rule from its start until every state is known, or the table is full.

    `cap` cuts each stake to so many units, as a table's maximum does.
    """
    place: dict[Hashable, int] = {rule.start: 0}
    waiting: deque[Hashable] = deque([rule.start])
    units: list[int] = []
    following: list[tuple[int, int]] = []
    beyond = False
    while waiting:
        state = waiting.popleft()
        stake = check_rule_stake(rule, state, rule.stake(state))
        units.append(min(stake, _UNITS_MAX if cap is None else cap))
        successors = []
        for won in (True, False):
            after = rule.after(state, won)
            if after not in place and len(place) < states_max:
                place[after] = len(place)
                waiting.append(after)
            successors.append(place.get(after, states_max))
            beyond = beyond or after not in place
        following.append((successors[0], successors[1]))
    if beyond:
        # Nobody plays from the edge: both engines stop with an error there.
        units.append(1)
        following.append((states_max, states_max))
    table = np.array(following, dtype=np.int64)
    return Ladder(
        name=rule.name,
        units=np.array(units, dtype=np.int64),
        on_win=table[:, 0].copy(),
        on_loss=table[:, 1].copy(),
        edge=states_max if beyond else -1,
    )
