"""`taisai keys`: which keys a house signs with, and handing over from one to another."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from taisai.cli.output import Format, FormatOption, err, show_rows

if TYPE_CHECKING:
    from taisai.record.anchor import AnyAnchorEvent
    from taisai.server.config import Config

ConfigArgument = Annotated[Path, typer.Option("--config", "-c", help="The house's settings, a TOML file.")]


def register(app: typer.Typer) -> None:
    keys = typer.Typer(help="List a house's keys, rotate the one that signs.", no_args_is_help=True)
    keys.command("list")(list_keys)
    keys.command()(rotate)
    app.add_typer(keys, name="keys")


def list_keys(config: ConfigArgument, form: FormatOption = Format.TABLE) -> None:
    """List the signing keys, in use and before, and the secrets by their check values.

    Nothing secret is shown. `record` says whether the record knows the key or the check value.
    """
    from taisai.server.config import load_config

    settings = load_config(config)
    show_rows(asyncio.run(_rows(settings)), form)


async def _rows(config: "Config") -> list[dict[str, object]]:
    from taisai.adapters.signing.places import key_place
    from taisai.adapters.signing.trust import trust_house

    folder = Path(config.server.keys)
    place, trust = key_place(config.server.signer, folder), trust_house(folder)
    current, waiting = place.current(), place.successor()
    events, signed = await _on_record(config)
    rows: list[dict[str, object]] = []
    for source in trust.sources:
        use = "before"
        if current is not None and source.key == current.key_id:
            use = "in use"
        elif waiting is not None and source.key == waiting.key_id:
            use = "waiting"
        known = "signed by it" if source.key in signed else ""
        rows.append({"key": "signing", "use": use, "id": source.key, "where": source.where, "record": known})
    return [*rows, *_secret_rows(trust.secrets, folder, events)]


def _secret_rows(
    secrets: Mapping[str, bytes], folder: Path, events: "list[AnyAnchorEvent]"
) -> list[dict[str, object]]:
    from taisai.record.anchor import check_value, noted_values

    noted = noted_values(events)
    rows: list[dict[str, object]] = []
    for name, secret in secrets.items():
        value = check_value(name, secret)
        said = "not noted yet" if name not in noted else "the same" if noted[name] == value else "another"
        where = str(folder / f"{name}.key")
        rows.append({"key": name, "use": "in use", "id": value, "where": where, "record": said})
    return rows


async def _on_record(config: "Config") -> "tuple[list[AnyAnchorEvent], set[str]]":
    """What the record says of its keys, and by which of them its last commits are signed."""
    from taisai.adapters.auditing.whole import anchor_events
    from taisai.adapters.stores import is_postgres, read_store, sqlite_path
    from taisai.record.anchor import KeyRotated

    database = config.server.database
    if not is_postgres(database) and not sqlite_path(database).exists():
        return [], set()
    async with read_store(database) as snapshot:
        events = await anchor_events(snapshot)
        signed = {tip.key for tip in (await snapshot.tips()).values()}
    return events, signed | {event.old for event in events if isinstance(event, KeyRotated)}


def rotate(
    config: ConfigArgument,
    reason: Annotated[str, typer.Option(help="Why, for the record.")] = "",
) -> None:
    """Hand the record over to a new signing key, with the house stopped.

    Old and new key both sign it; then the old one can sign no more, and its public half stays. Whoever pinned
    the old key can verify the record as before.
    """
    from taisai.bootstrap import rotate_key
    from taisai.server.config import load_config

    rotated = asyncio.run(rotate_key(load_config(config), reason))
    err().print(f"key {rotated.old} handed over to {rotated.new}", markup=False)
    err().print("copy the folder of keys again, and give the new public half to whoever verifies")
