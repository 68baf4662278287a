"""`taisai audit`: prove that a record is whole, hand it to others, and keep its tips with a witness."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from taisai.cli.numbers import money_option, port_option
from taisai.cli.output import Exit, Format, FormatOption, err, out, show_json, show_rows
from taisai.errors import InputError, brief

if TYPE_CHECKING:
    from taisai.adapters.auditing.processes import Watch
    from taisai.adapters.signing.trust import Trust
    from taisai.floor.audit.whole import Report
    from taisai.floor.views.significant import Thresholds
    from taisai.record.faults import RecordFault
    from taisai.record.ports import Witness


def no_folder(address: str) -> str:
    """A store's address, unless a folder is there: that is refused here, before anything is opened."""
    from taisai.adapters.stores import is_postgres, sqlite_path

    if not is_postgres(address) and sqlite_path(address).is_dir():
        raise InputError(f"expected a record in a file, got the folder {brief(address)}")
    return address


StoreArgument = Annotated[
    str,
    typer.Argument(metavar="STORE", help="A file, sqlite:///PATH or postgresql://…", callback=no_folder),
]
KeyOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--key",
        help="A public key to trust, a PEM file or an id; may be given again. Default: STORE.key.pub.",
    ),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", help="A house's settings: its own keys, secrets and witness are asked."),
]
WitnessOption = Annotated[Path | None, typer.Option(help="A witness's file, to find what was cut off.")]


ArchiveOption = Annotated[
    list[Path] | None,
    typer.Option("--archive", help="An archive of this record; all that it names, each given once."),
]


def register(app: typer.Typer) -> None:
    audit = typer.Typer(help="Verify a record, export it, witness it.", no_args_is_help=True)
    audit.command()(verify)
    audit.command()(export)
    audit.command()(witness)
    audit.command()(receive)
    audit.command()(significant)
    audit.command()(incident)
    app.add_typer(audit, name="audit")


