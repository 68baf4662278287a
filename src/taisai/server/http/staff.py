"""The staff list: who is on it, and what an administrator asks for and a second person agrees to."""

import secrets
from typing import Annotated, Any

import msgspec
from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from taisai.adapters.people.passwords import one_time_password
from taisai.errors import InputError
from taisai.floor.approvals.asked import StaffAct
from taisai.floor.staff import messages as msg
from taisai.game.people import Actor, Role
from taisai.server.http.account import Happened, staff_done
from taisai.server.http.dependencies import TheDoors, TheHub, ThePerson
from taisai.server.live.hub import Hub
from taisai.server.live.table_view import millis


class MemberView(msgspec.Struct, frozen=True, kw_only=True):
    """A person of the staff as an administrator sees them."""

    name: str
    role: Role
    enabled: bool
    locked: bool
    has_totp: bool
    must_change: bool
    sessions: int
    last_login_at: int | None


class NewMemberBody(msgspec.Struct, forbid_unknown_fields=True):
    """A new person, and why they join."""

    name: str
    role: Role
    reason: str = ""


class OneTimePassword(msgspec.Struct, frozen=True, kw_only=True):
    """A password, shown this once: it opens nothing before the request, and is changed at the first login."""

    name: str
    password: str
    approval: str | None
    expires_at: int | None


class MemberChange(msgspec.Struct, forbid_unknown_fields=True):
    """What an administrator does to a person."""

    role: Role | None = None
    enabled: bool | None = None
    unlock: bool = False
    remove_totp: bool = False
    reason: str = ""


class PolicyBody(msg.StaffPolicy, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to be asked of logins and passwords, and why it changes."""

    reason: str = ""


@get("/api/v1/staff", tags=["staff"])
async def list_staff(hub: TheHub) -> list[MemberView]:
    """Everyone on the staff list."""
    return [
        MemberView(
            name=member.name,
            role=member.role,
            enabled=member.enabled,
            locked=member.locked,
            has_totp=member.has_totp,
            must_change=member.must_change,
            sessions=member.sessions,
            last_login_at=millis(member.last_login_at) if member.last_login_at else None,
        )
        for member in hub.house.read.staff().members(hub.house.now())
    ]


async def _asked(hub: Hub, by: Actor, command: msg.AnyStaffCommand) -> Happened:
    return staff_done(hub, await hub.house.do(StaffAct(command), by, secrets.token_hex(16)))


def _answer(done: Happened) -> Response[Happened]:
    """200 when all of it was done, 202 when some of it waits."""
    return Response(done, status_code=202 if done.waiting else 200)


def _told(name: str, password: str, done: Happened) -> Response[OneTimePassword]:
    waiting = done.waiting[0] if done.waiting else None
    told = OneTimePassword(
        name=name,
        password=password,
        approval=waiting.approval if waiting else None,
        expires_at=waiting.expires_at if waiting else None,
    )
    return Response(told, status_code=202 if waiting else 200)


@post("/api/v1/staff", tags=["staff"], status_code=202)
async def add_staff(
    hub: TheHub, doors: TheDoors, person: ThePerson, data: JSONBody[NewMemberBody]
) -> Response[OneTimePassword]:
    """A new person, with a one-time password, once a second person agrees."""
    password = one_time_password()
    command = msg.AddStaff(
        by=person.actor,
        at=hub.house.now(),
        name=data.name,
        role=data.role,
        reason=data.reason,
        password_hash=await doors.hashed(data.name, password),
        facts=doors.passwords.facts(data.name, password),
    )
    return _told(data.name, password, await _asked(hub, person.actor, command))


@post("/api/v1/staff/{name:str}", tags=["staff"], status_code=200)
async def change_staff(
    hub: TheHub, person: ThePerson, name: FromPath[str], data: JSONBody[MemberChange]
) -> Response[Happened]:
    """Change a person's position, disable or enable, unlock, or take away a lost second factor."""
    by, at = person.actor, hub.house.now()
    about: dict[str, Any] = {"by": by, "at": at, "name": name}
    commands: list[Any] = []
    if data.role is not None:
        commands.append(msg.ChangeRole(**about, role=data.role, reason=data.reason))
    if data.enabled is not None:
        kind = msg.EnableStaff if data.enabled else msg.DisableStaff
        commands.append(kind(**about, reason=data.reason))
    if data.unlock:
        commands.append(msg.UnlockStaff(**about))
    if data.remove_totp:
        commands.append(msg.SetTotp(**about, secret=None, reason=data.reason))
    if not commands:
        raise InputError("expected one of role, enabled, unlock, remove_totp")
    done = [await _asked(hub, by, command) for command in commands]
    happened = [name for each in done for name in each.happened]
    return _answer(Happened(happened=happened, waiting=[one for each in done for one in each.waiting]))


@delete("/api/v1/staff/{name:str}/password", tags=["staff"], status_code=202)
async def reset_password(
    hub: TheHub,
    doors: TheDoors,
    person: ThePerson,
    name: FromPath[str],
    reason: Annotated[str, QueryParameter(description="Why, for the second person", max_length=500)] = "",
) -> Response[OneTimePassword]:
    """Give a person a new one-time password, once a second person agrees."""
    password = one_time_password()
    command = msg.ResetPassword(
        by=person.actor,
        at=hub.house.now(),
        name=name,
        reason=reason,
        password_hash=await doors.hashed(name, password),
        facts=doors.passwords.facts(name, password),
    )
    return _told(name, password, await _asked(hub, person.actor, command))


@get("/api/v1/staff-policy", tags=["staff"])
async def get_policy(hub: TheHub) -> msg.StaffPolicy:
    """What is asked of logins and passwords."""
    return hub.house.read.staff().policy


@post("/api/v1/staff-policy", tags=["staff"], status_code=202)
async def set_policy(hub: TheHub, person: ThePerson, data: JSONBody[PolicyBody]) -> Response[Happened]:
    """Change what is asked of logins and passwords, and who seconds, once a second person agrees."""
    fields = msgspec.structs.asdict(data)
    reason = fields.pop("reason")
    command = msg.SetStaffPolicy(
        by=person.actor, at=hub.house.now(), policy=msg.StaffPolicy(**fields), reason=reason
    )
    return _answer(await _asked(hub, person.actor, command))


HANDLERS: list[Any] = [list_staff, add_staff, change_staff, reset_password, get_policy, set_policy]
