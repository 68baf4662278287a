"""Figures without global state: no pyplot, no display, and the same bytes for the same data."""

from io import StringIO
from pathlib import Path
from typing import Any, Final

from taisai.errors import InputError
from taisai.odds.extras import needs

# The colours of the felt, as in reports; by night an SVG takes those of its second column.
INK: Final = "#2d7a63"
MUTED: Final = "#8fc9b5"
WARNING: Final = "#c23b3b"
DICE: Final = ("#2f6db3", "#c1790b", "#8450a6")
_BY_NIGHT: Final = {
    INK: "#4fae91",
    MUTED: "#2f6b5a",
    WARNING: "#e57373",
    DICE[0]: "#6ea6e6",
    DICE[1]: "#e3a63f",
    DICE[2]: "#b98ad8",
    "#ffffff": "#1a2124",
    "#000000": "#e7e9e5",
    "#cccccc": "#2e383b",
}
ENDINGS: Final = (".svg", ".png")


def check_plot_path(path: str | Path) -> Path:
    """A file that a figure can be written to; asked before a long run, not after it."""
    path = Path(path)
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"expected a plot file ending in {' or '.join(ENDINGS)}, got {path.name!r}")
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}: there is no directory {path.parent}")
    return path


def new_figure(width: float, height: float) -> Any:
    """An empty figure, in inches."""
    figure = needs("matplotlib.figure").Figure(figsize=(width, height), layout="constrained")
    needs("matplotlib.backends.backend_agg").FigureCanvasAgg(figure)
    return figure


def save_figure(figure: Any, path: str | Path) -> Path:
    """Write a figure as .svg or .png; no date goes in, so that equal data gives equal files."""
    path = check_plot_path(path)
    try:
        if path.suffix.lower() == ".svg":
            path.write_text(_svg(figure), encoding="utf-8")
        else:
            figure.savefig(path, dpi=120)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    return path


def _svg(figure: Any) -> str:
    """The figure as SVG whose colours follow the reader's day and night."""
    drawn = StringIO()
    with needs("matplotlib").rc_context({"svg.hashsalt": "taisai", "svg.fonttype": "none"}):
        figure.savefig(drawn, format="svg", dpi=120, metadata={"Date": None})
    text = drawn.getvalue()
    for day in _BY_NIGHT:
        text = text.replace(f": {day}", f": var({_name(day)})")
    return text.replace("</metadata>", f"</metadata>\n <style>{_palette()}</style>", 1)


def _name(colour: str) -> str:
    return f"--c{colour[1:]}"


def _palette() -> str:
    """Every colour by day and by night; words have no colour of their own in the file."""
    day = "".join(f"{_name(colour)}: {colour}; " for colour in _BY_NIGHT)
    night = "".join(f"{_name(colour)}: {other}; " for colour, other in _BY_NIGHT.items())
    words = f"text {{ fill: var({_name('#000000')}); }}"
    return f":root {{ {day}}} @media (prefers-color-scheme: dark) {{ :root {{ {night}}} }} {words}"
