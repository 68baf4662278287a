"""Acts of staff over HTTP, and the approvals of those that take two people."""

from datetime import datetime
from typing import Any, Final, Literal

import msgspec
from litestar import Response, get, post, websocket
from litestar.params import FromPath, JSONBody

from taisai.floor.approvals import messages as approvals
from taisai.floor.approvals.acts import Request as Approval
from taisai.floor.approvals.asked import CageAct, StaffAct, TableAct, inner
from taisai.floor.cage import CageAnswer, PrintTicket, RedeemTicket, VoidTicket
from taisai.floor.door.acts import ApprovalAct
from taisai.floor.door.answers import Answer, Waiting
from taisai.floor.door.forms import do_at_table
from taisai.floor.staff.messages import ChangeRole, SetStaffPolicy
from taisai.floor.streams import STAFF
from taisai.floor.table.messages import Accepted, OpenTable, RoundsElsewhere
from taisai.floor.table.player_names import plain_player
from taisai.game.people import Role
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.server.access.logins import Person
from taisai.server.access.table import AUDIT
from taisai.server.http.dependencies import TheDoors, TheGate, TheHub, TheKey, ThePerson
from taisai.server.http.problems import refusal_problem
from taisai.server.live.hub import Hub
from taisai.server.live.table_view import millis
from taisai.server.sockets.common import Socket
from taisai.server.sockets.console import serve_console


class ActBody(msgspec.Struct, forbid_unknown_fields=True):
    """An act by its name, with its own fields; who and when are the server's to say."""

    act: str
    fields: dict[str, Any] = {}
    round: int | None = None


class ActDone(msgspec.Struct, frozen=True, kw_only=True, tag="done", tag_field="status"):
    """The act was done; what happened, in names."""

    happened: list[str]
    round: int | None = None
    amount: int | None = None
    player: str | None = None
    rounds: list[int] = []
    skipped: list[int] = []
    elsewhere: dict[str, RoundsElsewhere] = {}


class ActWaiting(msgspec.Struct, frozen=True, kw_only=True, tag="waiting", tag_field="status"):
    """The act waits for a second person, until then."""

    approval: str
    expires_at: int


ActAnswer = ActDone | ActWaiting


class DecisionBody(msgspec.Struct, forbid_unknown_fields=True):
    """What the second person says; or that the first one no longer asks."""

    decision: Literal["approve", "deny", "withdraw"]
    reason: str = ""


class ApprovalView(msgspec.Struct, frozen=True, kw_only=True):
    """A request for a second person."""

    id: str
    by: str
    role: str
    at: int
    target: str
    act: str
    round: int | None
    fields: dict[str, Any]
    reason: str
    expires_at: int
    status: str
    second: str | None
    outcome: str


def act_response(hub: Hub, answer: Answer) -> Response[ActAnswer]:
    """200 when it was done, 202 when it waits, a problem when it is refused."""
    match answer:
        case Refusal():
            raise refusal_problem(answer, hub.voice)
        case Waiting():
            waiting = ActWaiting(approval=answer.approval, expires_at=millis(answer.expires_at))
            return Response(waiting, status_code=202)
        case Accepted():
            done = ActDone(
                happened=answer.happened,
                round=answer.round,
                amount=answer.amount,
                player=answer.player,
                rounds=answer.rounds,
                skipped=answer.skipped,
                elsewhere=answer.elsewhere,
            )
            return Response(done, status_code=200)
        case CageAnswer():
            return Response(ActDone(happened=answer.happened, amount=answer.amount), status_code=200)
        case _:
            return Response(ActDone(happened=answer.happened), status_code=200)


@post("/api/v1/tables/{table:str}/acts", tags=["acts"], status_code=200)
async def act_at_table(
    key: TheKey, hub: TheHub, person: ThePerson, table: FromPath[str], data: JSONBody[ActBody]
) -> Response[ActAnswer]:
    """Do an act of the round or of the table, as at its console."""
    hub.feed(table)
    answer = await do_at_table(
        hub.house,
        table,
        data.act,
        data.fields,
        by=person.actor,
        key=key,
        number=data.round,
    )
    return act_response(hub, answer)


@get("/api/v1/approvals", tags=["acts"])
async def list_approvals(hub: TheHub, person: ThePerson) -> list[ApprovalView]:
    """Everything that waits for a second person and is this person's to know."""
    waiting = [request for request in hub.house.read.waiting() if _may_see(hub, person, request)]
    return [approval_view(request, await _beside(hub, request)) for request in waiting]


