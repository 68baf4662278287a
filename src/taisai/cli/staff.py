"""`taisai staff`: who works in a running house. It asks the house's own interface, as an administrator."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taisai.cli.output import Format, FormatOption, err, out, show_rows
from taisai.errors import InputError, StoreUnavailable
from taisai.game.people import Role

if TYPE_CHECKING:
    from taisai.client import Staff

HouseOption = Annotated[
    str, typer.Option("--house", envvar="HOUSE", help="The address of the house, as https://house.example.")
]
AsOption = Annotated[str, typer.Option("--as", help="Your own name in the house.")]
TotpOption = Annotated[str, typer.Option("--totp", help="The code of your second factor, if you have one.")]
CaOption = Annotated[
    Path | None, typer.Option("--ca", help="Certificates to trust (PEM), if not the machine's.")
]
RequestArgument = Annotated[str, typer.Argument(metavar="REQUEST", help="The id of what was asked for.")]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The person's name in the house.")]

_HOUSE = "http://localhost:8400"
_ASK_SECONDS = 60.0


def register(app: typer.Typer) -> None:
    staff = typer.Typer(
        help="Add people to a running house, change them, agree to it. Your password is asked for, or in "
        "HOUSE_PASSWORD.",
        no_args_is_help=True,
    )
    staff.command("list")(list_staff)
    staff.command()(add)
    staff.command()(change)
    staff.command()(reset)
    staff.command()(waiting)
    staff.command()(agree)
    staff.command()(deny)
    staff.command()(password)
    app.add_typer(staff, name="staff")


def list_staff(
    house: HouseOption = _HOUSE,
    name: AsOption = "admin",
    totp: TotpOption = "",
    ca: CaOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List everyone with position, state and last login."""

    async def ask(admin: "Staff") -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = await admin.get("/staff")
        return listed

    show_rows(_asked(house, name, totp, ca, ask), form)


def add(
    person: NameArgument,
    role: Annotated[Role, typer.Argument(metavar="POSITION", help="What they are in the house.")],
    house: HouseOption = _HOUSE,
    name: AsOption = "admin",
    totp: TotpOption = "",
    ca: CaOption = None,
) -> None:
    """Ask for a new person. The one-time password, shown this once, is good when a second person agrees."""
    _show_password(house, name, totp, ca, lambda admin: admin.post("/staff", {"name": person, "role": role}))


def reset(
    person: NameArgument,
    house: HouseOption = _HOUSE,
    name: AsOption = "admin",
    totp: TotpOption = "",
    ca: CaOption = None,
) -> None:
    """Ask for a new one-time password of a person, shown this once, good when a second person agrees."""

    async def ask(admin: "Staff") -> Any:
        return await admin.delete(f"/staff/{person}/password")

    _show_password(house, name, totp, ca, ask)


def change(
    person: NameArgument,
    role: Annotated[Role | None, typer.Option(help="Another position.")] = None,
    enabled: Annotated[
        bool | None, typer.Option("--enable/--disable", help="Whether they may log in at all.")
    ] = None,
    unlock: Annotated[bool, typer.Option("--unlock", help="After too many wrong passwords.")] = False,
    remove_totp: Annotated[
        bool, typer.Option("--remove-totp", help="Their second factor is lost; they set up another.")
    ] = False,
    reason: Annotated[str, typer.Option(help="Why, for the record.")] = "",
    house: HouseOption = _HOUSE,
    name: AsOption = "admin",
    totp: TotpOption = "",
    ca: CaOption = None,
) -> None:
    """Change a person's position, let them in or shut them out, unlock them, forget a lost second factor."""
    body: dict[str, Any] = {"unlock": unlock, "remove_totp": remove_totp, "reason": reason}
    body |= {key: value for key, value in (("role", role), ("enabled", enabled)) if value is not None}

    async def ask(admin: "Staff") -> Any:
        return await admin.post(f"/staff/{person}", body)

    answer = _asked(house, name, totp, ca, ask)
    if answer["happened"]:
        err().print(f"{person}: {', '.join(answer['happened'])}", markup=False)
    for request in answer["waiting"]:
        _say_waiting(request["approval"])


