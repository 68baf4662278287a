"""Maxima that bound what the house loses: on one roll with every box full, or on one box over many rounds."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from taisai.errors import InputError
from taisai.odds.bets.nets import net_after
from taisai.odds.bounds import check_amount, check_count
from taisai.odds.design.survival import check_risk
from taisai.odds.exact import box_odds
from taisai.odds.liability import box_maxima, liabilities, limits_under
from taisai.rulebooks.model import PayTable


@dataclass(frozen=True, slots=True)
class LimitsFound:
    """A maximum for each group under both bounds; None where the rounds ask for none."""

    one_roll: Mapping[str, int]
    many_rounds: Mapping[str, int | None]
    worst_roll: Fraction

    @property
    def maxima(self) -> dict[str, int]:
        """The smaller of the two, for each group."""
        return {
            name: most if (other := self.many_rounds.get(name)) is None else min(most, other)
            for name, most in self.one_roll.items()
        }


def limits_for_loss(
    pay_table: PayTable,
    bound_minor: int,
    *,
    rounds: int | None = None,
    risk: Fraction | float = Fraction(1, 100),
    unit: int | None = None,
) -> LimitsFound:
    """Maxima such that no roll costs the house more than the bound, whatever is on the felt.

    With `rounds`, a player who holds one box at its maximum for so long also wins more than the bound with
    no more than the chance `risk`.
    """
    check_amount("a bound", bound_minor)
    unit = pay_table.unit if unit is None else check_amount("a chip unit", unit)
    one_roll = limits_under(pay_table, bound_minor, unit=unit)
    worst = liabilities(pay_table, box_maxima(pay_table, one_roll)).worst.house_pays
    many: dict[str, int | None] = {}
    if rounds is not None:
        check_count("a number of rounds", rounds)
        bound = check_risk(risk)
        many = {
            group.id: min(
                (
                    found
                    for name in group.boxes
                    if (found := box_maximum(pay_table, name, bound_minor, rounds, bound, unit)) is not None
                ),
                default=None,
            )
            for group in pay_table.groups
        }
    return LimitsFound(one_roll, many, worst)


def box_maximum(
    pay_table: PayTable, box_id: str, bound_minor: int, rounds: int, risk: Fraction, unit: int
) -> int | None:
    """The largest stake with which so many rounds win more than the bound with a chance of `risk` at most."""
    if unit < 1:
        raise InputError(f"a chip unit is above zero, got {unit}")
    won = net_after(box_odds(pay_table.box(box_id)).distribution, rounds).quantile(1 - risk)
    return None if won <= 0 else int(bound_minor / won) // unit * unit
