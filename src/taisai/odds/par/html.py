"""The PAR sheet as one HTML file: styles and pictures inside, no script, nothing fetched."""

from collections.abc import Callable
from typing import Final

from taisai.odds.par.plots import correlation_plot, edges_plot, spread_plot, totals_plot
from taisai.odds.par.plots_time import ahead_plot, returns_plot, settling_plot
from taisai.odds.par.sheet import ParSheet
from taisai.odds.par.writing import par_page
from taisai.odds.report.html import page_html

DRAWINGS: Final[dict[str, Callable[[ParSheet], str]]] = {
    "totals": totals_plot,
    "spread": spread_plot,
    "edges": edges_plot,
    "ahead": ahead_plot,
    "settling": settling_plot,
    "correlation": correlation_plot,
    "returns": returns_plot,
}


def par_html(sheet: ParSheet) -> str:
    """The whole page."""
    return page_html(par_page(sheet), {name: draw(sheet) for name, draw in DRAWINGS.items()})
