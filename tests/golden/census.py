"""The census of a pay table: each box with its ways to win, its odds and the house's edge."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

import taisai
from taisai.odds.exact import OF, box_odds
from taisai.rulebooks.model import Box

HERE = Path(__file__).parent


def pays_text(box: Box) -> str:
    """Odds to one without a rounded digit: 62, 8.5, or 1,2,12 for a single die."""
    return ",".join(_decimal(pays) for pays in box.pays)


def _decimal(odds: Fraction) -> str:
    return str(odds) if odds.denominator not in (1, 2) else str(float(odds)).removesuffix(".0")


def census(pay_table_id: str) -> str:
    """One line a box, in the order of the pay table: id, ways, odds to one, edge."""
    table = taisai.pay_table(pay_table_id)
    source = taisai.rulebook(pay_table_id.partition("/")[0]).source
    lines = [f"# {table.id}, {table.title}: {source}"]
    for box in table.boxes:
        odds = box_odds(box)
        lines.append(f"{box.id:<12} {odds.ways:>3}/{OF}  {pays_text(box):<7} {odds.edge}")
    return "\n".join(lines) + "\n"


GOLDEN: dict[Path, Callable[[], str]] = {
    HERE / f"{table.id.replace('/', '-')}.census": partial(census, table.id)
    for name in taisai.shipped_rulebooks()
    for table in taisai.rulebook(name).pay_tables
}
