"""A second implementation of every box, as plain as can be. It imports nothing from taisai.

A box is its name and a roll is three numbers. The odds are typed from the pay tables as read by people, in
half units (17 is 8.5 to 1), so that this file needs no fractions either.
"""

from itertools import combinations

SIX = range(1, 7)

# Total: half-unit odds, for the lower and the higher total of each line on the layout.
LIVE_SUMS = {
    4: 124,
    5: 62,
    6: 36,
    7: 24,
    8: 16,
    9: 14,
    10: 12,
    11: 12,
    12: 14,
    13: 16,
    14: 24,
    15: 36,
    16: 62,
    17: 124,
}
ETG_SUMS = {
    4: 128,
    5: 64,
    6: 38,
    7: 24,
    8: 17,
    9: 14,
    10: 13,
    11: 13,
    12: 14,
    13: 17,
    14: 24,
    15: 38,
    16: 64,
    17: 128,
}
MACAU_SUMS = {
    4: 100,
    5: 36,
    6: 28,
    7: 24,
    8: 16,
    9: 12,
    10: 12,
    11: 12,
    12: 12,
    13: 16,
    14: 24,
    15: 28,
    16: 36,
    17: 100,
}
ATLANTIC_SUMS = {
    4: 120,
    5: 60,
    6: 34,
    7: 24,
    8: 16,
    9: 12,
    10: 12,
    11: 12,
    12: 12,
    13: 16,
    14: 24,
    15: 34,
    16: 60,
    17: 120,
}

# Kind: half-unit odds; singles have three, for one, two and three dice.
EVEN_MONEY = {"small": 2, "big": 2, "odd": 2, "even": 2}
LIVE = {**EVEN_MONEY, "single": (2, 4, 24), "domino": 12, "double": 22, "any-triple": 62, "triple": 360,
        "four": 14, "trio": 60, "pair": 100}  # fmt: skip
ETG = {**EVEN_MONEY, "single": (2, 4, 24), "domino": 12, "double": 23, "any-triple": 64, "triple": 390,
       "four": 15, "trio": 60, "pair": 100}  # fmt: skip
MACAU = {
    **EVEN_MONEY,
    "single": (2, 4, 6),
    "domino": 10,
    "double": 16,
    "any-triple": 48,
    "triple": 300,
    "four": 14,
}
ATLANTIC = {**EVEN_MONEY, "single": (2, 4, 6), "domino": 10, "double": 20, "any-triple": 60, "triple": 360}

DOMINOES = "14 12 24 13 23 34 25 26 35 45 36 15 16 46 56".split()
FOUR_OF_THEM = "6543 6532 5432 4321".split()
ALL_FOURS = ["".join(map(str, sorted(four, reverse=True))) for four in combinations(SIX, 4)]
TRIOS = ["".join(map(str, trio)) for trio in combinations(SIX, 3)]
# Twenty-eight: 1 1 2 and 6 6 5 are on no layout.
PAIRS = [f"{a}{a}{b}" for a in SIX for b in SIX if a != b and f"{a}{a}{b}" not in ("112", "665")]

SINGLES = [f"single-{face}" for face in SIX]
SUMS = [f"sum-{total}" for total in range(4, 18)]
DOUBLES = [f"double-{face}" for face in SIX]
TRIPLES = ["any-triple", *(f"triple-{face}" for face in SIX)]


def boxes(kind: str, numbers: list[str]) -> list[str]:
    return [f"{kind}-{number}" for number in numbers]


FIFTY = ["small", "big", *SINGLES, *SUMS, *boxes("domino", DOMINOES), *DOUBLES, *TRIPLES]
COMBINATIONS = boxes("four", FOUR_OF_THEM) + boxes("trio", TRIOS) + boxes("pair", PAIRS)
HUNDRED_AND_FOUR = [*FIFTY, "odd", "even", *COMBINATIONS]
HUNDRED_AND_SEVEN = [
    box for box in FIFTY if box not in DOUBLES
] + boxes("four", ALL_FOURS) + boxes("trio", TRIOS) + boxes("pair", PAIRS)  # fmt: skip

