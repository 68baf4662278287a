"""Dual control: an act that must not be one person's word waits until somebody else agrees.

The act is carried out by the desk it is meant for, under a command id that follows from the request, so that
it is done once however often it is sent; what is approved and not yet done is found again after a restart.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import singledispatchmethod
from typing import Any, Final

from taisai.errors import InputError
from taisai.floor.approvals import messages as msg
from taisai.floor.approvals.asked import AskedAct, act_name, agreed, recalled, target_of
from taisai.floor.cage import VoidTicket
from taisai.floor.desks.decider import (
    Decision,
    Done,
    HouseEvent,
    Made,
    MoneylessState,
    Noted,
)
from taisai.floor.desks.kind import DeskKind
from taisai.floor.permits import SecondRule, second_rule
from taisai.floor.streams import APPROVALS
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode, by_house

SENDER: Final = "approvals"  # in whose name approved acts are sent to their desks
WAITING_MAX: Final = 200
WAITING_OF_ONE_MAX: Final = 40  # so that no one person fills the list for everybody
CLOSED_KEPT: Final = 500


class Status(StrEnum):
    """Where a request stands."""

    WAITING = "waiting"
    APPROVED = "approved"
    DENIED = "denied"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"
    DONE = "done"
    REFUSED = "refused"


@dataclass(slots=True)
class Request:
    """One act that takes two people."""

    id: str
    by: Actor
    at: datetime
    target: str
    act: str
    reason: str
    expires_at: datetime
    asked: AskedAct | None = None
    command: dict[str, Any] = field(default_factory=dict)  # what was asked before version 0.2
    status: Status = Status.WAITING
    second: Actor | None = None
    decided_at: datetime | None = None
    outcome: str = ""

    def what(self) -> AskedAct:
        """The act that was asked for."""
        return self.asked or recalled(self.target, self.command, self.at)

    def to_do(self, now: datetime) -> AskedAct:
        """The act as both people ask for it, once the second has agreed."""
        if self.status not in (Status.APPROVED, Status.DONE, Status.REFUSED) or self.second is None:
            raise InputError(f"request {self.id} is {self.status}, not approved")
        return agreed(self.what(), second=self.second, reason=self.reason, at=now)

    def voids(self, ticket: str) -> bool:
        """Whether it would make this ticket void."""
        command = self.what().command if self.act == "VoidTicket" else None
        return isinstance(command, VoidTicket) and command.ticket == ticket


@dataclass
class ApprovalsState(MoneylessState):
    """All requests that wait, and the last ones that no longer do."""

    minutes: int = 5
    rule_of: Callable[[str], SecondRule | None] = field(default=second_rule, compare=False)
    requests: "OrderedDict[str, Request]" = field(default_factory=OrderedDict)
    closed: "OrderedDict[str, Request]" = field(default_factory=OrderedDict)

    def waiting(self, now: datetime) -> list[Request]:
        """What a second person may decide now, oldest first."""
        return [
            request
            for request in self.requests.values()
            if request.status is Status.WAITING and now < request.expires_at
        ]

    def is_being_voided(self, ticket: str, now: datetime) -> bool:
        """Whether somebody has asked for a ticket to be void and nobody has said no."""
        return any(request.voids(ticket) for request in (*self.waiting(now), *self.to_carry_out()))

    def to_carry_out(self) -> list[Request]:
        """Approved and not known to be done: send each to its desk as (`SENDER`, request id)."""
        return [request for request in self.requests.values() if request.status is Status.APPROVED]

    def find(self, approval: str) -> Request | None:
        return self.requests.get(approval) or self.closed.get(approval)

    def decide(self, command: msg.AnyApprovalCommand, act_id: str) -> Decision:
        return self._decide(command, act_id)

    @singledispatchmethod
    def _decide(self, command: Any, act_id: str) -> Decision:
        return super().decide(command, act_id)

    @_decide.register
    def _request(self, command: msg.RequestApproval, act_id: str) -> Decision:
        act = act_name(command.asked)
        rule = self.rule_of(act)
        if rule is None:
            return by_house(RefusalCode.APPROVAL_UNKNOWN, approval=act)
        refusal = _may_ask(command.by, rule)
        if refusal:
            return refusal
        if not command.reason.strip():
            return by_house(RefusalCode.REASON_MISSING)
        full = self._is_full(command)
        if full:
            return full
        requested = msg.ApprovalRequested(
            by=command.by,
            at=command.at,
            approval=act_id,
            target=target_of(command.asked),
            act=act,
            reason=command.reason,
            expires_at=command.at + timedelta(minutes=rule.minutes or self.minutes),
            asked=command.asked,
        )
        return Made([*self._expiries(command.at, command.by), requested], act_id)

    def _is_full(self, command: msg.RequestApproval) -> Refusal | None:
        open_now = [*self.waiting(command.at), *self.to_carry_out()]
        own = sum(request.by.is_same_person(command.by) for request in open_now)
        if own >= WAITING_OF_ONE_MAX:
            return by_house(RefusalCode.APPROVALS_FULL, waiting=own, name=command.by.name)
        if len(open_now) >= WAITING_MAX:
            return by_house(RefusalCode.APPROVALS_FULL, waiting=len(open_now))
        return None

    @_decide.register
    def _approve(self, command: msg.ApproveRequest, act_id: str) -> Decision:
        request = self._open_request(command, command.approval)
        if not isinstance(request, Request):
            return request
        refusal = self._may_agree(request, command.by)
        if refusal:
            return refusal
        return Made([msg.RequestApproved(by=command.by, at=command.at, approval=request.id)], request.id)

    @_decide.register
    def _deny(self, command: msg.DenyRequest, act_id: str) -> Decision:
        request = self._open_request(command, command.approval)
        if not isinstance(request, Request):
            return request
        refusal = self._may_agree(request, command.by)
        if refusal:
            return refusal
        return [msg.RequestDenied(by=command.by, at=command.at, approval=request.id, reason=command.reason)]

    @_decide.register
    def _withdraw(self, command: msg.WithdrawRequest, act_id: str) -> Decision:
        request = self._open_request(command, command.approval)
        if not isinstance(request, Request):
            return request
        if not command.by.is_same_person(request.by):
            return by_house(RefusalCode.ROLE_NOT_ALLOWED, least=str(request.by.role), name=request.by.name)
        return [msg.RequestWithdrawn(by=command.by, at=command.at, approval=request.id)]

    @_decide.register
    def _expire(self, command: msg.ExpireRequests, act_id: str) -> Decision:
        return self._expiries(command.at, command.by)

    @_decide.register
    def _carried_out(self, command: msg.RecordCarriedOut, act_id: str) -> Decision:
        if command.by.role is not Role.SYSTEM:
            return by_house(RefusalCode.ROLE_NOT_ALLOWED, least=str(Role.SYSTEM))
        request = self.find(command.approval)
        if request is None:
            return by_house(RefusalCode.APPROVAL_UNKNOWN, approval=command.approval)
        if request.status is not Status.APPROVED:
            return by_house(RefusalCode.APPROVAL_CLOSED, approval=request.id, status=str(request.status))
        return [
            msg.RequestCarriedOut(
                by=command.by,
                at=command.at,
                approval=request.id,
                happened=command.happened,
                refused=command.refused,
            )
        ]

    def _open_request(
        self, command: msg.ApproveRequest | msg.DenyRequest | msg.WithdrawRequest, approval: str
    ) -> "Request | Refusal | Noted":
        """The request if it still waits; one whose time has passed is closed by this."""
        request = self.find(approval)
        if request is None:
            return by_house(RefusalCode.APPROVAL_UNKNOWN, approval=approval)
        if request.status is Status.EXPIRED:
            return by_house(RefusalCode.APPROVAL_EXPIRED, approval=approval)
        if request.status is not Status.WAITING:
            return by_house(RefusalCode.APPROVAL_CLOSED, approval=approval, status=str(request.status))
        if command.at >= request.expires_at:
            return Noted(
                self._expiries(command.at, command.by),
                by_house(RefusalCode.APPROVAL_EXPIRED, approval=approval),
            )
        return request

    def _may_agree(self, request: Request, second: Actor) -> Refusal | None:
        """Another person, who belongs to the pit (or has a position that is named), and one high enough."""
        rule = self.rule_of(request.act)
        if rule is None:
            return by_house(RefusalCode.APPROVAL_UNKNOWN, approval=request.act)
        return rule.lack(request.by, second)

    def _expiries(self, now: datetime, by: Actor) -> list[HouseEvent]:
        return [
            msg.RequestExpired(by=by, at=now, approval=request.id)
            for request in self.requests.values()
            if request.status is Status.WAITING and now >= request.expires_at
        ]

    def evolve(self, event: msg.AnyApprovalEvent) -> None:
        """Apply one event of the stream of approvals."""
        if isinstance(event, msg.ApprovalRequested):
            self.requests[event.approval] = Request(
                event.approval,
                event.by,
                event.at,
                event.target,
                event.act,
                event.reason,
                event.expires_at,
                event.asked,
                event.command,
            )
            return
        request = self.requests[event.approval]
        match event:
            case msg.RequestApproved():
                request.status, request.second, request.decided_at = Status.APPROVED, event.by, event.at
                return
            case msg.RequestDenied():
                request.status, request.second, request.decided_at = Status.DENIED, event.by, event.at
                request.outcome = event.reason
            case msg.RequestWithdrawn():
                request.status = Status.WITHDRAWN
            case msg.RequestExpired():
                request.status = Status.EXPIRED
            case msg.RequestCarriedOut():
                request.status = Status.REFUSED if event.refused else Status.DONE
                request.outcome = event.refused or ", ".join(event.happened)
        self.closed[request.id] = self.requests.pop(request.id)
        while len(self.closed) > CLOSED_KEPT:
            self.closed.popitem(last=False)


def approvals_desk(
    *, minutes: int = 5, rule_of: Callable[[str], SecondRule | None] = second_rule
) -> "DeskKind[ApprovalsState]":
    """The desk of the approvals; a request waits this long, for whom `rule_of` its act says."""
    return DeskKind(
        name=APPROVALS,
        stream=APPROVALS,
        events=msg.AnyApprovalEvent,
        answers=Done,
        fresh=lambda: ApprovalsState(minutes=minutes, rule_of=rule_of),
    )


def _may_ask(by: Actor, rule: SecondRule) -> Refusal | None:
    if by.role in rule.also or by.is_at_least(rule.first):
        return None
    return by_house(RefusalCode.ROLE_NOT_ALLOWED, least=str(rule.first), role=str(by.role))
