"""What an evening is about: some acts come up far more often, and whoever they need is there.

Without it, acts that need three people in their order at the right moment would hardly ever meet.
"""

from random import Random

import msgspec


class Theme(msgspec.Struct, frozen=True):
    """Who is there for certain, one of which tables, and what they like more than others do."""

    people: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    likes: dict[str, float] = {}


NONE = Theme()
_LIVE = ("modern", "coloured", "chips")
_THEMES = (
    # Rounds that need two people while they are in play.
    Theme(
        ("supervisor", "shift-manager", "casino-manager"),
        ("modern", "coloured", "chips", "dealt"),
        {"interrupt": 10, "ask_second": 8, "rule": 8, "decide": 3, "next": 2},
    ),
    # Money that is owed, or waits for somebody who has gone.
    Theme(
        ("supervisor", "shift-manager", "cashier"),
        _LIVE,
        {"leave_owing": 10, "walk_off": 10, "bet": 2, "next": 2, "owed": 8, "decide": 3, "drawer": 2},
    ),
    # Bets below the minimum and above the maximum, in the sight of the dealer.
    Theme((), ("modern",), {"bet": 3, "remark": 6, "excess": 4, "next": 2, "settings": 6, "out_of_order": 3}),
    # The pit's day with its counts, and the people on its lists.
    Theme(
        ("supervisor", "shift-manager", "cashier"),
        (),
        {"whole_day": 8, "prepare": 3, "pit_acts": 4, "player": 4, "decide": 4, "missing": 6, "colour": 3},
    ),
    # The staff list.
    Theme(("admin", "auditor", "casino-manager"), (), {"second_factor": 5, "change": 4, "decide": 4}),
)


def theme_of(chance: Random) -> Theme:
    """Most evenings have none."""
    return chance.choice(_THEMES) if chance.random() < 0.4 else NONE
