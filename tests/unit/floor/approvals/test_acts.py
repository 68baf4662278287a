"""Dual control: who may ask, who may agree, in what time, and that it is carried out once."""

from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from taisai.dice import Roll
from taisai.errors import InputError
from taisai.floor.approvals import messages as msg
from taisai.floor.approvals.acts import (
    CLOSED_KEPT,
    WAITING_MAX,
    WAITING_OF_ONE_MAX,
    ApprovalsState,
    Status,
    approvals_desk,
)
from taisai.floor.approvals.asked import AskedAct, TableAct, recalled
from taisai.floor.cage import AnyCageCommand, VoidTicket
from taisai.floor.cluster.messages import AnyClusterCommand
from taisai.floor.permits import PERMITS, second_rule
from taisai.floor.pit.messages import AnyPitCommand
from taisai.floor.staff.messages import AnyStaffCommand
from taisai.floor.table.messages import InRound
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.game.refusals import RefusalCode
from tests.unit.house import (
    AUDITOR,
    CASHIER,
    DEALER,
    OTHER_DEALER,
    PIT_MANAGER,
    ROOT,
    SHIFT_MANAGER,
    SUPERVISOR,
    SYSTEM,
    Run,
    minutes,
)


def run_approvals() -> Run:
    return Run(ApprovalsState(), msg.AnyApprovalEvent, ApprovalsState)


def an_act(name: str, by: Actor, at: float) -> AskedAct:
    """Any act of this name; what it says of its own does not matter here."""
    kinds = {
        kind.__name__: desk
        for desk, union in (
            ("table", AnyClusterCommand),
            ("cage", AnyCageCommand),
            ("pit", AnyPitCommand),
            ("staff", AnyStaffCommand),
        )
        for kind in union.__args__
    }
    said = {"by": msgspec.to_builtins(by), "at": minutes(at)}
    command = {**FIELDS.get(name, {}), **said, "type": name}
    desk = "table"
    if name in kinds:
        desk = kinds[name]
    else:  # an act of the round
        command = {**said, "type": "InRound", "round": 7, "command": command}
    act: AskedAct = msgspec.convert({"desk": desk, "table": "T1", "command": command}, AskedAct)
    return act


SECONDED = {name: permit.second for name, permit in PERMITS.items() if permit.second}

FIELDS: dict[str, dict[str, Any]] = {
    "ReportDamagedDice": {"rounds": [7]},
    "CorrectResult": {"roll": [1, 2, 3]},
    "CorrectBets": {"player": "ann", "slip": {}},
    "MakeRuling": {"decision": "record"},
    "PlaceBets": {"player": "ann", "slip": {}, "version": 1},
    "PayUnclaimed": {"player": "ann", "amount": 5},
    "CollectOwed": {"player": "ann", "amount": 5},
    "OpenTable": {
        "settings": {"pay_table": "tai-sai-v6/2", "limits": {"unit": 100, "default": {"minimum": 100}}}
    },
    "VoidTicket": {"ticket": "name", "second": None, "reason": ""},
    "PrintTicket": {"ticket": "name"},
    "RedeemTicket": {"ticket": "name"},
    "FillTable": {"table": "T1", "amount": 100},
    "CreditTable": {"table": "T1", "amount": 100},
    "CountFloat": {"table": "T1", "when": "opening", "counted": 100},
    "CountDrop": {"box": "B1", "counted": 100},
    "HandPay": {"terminal": "C1-1"},
    "CashOut": {"player": "ann"},
    "VoidRound": {"ground": "exposed-early"},
    "InterruptRound": {},
    "SetService": {"terminal": "C1-1", "service": "in-service"},
    "SetStaffPolicy": {"policy": {}},
    "AddStaff": {
        "name": "nora",
        "role": "dealer",
        "password_hash": "h",
        "facts": {"length": 16, "signs": 10},
    },
    "ChangeRole": {"name": "nora", "role": "cashier"},
    "EnableStaff": {"name": "nora"},
    "ResetPassword": {"name": "nora", "password_hash": "h", "facts": {"length": 16, "signs": 10}},
    "SetTotp": {"name": "nora", "secret": None},
}


def request(
    by: Actor = DEALER, act: str = "CorrectResult", at: float = 0, reason: str = "misread"
) -> msg.RequestApproval:
    return msg.RequestApproval(by=by, at=minutes(at), asked=an_act(act, by, at), reason=reason)


def approve(approval: str, by: Actor = SUPERVISOR, at: float = 1) -> msg.ApproveRequest:
    return msg.ApproveRequest(by=by, at=minutes(at), approval=approval)


