"""`taisai archive`: closed months leave the store for signed archives, and archives are verified."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from taisai.cli.audit import counted, say_fault
from taisai.cli.output import Exit, err, out
from taisai.cli.staff import ask_secret
from taisai.errors import InputError


def register(app: typer.Typer) -> None:
    archive = typer.Typer(
        help="Let closed months leave the store for signed archives, and verify those.", no_args_is_help=True
    )
    archive.command()(make)
    archive.command()(verify)
    app.add_typer(archive, name="archive")


def make(
    month: Annotated[str, typer.Argument(metavar="MONTH", help="A month that is over, such as 2026-10.")],
    config: Annotated[Path, typer.Option("--config", "-c", help="The house's settings, a TOML file.")],
    folder: Annotated[Path, typer.Option("--out", help="The folder for archive-MONTH.jsonl.")],
    by: Annotated[str, typer.Option("--by", help="The first person, by the name on the staff list.")],
    second: Annotated[str, typer.Option("--second", help="The second person.")],
    reason: Annotated[str, typer.Option(help="Why, for the record.")],
    totp: Annotated[str, typer.Option("--totp", help="The first person's second factor.")] = "",
    second_totp: Annotated[str, typer.Option("--second-totp", help="The second person's.")] = "",
) -> None:
    """Archive everything up to the end of a month (UTC); the house is stopped, the keys are at hand.

    Both people sign in against the staff list; one of them is a shift manager or above. Passwords are asked
    for, or in HOUSE_PASSWORD and HOUSE_SECOND_PASSWORD. What leaves the store are the bodies of rounds'
    events and of answers; ids, digests, heads, transfers and the log stay.
    """
    from taisai.adapters.copies.archiving import Archiving
    from taisai.adapters.people.signing_in import SigningIn
    from taisai.bootstrap import archive_month
    from taisai.server.config import load_config

    if not folder.is_dir():
        raise InputError(f"expected a folder for the archive, got {folder}")
    settings = load_config(config)
    people = (
        SigningIn(by, ask_secret("HOUSE_PASSWORD", f"{by}'s password"), totp),
        SigningIn(second, ask_secret("HOUSE_SECOND_PASSWORD", f"{second}'s password"), second_totp),
    )
    event = asyncio.run(archive_month(settings, Archiving(*people, reason, month, folder)))
    commits = sum(last - after for after, last in event.writers.values())
    err().print(f"archived and on the record: {counted(commits, 'commit')} up to {event.until:%Y-%m-%d}")
    for stream, (after, last) in event.streams.items():
        err().print(f"{stream}: bodies of versions {after + 1:,} to {last:,} have left", markup=False)
    out().print(f"{folder / event.name}  sha256 {event.digest}", markup=False, soft_wrap=True)


def verify(
    archive: Annotated[Path, typer.Argument(metavar="ARCHIVE", help="An archive, or a part of a record.")],
    key: Annotated[
        list[Path], typer.Option("--key", help="A public key to trust, a PEM file; may be given again.")
    ],
    unsigned: Annotated[
        bool, typer.Option("--unsigned", help="Take a part that `audit export` wrote, which no key signed.")
    ] = False,
) -> None:
    """Check an archive by itself: its signature, every chain and commit in it, and the books from its start.

    Exit code 1 names the first fault and where it is.
    """
    from taisai.adapters.signing.trust import trust_files
    from taisai.record.faults import RecordFault
    from taisai.record.parts import verify_part

    keys = trust_files(key).keys
    try:
        with archive.open("rb") as file:
            found = verify_part(file, keys, where=archive.name, signed=not unsigned)
    except OSError as error:
        raise InputError(f"cannot read {archive}: {error.strerror}") from None
    except RecordFault as fault:
        say_fault(fault)
        raise SystemExit(Exit.CHECK_FAILED) from None
    out().print(
        f"[bold green]sound[/]: {counted(found.commits, 'commit')}, {counted(found.events, 'event')} and "
        f"{counted(found.transfers, 'transfer')} of {found.transferred_minor:,} as they were signed"
    )
