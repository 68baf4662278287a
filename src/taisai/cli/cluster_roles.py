"""`taisai desk` and `taisai gateway`: the two halves of `taisai serve`, on as many machines as needed."""

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taisai.cli.numbers import port_option
from taisai.errors import InputError

if TYPE_CHECKING:
    from taisai.server.config import Config
    from taisai.server.parts import Parts

_SETTINGS = typer.Option("--config", "-c", help="The house's settings, the same for all processes.")


def register(app: typer.Typer) -> None:
    app.command()(desk)
    app.command()(gateway)


def desk(
    config: Annotated[Path | None, _SETTINGS] = None,
    slot: Annotated[
        str | None, typer.Option(help="The writer's name on the record, in the place of cluster.slot.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(help="Run this unit alone: `office`, or a table by its name. Give it again for more."),
    ] = None,
    keys: Annotated[str | None, typer.Option(help="The folder of the house's keys.")] = None,
    ops_host: Annotated[str | None, typer.Option(help="The address of /readyz and /metrics.")] = None,
    ops_port: Annotated[int | None, port_option("Its port.")] = None,
) -> None:
    """Run desks of a house: tables, cage, staff list. Gateways bring their acts over the bus.

    Several of them divide the house: each takes what is free, hands it over at its end without a pause, and
    takes over what another lost. The first start makes the first logins, as `taisai serve` does.
    """
    from taisai.adapters.stores import is_postgres
    from taisai.cli.serving import say_ending
    from taisai.roles import open_serving, open_shared_desk
    from taisai.server.desk_app import create_desk_app
    from taisai.server.ops.logs import set_up_logs
    from taisai.server.running import listen, run

    server = {"keys": keys, "ops_host": ops_host, "ops_port": ops_port}
    settings = _settings(config, {"server": server, "cluster": {"slot": slot}})
    set_up_logs(settings.server.log_level)
    port = settings.server.ops_port
    opened = listen(settings.server.ops_host, settings.server.port if port is None else port)
    opening = partial(open_serving, settings)
    if is_postgres(settings.server.database):
        opening = partial(open_shared_desk, settings, only=only or ())
    elif only:
        raise InputError("--only: a record in a file has one process for all desks")
    app = create_desk_app(opening, first=[partial(_welcome, settings)])
    say_ending(run(app, settings, opened))


def gateway(
    config: Annotated[Path | None, _SETTINGS] = None,
    host: Annotated[str | None, typer.Option(help="The address to listen at.")] = None,
    port: Annotated[int | None, port_option("The port to listen at.")] = None,
    keys: Annotated[str | None, typer.Option(help="The folder of the house's keys.")] = None,
    ops_port: Annotated[int | None, port_option("The port of /readyz and /metrics.")] = None,
) -> None:
    """Serve a house's pages, terminals and interface; what is decided is decided by desks elsewhere."""
    from taisai.cli.output import err
    from taisai.cli.serving import say_ending
    from taisai.roles import open_gateway
    from taisai.server.app import create_app
    from taisai.server.live.hub import Hub
    from taisai.server.ops.logs import set_up_logs
    from taisai.server.running import listen, listen_for_ops, run

    settings = _settings(config, {"server": {"host": host, "port": port, "keys": keys, "ops_port": ops_port}})
    set_up_logs(settings.server.log_level)
    opened = listen(settings.server.host, settings.server.port)
    here = opened.getsockname()[1]

    async def say(hub: Hub) -> None:
        scheme = "https" if settings.uses_tls else "http"
        err().print(
            f"gateway {hub.gateway} serves {settings.house.name} at {scheme}://{settings.server.host}:{here}"
        )

    app = create_app(partial(open_gateway, settings, here), first=[say])
    say_ending(run(app, settings, opened, *listen_for_ops(settings)))


def _settings(path: Path | None, overrides: dict[str, dict[str, Any]]) -> "Config":
    from taisai.server.config import load_config

    path = path or (Path(os.environ["TAISAI_CONFIG"]) if "TAISAI_CONFIG" in os.environ else None)
    if path is None:
        raise InputError("expected the house's settings: --config FILE, or TAISAI_CONFIG")
    settings = load_config(path, overrides=overrides)
    if not settings.writing.nats:
        raise InputError("cluster.nats: expected the addresses of the bus, such as nats://n1:4222, got none")
    return settings


async def _welcome(config: "Config", parts: "Parts") -> None:
    """The first people of the house, whose passwords are told once, and what the record is to know of it."""
    from taisai.bootstrap import first_logins, note_money
    from taisai.cli.output import err
    from taisai.cli.serving import people_of, say_logins

    err().print(f"desk {config.writing.slot} is ready, of {config.house.name}", markup=False)
    if not parts.house.decides:  # whoever has the office
        return
    people = people_of(config)
    told = await first_logins(parts, config.staff_policy, people, must_change=not config.house.play_money)
    await note_money(parts, config)
    say_logins(told)