def test_an_approved_act_is_sent_with_the_second_person_and_the_reason() -> None:
    """The command that reaches the table's desk is the one that was asked for, and names both."""
    run = run_approvals()
    made = run.do(request())
    assert [each.id for each in run.state.waiting(minutes(1))] == [made.id]
    run.do(approve(made.id))
    (waiting,) = run.state.to_carry_out()
    sent = waiting.to_do(minutes(2)).command
    assert isinstance(sent, InRound)
    assert isinstance(sent.command, cmd.CorrectResult)
    assert (sent.round, sent.command.roll) == (7, Roll(1, 2, 3))
    assert (sent.command.by, sent.command.second, sent.command.reason) == (DEALER, SUPERVISOR, "misread")
    assert sent.at == sent.command.at == minutes(2)


def test_a_command_of_the_cage_takes_them_at_its_top() -> None:
    """Tickets are voided by two people as well."""
    run = run_approvals()
    made = run.do(request(CASHIER, "VoidTicket", reason="torn"))
    run.do(approve(made.id))
    sent = run.state.to_carry_out()[0].to_do(minutes(2)).command
    assert isinstance(sent, VoidTicket)
    assert (sent.second, sent.reason) == (SUPERVISOR, "torn")


def test_what_an_earlier_version_asked_for_can_still_be_decided() -> None:
    """Its request has plain values and no time; it is done as what is asked today."""
    run = run_approvals()
    correction = {
        "type": "CorrectResult",
        "by": {"name": "dora", "role": "dealer"},
        "v": 1,
        "roll": [1, 2, 3],
    }
    old = {
        "type": "ApprovalRequested",
        "by": {"name": "dora", "role": "dealer"},
        "at": "2026-05-04T20:00:00Z",
        "v": 1,
        "approval": "approvals.2",
        "target": "table:T1",
        "act": "CorrectResult",
        "command": {
            "type": "InRound",
            "by": {"name": "dora", "role": "dealer"},
            "v": 1,
            "round": 7,
            "command": {**correction, "second": None, "reason": ""},
        },
        "reason": "misread",
        "expires_at": "2126-05-04T20:05:00Z",
    }
    run.state.evolve(msgspec.convert(old, msg.AnyApprovalEvent))
    run.do(approve("approvals.2"))
    act = run.state.to_carry_out()[0].to_do(minutes(2))
    assert isinstance(act, TableAct)
    assert isinstance(act.command, InRound)
    assert isinstance(act.command.command, cmd.CorrectResult)
    assert (act.table, act.command.round, act.command.command.second) == ("T1", 7, SUPERVISOR)
    assert act.command.command.roll == Roll(1, 2, 3)
    void = {"type": "VoidTicket", "by": {"name": "kim", "role": "cashier"}, "ticket": "x", "v": 1}
    new = {"name": "y", "last_four": "1234", "expires_at": "2026-11-04T20:00:00Z"}
    read = recalled("cage", {**void, "second": None, "reason": "torn", "reissue": new}, minutes(0))
    assert isinstance(read.command, VoidTicket)
    assert read.command.reissue is not None
    assert read.command.reissue.good_until(minutes(9)).year == 2026
    with pytest.raises(InputError, match="cannot be read"):
        recalled("cage", {"type": "Dance"}, minutes(0))


def test_it_is_carried_out_once() -> None:
    """What is recorded as done is never handed out again, also after a restart."""
    run = run_approvals()
    made = run.do(request())
    run.do(approve(made.id))
    assert [each.id for each in run.replayed().to_carry_out()] == [made.id]
    done = msg.RecordCarriedOut(by=SYSTEM, at=minutes(2), approval=made.id, happened=("ResultCorrected",))
    run.do(done)
    assert run.state.to_carry_out() == run.replayed().to_carry_out() == []
    assert run.state.find(made.id).status is Status.DONE
    assert run.refused(done) is RefusalCode.APPROVAL_CLOSED
    assert run.refused(approve(made.id)) is RefusalCode.APPROVAL_CLOSED


def test_what_nobody_agreed_to_cannot_be_sent() -> None:
    """Neither while it waits nor after it was denied."""
    run = run_approvals()
    made = run.do(request())
    with pytest.raises(InputError, match="is waiting, not approved"):
        run.state.find(made.id).to_do(minutes(2))
    run.do(msg.DenyRequest(by=SUPERVISOR, at=minutes(1), approval=made.id))
    with pytest.raises(InputError, match="is denied, not approved"):
        run.state.find(made.id).to_do(minutes(2))


