"""Logins, and one's own account: who is logged in, the password, the second factor."""

from collections.abc import Awaitable
from typing import Any, Final, TypeVar

import msgspec
from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody

from taisai.adapters.people.totp import provisioning_uri
from taisai.floor.door.answers import Answer, Waiting
from taisai.game.people import Role
from taisai.game.refusals import Refusal
from taisai.server.access.hashing import HashingBusy
from taisai.server.access.logins import Person, TotpProof
from taisai.server.config import Config
from taisai.server.http.acts import ActWaiting
from taisai.server.http.dependencies import AnyRequest, TheDoors, TheGate, TheHub, ThePerson
from taisai.server.http.guard import Gate, client_place, limited
from taisai.server.http.problems import refusal_problem, server_problem
from taisai.server.live.hub import Hub
from taisai.server.live.table_view import millis
from taisai.server.live.ticket_view import qr_svg
from taisai.server.open_door import OpenLogin, is_here, may_be
from taisai.server.ops.metrics import METRICS

T = TypeVar("T")
DEVICE_COOKIE: Final = "taisai-device"
_DEVICE_SECONDS: Final = 180 * 86_400
_BUSY_SECONDS: Final = 5


class LoginBody(msgspec.Struct, forbid_unknown_fields=True):
    """Name and password, the code of a second factor where there is one, and the position to act in."""

    name: str
    password: str
    totp: str = ""
    acting: Role | None = None


class NoticeView(msgspec.Struct, frozen=True, kw_only=True):
    """What others did to the account of whoever logged in."""

    what: str
    by: str
    second: str | None
    at: int
    reason: str


class PersonView(msgspec.Struct, frozen=True, kw_only=True):
    """Who is logged in. `csrf` goes into the header X-CSRF-Token of every write."""

    name: str
    role: Role
    csrf: str
    dues: list[str]
    previous_login_at: int | None
    notices: list[NoticeView]


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
    """A code of the secret that was offered, the password, and a code of the old second factor if any."""

    code: str
    password: str
    old_code: str = ""


class Happened(msgspec.Struct, frozen=True, kw_only=True):
    """What was done, and what waits for a second person."""

    happened: list[str]
    waiting: list[ActWaiting] = []


def person_view(hub: Hub, person: Person) -> PersonView:
    staff = hub.house.read.staff()
    member = staff.member(person.actor.name, hub.house.now())
    before = member.before_last_login_at if member else None
    session = staff.sessions.get(person.token)
    return PersonView(
        name=person.actor.name,
        role=person.actor.role,
        csrf=person.csrf,
        dues=list(person.dues),
        previous_login_at=millis(before) if before else None,
        notices=[
            NoticeView(
                what=notice.what,
                by=notice.by,
                second=notice.second,
                at=millis(notice.at),
                reason=notice.reason,
            )
            for notice in (session.told if session else ())
        ],
    )


async def _hashed(work: Awaitable[T]) -> T:
    """What takes a hash, or the problem that too many wait for one."""
    try:
        return await work
    except HashingBusy:
        raise server_problem(429, "too_many", seconds=_BUSY_SECONDS) from None


def _session(gate: Gate, token: str, *, max_age: int | None = None) -> Cookie:
    return Cookie(
        key=gate.cookie,
        value=token,
        path="/",
        max_age=max_age,
        httponly=True,
        secure=gate.config.secure_cookies,
        samesite="strict",
    )


@post("/api/v1/login", tags=["staff"], status_code=200)
async def login(
    request: AnyRequest, hub: TheHub, doors: TheDoors, gate: TheGate, data: JSONBody[LoginBody]
) -> Response[PersonView]:
    """Log in: the session travels in a cookie that scripts cannot read."""
    where = client_place(request)
    await limited(gate.logins, where)
    device = request.cookies.get(DEVICE_COOKIE, "")
    admitted = await _hashed(
        doors.log_in(data.name, data.password, totp=data.totp, acting=data.acting, where=where, device=device)
    )
    METRICS.logins.labels("refused" if isinstance(admitted, Refusal) else "admitted").inc()
    if isinstance(admitted, Refusal):
        raise refusal_problem(admitted, hub.voice)
    cookie = _session(gate, admitted.token)
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


