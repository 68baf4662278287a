"""`taisai demo`: a play-money house with simulated players, gone when it ends."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from taisai.cli.numbers import port_option


def register(app: typer.Typer) -> None:
    app.command()(demo)


def demo(
    port: Annotated[int, port_option("The port to listen at; 0 takes a free one.")] = 8400,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    data: Annotated[Path | None, typer.Option(help="Keep the record and the keys in this folder.")] = None,
    robots: Annotated[bool, typer.Option(help="Simulated players.")] = True,
    logins: Annotated[Path | None, typer.Option(help="Write names and passwords here, as JSON.")] = None,
) -> None:
    """A house to try out: play money, automatic tables, simulated players, a login for each position."""
    if data is not None:
        data.mkdir(parents=True, exist_ok=True)
        _serve(data, host, port, robots=robots, logins=logins)
        return
    with tempfile.TemporaryDirectory(prefix="taisai-demo-") as folder:
        _serve(Path(folder), host, port, robots=robots, logins=logins)


def _serve(folder: Path, host: str, port: int, *, robots: bool, logins: Path | None) -> None:
    from taisai.cli.serving import data_folder, play_money_settings, start

    settings = play_money_settings({"server": {**data_folder(folder), "host": host, "port": port}})
    start(settings, robots=robots, logins=logins)