def waiting(
    house: HouseOption = _HOUSE,
    name: AsOption = "auditor",
    totp: TotpOption = "",
    ca: CaOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List what waits for a second person."""

    async def ask(person: "Staff") -> list[dict[str, Any]]:
        listed = await person.get("/approvals")
        shown = ("id", "by", "act", "reason")
        return [
            {**{key: row[key] for key in shown}, "about": row["fields"].get("name", "")} for row in listed
        ]

    show_rows(_asked(house, name, totp, ca, ask), form)


def agree(
    request: RequestArgument,
    house: HouseOption = _HOUSE,
    name: AsOption = "auditor",
    totp: TotpOption = "",
    ca: CaOption = None,
) -> None:
    """Agree, as the second person, to what somebody asked for."""

    async def ask(person: "Staff") -> Any:
        return await person.decide(request, "approve")

    err().print(f"done: {', '.join(_asked(house, name, totp, ca, ask)['happened'])}", markup=False)


def deny(
    request: RequestArgument,
    reason: Annotated[str, typer.Option(help="Why, for the record.")] = "",
    house: HouseOption = _HOUSE,
    name: AsOption = "auditor",
    totp: TotpOption = "",
    ca: CaOption = None,
) -> None:
    """Do not agree to what somebody asked for."""

    async def ask(person: "Staff") -> Any:
        return await person.decide(request, "deny", reason=reason)

    _asked(house, name, totp, ca, ask)
    err().print(f"{request} is denied", markup=False)


def password(
    house: HouseOption = _HOUSE,
    name: AsOption = "admin",
    totp: TotpOption = "",
    ca: CaOption = None,
) -> None:
    """Change your own password, as after the first login."""
    old = ask_secret("HOUSE_PASSWORD", f"{name}'s password")
    new = ask_secret("HOUSE_NEW_PASSWORD", "new password", twice=True)

    async def ask(person: "Staff") -> Any:
        return await person.post("/me/password", {"old": old, "new": new})

    _asked(house, name, totp, ca, ask, password=old)
    err().print(f"{name} has a new password", markup=False)


def _show_password(
    house: str, name: str, totp: str, ca: Path | None, ask: "Callable[[Staff], Awaitable[Any]]"
) -> None:
    told = _asked(house, name, totp, ca, ask)
    out().print(f"{told['name']}  {told['password']}", markup=False)
    err().print("shown this once; it is changed at the first login")
    if told["approval"]:
        _say_waiting(told["approval"])


def _say_waiting(request: str) -> None:
    err().print(f"a second person must agree: taisai staff agree {request} --as …", markup=False)


def _asked(
    house: str,
    name: str,
    totp: str,
    ca: Path | None,
    ask: "Callable[[Staff], Awaitable[Any]]",
    *,
    password: str = "",
) -> Any:
    """Log in, ask, log out."""
    import httpx

    secret = password or ask_secret("HOUSE_PASSWORD", f"{name}'s password")

    async def run() -> Any:
        from taisai.client import Staff

        person = Staff(house, verify=_trust(ca), seconds=_ASK_SECONDS)
        async with person:
            await person.log_in(name, secret, totp=totp)
            try:
                return await ask(person)
            finally:
                await person.log_out()

    try:
        return asyncio.run(run())
    except httpx.HTTPError as error:
        said = str(error) or type(error).__name__
        raise StoreUnavailable(f"the house at {house} does not answer: {said}") from None


def _trust(ca: Path | None) -> Any:
    if ca is None:
        return True
    import ssl

    try:
        return ssl.create_default_context(cafile=ca)
    except OSError as error:
        raise InputError(f"cannot read the certificates {ca}: {error.strerror or error}") from None


def ask_secret(variable: str, question: str, *, twice: bool = False) -> str:
    """From the environment, for scripts, or asked for; never on the command line, where everyone sees it."""
    given = os.environ.get(variable)
    if given:
        return given
    return str(typer.prompt(question, hide_input=True, confirmation_prompt=twice, err=True))
