"""What of planned bets counts under a table's limits, as its rulebook settles it."""

from collections.abc import Sequence

from taisai.errors import InputError
from taisai.game.limits import Limit, Limits, limits_faults
from taisai.game.settlement import box_caps, effective_stakes
from taisai.game.state import Bet
from taisai.odds.liability import box_maxima
from taisai.rulebooks.model import PayTable, Rulebook

Slip = dict[str, int]


def limits_of(
    rulebook: Rulebook,
    pay_table: PayTable,
    maxima: tuple[dict[str, int], int | None],
    *,
    minimum: int,
    unit: int | None,
) -> Limits:
    """Limits from what was typed, or the first fault of them."""
    named, general = maxima
    box_maxima(pay_table, named)  # refuses a name that is no box or group here
    chip = pay_table.unit if unit is None else unit
    least = max(chip, minimum)
    groups = {group.id for group in pay_table.groups}
    limits = Limits(
        unit=chip,
        default=Limit(least, general),
        groups={name: Limit(least, most) for name, most in named.items() if name in groups},
        boxes={name: Limit(least, most) for name, most in named.items() if name not in groups},
    )
    for fault in limits_faults(limits, rulebook, pay_table):
        raise InputError(f"these limits cannot be used: {fault}")
    return limits


def counted_slips(
    rulebook: Rulebook, pay_table: PayTable, limits: Limits, slips: Sequence[Slip]
) -> list[Slip]:
    """Each player's bets as they count: shared pro rata, cut in the order of the players, or refused."""
    bets = [
        Bet(f"{player:04d}", box, stake, order=player)
        for player, slip in enumerate(slips)
        for box, stake in slip.items()
    ]
    for bet in bets:
        pay_table.box(bet.box)
        if bet.stake % limits.unit:
            raise InputError(f"{bet.box}={bet.stake} is no multiple of the chip unit {limits.unit}")
    if rulebook.limits.pro_rata:
        caps = box_caps(rulebook, pay_table, limits, bets)
        stakes = effective_stakes(pay_table, limits, bets, caps)
    elif rulebook.limits.maximum == "player":
        stakes = [_allowed(pay_table, limits, bet) for bet in bets]
    else:
        stakes = _cut_in_order(pay_table, limits, bets)
    counted: list[Slip] = [{} for _ in slips]
    for bet, stake in zip(bets, stakes, strict=True):
        if stake:
            counted[int(bet.player)][bet.box] = stake
    return counted


def _allowed(pay_table: PayTable, limits: Limits, bet: Bet) -> int:
    most = limits.of(pay_table.box(bet.box)).maximum
    if most is not None and bet.stake > most:
        raise InputError(f"{bet.box}={bet.stake} is above the maximum of {most}, which is refused here")
    return bet.stake


def _cut_in_order(pay_table: PayTable, limits: Limits, bets: Sequence[Bet]) -> list[int]:
    """What is left under a box's maximum goes to whoever bets next."""
    room: dict[str, int] = {}
    stakes = []
    for bet in bets:
        most = limits.of(pay_table.box(bet.box)).maximum
        left = bet.stake if most is None else room.get(bet.box, most)
        stakes.append(min(bet.stake, left))
        if most is not None:
            room[bet.box] = left - stakes[-1]
    return stakes
