"""The PAR sheet as one HTML file: styles and pictures inside, no script, nothing fetched."""

from collections.abc import Callable
from typing import Final

from taisai.odds.extras import needs
from taisai.odds.par.plots import correlation_plot, edges_plot, spread_plot, totals_plot
from taisai.odds.par.plots_time import ahead_plot, returns_plot, settling_plot
from taisai.odds.par.sheet import ParSheet
from taisai.odds.par.templates import packaged, template
from taisai.odds.par.writing import par_page

DRAWINGS: Final[dict[str, Callable[[ParSheet], str]]] = {
    "totals": totals_plot,
    "spread": spread_plot,
    "edges": edges_plot,
    "ahead": ahead_plot,
    "settling": settling_plot,
    "correlation": correlation_plot,
    "returns": returns_plot,
}
# Where the pips of each face are, on a die of 26 by 26.
_PIPS: Final = {
    1: ((13, 13),),
    2: ((7, 7), (19, 19)),
    3: ((7, 7), (13, 13), (19, 19)),
    4: ((7, 7), (19, 7), (7, 19), (19, 19)),
    5: ((7, 7), (19, 7), (13, 13), (7, 19), (19, 19)),
    6: ((7, 7), (19, 7), (7, 13), (19, 13), (7, 19), (19, 19)),
}


def par_html(sheet: ParSheet) -> str:
    """The whole page."""
    # Drawings are SVG of our own making, and the style is a file of ours: neither is escaped.
    whole = needs("markupsafe").Markup
    text: str = template("page.html").render(
        page=par_page(sheet),
        style=whole(packaged("page.css")),
        drawings={name: whole(draw(sheet)) for name, draw in DRAWINGS.items()},
        pips=_PIPS,
    )
    return text
