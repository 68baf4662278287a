"""`taisai cluster`: all of a cluster on one machine, and what fails in it, by hand, while somebody plays."""

from pathlib import Path
from typing import Annotated

import typer

from taisai.cli.numbers import port_option
from taisai.cli.output import Format, FormatOption, out, show_rows

_HERE = Path("cluster")
FolderOption = Annotated[Path, typer.Option("--folder", help="Where the cluster keeps everything.")]
Name = Annotated[str, typer.Argument(help="Such as desk1, gateway2, pg1, nats3.")]
Seconds = Annotated[float, typer.Option("--seconds", help="How long.", min=0.1, max=600)]


def register(app: typer.Typer) -> None:
    cluster = typer.Typer(help="A cluster on one machine, to try out: start it, and have parts of it fail.")
    for verb in (start, status, kill, stop, hang, partition):
        cluster.command()(verb)
    app.add_typer(cluster, name="cluster")


def start(
    folder: FolderOption = _HERE,
    port: Annotated[int, port_option("The first gateway's port; the next one's follows it.")] = 8400,
) -> None:
    """Start three PostgreSQL under Patroni, three NATS, two gateways and three desks, and watch them.

    It needs the extra `cluster` and ends with Ctrl-C. All of it is in one folder, and goes on there when it
    is started again.
    """
    import asyncio

    from taisai.cli.trial.running import run

    folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(run(folder.resolve(), first_port=port, say=lambda line: out().print(line, markup=False)))


def status(folder: FolderOption = _HERE, form: FormatOption = Format.TABLE) -> None:
    """Who runs, who is down, hung or cut off, who is the primary, and what each says of itself."""
    import asyncio

    from taisai.cli.trial.running import ask

    rows = asyncio.run(ask(folder, do="status"))["rows"]
    show_rows(rows, form)


def kill(name: Name, folder: FolderOption = _HERE, seconds: Seconds = 5.0) -> None:
    """End a process at once, as when its machine is lost; it comes back after some seconds."""
    _do("kill", name, folder, seconds)


def stop(name: Name, folder: FolderOption = _HERE, seconds: Seconds = 5.0) -> None:
    """Tell a process to end, as an upgrade does; it comes back after some seconds."""
    _do("stop", name, folder, seconds)


def hang(name: Name, folder: FolderOption = _HERE, seconds: Seconds = 5.0) -> None:
    """Have a process stand still for some seconds; it then goes on as if nothing had been."""
    _do("hang", name, folder, seconds)


def partition(name: Name, folder: FolderOption = _HERE, seconds: Seconds = 5.0) -> None:
    """Cut a process off from the bus and the record for some seconds."""
    _do("partition", name, folder, seconds)


def _do(deed: str, name: str, folder: Path, seconds: float) -> None:
    import asyncio

    from taisai.cli.trial.running import ask

    said = asyncio.run(ask(folder, do=deed, name=name, seconds=seconds))["said"]
    out().print(said, markup=False)
