"""The report on dice that are not fair: edges before and after, or what recorded rolls say of them."""

from collections.abc import Iterable

from taisai.odds.loaded.faces import LoadedDice, loaded_frame
from taisai.odds.loaded.posterior import EdgePosterior
from taisai.odds.report.html import page_html
from taisai.odds.report.page import Drawing, figures_page
from taisai.odds.report.plots import bars
from taisai.rulebooks.model import PayTable

_ROWS_MAX = 24


def loaded_page(pay_table: PayTable, dice: LoadedDice, rows: Iterable[tuple[str, object]]) -> str:
    """The boxes that gain and lose most with these dice."""
    found = sorted(loaded_frame(pay_table, dice), key=lambda row: row["edge"])
    shown = found[:_ROWS_MAX]
    drawn = bars(
        [(row["box"], float(row["edge"]), "f-triple" if row["edge"] < 0 else "bar") for row in shown],
        title="house edge with these dice, lowest first",
        says="House edge of the boxes that these dice favour most",
    )
    gone = sum(row["edge"] < 0 for row in found)
    page = figures_page(
        f"Loaded dice at {pay_table.id}",
        "face chances: " + "; ".join(", ".join(map(str, die)) for die in dict.fromkeys(dice.dice)),
        large=[
            (f"{gone} of {len(found)}", "boxes favour the player"),
            (f"{100 * float(found[0]['edge']):.2f} %", f"lowest edge: {found[0]['box']}"),
            (f"{100 * float(found[-1]['edge']):.2f} %", f"highest edge: {found[-1]['box']}"),
        ],
        pictures=[Drawing("edges", "What the dice do to the boxes", "In red where the player has the edge.")],
        rows=rows,
        notes="Exact: the 216 rolls with the chances given.",
    )
    return page_html(page, {"edges": drawn})


def posterior_page(
    pay_table: PayTable, found: list[EdgePosterior], rows: Iterable[tuple[str, object]]
) -> str:
    """Which boxes the recorded dice have turned most probably."""
    ordered = sorted(found, key=lambda each: -each.chance_gone)
    shown = ordered[:_ROWS_MAX]
    drawn = bars(
        [(each.box, each.chance_gone, "f-triple" if each.chance_gone > 0.5 else "bar") for each in shown],
        title="chance that the house has no edge left",
        says="Chance that the edge of a box is gone, highest first",
    )
    page = figures_page(
        f"What the rolls say of {pay_table.id}",
        "posterior of each box's edge, from a Dirichlet prior on the faces",
        large=[
            (f"{100 * ordered[0].chance_gone:.2f} %", f"most in doubt: {ordered[0].box}"),
            (f"{100 * float(ordered[0].mean):.2f} %", "its expected edge"),
        ],
        pictures=[Drawing("gone", "Where the edge may be gone", "In red where that is likelier than not.")],
        rows=rows,
        notes="Means and spreads are exact; chances and intervals are drawn and say their error.",
    )
    return page_html(page, {"gone": drawn})