def test_only_the_last_closed_requests_are_remembered() -> None:
    """The record has them all."""
    run = run_approvals()
    for _ in range(CLOSED_KEPT + 2):
        made = run.do(request())
        run.do(msg.WithdrawRequest(by=DEALER, at=minutes(0), approval=made.id))
    assert len(run.state.closed) == CLOSED_KEPT
    assert run.state.find(made.id).status is Status.WITHDRAWN


def test_what_the_desk_refused_is_kept_with_its_code() -> None:
    """The round may have moved on meanwhile."""
    run = run_approvals()
    made = run.do(request())
    run.do(approve(made.id))
    run.do(msg.RecordCarriedOut(by=SYSTEM, at=minutes(2), approval=made.id, refused="round_void"))
    found = run.state.find(made.id)
    assert (found.status, found.outcome) == (Status.REFUSED, "round_void")


@pytest.mark.parametrize(
    ("second", "code"),
    [
        (DEALER, RefusalCode.SECOND_PERSON_IS_FIRST),
        (Actor("DORA", Role.SHIFT_MANAGER), RefusalCode.SECOND_PERSON_IS_FIRST),
        (OTHER_DEALER, RefusalCode.SECOND_PERSON_NOT_ALLOWED),
        (CASHIER, RefusalCode.SECOND_PERSON_NOT_ALLOWED),
        (AUDITOR, RefusalCode.SECOND_PERSON_NOT_ALLOWED),
        (ROOT, RefusalCode.SECOND_PERSON_NOT_ALLOWED),
        (SYSTEM, RefusalCode.SECOND_PERSON_NOT_ALLOWED),
    ],
)
def test_the_second_is_another_person_of_sufficient_position(second: Actor, code: RefusalCode) -> None:
    """Neither oneself under another position, nor somebody who has no say; denying is for the same people."""
    run = run_approvals()
    made = run.do(request())
    assert run.refused(approve(made.id, second)) is code
    deny = msg.DenyRequest(by=second, at=minutes(1), approval=made.id)
    assert run.refused(deny) is code
    assert run.state.find(made.id).status is Status.WAITING


def test_one_of_the_two_is_enough_for_the_higher_position() -> None:
    """A shift manager's ruling is agreed to by a dealer, and a dealer's by a shift manager."""
    run = run_approvals()
    for first, second in ((SHIFT_MANAGER, DEALER), (DEALER, SHIFT_MANAGER)):
        made = run.do(request(first, "MakeRuling"))
        run.do(approve(made.id, second))
    made = run.do(request(DEALER, "MakeRuling"))
    assert run.refused(approve(made.id, PIT_MANAGER)) is RefusalCode.SECOND_PERSON_NOT_ALLOWED


@pytest.mark.parametrize("by", [CASHIER, AUDITOR, ROOT, SYSTEM, Actor("p1", Role.PLAYER)])
def test_only_those_who_may_do_it_may_ask(by: Actor) -> None:
    """A correction is asked for by a pit employee."""
    assert run_approvals().refused(request(by)) is RefusalCode.ROLE_NOT_ALLOWED


def test_a_table_is_changed_by_a_supervisor_and_a_manager() -> None:
    """Limits and rulebooks are no dealer's business."""
    run = run_approvals()
    assert run.refused(request(DEALER, "OpenTable")) is RefusalCode.ROLE_NOT_ALLOWED
    made = run.do(request(SUPERVISOR, "OpenTable"))
    assert run.refused(approve(made.id, DEALER)) is RefusalCode.SECOND_PERSON_NOT_ALLOWED
    run.do(approve(made.id, PIT_MANAGER))


def test_a_request_expires_and_the_expiry_is_recorded() -> None:
    """At the minute it is too late; asking then closes it."""
    run = run_approvals()
    made = run.do(request())
    assert run.state.waiting(minutes(5)) == []
    assert run.refused(approve(made.id, at=5)) is RefusalCode.APPROVAL_EXPIRED
    assert isinstance(run.events()[-1], msg.RequestExpired)
    assert run.refused(approve(made.id, at=4.9)) is RefusalCode.APPROVAL_EXPIRED
    in_time = run.do(request(at=10))
    run.do(approve(in_time.id, at=14.99))


def test_old_requests_are_swept() -> None:
    """By the clock, or when the next one is made."""
    run = run_approvals()
    first = run.do(request())
    second = run.do(request(at=6))
    assert run.state.find(first.id).status is Status.EXPIRED
    run.do(msg.ExpireRequests(by=SYSTEM, at=minutes(12)))
    assert run.state.find(second.id).status is Status.EXPIRED
    assert run.do(msg.ExpireRequests(by=SYSTEM, at=minutes(12))).happened == []


