"""What the known faces of interrupted dice decide (5.4; ETG 5.1)."""

from collections.abc import Iterable
from fractions import Fraction

from taisai.dice import KnownFaces, Roll, RollSet, rolls_with
from taisai.rulebooks.model import Box, PayTable


def outcome_established(pay_table: PayTable, known: Iterable[int]) -> bool:
    """Whether the known faces already decide a bet that the layout offers, whatever the other dice show.

    Every offered box is asked over all completions: one that wins on all of them, or on none, is decided.

    >>> import taisai
    >>> taisai.outcome_established(taisai.pay_table("tai-sai-v6/2"), known=[4])
    True
    """
    completions = rolls_with(tuple(known))
    return any(is_decided(box, completions) for box in pay_table.boxes)


def is_decided(box: Box, completions: RollSet) -> bool:
    """Whether a box has won, or has lost, on every one of these rolls."""
    return not box.wins & completions or not completions & ~box.wins


def certain_winners(pay_table: PayTable, outcome: Roll | KnownFaces) -> list[str]:
    """The boxes that an outcome lights up, in the order of the pay table."""
    if isinstance(outcome, Roll):
        return list(pay_table.winning_boxes(outcome))
    return [box.id for box in pay_table.boxes if not outcome.completions & ~box.wins]


def certain_odds(box: Box, completions: RollSet) -> Fraction | None:
    """What a decided box pays at least, which is what is certain; None when it has lost."""
    return min((price.pays_to_one for price in box.prices if price.rolls & completions), default=None)
