"""Logins, one's own account, and the staff list."""

import secrets
from typing import Any, Final

import msgspec
from litestar import Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody

from taisai.adapters.clock import SystemEntropy
from taisai.adapters.passwords import one_time_password
from taisai.adapters.totp import matching_step, new_secret, provisioning_uri
from taisai.errors import InputError
from taisai.floor.desks.decider import Done
from taisai.floor.door.acts import StaffAct
from taisai.floor.staff import messages as msg
from taisai.game.people import Role
from taisai.game.refusals import Refusal
from taisai.server.access.hashing import HashingBusy
from taisai.server.access.logins import TOTP_ABOUT, Person
from taisai.server.http.dependencies import AnyRequest, TheDoors, TheGate, TheHub, ThePerson
from taisai.server.http.guard import client_place, limited
from taisai.server.http.problems import refusal_problem, server_problem
from taisai.server.live.hub import Hub
from taisai.server.live.table_view import millis
from taisai.server.live.ticket_view import qr_svg
from taisai.server.ops.metrics import METRICS

DEVICE_COOKIE: Final = "taisai-device"
_DEVICE_SECONDS: Final = 180 * 86_400
_BUSY_SECONDS: Final = 5


class LoginBody(msgspec.Struct, forbid_unknown_fields=True):
    """Name and password, the code of a second factor where there is one, and the position to act in."""

    name: str
    password: str
    totp: str = ""
    acting: Role | None = None


class PersonView(msgspec.Struct, frozen=True, kw_only=True):
    """Who is logged in. `csrf` goes into the header X-CSRF-Token of every write."""

    name: str
    role: Role
    csrf: str
    dues: list[str]
    previous_login_at: int | None


class PasswordBody(msgspec.Struct, forbid_unknown_fields=True):
    """The old password and the new one."""

    old: str
    new: str


class TotpOffer(msgspec.Struct, frozen=True, kw_only=True):
    """A secret for an authenticator app; it holds once a code made from it is sent back."""

    secret: str
    uri: str
    qr_svg: str


class TotpBody(msgspec.Struct, forbid_unknown_fields=True):
    """The secret that was offered and a code made from it."""

    secret: str
    code: str


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
    """A new person."""

    name: str
    role: Role


class OneTimePassword(msgspec.Struct, frozen=True, kw_only=True):
    """A password that is shown this once and changed at the first login."""

    name: str
    password: str


class MemberChange(msgspec.Struct, forbid_unknown_fields=True):
    """What an administrator does to a person."""

    role: Role | None = None
    enabled: bool | None = None
    unlock: bool = False
    remove_totp: bool = False
    reason: str = ""


class Happened(msgspec.Struct, frozen=True, kw_only=True):
    """What was done."""

    happened: list[str]


def person_view(hub: Hub, person: Person) -> PersonView:
    before = hub.house.read.staff().members[person.actor.name].before_last_login_at
    return PersonView(
        name=person.actor.name,
        role=person.actor.role,
        csrf=person.csrf,
        dues=list(person.dues),
        previous_login_at=millis(before) if before else None,
    )


@post("/api/v1/login", tags=["staff"], status_code=200)
async def login(
    request: AnyRequest, hub: TheHub, doors: TheDoors, gate: TheGate, data: JSONBody[LoginBody]
) -> Response[PersonView]:
    """Log in: the session travels in a cookie that scripts cannot read."""
    where = client_place(request)
    limited(gate.logins, where)
    device = request.cookies.get(DEVICE_COOKIE, "")
    try:
        admitted = await doors.log_in(
            data.name, data.password, totp=data.totp, acting=data.acting, where=where, device=device
        )
    except HashingBusy:
        raise server_problem(429, "too_many", seconds=_BUSY_SECONDS) from None
    METRICS.logins.labels("refused" if isinstance(admitted, Refusal) else "admitted").inc()
    if isinstance(admitted, Refusal):
        raise refusal_problem(admitted, hub.voice)
    cookie = Cookie(
        key=gate.cookie,
        value=admitted.token,
        path="/",
        httponly=True,
        secure=gate.config.secure_cookies,
        samesite="strict",
    )
    seen = Cookie(
        key=DEVICE_COOKIE,
        value=doors.device(admitted.person.actor.name),
        path="/api/v1/login",
        max_age=_DEVICE_SECONDS,
        httponly=True,
        secure=gate.config.secure_cookies,
        samesite="strict",
    )
    return Response(person_view(hub, admitted.person), cookies=[cookie, seen])


@post("/api/v1/logout", tags=["staff"], status_code=204)
async def logout(request: AnyRequest, doors: TheDoors, gate: TheGate, person: ThePerson) -> Response[None]:
    """End the session."""
    await doors.log_out(person)
    response = Response(None, status_code=204)
    response.delete_cookie(gate.cookie, path="/")
    return response


@get("/api/v1/me", tags=["staff"])
async def me(hub: TheHub, person: ThePerson) -> PersonView:
    """Who is logged in."""
    return person_view(hub, person)


@post("/api/v1/me/password", tags=["staff"], status_code=200)
async def change_password(
    hub: TheHub, doors: TheDoors, person: ThePerson, data: JSONBody[PasswordBody]
) -> Happened:
    """Change one's own password."""
    return _done(hub, await doors.change_password(person, data.old, data.new))


