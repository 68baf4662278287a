"""`taisai layout`: the felt of a pay table, in the terminal or as a picture."""

import typer


def register(app: typer.Typer) -> None:
    """Filled in below."""