# Pay table: its boxes, the odds of its kinds, the odds of its totals.
TABLES = {
    "tai-sai-v3/1": (FIFTY, LIVE, LIVE_SUMS),
    "tai-sai-open-cover/1": (FIFTY, LIVE, LIVE_SUMS),
    "tai-sai-open-cover/2": (HUNDRED_AND_FOUR, LIVE, LIVE_SUMS),
    "tai-sai-v4/1": (FIFTY, LIVE, LIVE_SUMS),
    "tai-sai-v6/1": (FIFTY, LIVE, LIVE_SUMS),
    "tai-sai-v6/2": (HUNDRED_AND_FOUR, LIVE, LIVE_SUMS),
    "tai-sai-v6/3": (HUNDRED_AND_SEVEN, LIVE, LIVE_SUMS),
    "sic-bo-etg-v8/1": ([*FIFTY, "odd", "even", *boxes("four", FOUR_OF_THEM)], ETG, ETG_SUMS),
    "sic-bo-etg-v8/2": (HUNDRED_AND_FOUR, ETG, ETG_SUMS),
    "sic-bo-etg-v8/3": (HUNDRED_AND_FOUR, LIVE, LIVE_SUMS),
    "macau/1": (FIFTY + boxes("four", FOUR_OF_THEM), MACAU, MACAU_SUMS),
    "atlantic-city/1": (FIFTY, ATLANTIC, ATLANTIC_SUMS),
    "australia/1": ([box for box in FIFTY if box not in SINGLES] + COMBINATIONS, LIVE, LIVE_SUMS),
}


def hits(box: str, a: int, b: int, c: int) -> int:
    """How well three dice do for a box: 0 loses, 1 wins; on a single die, how many dice show it."""
    kind, _, digits = box.rpartition("-")
    if box in ("small", "big", "odd", "even", "any-triple"):
        kind, digits = box, ""
    dice = sorted([a, b, c])
    total = a + b + c
    alike = a == b and b == c
    on = [int(digit) for digit in digits]
    return {
        "small": lambda: int(total <= 10 and not alike),
        "big": lambda: int(total >= 11 and not alike),
        "odd": lambda: int(total % 2 != 0 and not alike),
        "even": lambda: int(total % 2 == 0 and not alike),
        "any-triple": lambda: int(alike),
        "single": lambda: dice.count(on[0]),
        "sum": lambda: int(total == int(digits)),
        "domino": lambda: int(on[0] in dice and on[1] in dice),
        "double": lambda: int(dice.count(on[0]) >= 2),
        "triple": lambda: int(dice == [on[0], on[0], on[0]]),
        "four": lambda: int(a != b and b != c and a != c and a in on and b in on and c in on),
        "trio": lambda: int(dice == sorted(on)),
        "pair": lambda: int(dice == sorted(on)),
    }[kind]()


def halves(table: str, box: str, a: int, b: int, c: int) -> int:
    """Odds in half units that three dice earn a box, or 0 when it loses."""
    _, odds, sums = TABLES[table]
    won = hits(box, a, b, c)
    if not won:
        return 0
    if box.startswith("sum-"):
        return sums[int(box.removeprefix("sum-"))]
    kind = box if box in odds else box.rpartition("-")[0]
    price = odds[kind]
    return price if isinstance(price, int) else price[won - 1]


def returned(table: str, box: str, a: int, b: int, c: int, stake: int) -> int | None:
    """Stake and winnings; 0 when the bet lost; None when they are no whole number."""
    won = halves(table, box, a, b, c)
    if won == 0:
        return 0
    if stake * won % 2:
        return None
    return stake + stake * won // 2


def brought(table: str, box: str, faces: tuple[int, ...], stake: int) -> int:
    """What a bet brings on three dice; on fewer faces what is certain, or the stake where nothing is."""
    brings = []
    for dice in ((a, b, c) for a in SIX for b in SIX for c in SIX):
        left = list(dice)
        for face in faces:
            if face in left:
                left.remove(face)
        if len(left) == 3 - len(faces):
            back = returned(table, box, *dice, stake=stake)
            assert back is not None
            brings.append(back)
    return stake if any(brings) and not all(brings) else min(brings)
