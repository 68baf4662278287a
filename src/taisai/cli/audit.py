"""`taisai audit`: prove that a record is whole, hand it to others, and keep its tips with a witness."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from taisai.cli.output import Exit, Format, FormatOption, err, out, show_json

StoreArgument = Annotated[
    str, typer.Argument(metavar="STORE", help="A file, sqlite:///PATH or postgresql://…")
]
KeyOption = Annotated[
    list[Path] | None,
    typer.Option("--key", help="A public key (PEM); may be given again. Default: STORE.key.pub."),
]
WitnessOption = Annotated[Path | None, typer.Option(help="A witness's file, to find what was cut off.")]


def register(app: typer.Typer) -> None:
    audit = typer.Typer(help="Verify a record, export it, witness it.", no_args_is_help=True)
    audit.command()(verify)
    audit.command()(export)
    audit.command()(witness)
    app.add_typer(audit, name="audit")


def verify(
    store: StoreArgument,
    key: KeyOption = None,
    witness: WitnessOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Check chains, signatures, witness, ledger, balances, and recompute every settlement.

    Exit code 1 names the first fault and where it is.
    """
    from taisai.floor.journal_verify import RecordFault

    try:
        report = asyncio.run(_verify(store, key, witness))
    except RecordFault as fault:
        if form is Format.JSON:
            show_json({"store": store, "sound": False, "where": fault.where, "fault": fault.what})
        else:
            err().print(f"[bold red]fault:[/] {fault.where}: {fault.what}", markup=True)
        raise SystemExit(Exit.CHECK_FAILED) from None
    if form is Format.JSON:
        show_json(report)
        return
    record, rounds = report["record"], report["rounds"]
    out().print(
        f"[bold green]sound[/]: {record['commits']:,} commits, {record['events']:,} events "
        f"and {record['transfers']:,} transfers as they were signed"
    )
    out().print(
        f"recomputed {rounds['rounds']:,} rounds ({rounds['voided']:,} void, {rounds['corrected']:,} "
        f"corrections) with {rounds['bets']:,} bets: {rounds['staked_minor']:,} staked, "
        f"{rounds['paid_minor']:,} paid back"
    )
    if not record["witnessed"]:
        out().print("no witness was asked: give --witness FILE to find a record that was cut short")


async def _verify(store: str, key: list[Path] | None, witness: Path | None) -> dict[str, Any]:
    import msgspec

    from taisai.adapters.scratch import Scratch
    from taisai.adapters.stores import read_store
    from taisai.adapters.witness import FileWitness
    from taisai.floor.audit_rounds import SettlementCheck, check_revisited
    from taisai.floor.journal_verify import verify as verify_record
    from taisai.floor.views import VIEWS
    from taisai.game.round import shipped_rules

    check = SettlementCheck()
    async with read_store(store) as snapshot:
        findings = await verify_record(
            snapshot,
            _keys(store, key),
            witnessed=FileWitness(witness).kept() if witness else (),
            checks=[check],
            views=VIEWS,
            scratch=Scratch,
        )
        await check_revisited(snapshot, check, shipped_rules)
    return {
        "store": store,
        "sound": True,
        "record": msgspec.to_builtins(findings),
        "rounds": msgspec.to_builtins(check.findings),
    }


def _keys(store: str, key: list[Path] | None) -> Any:
    from taisai.adapters.keys import load_public_keys
    from taisai.adapters.stores import is_postgres, sqlite_path
    from taisai.errors import InputError

    if key:
        return load_public_keys(key)
    if is_postgres(store):
        raise InputError("which key signed this record? give its public half with --key FILE")
    path = sqlite_path(store)
    return load_public_keys([path.with_name(path.name + ".key.pub")])


def export(
    store: StoreArgument,
    out_file: Annotated[Path, typer.Option("--out", help="The file to write (JSON Lines).")],
    key: KeyOption = None,
) -> None:
    """Write the whole record in an open format that anyone can verify with the public key inside."""
    from taisai.adapters.backup import export_to_file
    from taisai.adapters.stores import read_store

    async def run() -> None:
        async with read_store(store) as snapshot:
            await export_to_file(snapshot, out_file, at=datetime.now(UTC), keys=_keys(store, key))

    asyncio.run(run())
    err().print(f"wrote {out_file}")


def witness(
    store: StoreArgument,
    to: Annotated[Path, typer.Option("--to", help="The witness's file; tips are added to it.")],
) -> None:
    """Hand the record's tips to a witness, so that nothing before them can be cut off unseen."""
    from taisai.adapters.stores import read_store
    from taisai.adapters.witness import FileWitness

    async def run() -> int:
        async with read_store(store) as snapshot:
            tips = (await snapshot.tips()).values()
            FileWitness(to).keep(datetime.now(UTC), tips)
            return len(tips)

    err().print(f"{asyncio.run(run())} tip(s) kept in {to}")
