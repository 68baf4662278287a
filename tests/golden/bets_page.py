"""docs/reference/bets.md: a picture and a sentence for each kind of bet, and whose marks each felt has."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import taisai
from taisai.game.explain import box_name, catalogue
from taisai.rulebooks.felt import placement_svg
from taisai.rulebooks.felt_words import odds_spoken
from taisai.rulebooks.marks import marks_of

DOCS = Path(__file__).parents[2] / "docs"
TABLE = "tai-sai-v6/2"

HEAD = """\
# Where bets are placed

Made from the rulebooks by `make golden`; do not edit. The approved documents show in appendices how bets are
placed; those pictures are lost in the scans. Here is one example of each kind;
`taisai layout TABLE --bet BOX=AMOUNT` draws any others.

"""


def examples() -> dict[str, str]:
    """A box of each kind, by the kind."""
    return {str(group.kind): group.boxes[0] for group in reversed(taisai.pay_table(TABLE).groups)}


def page() -> str:
    """The whole page."""
    table, words = taisai.pay_table(TABLE), catalogue("en")
    parts = [HEAD]
    for kind, box in reversed(examples().items()):
        parts.append(
            f"## {words['kinds'].get(kind, box_name(box, words))}\n\n"
            f"![A chip on {box}](../images/bet-{kind}.svg)\n\n"
            f"{words['placements'][kind]} It {odds_spoken(table.box(box).pays)}.\n\n"
        )
    parts.append("## Marks on the layouts\n\n")
    parts.append("A felt whose appendix is lost has the marks of the nearest that survives.\n\n")
    parts.append("| pay table | marks of | on a triple | odds of a total |\n| --- | --- | --- | --- |\n")
    for name in taisai.shipped_rulebooks():
        for each in taisai.rulebook(name).pay_tables:
            marks = marks_of(each.layout.id)
            total = marks.odds_on(each.box("sum-4"))
            parts.append(f"| `{each.id}` | {marks.appendix} | {marks.triples} | {total} |\n")
    return "".join(parts)


GOLDEN: dict[Path, Callable[[], str]] = {
    DOCS / "reference" / "bets.md": page,
    **{
        DOCS / "images" / f"bet-{kind}.svg": partial(placement_svg, taisai.pay_table(TABLE), box, "100")
        for kind, box in examples().items()
    },
}
