"""Pro rata as 5.1.1 and 5.1.2 word it, with fractions and nothing clever: what the real ones are held to."""

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Any

from tests.unit.naive_house import House


def naive_shares(bets: Sequence[int], cap: int, minimum: int, unit: int) -> list[int]:
    """What each bet on a box counts as when all of them together may count as no more than the cap."""
    if sum(bets) <= cap:
        return list(bets)
    exempt = {i for i, bet in enumerate(bets) if bet < minimum}
    left = cap - sum(bets[i] for i in exempt)
    sharing = [i for i in range(len(bets)) if i not in exempt]
    if left <= 0 or minimum * len(sharing) > left:
        return [bets[i] if i in exempt else minimum for i in range(len(bets))]
    lifted: set[int] = set()
    while True:
        rest = [i for i in sharing if i not in lifted]
        room = left - minimum * len(lifted)
        fair = {i: Fraction(bets[i] * room, sum(bets[j] for j in rest)) for i in rest}
        below = {i for i in rest if fair[i] < minimum}
        if not below:
            break
        lifted |= below
    counts = {i: floor(share / unit) * unit for i, share in fair.items()}
    spare = (room - sum(counts.values())) // unit
    by_remainder = sorted(fair, key=lambda i: (-(fair[i] - counts[i]), i))
    for i in by_remainder[:spare]:
        counts[i] += unit
    return [bets[i] if i in exempt else minimum if i in lifted else counts[i] for i in range(len(bets))]


def naive_sides(
    big: Sequence[int],
    small: Sequence[int],
    *,
    differential: int | None,
    big_max: int | None,
    small_max: int | None,
    minimum: int,
    unit: int,
) -> tuple[list[int], list[int]]:
    """What counts on two sides with a differential between them."""
    no_cap = sum(big) + sum(small)
    caps = {
        "big": no_cap if big_max is None else big_max,
        "small": no_cap if small_max is None else small_max,
    }
    sides = {"big": big, "small": small}
    if differential is not None and abs(sum(big) - sum(small)) > differential:
        heavy, light = ("big", "small") if sum(big) > sum(small) else ("small", "big")
        caps[heavy] = min(caps[heavy], sum(sides[light]) + differential)
    return (
        naive_shares(big, caps["big"], minimum, unit),
        naive_shares(small, caps["small"], minimum, unit),
    )


def naive_counts(house: House, stakes: dict[tuple[str, str], int]) -> dict[tuple[str, str], int]:
    """What counts of each player's stake on each box, under a house's limits."""
    if not house.has_pro_rata:
        return stakes
    counts = dict(stakes)
    lists = {box: [bet for bet in stakes if bet[1] == box] for _, box in stakes}
    for box, on_box in lists.items():
        if box not in ("big", "small") and house.maximum is not None:
            shares = naive_shares([stakes[bet] for bet in on_box], house.maximum, house.minimum, house.unit)
            counts.update(zip(on_box, shares, strict=True))
    big, small = lists.get("big", []), lists.get("small", [])
    on_big, on_small = naive_sides(
        [stakes[bet] for bet in big],
        [stakes[bet] for bet in small],
        differential=house.differential,
        big_max=house.maximum,
        small_max=house.maximum,
        minimum=house.minimum,
        unit=house.unit,
    )
    counts.update(zip([*big, *small], [*on_big, *on_small], strict=True))
    return counts


def whole_chips(chips: Any, box: str, room: int) -> int:
    """What fits into some room of a bet: cash chips make any of it, and no colour chip is halved (3.3)."""
    if chips is None or room >= chips.boxes.get(box, 0):
        return room
    return max(room, 0) // chips.value * chips.value
