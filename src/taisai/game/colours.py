"""Which part of a player's bets is in colour chips: on each box, after a correction, and at settlement.

Colour chips are on a box in whole chips. What must come off a box comes off its cash chips first, and then
off the colour, chip by chip.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from taisai.errors import InvariantBroken
from taisai.game.commands import ColourChips
from taisai.game.settlement import BetResult
from taisai.game.state import PlayerSlip


def coloured_on(chips: ColourChips | None, slip: Mapping[str, int]) -> int:
    """What of a whole slip is in these colour chips."""
    if chips is None:
        return 0
    return sum(chips.part_of(box, amount) for box, amount in slip.items())


def kept(before: PlayerSlip, after: Mapping[str, int]) -> ColourChips | None:
    """The colour chips of a corrected slip of which nobody said which they are.

    As many stay on the felt as there were: first where they were, then where the correction puts something.
    A slip that was all in colour stays so.
    """
    chips = before.chips
    if chips is None or chips.value < 1:
        return None
    there = {box: before.coloured(box) for box in before.amounts}
    left = sum(there.values())
    if 0 < left == before.total():
        left = max(left, sum(after.values()))
    boxes = {}
    for box, amount in after.items():
        boxes[box] = min(there.get(box, 0), amount) // chips.value * chips.value
        left -= boxes[box]
    for box, amount in after.items():
        more = min(left, amount - boxes[box]) // chips.value * chips.value
        boxes[box] += more
        left -= more
    return ColourChips(chips.colour, chips.value, {box: part for box, part in boxes.items() if part})


class Shares(NamedTuple):
    """What a settlement does with a player's bets: stakes back in colour and in money, lost, and winnings."""

    coloured: int
    plain: int
    lost: int
    winnings: int


def shares(slip: PlayerSlip, results: Iterable[BetResult], paid: int) -> Shares:
    """How a player's payout is made up, box by box: chips that lost are not those that come back."""
    coloured = plain = lost = winnings = 0
    for result in results:
        back = min(result.returned, result.stake)
        of_plain = min(back, result.stake - slip.coloured(result.box))
        value = slip.chips.value if slip.chips else 1
        of_colour = (back - of_plain) // value * value
        coloured += of_colour
        plain += back - of_colour  # what is less than a chip is given in money
        lost += result.stake - back
        winnings += result.returned - back
    if coloured + plain + winnings != paid:
        raise InvariantBroken(f"a payout of {paid} is made up of {coloured}, {plain} and {winnings}")
    return Shares(coloured, plain, lost, winnings)
