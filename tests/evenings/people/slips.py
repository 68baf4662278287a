"""What people bet: mostly sensible slips, sometimes what nobody should take."""

from random import Random

from tests.exhaustive.naive import TABLES

_LIKED = ("big", "small", "odd", "even")


def slip(chance: Random, pay_table: str, *, unit: int, minimum: int, credit: int) -> dict[str, int]:
    """A few boxes with amounts that a table takes, if the credit reaches that far."""
    boxes = TABLES[pay_table][0]
    liked = [box for box in _LIKED if box in boxes]
    found: dict[str, int] = {}
    for _ in range(chance.choice([1, 1, 2, 3])):
        box = chance.choice(liked) if liked and chance.random() < 0.5 else chance.choice(boxes)
        amount = minimum + unit * chance.choice([0, 0, 1, 2, 5, 8])
        if sum(found.values()) + amount <= credit:
            found[box] = amount
    return found


def wrong_slip(chance: Random, pay_table: str, *, unit: int, minimum: int, credit: int) -> dict[str, int]:
    """A slip with something wrong in it."""
    boxes = TABLES[pay_table][0]
    return chance.choice(
        [
            {"no-such-box": minimum},
            {chance.choice(boxes): minimum + 1},
            {chance.choice(boxes): -minimum},
            {chance.choice(boxes): 0},
            {chance.choice(boxes): (credit // unit + 5) * unit},
            {chance.choice(boxes): 1_000_000 * unit},
            {"double-1": unit, "triple-7": minimum},
        ]
    )
