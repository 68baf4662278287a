"""Whether an outcome has been established when play is interrupted (5.4; ETG 5.1)."""

from collections.abc import Iterable

from taisai.dice import rolls_with
from taisai.rulebooks.model import PayTable


def outcome_established(pay_table: PayTable, known: Iterable[int]) -> bool:
    """Whether the known faces already decide a bet that the layout offers, whatever the other dice show.

    Every offered box is asked over all completions: one that wins on all of them, or on none, is decided.

    >>> import taisai
    >>> taisai.outcome_established(taisai.pay_table("tai-sai-v6/2"), known=[4])
    True
    """
    completions = rolls_with(tuple(known))
    return any(not box.wins & completions or not completions & ~box.wins for box in pay_table.boxes)