def test_a_denied_or_withdrawn_request_is_over() -> None:
    """Only who asked can withdraw."""
    run = run_approvals()
    denied, withdrawn = run.do(request()), run.do(request())
    run.do(msg.DenyRequest(by=SUPERVISOR, at=minutes(1), approval=denied.id, reason="no"))
    withdraw = msg.WithdrawRequest(by=SUPERVISOR, at=minutes(1), approval=withdrawn.id)
    assert run.refused(withdraw) is RefusalCode.ROLE_NOT_ALLOWED
    run.do(msgspec.structs.replace(withdraw, by=DEALER))
    assert {run.refused(approve(each.id)) for each in (denied, withdrawn)} == {RefusalCode.APPROVAL_CLOSED}
    assert run.state.find(denied.id).outcome == "no"


def test_a_request_needs_a_reason_and_a_known_act() -> None:
    """And there is an end to how many can wait."""
    run = run_approvals()
    assert run.refused(request(reason="  ")) is RefusalCode.REASON_MISSING
    assert run.refused(request(act="PlaceBets")) is RefusalCode.APPROVAL_UNKNOWN
    assert run.refused(approve("act.99")) is RefusalCode.APPROVAL_UNKNOWN
    for number in range(WAITING_MAX):
        run.do(request(Actor(f"d{number // WAITING_OF_ONE_MAX}", Role.DEALER)))
    assert run.refused(request()) is RefusalCode.APPROVALS_FULL


def test_one_person_cannot_fill_the_list() -> None:
    """Others still find room, whatever the case of the name; what has run out takes none."""
    run = run_approvals()
    for _ in range(WAITING_OF_ONE_MAX):
        run.do(request())
    refused = run.ask(request(Actor(DEALER.name.upper(), Role.PIT_SUPERVISOR)))
    assert (refused.code, refused.facts["waiting"]) == (RefusalCode.APPROVALS_FULL, WAITING_OF_ONE_MAX)
    run.do(request(OTHER_DEALER))
    run.do(request(at=6))


def test_every_act_of_the_round_that_takes_two_people_has_its_rule() -> None:
    """No act of two people can slip past the approvals."""
    two = {type_.__name__ for type_ in cmd.TwoPeople.__subclasses__()}
    assert two <= SECONDED.keys()
    assert "PlaceBets" not in SECONDED
    assert second_rule("Dance") is None
    assert approvals_desk().stream == "approvals"


PEOPLE = [DEALER, OTHER_DEALER, SUPERVISOR, SHIFT_MANAGER, CASHIER, AUDITOR]


class Approvals(RuleBasedStateMachine):
    """Requests at random: what is carried out had two people in time, and was carried out once."""

    def __init__(self) -> None:
        super().__init__()
        self.run = run_approvals()
        self.now = 0.0
        self.ids: list[str] = []
        self.carried: list[str] = []

    @rule(by=st.sampled_from(PEOPLE), act=st.sampled_from(sorted(SECONDED)))
    def ask(self, by: Actor, act: str) -> None:
        answer = self.run.ask(request(by, act, self.now))
        if hasattr(answer, "happened"):
            self.ids.append(answer.id)

    @rule(by=st.sampled_from(PEOPLE), data=st.data(), kind=st.sampled_from(["approve", "deny", "withdraw"]))
    def decide(self, by: Actor, data: st.DataObject, kind: str) -> None:
        if self.ids:
            made = {"approve": msg.ApproveRequest, "deny": msg.DenyRequest, "withdraw": msg.WithdrawRequest}
            self.run.ask(
                made[kind](by=by, at=minutes(self.now), approval=data.draw(st.sampled_from(self.ids)))
            )

    @rule()
    def carry_out(self) -> None:
        for each in self.run.state.to_carry_out():
            self.carried.append(each.id)
            self.run.do(msg.RecordCarriedOut(by=SYSTEM, at=minutes(self.now), approval=each.id))

    @rule(wait=st.sampled_from([0.5, 2, 6]))
    def wait(self, wait: float) -> None:
        self.now += wait

    @invariant()
    def two_people_once_and_in_time(self) -> None:
        assert len(self.carried) == len(set(self.carried))
        for each in self.carried:
            done = self.run.state.find(each)
            assert done.second.name != done.by.name
            assert done.at <= done.decided_at < done.expires_at
            least = SECONDED[done.act].least
            assert done.by.is_at_least(least) or done.second.is_at_least(least)

    @invariant()
    def a_restart_finds_the_same(self) -> None:
        assert self.run.replayed() == self.run.state


TestApprovalsModel = Approvals.TestCase
TestApprovalsModel.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
