"""`taisai replay`: one round as a timeline, with every bet explained."""

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taisai.cli.audit import StoreArgument
from taisai.cli.numbers import whole_number
from taisai.cli.output import Format, FormatOption, out, show_json, show_rows
from taisai.errors import InputError, brief
from taisai.odds.bounds import COUNT_MAX

if TYPE_CHECKING:
    from taisai.floor.views.attempts import RefusedBet
    from taisai.floor.views.timeline import RoundTold, Step
    from taisai.game.settlement import BetResult


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
    if not slash or not table:
        raise InputError(f"expected a round such as T1/17, got {brief(round_name)}")
    round_number = whole_number(number, what="a round such as T1/17 has", least=1, most=COUNT_MAX)
    told, refused = asyncio.run(_told(store, table, round_number))
    bets = [_bet(result, language) for result in told.results]
    if form is Format.JSON:
        show_json({**_plain(told), "bets": bets, "refused": [_refused(each) for each in refused]})
    elif form is Format.TABLE:
        _tell(told, bets)
        for each in refused:
            row = _refused(each)
            out().print(f"  {row['at']}  {row['by']:<24} {row['what']} ({row['clause']})", markup=False)
    else:
        show_rows(_rows(told, bets) + [_refused(each) for each in refused], form)


async def _told(store: str, table: str, number: int) -> "tuple[RoundTold, list[RefusedBet]]":
    from taisai.adapters.stores import read_store
    from taisai.floor.views.attempts import refused_in_record
    from taisai.floor.views.timeline import round_in_record, tell_round

    async with read_store(store) as snapshot:
        told = tell_round(table, number, await round_in_record(snapshot, table, number))
        return told, await refused_in_record(snapshot, table, number)


def _refused(refused: "RefusedBet") -> dict[str, Any]:
    """A bet that was not taken: who asked for what, and by how much it came too late."""
    from taisai.record.journal import moment

    tried = refused.attempt
    late = "" if tried.late_ms is None else f", {tried.late_ms:,} ms late"
    slip = ", ".join(f"{box} {amount:,}" for box, amount in tried.slip.items())
    return {
        "at": moment(tried.at).isoformat(timespec="milliseconds"),
        "by": f"{tried.by.name} ({tried.by.role})",
        "clause": refused.clause,
        "what": f"refused, {refused.code}{late}: {tried.player} ({slip})",
    }


def _bet(result: "BetResult", language: str) -> dict[str, Any]:
    """What became of a bet, and why, in a language."""
    from taisai.game.explain import explain

    return {
        "player": result.player,
        "box": result.box,
        "stake": result.stake,
        "effective": result.effective,
        "returned": result.returned,
        "won": result.award.won,
        "clauses": list(result.clauses),
        "why": explain(result, language),
    }


def _plain(told: "RoundTold") -> dict[str, Any]:
    import msgspec

    facts: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(told, results=[]))
    del facts["results"]
    facts["events"] = facts.pop("steps")
    return facts


def _tell(told: "RoundTold", bets: list[dict[str, Any]]) -> None:
    console = out()
    held = f" ({told.held})" if told.held else ""
    console.print(
        f"{told.table}/{told.round}, {told.pay_table}: {told.state}{held}", style="bold", markup=False
    )
    for step in told.steps:
        by = f"{step.by} ({step.role})"
        console.print(f"  {_time(step)}  {by:<24} {step.text} ({step.clause})", markup=False)
    for bet in bets:
        console.print(_said(bet), markup=False)
        for sentence in bet["why"]:
            console.print(f"    {sentence}", markup=False)


def _time(step: "Step") -> str:
    return step.at.isoformat(timespec="milliseconds")


def _said(bet: dict[str, Any]) -> str:
    return f"{bet['player']} on {bet['box']}: {bet['stake']:,} → {bet['returned']:,}"


def _rows(told: "RoundTold", bets: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Acts, then bets with their reasons, in one table."""
    acts = [
        {"at": _time(step), "by": f"{step.by} ({step.role})", "clause": step.clause, "what": step.text}
        for step in told.steps
    ]
    reasons = [
        {
            "at": acts[-1]["at"],
            "by": bet["player"],
            "clause": " ".join(bet["clauses"]),
            "what": " ".join([f"{_said(bet)}:", *bet["why"]]),
        }
        for bet in bets
    ]
    return acts + reasons
