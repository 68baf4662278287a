"""`taisai replay`: one round as a timeline, with every bet explained."""

import asyncio
from typing import Annotated, Any

import typer

from taisai.cli.audit import StoreArgument
from taisai.cli.output import Format, FormatOption, out, show_json
from taisai.errors import InputError


def register(app: typer.Typer) -> None:
    app.command()(replay)


def replay(
    store: StoreArgument,
    round_name: Annotated[str, typer.Option("--round", help="TABLE/N, for example T1/17.")],
    language: Annotated[str, typer.Option(help="en, zh-Hant or zh-Hans.")] = "en",
    form: FormatOption = Format.TABLE,
) -> None:
    """Play one recorded round again: what happened, by whom, under which clause, and why each bet paid."""
    table, slash, number = round_name.rpartition("/")
    if not slash or not number.isdigit():
        raise InputError(f"expected a round such as T1/17, got {round_name!r}")
    timeline = asyncio.run(_timeline(store, table, int(number), language))
    if form is Format.JSON:
        show_json(timeline)
        return
    console = out()
    console.print(f"[bold]{round_name}[/], {timeline['pay_table']}: {timeline['state']}")
    for step in timeline["events"]:
        console.print(f"  {step['at']}  {step['by']:<24} {step['what']} ({step['clause']})", markup=False)
    for bet in timeline["bets"]:
        console.print(
            f"{bet['player']} on {bet['box']}: {bet['stake']:,} → {bet['returned']:,}", markup=False
        )
        for sentence in bet["why"]:
            console.print(f"    {sentence}", markup=False)


async def _timeline(store: str, table: str, number: int, language: str) -> dict[str, Any]:
    from taisai.adapters.stores import read_store
    from taisai.floor.timeline import read_round, timeline

    async with read_store(store) as snapshot:
        return timeline(await read_round(snapshot, table, number), language)
