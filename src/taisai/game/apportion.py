"""Pro rata: how bets over a box's cap share what the cap allows (5.1.1, 5.1.2)."""

from collections.abc import Sequence

from taisai.errors import InputError


def apportion(bets: Sequence[int], *, maximum: int, minimum: int = 0, unit: int = 1) -> list[int]:
    """The effective stake of each player's total on one box, in the order of their bets.

    Bets under the minimum are exempt and stand in full (5.1.2). The others share what is left of the
    maximum in proportion, none of them brought below the minimum (5.1.1); shares are rounded down to the
    chip unit, and the units left over go one each to the largest remainders, then to the earlier bet.

    >>> apportion([300, 600, 400], maximum=1000, minimum=50, unit=5)
    [230, 460, 310]
    """
    _check(bets, maximum, minimum, unit)
    if sum(bets) <= maximum:
        return list(bets)
    effective = list(bets)
    sharing = [player for player, bet in enumerate(bets) if bet >= minimum]
    cap = maximum - sum(bet for bet in bets if bet < minimum)
    if cap < minimum * len(sharing) or cap <= 0:
        for player in sharing:
            effective[player] = minimum
        return effective
    # Whoever a fair share would leave below the minimum is lifted to it, and the rest share again. A lift
    # makes every other share smaller, so that going from the smallest bet up, once, finds them all.
    total = sum(bets[player] for player in sharing)
    smallest_first = sorted(sharing, key=bets.__getitem__)
    lifted = set()
    for player in smallest_first:
        if bets[player] * cap >= minimum * total:
            break
        effective[player] = minimum
        lifted.add(player)
        cap -= minimum
        total -= bets[player]
    _share(bets, effective, [player for player in sharing if player not in lifted], cap, unit)
    return effective


def _share(bets: Sequence[int], effective: list[int], sharing: list[int], cap: int, unit: int) -> None:
    """Divide the cap in proportion, in whole units, the left-over units by largest remainder."""
    total = sum(bets[player] for player in sharing)
    units = cap // unit
    remainders = []
    for player in sharing:
        # The fair share in units is bet * cap / (total * unit).
        whole, rest = divmod(bets[player] * cap, total * unit)
        effective[player] = whole * unit
        units -= whole
        remainders.append((-rest, player))
    for _, player in sorted(remainders)[:units]:
        effective[player] += unit


def _check(bets: Sequence[int], maximum: int, minimum: int, unit: int) -> None:
    if unit < 1:
        raise InputError(f"the chip unit is at least 1, got {unit}")
    for name, amount in (("maximum", maximum), ("minimum", minimum)):
        if amount < 0 or amount % unit:
            raise InputError(f"the {name} is a multiple of the chip unit {unit}, got {amount}")
    for bet in bets:
        if bet <= 0 or bet % unit:
            raise InputError(f"a bet is a multiple of the chip unit {unit} above zero, got {bet}")
