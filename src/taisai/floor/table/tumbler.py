"""A simulated tumbler: dice from a generator that nobody can foresee, every roll equally likely."""

from dataclasses import dataclass

from taisai.dice import ROLLS, Roll, roll_of_byte
from taisai.errors import InvariantBroken
from taisai.record.ports import Entropy

_TRIES_MAX = 10_000
COMMITTED_SOURCE = "a secret that was committed to at the opening, and all bets"
SYSTEM_SOURCE = "the operating system's generator, one byte a roll, 216 to 255 discarded"


@dataclass(frozen=True, slots=True)
class SimulatedTumbler:
    """Draws rolls; `source` is what the record says of where they came from."""

    entropy: Entropy
    source: str = SYSTEM_SOURCE

    def draw(self) -> Roll:
        """One of the 216 rolls: a byte below 216, all others thrown away so that none is likelier."""
        for _ in range(_TRIES_MAX):
            roll = roll_of_byte(self.entropy.random_bytes(1)[0])
            if roll is not None:
                return roll
        raise InvariantBroken(f"the generator gave {_TRIES_MAX} bytes of which none was below {len(ROLLS)}")
