"""What each bet on one roll brings: the plain path, bet by bet."""

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from taisai.dice import Roll
from taisai.money import check_stake, winnings
from taisai.rulebooks.model import Box, PayTable


class Award(msgspec.Struct, frozen=True):
    """What one bet brings. `returned` is the stake and the winnings, or nothing when it lost."""

    stake: int
    won: bool
    pays_to_one: Fraction | None
    returned: int


def award(box: Box, roll: Roll, stake_minor: int) -> Award:
    """Settle one bet."""
    return award_at(box.pays_on(roll), stake_minor)


def award_at(pays_to_one: Fraction | None, stake_minor: int) -> Award:
    """What a stake brings at these odds; none when it lost."""
    if pays_to_one is None:
        return Award(stake_minor, won=False, pays_to_one=None, returned=0)
    return Award(stake_minor, True, pays_to_one, stake_minor + winnings(stake_minor, pays_to_one))


def settle(pay_table: PayTable, roll: Roll, bets: Mapping[str, int]) -> dict[str, Award]:
    """Settle one player's bets, a mapping from box id to stake in minor units.

    >>> import taisai
    >>> awards = taisai.settle(taisai.pay_table("tai-sai-v6/2"), taisai.Roll(1, 1, 3), {"pair-113": 50})
    >>> awards["pair-113"].returned
    2550
    """
    pay_table.check_playable()
    return {
        box_id: award(pay_table.box(box_id), roll, check_stake(stake_minor))
        for box_id, stake_minor in bets.items()
    }
