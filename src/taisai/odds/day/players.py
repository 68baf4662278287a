"""What players are worth: theoretical win, average bet and comps, from the bets they made."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from taisai.errors import InputError
from taisai.odds.results.frame import Frame
from taisai.odds.theory import BetMade, PayTables, theory_by


@dataclass(frozen=True, slots=True)
class PlayerWorth:
    """One player at one table."""

    table: str
    player: str
    rounds: int
    handle_minor: int
    theo: Fraction
    standard_deviation: float
    comps: Fraction

    @property
    def average_bet(self) -> Fraction:
        """What a round had at risk, on average."""
        return Fraction(self.handle_minor, self.rounds)


def players_worth(
    bets: Iterable[BetMade], pay_tables: PayTables, *, comp_share: Fraction = Fraction(0)
) -> list[PlayerWorth]:
    """Every player of every table, the most valuable first."""
    if not 0 <= comp_share <= 1:
        raise InputError(f"a share of the theoretical win lies between 0 and 1, got {comp_share}")
    found = [
        PlayerWorth(
            table=table,
            player=player,
            rounds=len(each.rounds),
            handle_minor=each.handle_minor,
            theo=each.win,
            standard_deviation=each.standard_deviation,
            comps=max(Fraction(0), each.win * comp_share),
        )
        for (table, player), each in theory_by(bets, pay_tables).items()
    ]
    return sorted(found, key=lambda each: (-each.theo, each.table, each.player))


def worth_frame(found: Iterable[PlayerWorth]) -> Frame:
    """One row for each player."""
    rows: list[dict[str, Any]] = [
        {
            "table": each.table,
            "player": each.player,
            "rounds": each.rounds,
            "handle_minor": each.handle_minor,
            "average_bet": each.average_bet,
            "theo": each.theo,
            "standard_deviation": each.standard_deviation,
            "comps": each.comps,
        }
        for each in found
    ]
    return Frame.from_rows(rows)
