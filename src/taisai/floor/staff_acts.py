"""What staff ask for, by the act's name: sent to its desk at once, or first to a second person."""

import logging
from datetime import datetime
from typing import Any, Final
from uuid import uuid4

import msgspec

from taisai.errors import InputError, InvariantBroken, UnknownName
from taisai.floor.approvals import messages as approvals
from taisai.floor.approvals.acts import SENDER, Request, needs_second
from taisai.floor.cage import AnyCageCommand, CageAnswer
from taisai.floor.cluster.messages import AnyClusterCommand
from taisai.floor.desks.decider import Done
from taisai.floor.desks.desk import Desk
from taisai.floor.house import SYSTEM, House
from taisai.floor.ledger_figures import record_figures
from taisai.floor.pit.messages import AnyPitCommand, CountFloat
from taisai.floor.table.messages import (
    Accepted,
    AnyTableCommand,
    AtRack,
    BuyIn,
    CallSupervisor,
    CashOut,
    CloseTable,
    CollectOwed,
    ExtendBetting,
    InRound,
    LeaveSeat,
    LeaveTable,
    OpenTable,
    ReadDice,
    ReopenTable,
    StartRound,
    TakeSeat,
)
from taisai.game import chips, people
from taisai.game import commands as cmd
from taisai.game.refusals import Refusal, RefusalCode

log = logging.getLogger("taisai.asking")

_ROUND_ACTS: Final[dict[str, type[cmd.Command]]] = {
    kind.__name__: kind for kind in cmd.AnyCommand.__args__ if kind is not cmd.OpenBetting
}
_RACK_ACTS: Final[dict[str, type[chips.ChipsCommand]]] = {
    kind.__name__: kind for kind in chips.AnyChipsCommand.__args__
}
_TABLE_ACTS: Final[dict[str, Any]] = {
    kind.__name__: kind
    for kind in (
        StartRound,
        ExtendBetting,
        OpenTable,
        CloseTable,
        ReopenTable,
        BuyIn,
        CashOut,
        TakeSeat,
        LeaveSeat,
        LeaveTable,
        CollectOwed,
        ReadDice,
    )
}
ACT_NAMES: Final = (*_ROUND_ACTS, *_TABLE_ACTS, *_RACK_ACTS)
# Who acts and when is never the asker's to say.
_OURS: Final = frozenset({"by", "at", "second", "type", "v"})


def here(fields: dict[str, Any], table: str) -> dict[str, Any]:
    """An act's fields with its players as the record knows them at a live table.

    Money at a table is that table's to keep: one person at two tables has two accounts.
    """
    found = dict(fields)
    if isinstance(fields.get("player"), str):
        found["player"] = _player_at(fields["player"], table)
    if isinstance(fields.get("bets"), list):
        found["bets"] = [here(bet, table) if isinstance(bet, dict) else bet for bet in fields["bets"]]
    return found


def _player_at(player: str, table: str) -> str:
    return player if player.endswith(f"@{table}") else f"{player}@{table}"


def plain_player(player: str, table: str) -> str:
    """A player at a live table as people call them."""
    return player.removesuffix(f"@{table}")


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """An act that takes two people, until the second agrees."""

    approval: str
    expires_at: datetime


Asked = Accepted | Done | CageAnswer | Waiting | Refusal


def table_command(
    act: str, fields: dict[str, Any], *, by: people.Actor, at: datetime, number: int | None = None
) -> AnyTableCommand:
    """The command of an act, from its own fields."""
    if act in _TABLE_ACTS:
        made: AnyTableCommand = filled(_TABLE_ACTS[act], fields, by, at)
        return made
    if act in _RACK_ACTS:
        return AtRack(by=by, at=at, command=filled(_RACK_ACTS[act], fields, by, at))
    if act in _ROUND_ACTS:
        return InRound(by=by, at=at, command=filled(_ROUND_ACTS[act], fields, by, at), round=number)
    raise UnknownName("act", act, ACT_NAMES)


def filled(kind: Any, fields: dict[str, Any], by: people.Actor, at: datetime) -> Any:
    """A command of one kind; fields that it does not have are refused, and so is saying who or when."""
    known = set(kind.__struct_fields__) - _OURS
    for name in fields:
        if name not in known:
            raise UnknownName(f"field of {kind.__name__}", name, known)
    raw = {**fields, "type": kind.__name__, "by": msgspec.to_builtins(by), "at": at}
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise InputError(f"{kind.__name__}: {error}") from None


async def ask_table(
    house: House,
    table: str,
    act: str,
    fields: dict[str, Any],
    *,
    by: people.Actor,
    command_id: str,
    number: int | None = None,
) -> Asked:
    """Do an act at a table, or have it wait for a second person."""
    house.table(table)
    if house.plans[table].kind == "live":
        fields = here(fields, table)
    if needs_second(act):
        fields = dict(fields)
        reason = str(fields.pop("reason", ""))
        command = table_command(act, fields, by=by, at=house.now(), number=number)
        return await request_second(house, f"table:{table}", act, command, reason, by, command_id)
    command = table_command(act, fields, by=by, at=house.now(), number=number)
    if isinstance(command, StartRound):
        refusal = house.pit.state.may_start(table, house.pit_policy)
        if refusal:
            return refusal
        command = msgspec.structs.replace(command, dice_set=house.pit.state.dice_set(table))
    if isinstance(command, TakeSeat) and command.player is not None:
        refusal = house.players.state.excluded(command.player, command.at)
        if refusal:
            return refusal
    answer: Accepted | Refusal = await house.ask(table, staff_sender(by), command_id, command)
    if isinstance(answer, Refusal) and answer.code is RefusalCode.READING_DIFFERS:
        await _call_supervisor(house, table, command, command_id)
    if isinstance(answer, Refusal) and isinstance(answer.facts.get("player"), str):
        known = plain_player(answer.facts["player"], table)
        answer = msgspec.structs.replace(answer, facts={**answer.facts, "player": known})
    return answer


