"""Figures without global state: no pyplot, no display, and the same bytes for the same data."""

from pathlib import Path
from typing import Any, Final

from taisai.errors import InputError
from taisai.odds.extras import needs

INK: Final = "#1f5f8b"
MUTED: Final = "#9fb8c8"
WARNING: Final = "#b3352b"
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
    metadata = {"Date": None} if path.suffix.lower() == ".svg" else {}
    try:
        with needs("matplotlib").rc_context({"svg.hashsalt": "taisai", "svg.fonttype": "none"}):
            figure.savefig(path, dpi=120, metadata=metadata)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    return path
