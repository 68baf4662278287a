"""The PAR sheet as Markdown, for a review, a ticket or a terminal."""

from taisai.odds.par.sheet import ParSheet
from taisai.odds.par.writing import par_page
from taisai.odds.report.page import Grid, Section
from taisai.odds.report.templates import template


def par_markdown(sheet: ParSheet) -> str:
    """The whole sheet as one Markdown text; what only pictures show is left out."""
    page = par_page(sheet)
    sections = [(section, _grids(section)) for section in page.sections]
    text: str = template("page.md").render(page=page, sections=[each for each in sections if each[1]])
    return text


def _grids(section: Section) -> list[Grid]:
    """The tables of a section, in their order."""
    blocks = [block for column in section.beside for block in column]
    return [block for block in (*blocks, *section.below) if isinstance(block, Grid)]
