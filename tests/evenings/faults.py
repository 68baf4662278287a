"""What goes wrong, and how often: each fault has its own stream and can be left out, one time or always."""

from collections import Counter
from collections.abc import Callable
from random import Random

from tests.evenings.plan import BUS_FAULTS, FAULTS, STANDBY_FAULTS, Plan
from tests.evenings.streams import Streams

FAULTS.update(
    {
        # The line between a person and the house
        "delay": (0.02, 0.2),
        "request lost": (0.01, 0.06),
        "answer lost": (0.01, 0.06),
        "line cut": (0.005, 0.03),
        "line half open": (0.002, 0.01),
        "slow reader": (0.002, 0.01),
        # The store
        "store slow": (0.01, 0.1),
        "append fails": (0.005, 0.04),
        "append kept, end not seen": (0.005, 0.04),
        "append lost, end not seen": (0.005, 0.04),
        "read fails": (0.002, 0.02),
        "store gone for a while": (0.001, 0.005),
        "store full for a while": (0.001, 0.005),
        # The process
        "killed before a commit": (0.001, 0.006),
        "killed in a commit": (0.001, 0.006),
        "killed after a commit": (0.001, 0.006),
        "stopped in order": (0.005, 0.03),
        "clock off after a start": (0.3, 1.0),
        "second process": (0.005, 0.05),
        "taken over": (0.005, 0.02),
    }
)
# What goes wrong besides where gateways serve and a bus is between them and the desks.
BUS_FAULTS.update(
    {
        "bus slow": (0.001, 0.01),
        "bus message lost": (0.001, 0.01),
        "bus gone for a while": (0.005, 0.03),
        "gateway killed": (0.01, 0.06),
        "gateway hangs": (0.01, 0.04),
        "desks hang": (0.005, 0.02),
    }
)
# And where the record has a standby.
STANDBY_FAULTS.update(
    {
        "standby slow": (0.005, 0.04),
        "standby promoted": (0.01, 0.05),
    }
)
# What the house itself is not slowed down by.
LINES_ONLY = ("delay", "request lost", "answer lost", "line cut", "line half open", "slow reader")


class Faults:
    """Decides whether a fault strikes now. In the calm at the end none does."""

    def __init__(self, plan: Plan, streams: Streams, tell: Callable[[str], None]) -> None:
        self._plan, self._streams, self._tell = plan, streams, tell
        self._chances: dict[str, Random] = {}  # found once for each kind: they are asked thousands of times
        self._amounts: dict[str, Random] = {}
        self.calm = True  # until the house is open
        self.struck: Counter[str] = Counter()
        self.struck_at: dict[str, list[float]] = {}
        self.now: Callable[[], float] = lambda: 0.0
        self.last_at = 0.0
        self.on_strike: Callable[[str], None] = lambda kind: None

    def strikes(self, kind: str) -> bool:
        if self.calm or not (rate := self._plan.faults.get(kind)) or not self._is_due(kind, rate):
            return False
        number = self.struck[kind]
        self.struck[kind] += 1
        if number in self._plan.without.get(kind, ()):
            return False
        self.struck_at.setdefault(kind, []).append(self.now())
        if kind not in ("delay", "store slow"):
            self._tell(f"{kind} (number {number})")
        self.on_strike(kind)
        return True

    def _is_due(self, kind: str, rate: float) -> bool:
        """By chance; or at the first place after a moment that the plan names, whoever else is there."""
        moments = self._plan.struck_at.get(kind)
        if moments is None:
            chance = self._chances.get(kind)
            if chance is None:
                chance = self._chances[kind] = self._streams[f"fault {kind}"]
            return chance.random() < rate
        number = self.struck[kind]
        return number < len(moments) and self.now() >= moments[number]

    def draw(self, kind: str, low: float, high: float) -> float:
        amount = self._amounts.get(kind)
        if amount is None:
            amount = self._amounts[kind] = self._streams[f"how much {kind}"]
        return amount.uniform(low, high)