def verify(
    store: StoreArgument,
    key: KeyOption = None,
    config: ConfigOption = None,
    witness: WitnessOption = None,
    archive: ArchiveOption = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", min=1, help="Processes that share the work. Default: one a core, if the record is long."
        ),
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Check chains, signatures, witness, ledger, read models, tickets, and recompute every settlement.

    It says which keys it trusted and where they came from. Exit code 1 names the first fault and where it is;
    the same one, by however many processes.
    """
    from taisai.record.faults import RecordFault

    trust, asked = _asked(store, key, config, witness)
    try:
        with err().status("verifying…") as status:
            report = asyncio.run(
                audited(
                    store,
                    trust,
                    asked,
                    archive or (),
                    jobs,
                    lambda read, whole: status.update(f"verifying: {read:,} of {counted(whole, 'commit')}"),
                )
            )
    except RecordFault as fault:
        if form is Format.JSON:
            said = {"where": fault.where, "fault": fault.what, "keys": _key_rows(trust)}
            show_json({"store": store, "sound": False, **said})
        say_fault(fault)
        _say_keys(trust)
        raise SystemExit(Exit.CHECK_FAILED) from None
    _show(store, report, form, trust)


def _asked(
    store: str, key: list[Path] | None, config: Path | None, witness: Path | None
) -> "tuple[Trust, Witness | None]":
    """Whom to trust and which witness to ask."""
    from taisai.adapters.signing.trust import trust_house
    from taisai.adapters.witnesses.file import FileWitness

    given = FileWitness(witness) if witness else None
    if config is None:
        return trust_of(store, key), given
    from taisai.bootstrap import witness_of
    from taisai.server.config import load_config

    settings = load_config(config)
    pinned = [str(each) for each in key] if key else settings.server.trusted_keys
    return trust_house(Path(settings.server.keys), pinned, store), given or witness_of(settings)


def _key_rows(trust: "Trust") -> list[dict[str, object]]:
    import msgspec

    return [msgspec.to_builtins(source) for source in trust.sources]


def _say_keys(trust: "Trust") -> None:
    for source in trust.sources:
        err().print(f"trusted key {source.key} from {source.where}", markup=False)


def say_fault(fault: "RecordFault") -> None:
    """The first fault, on standard error; what a forger wrote is not taken for markup."""
    err().print(Text.assemble(("fault:", "bold red"), f" {fault.where}: {fault.what}"))


def _show(store: str, report: "Report", form: Format, trust: "Trust") -> None:
    import msgspec

    parts: dict[str, Any] = msgspec.to_builtins(report)
    notes = parts.pop("notes")
    if form is Format.JSON:
        show_json({"store": store, "sound": True, **parts, "keys": _key_rows(trust), "notes": notes})
        return
    _say_keys(trust)
    for note in report.notes:
        err().print(Text.assemble(("note:", "bold yellow"), f" {note.text}"))
    if form is not Format.TABLE:
        rows = [
            {"part": part, "what": what, "checked": count}
            for part, counts in parts.items()
            for what, count in counts.items()
        ]
        show_rows(rows, form)
        return
    record, rounds, tickets = report.record, report.rounds, report.tickets
    out().print(
        f"[bold green]sound[/]: {counted(record.commits, 'commit')}, {counted(record.events, 'event')} and "
        f"{counted(record.transfers, 'transfer')} of {record.transferred_minor:,} as they were signed"
    )
    out().print(
        f"recomputed {counted(rounds.rounds, 'round')} ({rounds.voided:,} void, "
        f"{counted(rounds.corrected, 'correction')}) with {counted(rounds.bets, 'bet')}: "
        f"{rounds.staked_minor:,} staked, {rounds.paid_minor:,} paid back"
    )
    out().print(
        f"followed {counted(tickets.issued, 'ticket')}, {tickets.ended:,} of them to the end; "
        f"{tickets.outstanding_minor:,} is owed on the others"
    )
    if record.archived:
        out().print(
            f"{counted(rounds.archived, 'round')} with {counted(record.archived, 'event')} are in archives "
            "and were verified by what stayed: give --archive FILE to recompute them too"
        )
    if record.witnessed:
        out().print(f"a witness has seen {counted(record.witnessed, 'tip')} of it")
    else:
        out().print("no witness was asked: give --witness FILE to find a record that was cut short")


def counted(count: int, word: str) -> str:
    """So many of something, in words."""
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


async def audited(
    store: str,
    trust: "Trust",
    witness: "Witness | None" = None,
    archives: Sequence[Path] = (),
    jobs: int | None = None,
    watch: "Watch | None" = None,
) -> "Report":
    """Audit the record at an address, by so many processes."""
    from taisai.adapters.auditing.helper import collect_seldom
    from taisai.adapters.auditing.processes import audited_by

    collect_seldom()
    return await audited_by(jobs, store, trust, witness.kept if witness else None, archives, watch)


def trust_of(store: str, key: list[Path] | None) -> "Trust":
    """The public keys that were given, or those beside the file."""
    from taisai.adapters.signing.trust import trust_store

    return trust_store(store, key)


def export(
    store: StoreArgument,
    out_file: Annotated[Path, typer.Option("--out", help="The file to write (JSON Lines).")],
    key: KeyOption = None,
    since: Annotated[
        datetime | None, typer.Option("--from", help="The first moment of a part (UTC), such as 2026-10-01.")
    ] = None,
    until: Annotated[
        datetime | None, typer.Option("--to", help="The moment that a part ends before (UTC).")
    ] = None,
    archive: ArchiveOption = None,
) -> None:
    """Write a record, or a part of it, in an open format that anyone can verify with the public key inside.

    A part says in its first line how everything stood before it, so that it is verified by itself too.
    """
    from taisai.adapters.copies.archives import filled
    from taisai.adapters.copies.backup import export_part_to_file, export_to_file
    from taisai.adapters.stores import read_store

    keys, now = trust_of(store, key).keys, datetime.now(UTC)
    bounds = [each.replace(tzinfo=each.tzinfo or UTC) if each else None for each in (since, until)]

    async def run() -> None:
        async with read_store(store) as stored:
            snapshot = await filled(stored, archive or ())
            if any(bounds):
                await export_part_to_file(
                    snapshot, out_file, at=now, keys=keys, since=bounds[0], until=bounds[1]
                )
            else:
                await export_to_file(snapshot, out_file, at=now, keys=keys)

    asyncio.run(run())
    err().print(f"wrote {out_file}", markup=False)


def witness(
    store: StoreArgument,
    to: Annotated[Path, typer.Option("--to", help="The witness's file; tips are added to it.")],
) -> None:
    """Hand the record's tips to a witness, so that nothing before them can be cut off unseen."""
    from taisai.adapters.stores import read_store
    from taisai.adapters.witnesses.file import FileWitness

    async def run() -> int:
        async with read_store(store) as snapshot:
            tips = (await snapshot.tips()).values()
            FileWitness(to).keep(datetime.now(UTC), tips)
            return len(tips)

    err().print(f"kept {counted(asyncio.run(run()), 'tip')} in {to}", markup=False)