@get("/api/v1/me/totp", tags=["staff"])
async def offer_totp(hub: TheHub, person: ThePerson) -> TotpOffer:
    """A fresh secret for a second factor."""
    secret = new_secret(SystemEntropy())
    uri = provisioning_uri(secret, person.actor.name, hub.house.plan.name)
    return TotpOffer(secret=secret, uri=uri, qr_svg=qr_svg(uri))


@post("/api/v1/me/totp", tags=["staff"], status_code=200)
async def set_totp(hub: TheHub, doors: TheDoors, person: ThePerson, data: JSONBody[TotpBody]) -> Happened:
    """Set up one's second factor, proved by a code."""
    step = matching_step(data.secret, data.code, hub.house.now())
    if step is None:
        raise InputError("the code does not belong to the secret")
    name = person.actor.name
    sealed = doors.sealer.seal(data.secret, about=TOTP_ABOUT.format(name=name))
    command = msg.SetTotp(by=person.actor, at=hub.house.now(), name=name, secret=sealed, step=step)
    return _done(hub, await hub.house.do(StaffAct(command), person.actor, secrets.token_hex(16)))


@get("/api/v1/staff", tags=["staff"])
async def list_staff(hub: TheHub) -> list[MemberView]:
    """Everyone on the staff list."""
    staff, now = hub.house.read.staff(), hub.house.now()
    return [
        MemberView(
            name=member.name,
            role=member.role,
            enabled=member.enabled,
            locked=staff.attempts_of(member.name).is_locked(now),
            has_totp=member.totp is not None,
            must_change=member.must_change,
            sessions=len(staff.sessions_of(member.name)),
            last_login_at=millis(member.last_login_at) if member.last_login_at else None,
        )
        for member in staff.members.values()
    ]


@post("/api/v1/staff", tags=["staff"], status_code=201)
async def add_staff(
    hub: TheHub, doors: TheDoors, person: ThePerson, data: JSONBody[NewMemberBody]
) -> OneTimePassword:
    """A new person, with a one-time password."""
    password = one_time_password()
    command = msg.AddStaff(
        by=person.actor,
        at=hub.house.now(),
        name=data.name,
        role=data.role,
        password_hash=await doors.hashed(data.name, password),
        facts=doors.passwords.facts(data.name, password),
    )
    _done(hub, await hub.house.do(StaffAct(command), person.actor, secrets.token_hex(16)))
    return OneTimePassword(name=data.name, password=password)


@post("/api/v1/staff/{name:str}", tags=["staff"], status_code=200)
async def change_staff(
    hub: TheHub, person: ThePerson, name: FromPath[str], data: JSONBody[MemberChange]
) -> Happened:
    """Change a person's position, disable or enable, unlock, or take away a lost second factor."""
    by, at = person.actor, hub.house.now()
    commands: list[Any] = []
    if data.role is not None:
        commands.append(msg.ChangeRole(by=by, at=at, name=name, role=data.role))
    if data.enabled is not None:
        kind = msg.EnableStaff(by=by, at=at, name=name)
        commands.append(
            kind if data.enabled else msg.DisableStaff(by=by, at=at, name=name, reason=data.reason)
        )
    if data.unlock:
        commands.append(msg.UnlockStaff(by=by, at=at, name=name))
    if data.remove_totp:
        commands.append(msg.SetTotp(by=by, at=at, name=name, secret=None))
    if not commands:
        raise InputError("expected one of role, enabled, unlock, remove_totp")
    happened: list[str] = []
    for command in commands:
        done = _done(hub, await hub.house.do(StaffAct(command), person.actor, secrets.token_hex(16)))
        happened += done.happened
    return Happened(happened=happened)


@delete("/api/v1/staff/{name:str}/password", tags=["staff"], status_code=200)
async def reset_password(
    hub: TheHub, doors: TheDoors, person: ThePerson, name: FromPath[str]
) -> OneTimePassword:
    """Give a person a new one-time password."""
    password = one_time_password()
    command = msg.ResetPassword(
        by=person.actor,
        at=hub.house.now(),
        name=name,
        password_hash=await doors.hashed(name, password),
        facts=doors.passwords.facts(name, password),
    )
    _done(hub, await hub.house.do(StaffAct(command), person.actor, secrets.token_hex(16)))
    return OneTimePassword(name=name, password=password)


@get("/api/v1/staff-policy", tags=["staff"])
async def get_policy(hub: TheHub) -> msg.StaffPolicy:
    """What is asked of logins and passwords."""
    return hub.house.read.staff().policy


@post("/api/v1/staff-policy", tags=["staff"], status_code=200)
async def set_policy(hub: TheHub, person: ThePerson, data: JSONBody[msg.StaffPolicy]) -> Happened:
    """Change what is asked of logins and passwords."""
    command = msg.SetStaffPolicy(by=person.actor, at=hub.house.now(), policy=data)
    return _done(hub, await hub.house.do(StaffAct(command), person.actor, secrets.token_hex(16)))


def _done(hub: Hub, answer: Done | Refusal) -> Happened:
    if isinstance(answer, Refusal):
        raise refusal_problem(answer, hub.voice)
    return Happened(happened=answer.happened)


HANDLERS: list[Any] = [
    login,
    logout,
    me,
    change_password,
    offer_totp,
    set_totp,
    list_staff,
    add_staff,
    change_staff,
    reset_password,
    get_policy,
    set_policy,
]
