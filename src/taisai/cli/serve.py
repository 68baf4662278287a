"""`taisai serve`: a house with its tables, pages and interface."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from taisai.cli.numbers import port_option


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="The house's settings, a TOML file.")
    ] = None,
    database: Annotated[
        str | None, typer.Option(help="sqlite:///PATH, a plain path, or postgresql://…")
    ] = None,
    host: Annotated[str | None, typer.Option(help="The address to listen at.")] = None,
    port: Annotated[int | None, port_option("The port to listen at.")] = None,
    keys: Annotated[str | None, typer.Option(help="The folder of the house's keys.")] = None,
) -> None:
    """Run a house. Without --config it is a play-money house with a few tables.

    The first start makes an administrator and an auditor, who seconds, with one-time passwords, printed once;
    a play-money house gets a login for each position.
    """
    from taisai.cli.serving import play_money_settings, start
    from taisai.server.config import load_config

    overrides: dict[str, dict[str, Any]] = {
        "server": {"database": database, "host": host, "port": port, "keys": keys}
    }
    path = config or (Path(os.environ["TAISAI_CONFIG"]) if "TAISAI_CONFIG" in os.environ else None)
    settings = load_config(path, overrides=overrides) if path else play_money_settings(overrides)
    if settings.server.gateways:
        from taisai.cli.fleet import start_fleet

        start_fleet(settings)
    else:
        start(settings)