def _may_see(hub: Hub, person: Person, request: Approval) -> bool:
    """The staff list is its administrators' and those who second; the floor's acts are not theirs."""
    role = person.actor.role
    if request.target == STAFF:
        return role in {Role.ADMINISTRATOR, *AUDIT, *hub.house.read.staff().policy.seconds}
    return role is not Role.ADMINISTRATOR


async def _beside(hub: Hub, request: Approval) -> dict[str, Any]:
    """What the second person must see besides what was asked: what is there now."""
    match request.what():
        case CageAct(command=VoidTicket() | PrintTicket() | RedeemTicket() as command):
            ticket = await hub.house.tickets.find(command.ticket)
            return {"amount": ticket.amount, "last_four": ticket.issued.last_four} if ticket else {}
        case TableAct(table=table, command=OpenTable()):
            return {"before": msgspec.to_builtins(hub.house.read.table(table).settings)}
        case StaffAct(command=ChangeRole() as command):
            member = hub.house.read.staff().member(command.name, hub.house.now())
            return {"role_before": str(member.role)} if member else {}
        case StaffAct(command=SetStaffPolicy()):
            return {"policy_before": msgspec.to_builtins(hub.house.read.staff().policy)}
        case _:
            return {}


@get("/api/v1/approvals/{approval:str}", tags=["acts"])
async def get_approval(hub: TheHub, person: ThePerson, approval: FromPath[str]) -> ApprovalView:
    """What became of a request for a second person, for as long as it is among the last ones."""
    request = hub.house.read.request(approval)
    if request is None or not _may_see(hub, person, request):
        unknown = by_house(RefusalCode.APPROVAL_UNKNOWN, approval=approval)
        raise refusal_problem(unknown, hub.voice)
    return approval_view(request, await _beside(hub, request))


@post("/api/v1/approvals/{approval:str}", tags=["acts"], status_code=200)
async def decide_approval(
    key: TheKey,
    hub: TheHub,
    person: ThePerson,
    approval: FromPath[str],
    data: JSONBody[DecisionBody],
) -> Response[ActAnswer]:
    """Agree, and the act is done; or do not; or take back what one asked for."""
    decided: approvals.ApproveRequest | approvals.DenyRequest | approvals.WithdrawRequest
    by, at = person.actor, hub.house.now()
    match data.decision:
        case "approve":
            decided = approvals.ApproveRequest(by=by, at=at, approval=approval)
        case "deny":
            decided = approvals.DenyRequest(by=by, at=at, approval=approval, reason=data.reason)
        case "withdraw":
            decided = approvals.WithdrawRequest(by=by, at=at, approval=approval)
    return act_response(hub, await hub.house.do(ApprovalAct(decided), by, key))


def approval_view(request: Approval, beside: dict[str, Any]) -> ApprovalView:
    act = request.what()
    fields = msgspec.to_builtins(inner(act))
    return ApprovalView(
        id=request.id,
        by=request.by.name,
        role=str(request.by.role),
        at=millis(request.at),
        target=request.target,
        act=request.act,
        round=getattr(act.command, "round", None),
        fields={**_shown(fields, act.table if isinstance(act, TableAct) else ""), **beside},
        reason=request.reason,
        expires_at=millis(request.expires_at),
        status=str(request.status),
        second=request.second.name if request.second else None,
        outcome=request.outcome,
    )


# Who and when stand beside the fields; hashes and sealed secrets are nobody's to see.
_NOT_SHOWN: Final = frozenset({"by", "at", "type", "v", "password_hash", "facts", "secret", "step"})


def _shown(fields: dict[str, Any], table: str) -> dict[str, Any]:
    """What was asked for, without who and when, and with players as people call them."""
    shown = {name: value for name, value in fields.items() if name not in _NOT_SHOWN}
    if isinstance(shown.get("player"), str):
        shown["player"] = plain_player(shown["player"], table)
    if isinstance(shown.get("bets"), list):
        shown["bets"] = [_shown(bet, table) for bet in shown["bets"]]
    return shown


@websocket("/ws/console")
async def console_socket(socket: Socket, hub: TheHub, doors: TheDoors, gate: TheGate) -> None:
    """The connection of a Game Console; docs/reference/asyncapi.json describes its messages."""
    person: Person = socket.scope["state"]["person"]
    await serve_console(socket, hub, doors, person, socket.cookies.get(gate.cookie, ""))


def moment_or_none(moment: datetime | None) -> int | None:
    """A moment for the API, where there is one."""
    return millis(moment) if moment else None


HANDLERS: list[Any] = [act_at_table, list_approvals, get_approval, decide_approval, console_socket]
