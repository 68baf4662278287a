"""Acts that take two people: put before the second, and done once that person agrees."""

import logging
from typing import TYPE_CHECKING
from uuid import uuid4

import msgspec

from taisai.errors import InvariantBroken
from taisai.floor.approvals import messages as msg
from taisai.floor.approvals.acts import SENDER, Request
from taisai.floor.approvals.asked import AskedAct, CageAct, PitAct, StaffAct, TableAct, act_name, inner
from taisai.floor.cage import PrintTicket, RedeemTicket
from taisai.floor.cluster.messages import SetService
from taisai.floor.desks.decider import SYSTEM, Done
from taisai.floor.door.acts import ApprovalAct
from taisai.floor.door.answers import Answer, Waiting
from taisai.floor.door.damaged_sets import void_elsewhere
from taisai.floor.door.dice_in_play import set_aside
from taisai.floor.door.owed import cash_due, drawer_move
from taisai.floor.permits import permit_of
from taisai.floor.table.messages import Accepted, CashOut, InRound
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.decide import act_of
from taisai.game.irregularities import takes_two
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal

if TYPE_CHECKING:
    from taisai.floor.house import House

log = logging.getLogger("taisai.approvals")

# In whose name what two people agreed to is brought to its desk.
AGREED = Actor(SENDER, Role.SYSTEM)


def waits(house: "House", act: AskedAct) -> bool:
    """Whether an act has to wait for a second person, who is not named in it yet."""
    command = inner(act)
    rule = permit_of(command).second
    if rule is None or command.by.role is Role.SYSTEM or command.second is not None:
        return False
    if isinstance(act, StaffAct):
        return house.staff.state.takes_two(command)
    match command:
        case cmd.OneOrTwo() if isinstance(act, TableAct):
            return house.plans[act.table].automatic or _takes_two(house, act)
        case CashOut() if isinstance(act, TableAct):
            return house.plan.cage.needs_second(cash_due(house, act.table, command))
        case RedeemTicket() | PrintTicket():
            return command.amount is not None  # which the second person is shown; small sums need none
        case SetService():
            return command.service == "in-service" and is_out_of_service(house, act, command.terminal)
        case _:
            return True


def _takes_two(house: "House", act: TableAct) -> bool:
    """Whether the round, as it is now, takes an act from two people alone."""
    state: TableState = house.table(act.table).state
    command = act.command
    if not isinstance(command, InRound) or not isinstance(command.command, cmd.OneOrTwo):
        return False
    number = state.number if command.round is None else command.round
    played = state.rounds.get(number)
    # What the round refuses whoever asks, it refuses at once.
    if played is None or played.cell(act_of(command.command)).refusal:
        return False
    return takes_two(played, command.command)


def is_out_of_service(house: "House", act: AskedAct, terminal: str) -> bool:
    """Whether a terminal is out of service: people put it back by two, a terminal by itself."""
    found = house.table(act.table).state.terminals.get(terminal) if isinstance(act, TableAct) else None
    return found is not None and found.service != "in-service" and inner(act).by.is_pit_employee


def request_for(act: AskedAct) -> ApprovalAct:
    """The request that puts an act before whoever may agree to it."""
    command = inner(act)
    reason = command.reason or (
        act_name(act) if isinstance(act, PitAct | StaffAct) or isinstance(command, CashOut) else ""
    )
    asked = msg.RequestApproval(by=command.by, at=command.at, asked=act, reason=reason)
    return ApprovalAct(asked)


def of_this_round(house: "House", asked: msg.RequestApproval) -> msg.RequestApproval | None:
    """The request with the number of the round that is in play now, where it names none.

    Whoever agrees later agrees to this round, and not to one that has begun since.
    """
    act = asked.asked
    if not isinstance(act, TableAct) or not isinstance(act.command, InRound) or act.command.round is not None:
        return None
    if isinstance(act.command.command, cmd.ReportDamagedDice):  # it names its rounds itself
        return None
    number = house.table(act.table).state.number
    pinned = msgspec.structs.replace(act, command=msgspec.structs.replace(act.command, round=number))
    return msgspec.structs.replace(asked, asked=pinned)


def on_staff(house: "House", asked: msg.RequestApproval) -> Refusal | None:
    """Why an act on the staff list could not be done whoever agreed."""
    act = asked.asked
    return house.staff.state.never(act.command) if isinstance(act, StaffAct) else None


def waiting_for(house: "House", answer: Done | Refusal) -> Done | Waiting | Refusal:
    """What is told to whoever asked for a second person, as long as the request is remembered."""
    request = None if isinstance(answer, Refusal) else house.approvals.state.find(answer.id)
    if request is None:
        return answer
    return Waiting(approval=request.id, expires_at=request.expires_at)


async def carry_out_agreed(house: "House", approval: str) -> Answer:
    """The second person agreed: do it."""
    request = house.approvals.state.find(approval)
    if request is None:
        raise InvariantBroken(f"the request {approval} was approved and is not there")
    return await carry_out(house, request)


async def carry_out_what_is_left(house: "House") -> None:
    """What was approved before a crash is done now; what had been done already is not done again."""
    for request in house.approvals.state.to_carry_out():
        await carry_out(house, request)


async def carry_out(house: "House", request: Request) -> Answer:
    """Bring an approved act to its desk, once, and put on record what became of it.

    What was carried out before is asked for under its id again, so whoever agrees twice is told the same.
    """
    is_new = request.status == "approved"
    act = request.to_do(house.now())
    answer = await house.do(act, AGREED, request.id)
    answer = await void_elsewhere(house, act, answer, AGREED, request.id)
    if is_new:
        if not isinstance(answer, Refusal):
            await _follow_up(house, request, act)
        await _record(house, request, answer)
    return answer


async def _follow_up(house: "House", request: Request, act: AskedAct) -> None:
    """What an act that was done means for other desks: asked under its id too, and so once."""
    moved, failed = drawer_move(act), set_aside(house, act)
    if moved is not None:
        await house.do(CageAct(moved), AGREED, f"{request.id}.drawer")
    if failed is not None:
        await house.do(PitAct(failed), AGREED, f"{request.id}.dice")


async def _record(house: "House", request: Request, answer: Answer) -> None:
    refused = str(answer.code) if isinstance(answer, Refusal) else ""
    happened = () if isinstance(answer, Refusal | Waiting) else tuple(answer.happened)
    if isinstance(answer, Accepted):
        happened += tuple(
            f"{table}: {each.refused or 'RoundVoided'}" for table, each in answer.elsewhere.items()
        )
    done = msg.RecordCarriedOut(
        by=SYSTEM, at=house.now(), approval=request.id, happened=happened, refused=refused
    )
    recorded = await house.do(ApprovalAct(done), AGREED, f"{request.id}.done")
    if isinstance(recorded, Refusal):
        log.warning("request %s: its outcome is not on the record: %s", request.id, recorded.code)


async def expire_requests(house: "House") -> None:
    """Close the requests that nobody decided in time, so that the record says so."""
    now = house.now()
    waiting = [each for each in house.approvals.state.requests.values() if each.status == "waiting"]
    if any(now >= request.expires_at for request in waiting):
        await house.do(ApprovalAct(msg.ExpireRequests(by=SYSTEM, at=now)), SYSTEM, uuid4().hex)
