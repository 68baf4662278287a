"""`taisai incident`: what is done with the server stopped and the house's keys at hand, on the record."""

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taisai.cli.incident_restore import restore
from taisai.cli.output import err, out
from taisai.errors import InputError
from taisai.game.people import Role
from taisai.game.refusals import Refusal, Refused

if TYPE_CHECKING:
    from taisai.floor.staff import messages as msg
    from taisai.server.config import Config
    from taisai.server.parts import Parts


class StaffRemedy(StrEnum):
    """What can be done to the staff list when nobody is left who could agree to it."""

    ADD = "add"
    ROLE = "role"
    ENABLE = "enable"
    RESET = "reset"
    REMOVE_TOTP = "remove-totp"


def register(app: typer.Typer) -> None:
    incident = typer.Typer(
        help="Remedies with the server stopped and the house's keys at hand. Each goes on the record.",
        no_args_is_help=True,
    )
    incident.command()(staff)
    incident.command()(restore)
    app.add_typer(incident, name="incident")


def staff(
    act: Annotated[StaffRemedy, typer.Argument(help="What is to be done.")],
    person: Annotated[str, typer.Argument(metavar="NAME", help="The person whom it concerns.")],
    config: Annotated[Path, typer.Option("--config", "-c", help="The house's settings, a TOML file.")],
    by: Annotated[str, typer.Option("--by", help="Who you are, for the record.")],
    reason: Annotated[str, typer.Option(help="Why, for the record.")],
    role: Annotated[Role | None, typer.Option(help="The position, for add and role.")] = None,
    absent: Annotated[
        list[str] | None,
        typer.Option("--absent", help="Somebody on the list who cannot act; may be repeated."),
    ] = None,
) -> None:
    """Change the staff list when no administrator and second person are left who could.

    It is refused while the server runs, and while two people on the list could do it in the house.
    """
    from taisai.server.config import load_config

    if (role is None) == (act in (StaffRemedy.ADD, StaffRemedy.ROLE)):
        raise InputError("--role belongs to add and role, and to nothing else")
    settings = load_config(config)
    password = asyncio.run(_remedied(settings, act, person, role, by=by, reason=reason, absent=absent or []))
    if password:
        out().print(f"{person}  {password}", markup=False)
        err().print("shown this once; it is changed at the first login")
    err().print(f"done and on the record: {act} {person}", markup=False)


async def _remedied(
    config: "Config",
    act: StaffRemedy,
    person: str,
    role: Role | None,
    *,
    by: str,
    reason: str,
    absent: list[str],
) -> str:
    """Declare the incident and do the act; the one-time password, where there is a new one."""
    from taisai.adapters.people.passwords import one_time_password
    from taisai.adapters.stores import is_postgres, sqlite_path
    from taisai.bootstrap import open_parts
    from taisai.floor.desks.decider import SYSTEM
    from taisai.floor.staff.messages import DeclareStaffIncident

    database = config.server.database
    if not is_postgres(database) and not sqlite_path(database).exists():
        raise InputError(f"expected the record of a house, and there is none at {database}")
    password = one_time_password() if act in (StaffRemedy.ADD, StaffRemedy.RESET) else ""
    async with open_parts(config) as parts:
        state = parts.house.read.staff()
        if state.is_empty:
            raise InputError("the staff list is empty: the first start of the house makes the first people")
        command = _command(parts, act, person, role, password, reason=f"incident: {reason}")
        declared = DeclareStaffIncident(
            by=SYSTEM,
            at=parts.house.now(),
            operator=by,
            about=person,
            act=str(act),
            reason=reason,
            absent=tuple(absent),
        )
        refusal = state.never(command)
        if refusal is not None:
            raise Refused(refusal)
        await _done(parts, declared)
        await _done(parts, command)
    return password


def _command(
    parts: "Parts", act: StaffRemedy, person: str, role: Role | None, password: str, *, reason: str
) -> "msg.AnyStaffCommand":
    from taisai.floor.desks.decider import SYSTEM
    from taisai.floor.staff import messages as msg

    said: dict[str, Any] = {"by": SYSTEM, "at": parts.house.now(), "name": person, "reason": reason}
    if password:
        said["password_hash"] = parts.passwords.hash(person, password)
        said["facts"] = parts.passwords.facts(person, password)
    if role is not None:
        said["role"] = role
    match act:
        case StaffRemedy.ADD:
            return msg.AddStaff(**said)
        case StaffRemedy.ROLE:
            return msg.ChangeRole(**said)
        case StaffRemedy.ENABLE:
            return msg.EnableStaff(**said)
        case StaffRemedy.RESET:
            return msg.ResetPassword(**said)
        case StaffRemedy.REMOVE_TOTP:
            return msg.SetTotp(**said, secret=None)


async def _done(parts: "Parts", command: "msg.AnyStaffCommand") -> None:
    from uuid import uuid4

    from taisai.floor.approvals.asked import StaffAct
    from taisai.floor.desks.decider import SYSTEM

    answer = await parts.house.do(StaffAct(command), SYSTEM, uuid4().hex)
    if isinstance(answer, Refusal):
        raise Refused(answer)
