"""`taisai replay`: one round as a timeline, with every bet explained."""

import asyncio
from typing import Annotated, Any

import typer

from taisai.cli.audit import StoreArgument
from taisai.cli.output import Format, FormatOption, out, show_json, show_rows
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
    elif form is Format.TABLE:
        _tell(round_name, timeline)
    else:
        show_rows(_rows(timeline), form)


def _tell(round_name: str, timeline: dict[str, Any]) -> None:
    console = out()
    console.print(f"{round_name}, {timeline['pay_table']}: {timeline['state']}", style="bold", markup=False)
    for step in timeline["events"]:
        console.print(f"  {step['at']}  {step['by']:<24} {step['what']} ({step['clause']})", markup=False)
    for bet in timeline["bets"]:
        console.print(_said(bet), markup=False)
        for sentence in bet["why"]:
            console.print(f"    {sentence}", markup=False)
    for player, amount in timeline["returned"].items():
        console.print(f"{player}: {amount:,} returned", markup=False)


def _said(bet: dict[str, Any]) -> str:
    return f"{bet['player']} on {bet['box']}: {bet['stake']:,} → {bet['returned']:,}"


def _rows(timeline: dict[str, Any]) -> list[dict[str, Any]]:
    """Acts, then bets with their reasons, in one table."""
    acts = [{name: step[name] for name in ("at", "by", "clause", "what")} for step in timeline["events"]]
    last = acts[-1]["at"]
    bets = [
        {
            "at": last,
            "by": bet["player"],
            "clause": " ".join(bet["clauses"]),
            "what": " ".join([f"{_said(bet)}:", *bet["why"]]),
        }
        for bet in timeline["bets"]
    ]
    back = [
        {"at": last, "by": player, "clause": "", "what": f"{amount:,} returned"}
        for player, amount in timeline["returned"].items()
    ]
    return acts + bets + back


async def _timeline(store: str, table: str, number: int, language: str) -> dict[str, Any]:
    from taisai.adapters.stores import read_store
    from taisai.floor.views.timeline import read_round, timeline

    async with read_store(store) as snapshot:
        return timeline(await read_round(snapshot, table, number), language)
