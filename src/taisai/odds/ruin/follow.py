"""A chain followed round by round, until nothing worth naming is left in play; and what that will take."""

from math import e, log
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from taisai.odds.cost import Cost, TooCostly, afford
from taisai.odds.extras import needs

if TYPE_CHECKING:
    from taisai.odds.ruin.chain import Chain

# What may be left unsettled when a chain is followed round by round.
LEFT_OPEN: Final = 1e-15
ROUNDS_FOLLOWED_MAX: Final = 200_000
# Up to so many states the longest expected play is worth a linear system, to bound the rounds to follow.
_BOUNDED_STATES_MAX: Final = 60_000
# Measured: what a round costs, and what each transition adds to it.
_ROUND_SECONDS, _TRANSITION_SECONDS = 2e-5, 2.5e-9
_LESS: Final = "ask for fewer rounds, raise the stake, lower the target, or simulate"


def within_rounds(chain: "Chain", rounds: int) -> tuple[float, float, float]:
    """The chances that ruin, and that the target, comes within a number of rounds; and that neither does."""
    afford(f"{rounds:,} rounds of {len(chain):,} states", within_cost(chain, rounds), less=_LESS)
    onward = chain.onward("csr")
    here = np.zeros(len(chain))
    here[0] = 1.0
    ruin = target = 0.0
    for _ in range(rounds):
        ruin += float(here @ chain.ruin_weight) / chain.total
        target += float(here @ chain.target_weight) / chain.total
        here = onward @ here
        if float(here.sum()) < LEFT_OPEN:
            break
    return ruin, target, float(here.sum())


def within_cost(chain: "Chain", rounds: int) -> Cost:
    """What it takes to follow so many rounds."""
    return Cost(seconds=_rounds_in_play(chain, rounds) * _round_seconds(chain))


def follow_to_end(chain: "Chain") -> npt.NDArray[np.longdouble]:
    """The expected visits to each state, by following the distribution until nobody plays any more."""
    onward = chain.onward("csr")
    here = np.zeros(len(chain))
    here[0] = 1.0
    visits = np.zeros(len(chain))
    before = 1.0
    look = max(200, min(5_000, round(1.0 / _round_seconds(chain))))
    for number in range(1, ROUNDS_FOLLOWED_MAX + 1):
        visits += here
        here = onward @ here
        left = float(here.sum())
        if left < LEFT_OPEN:
            return visits.astype(np.longdouble)
        if number % look == 0:
            _refuse_endless(chain, number, left=left, before=before, look=look)
            before = left
    raise _endless()


def _refuse_endless(chain: "Chain", number: int, *, left: float, before: float, look: int) -> None:
    """Project from the last stretch how long the rest will play, and refuse what is sure to be too long."""
    rate = log(before / left) / look
    if rate <= 0.0:
        return  # nobody has come to an end yet, so nothing can be said
    still = log(left / LEFT_OPEN) / rate
    # Players leave more quickly later than at first, so only what is far beyond is refused early.
    if number + still > 8 * ROUNDS_FOLLOWED_MAX:
        raise _endless()
    still = min(still, float(ROUNDS_FOLLOWED_MAX - number))
    afford(f"a chain of {len(chain):,} states", Cost(seconds=still * _round_seconds(chain) / 2), less=_LESS)


def _endless() -> TooCostly:
    return TooCostly(
        f"the play is not over after {ROUNDS_FOLLOWED_MAX} rounds: "
        f"raise the stake, lower the target, set a table maximum, or simulate it instead"
    )


def _round_seconds(chain: "Chain") -> float:
    return _ROUND_SECONDS + _TRANSITION_SECONDS * len(chain.source)


def _rounds_in_play(chain: "Chain", rounds: int) -> float:
    """At most how many of these rounds can find anybody still playing.

    From any state, the chance to be playing still after e times the longest expected play is at most 1/e
    (Markov's inequality), and that again and again.
    """
    if rounds * _round_seconds(chain) < 1.0 or len(chain) > _BOUNDED_STATES_MAX:
        return float(rounds)
    longest = float(np.max(_expected_rounds(chain)))
    return min(float(rounds), e * longest * (log(1 / LEFT_OPEN) + 1))


def _expected_rounds(chain: "Chain") -> Any:
    """The expected number of rounds from each state on, well enough for a bound."""
    sparse = needs("scipy.sparse")
    linalg = needs("scipy.sparse.linalg")
    matrix = (sparse.identity(len(chain), format="csc") - chain.onward("csc").T).tocsc()
    factors = linalg.spilu(matrix, drop_tol=1e-4, fill_factor=20)
    helper = linalg.LinearOperator(matrix.shape, factors.solve)
    ones = np.ones(len(chain))
    return 1.1 * linalg.bicgstab(matrix, ones, x0=factors.solve(ones), M=helper, rtol=1e-2, maxiter=100)[0]
