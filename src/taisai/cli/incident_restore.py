"""`taisai incident restore`: two people declare that a record goes on from a copy."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from taisai.cli.audit import counted
from taisai.cli.output import err, out
from taisai.cli.staff import ask_secret


def restore(
    config: Annotated[Path, typer.Option("--config", "-c", help="The house's settings, a TOML file.")],
    by: Annotated[str, typer.Option("--by", help="The first person, by the name on the copy's staff list.")],
    second: Annotated[str, typer.Option("--second", help="The second person.")],
    reason: Annotated[str, typer.Option(help="Why, for the record.")],
    lost: Annotated[
        str, typer.Option("--lost", help="The record that was lost, if it can still be read.")
    ] = "",
    totp: Annotated[str, typer.Option("--totp", help="The first person's second factor.")] = "",
    second_totp: Annotated[str, typer.Option("--second-totp", help="The second person's.")] = "",
) -> None:
    """Declare a restore: the copy is in place, the house is stopped, the keys are at hand.

    Both people sign in against the copy's staff list; one of them is a shift manager or above. Passwords
    are asked for, or in HOUSE_PASSWORD and HOUSE_SECOND_PASSWORD. Rounds in play are void. With --lost the
    tickets that were paid after the copy are listed, and are not paid again.
    """
    from taisai.adapters.copies.restoring import Declaring
    from taisai.adapters.people.signing_in import SigningIn
    from taisai.bootstrap import restore_declared
    from taisai.server.config import load_config

    settings = load_config(config)
    people = (
        SigningIn(by, ask_secret("HOUSE_PASSWORD", f"{by}'s password"), totp),
        SigningIn(second, ask_secret("HOUSE_SECOND_PASSWORD", f"{second}'s password"), second_totp),
    )
    declared, voided = asyncio.run(restore_declared(settings, Declaring(*people, reason, lost)))
    ends = ", ".join(f"{writer}/{number}" for writer, number in sorted(declared.ends.items()))
    err().print(f"declared and on the record: it goes on from {ends}", markup=False)
    for table in voided:
        err().print(f"the round in play at {table} is void", markup=False)
    if not declared.paid_is_known:
        err().print("which tickets were paid after the copy is not known: give --lost where it can be read")
        return
    amount = sum(ticket.amount for ticket in declared.paid)
    err().print(f"{counted(len(declared.paid), 'ticket')} of {amount:,} in all were paid after the copy")
    for ticket in declared.paid:
        out().print(f"ending in {ticket.last_four}  {ticket.amount:,}", markup=False)
