"""`taisai demo`: a play-money house with simulated players, gone when it ends."""

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from taisai.cli.numbers import port_option
from taisai.cli.output import err

if TYPE_CHECKING:
    from taisai.server.config import Config


def register(app: typer.Typer) -> None:
    app.command()(demo)


def demo(
    port: Annotated[int, port_option("The port to listen at; 0 takes a free one.")] = 8400,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    data: Annotated[Path | None, typer.Option(help="Keep the record and the keys in this folder.")] = None,
    robots: Annotated[bool, typer.Option(help="Simulated players.")] = True,
    logins: Annotated[Path | None, typer.Option(help="Write names and passwords here, as JSON.")] = None,
) -> None:
    """A house to try out: play money, simulated players and dealers, a history, a login by one press."""
    if data is not None:
        data.mkdir(parents=True, exist_ok=True)
        _serve(data, host, port, robots=robots, logins=logins)
        return
    with tempfile.TemporaryDirectory(prefix="taisai-demo-") as folder:
        _serve(Path(folder), host, port, robots=robots, logins=logins)


def _serve(folder: Path, host: str, port: int, *, robots: bool, logins: Path | None) -> None:
    from taisai.cli.serving import data_folder, play_money_settings, start

    place = {**data_folder(folder), "host": host, "port": port}
    settings = play_money_settings({"server": place, "house": {"approval_minutes": 30}})
    if robots and not (folder / "house.db").exists():
        rounds = asyncio.run(_history(settings))
        err().print(f"a quarter of an hour was played before you came: {rounds} rounds")
    start(settings, robots=robots, logins=logins)


async def _history(settings: "Config") -> int:
    """The time until now, on a clock of its own."""
    from taisai.adapters.clock import ManualClock, wall_time
    from taisai.bootstrap import open_parts
    from taisai.server.robots.history import LENGTH, play_history

    now = wall_time()
    clock = ManualClock(now - LENGTH)
    async with open_parts(settings, clock) as parts:
        return await play_history(parts.house, clock, now)