class OpenLoginBody(msgspec.Struct, forbid_unknown_fields=True):
    """As whom somebody comes in where anyone may be anyone."""

    name: str


@post("/api/v1/login/open", tags=["staff"], status_code=200)
async def open_login(
    request: AnyRequest, hub: TheHub, doors: TheDoors, gate: TheGate, data: JSONBody[OpenLoginBody]
) -> Response[PersonView]:
    """Come in by one press, in an open play-money house: from its own computer, unless set otherwise."""
    where = client_place(request)
    await limited(gate.logins, where)
    if all(data.name != offered.name for offered in open_logins(request, hub, gate.config)):
        raise server_problem(403, "not_open")
    admitted = await doors.log_in_openly(data.name, where=where)
    METRICS.logins.labels("refused" if isinstance(admitted, Refusal) else "admitted").inc()
    if isinstance(admitted, Refusal):
        raise refusal_problem(admitted, hub.voice)
    cookie = _session(gate, admitted.token)
    return Response(person_view(hub, admitted.person), cookies=[cookie])


def open_logins(request: AnyRequest, hub: Hub, config: Config) -> list[OpenLogin]:
    """Whom a visitor may be by one press, from where they are."""
    staff = hub.house.read.staff()
    if not config.house.open_logins or staff.for_money:
        return []
    client = request.client.host if request.client else ""
    here = is_here(client, request.headers.get("host", ""), request.headers)
    return [
        OpenLogin(name=member.name, role=member.role)
        for member in staff.members(hub.house.now())
        if member.enabled and not member.has_totp and may_be(member.role, config.house, here=here)
    ]


@post("/api/v1/logout", tags=["staff"], status_code=204)
async def logout(request: AnyRequest, doors: TheDoors, gate: TheGate, person: ThePerson) -> Response[None]:
    """End the session."""
    await doors.log_out(person)
    # A browser takes the end of a cookie only with the flags that it was set with.
    return Response(None, status_code=204, cookies=[_session(gate, "", max_age=0)])


@get("/api/v1/me", tags=["staff"])
async def me(hub: TheHub, person: ThePerson) -> PersonView:
    """Who is logged in."""
    return person_view(hub, person)


@post("/api/v1/me/password", tags=["staff"], status_code=200)
async def change_password(
    request: AnyRequest,
    hub: TheHub,
    doors: TheDoors,
    gate: TheGate,
    person: ThePerson,
    data: JSONBody[PasswordBody],
) -> Happened:
    """Change one's own password. A wrong old one counts like a failed login."""
    where = client_place(request)
    await limited(gate.logins, where)
    return staff_done(hub, await _hashed(doors.change_password(person, data.old, data.new, where=where)))


@get("/api/v1/me/totp", tags=["staff"])
async def offer_totp(hub: TheHub, doors: TheDoors, person: ThePerson) -> TotpOffer:
    """The secret for a new second factor, which holds once a code of it is sent back in this session."""
    secret = await doors.offer_totp(person)
    uri = provisioning_uri(secret, person.actor.name, hub.house.plan.name)
    return TotpOffer(secret=secret, uri=uri, qr_svg=qr_svg(uri))


@post("/api/v1/me/totp", tags=["staff"], status_code=200)
async def set_totp(
    request: AnyRequest,
    hub: TheHub,
    doors: TheDoors,
    gate: TheGate,
    person: ThePerson,
    data: JSONBody[TotpBody],
) -> Happened:
    """Set up one's second factor, proved by the password, a code of it and one of the old one, if any."""
    where = client_place(request)
    await limited(gate.logins, where)
    proof = TotpProof(data.password, data.code, data.old_code)
    return staff_done(hub, await _hashed(doors.set_totp(person, proof, where=where)))


def staff_done(hub: Hub, answer: Answer) -> Happened:
    """What became of an act on the staff list, or the problem."""
    match answer:
        case Refusal():
            raise refusal_problem(answer, hub.voice)
        case Waiting():
            waiting = ActWaiting(approval=answer.approval, expires_at=millis(answer.expires_at))
            return Happened(happened=[], waiting=[waiting])
        case _:
            return Happened(happened=answer.happened)


HANDLERS: list[Any] = [login, open_login, logout, me, change_password, offer_totp, set_totp]