async def _call_supervisor(house: House, table: str, declared: AnyTableCommand, command_id: str) -> None:
    """The dealer's dice are not those of the second reading: the pit hears of it, and the record."""
    if isinstance(declared, InRound) and isinstance(declared.command, cmd.DeclareRoll):
        number = house.table(table).state.number
        call = CallSupervisor(by=declared.by, at=declared.at, round=number, declared=declared.command.roll)
        await house.ask(table, staff_sender(declared.by), f"{command_id}.call", call)


def staff_sender(by: people.Actor) -> str:
    """In whose name a person's commands stand in the record."""
    return f"staff:{by.name}"


async def request_second(
    house: House,
    target: str,
    act: str,
    command: Any,
    reason: str,
    by: people.Actor,
    command_id: str,
) -> Waiting | Refusal:
    """Put an act before whoever may agree to it."""
    asked = approvals.RequestApproval(
        by=by,
        at=house.now(),
        target=target,
        act=act,
        command=_without_time(msgspec.to_builtins(command)),
        reason=reason,
    )
    answer: Done | Refusal = await house.approvals.ask(staff_sender(by), command_id, asked)
    if isinstance(answer, Refusal):
        return answer
    request = house.approvals.state.find(answer.id)
    if request is None:
        raise InvariantBroken(f"the request {answer.id} was made and is not there")
    return Waiting(approval=request.id, expires_at=request.expires_at)


def _without_time(raw: dict[str, Any]) -> dict[str, Any]:
    """A request says what is wanted; when it is done is another time."""
    plain = {name: value for name, value in raw.items() if name != "at"}
    if isinstance(plain.get("command"), dict):
        plain["command"] = {name: value for name, value in plain["command"].items() if name != "at"}
    return plain


async def withdraw_request(house: House, approval: str, *, by: people.Actor, command_id: str) -> Asked:
    """Who asked no longer wants it."""
    command = approvals.WithdrawRequest(by=by, at=house.now(), approval=approval)
    answer: Done | Refusal = await house.approvals.ask(staff_sender(by), command_id, command)
    return answer


async def expire_requests(house: House) -> None:
    """Close the requests that nobody decided in time, so that the record says so."""
    now = house.now()
    waiting = [each for each in house.approvals.state.requests.values() if each.status == "waiting"]
    if any(now >= request.expires_at for request in waiting):
        await house.approvals.ask("house", uuid4().hex, approvals.ExpireRequests(by=SYSTEM, at=now))


async def decide_request(
    house: House, approval: str, *, approve: bool, reason: str, by: people.Actor, command_id: str
) -> Asked:
    """The second person agrees, and the act is done; or does not, and it is not."""
    command = (
        approvals.ApproveRequest(by=by, at=house.now(), approval=approval)
        if approve
        else approvals.DenyRequest(by=by, at=house.now(), approval=approval, reason=reason)
    )
    answer: Done | Refusal = await house.approvals.ask(staff_sender(by), command_id, command)
    if isinstance(answer, Refusal) or not approve:
        return answer
    request = house.approvals.state.find(approval)
    if request is None:
        raise InvariantBroken(f"the request {approval} was approved and is not there")
    return await carry_out(house, request)


async def carry_out_what_is_left(house: House) -> None:
    """What was approved before a crash is done now; what had been done already is not done again."""
    for request in house.approvals.state.to_carry_out():
        await carry_out(house, request)


async def carry_out(house: House, request: Request) -> Asked:
    """Send an approved act to its desk, once, and put on record what became of it."""
    desk, kind = _target(house, request.target)
    if request.status == "approved":
        raw = _timed(request.to_send(), house.now())
        try:
            command = msgspec.convert(raw, kind)
        except msgspec.ValidationError as error:
            raise InvariantBroken(f"the request {request.id} cannot be read: {error}") from None
        if isinstance(command, CountFloat):  # what the ledger says now is what the count is held against
            await record_figures(house, command.table, uuid4().hex)
        answer = await desk.ask(SENDER, request.id, command)
        await _record(house, request, answer)
        return answer  # type: ignore[no-any-return]
    return Done(happened=[request.outcome], id=request.id)


def _timed(raw: dict[str, Any], now: datetime) -> dict[str, Any]:
    timed = {**raw, "at": now}
    if isinstance(raw.get("command"), dict):
        timed["command"] = {**raw["command"], "at": now}
    return timed


async def _record(house: House, request: Request, answer: Any) -> None:
    refused = str(answer.code) if isinstance(answer, Refusal) else ""
    happened = () if refused else tuple(answer.happened)
    done = approvals.RecordCarriedOut(
        by=SYSTEM, at=house.now(), approval=request.id, happened=happened, refused=refused
    )
    recorded = await house.approvals.ask(SENDER, f"{request.id}.done", done)
    if isinstance(recorded, Refusal):
        log.warning("the outcome of %s is not on the record: %s", request.id, recorded.code)


def _target(house: House, target: str) -> tuple[Desk[Any], Any]:
    """The desk that an approved act is meant for, and the commands that it takes."""
    if target.startswith("table:"):
        return house.table(target.removeprefix("table:")), AnyClusterCommand
    desks: dict[str, tuple[Desk[Any], Any]] = {
        "cage": (house.cage, AnyCageCommand),
        "pit": (house.pit, AnyPitCommand),
    }
    if target not in desks:
        raise UnknownName("desk", target, [*desks, "table:…"])
    return desks[target]
