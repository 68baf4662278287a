"""What is asked about acts that take two people, and what stands on the stream of approvals."""

from datetime import datetime
from typing import Any

import msgspec

from taisai.floor.approvals.asked import AskedAct
from taisai.floor.desks.decider import HouseCommand, HouseEvent


class RequestApproval(HouseCommand, frozen=True, kw_only=True):
    """Ask for a second person: for what, and why."""

    asked: AskedAct
    reason: str


class ApproveRequest(HouseCommand, frozen=True, kw_only=True):
    """The second person says yes."""

    approval: str


class DenyRequest(HouseCommand, frozen=True, kw_only=True):
    """The second person says no."""

    approval: str
    reason: str = ""


class WithdrawRequest(HouseCommand, frozen=True, kw_only=True):
    """Who asked no longer wants it."""

    approval: str


class ExpireRequests(HouseCommand, frozen=True, kw_only=True):
    """Close the requests whose time has passed."""


class RecordCarriedOut(HouseCommand, frozen=True, kw_only=True):
    """What the desk answered when it was asked: what happened, or the code of its refusal."""

    approval: str
    happened: tuple[str, ...] = ()
    refused: str = ""


AnyApprovalCommand = (
    RequestApproval | ApproveRequest | DenyRequest | WithdrawRequest | ExpireRequests | RecordCarriedOut
)


class ApprovalRequested(HouseEvent, frozen=True, kw_only=True):
    """An act waits for a second person.

    `target` is the stream whose desk will do it, such as `table:T1`, and `act` the act's name. Before version
    0.2 the act itself was not `asked`, typed, but `command`, as plain values.
    """

    approval: str
    target: str
    act: str
    reason: str
    expires_at: datetime
    asked: AskedAct | None = None
    command: dict[str, Any] = msgspec.field(default_factory=dict)


class RequestApproved(HouseEvent, frozen=True, kw_only=True):
    """A second person agreed; the act is to be carried out, once."""

    approval: str


class RequestDenied(HouseEvent, frozen=True, kw_only=True):
    """A second person did not agree."""

    approval: str
    reason: str


class RequestWithdrawn(HouseEvent, frozen=True, kw_only=True):
    """Who asked took it back."""

    approval: str


class RequestExpired(HouseEvent, frozen=True, kw_only=True):
    """Nobody agreed in time."""

    approval: str


class RequestCarriedOut(HouseEvent, frozen=True, kw_only=True):
    """The act was done, or its desk refused it."""

    approval: str
    happened: tuple[str, ...]
    refused: str


AnyApprovalEvent = (
    ApprovalRequested
    | RequestApproved
    | RequestDenied
    | RequestWithdrawn
    | RequestExpired
    | RequestCarriedOut
)