def receive(
    to: Annotated[Path, typer.Option("--to", help="The file to which tips are added.")],
    token: Annotated[Path, typer.Option(help="A file with the token that the house shows, mode 600.")],
    certificate: Annotated[Path, typer.Option(help="The certificate of this machine (PEM).")],
    certificate_key: Annotated[Path, typer.Option(help="Its key (PEM).")],
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, port_option("The port to listen at; 0 takes a free one.")] = 8443,
) -> None:
    """Be the witness of a house on another machine: add the tips that it sends by HTTPS to a file.

    The house names this machine by `witness = "https://…"`. Lines are only ever added.
    """
    import uvicorn

    from taisai.adapters.sealing import load_secret_text
    from taisai.server.running import listen
    from taisai.server.witness_keeper import create_keeper

    for each in (certificate, certificate_key):
        if not each.exists():
            raise InputError(f"cannot read {each}: No such file or directory")
    app, opened = create_keeper(to, load_secret_text(token)), listen(host, port)
    err().print(f"keeping tips in {to} at https://{host}:{opened.getsockname()[1]}/", markup=False)
    settings = uvicorn.Config(
        app, ssl_certfile=certificate, ssl_keyfile=certificate_key, log_level="warning", lifespan="off"
    )
    uvicorn.Server(settings).run(sockets=[opened])


def significant(
    store: StoreArgument,
    win: Annotated[int | None, money_option("A win from this amount on counts as large.")] = None,
    wager: Annotated[int | None, money_option("A slip from this amount on counts as large.")] = None,
    transaction: Annotated[int | None, money_option("A payment from this amount on counts as large.")] = None,
    archive: ArchiveOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the significant events of a record: voids, corrections, doors, failed logins, large amounts.

    Amounts are in minor units. The list is read from the journal itself and leaves nothing out.
    """
    from taisai.floor.views.significant import Thresholds

    thresholds = Thresholds(win=win, wager=wager, transaction=transaction)
    show_rows(asyncio.run(_significant(store, thresholds, archive or ())), form)


async def _significant(
    store: str, thresholds: "Thresholds", archives: Sequence[Path]
) -> list[dict[str, object]]:
    from taisai.adapters.copies.archives import filled
    from taisai.adapters.stores import read_store
    from taisai.floor.views.significant import significant as significant_in
    from taisai.record.journal import moment
    from taisai.record.order import in_order

    async with read_store(store) as stored:
        snapshot = await filled(stored, archives)
        return [
            {
                "at": moment(found.at).isoformat(timespec="milliseconds"),
                "code": int(found.code),
                "event": found.name,
                "device": found.device,
                "by": found.by,
                "what": found.what,
                "amount_minor": found.amount,
            }
            async for commit in in_order(snapshot)
            for event in commit.events
            for found in significant_in(event, thresholds)
        ]


def incident(
    store: StoreArgument,
    number: Annotated[str, typer.Argument(help="The incident's number, as it was told.")],
    keys: Annotated[Path, typer.Option(help="The folder of the house's keys.")],
) -> None:
    """Open the sealed evidence of a fault of ours: command, versions and error, people under pseudonyms."""
    import msgspec

    from taisai.adapters.auditing.record_facts import record_facts
    from taisai.adapters.evidence import INCIDENTS_FOLDER, FolderSafe
    from taisai.adapters.sealing import load_secret
    from taisai.errors import UnknownName
    from taisai.floor.desks.evidence import IncidentNoted, about

    safe = FolderSafe(keys / INCIDENTS_FOLDER, load_secret(keys / "sealing.key"))
    recorded = asyncio.run(record_facts(store, thorough=False)).incidents
    beside = [msgspec.json.decode(text, type=IncidentNoted) for text in safe.texts()]
    noted = {each.number: each for each in (*beside, *recorded)}
    found = noted.get(number.upper())
    if found is None:
        raise UnknownName("incident", number, noted)
    show_json(msgspec.json.decode(safe.open(found.evidence, about=about(found.number))))
