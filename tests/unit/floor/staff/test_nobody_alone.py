"""Nobody changes the staff list alone: who seconds, in which position, and what is told of it."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from taisai.floor.staff import messages as msg
from taisai.floor.staff.acts import StaffState, policy_faults
from taisai.game.people import Actor, Role
from taisai.game.refusals import RefusalCode
from tests.unit.house import AUDITOR, CASHIER, DEALER, ROOT, SHIFT_MANAGER, SYSTEM, Run, minutes

GOOD = msg.PasswordFacts(length=16, signs=10)
MANAGER = Actor("maud", Role.CASINO_MANAGER)
OTHER_ROOT = Actor("ruth", Role.ADMINISTRATOR)
PEOPLE = (ROOT, OTHER_ROOT, AUDITOR, MANAGER, SHIFT_MANAGER, CASHIER, DEALER)
ABOUT: dict[str, Any] = {"by": ROOT, "at": minutes(5), "name": DEALER.name}
HASH: dict[str, Any] = {"password_hash": "h", "facts": GOOD}
TWO: dict[str, Any] = {
    "AddStaff": msg.AddStaff(**{**ABOUT, "name": "nora"}, role=Role.DEALER, **HASH),
    "ChangeRole": msg.ChangeRole(**ABOUT, role=Role.PIT_SUPERVISOR),
    "EnableStaff": msg.EnableStaff(**{**ABOUT, "name": CASHIER.name}),
    "ResetPassword": msg.ResetPassword(**ABOUT, **HASH),
    "SetTotp": msg.SetTotp(**ABOUT, secret=None),
    "SetStaffPolicy": msg.SetStaffPolicy(
        by=ROOT, at=minutes(5), policy=msg.StaffPolicy(seconds=[Role.CASHIER])
    ),
}


def a_house() -> Run:
    """Everybody is on the list, the dealer with a second factor, the cashier disabled."""
    run = Run(StaffState(), msg.AnyStaffEvent, StaffState)
    for person in PEOPLE:
        added = msg.AddStaff(
            by=SYSTEM, at=minutes(0), name=person.name, role=person.role, password_hash="h", facts=GOOD
        )
        run.do(added)
    own = msg.SetTotp(
        by=DEALER, at=minutes(1), name=DEALER.name, secret="sealed", step=1, password_mark=msg.mark("h")
    )
    run.do(own)
    run.do(msg.DisableStaff(by=ROOT, at=minutes(1), name=CASHIER.name))
    return run


def log_in(run: Run, person: Actor, at: float, token: str, step: int | None = None) -> None:
    mark = msg.mark(run.state.members[person.name].password_hash)
    asked = msg.LogIn(
        by=SYSTEM, at=minutes(at), name=person.name, password_mark=mark, token=token, totp_step=step
    )
    run.do(asked)


@pytest.mark.parametrize("act", sorted(TWO))
@pytest.mark.parametrize("second", [None, *PEOPLE], ids=lambda one: one.name if one else "nobody")
def test_every_act_on_the_list_takes_an_administrator_and_a_manager_or_auditor(
    act: str, second: Actor | None
) -> None:
    """Every act with every second: one alone, one twice, two administrators and the floor are refused."""
    run = a_house()
    command = msgspec.structs.replace(TWO[act], second=second)
    if second in (AUDITOR, MANAGER):
        run.do(command)
        done = next(event for event in run.events()[::-1] if getattr(event, "second", None))
        assert (done.by, done.second) == (ROOT, second)
        return
    codes = {None: RefusalCode.SECOND_PERSON_MISSING, ROOT: RefusalCode.SECOND_PERSON_IS_FIRST}
    expected = codes.get(second, RefusalCode.SECOND_PERSON_NOT_ALLOWED)
    if second == CASHIER:
        expected = RefusalCode.ASKER_GONE  # disabled
    assert run.refused(command) is expected


def test_a_position_is_lowered_and_a_person_shut_out_at_once() -> None:
    """What takes rights away waits for nobody; what gives others does."""
    run = a_house()
    run.do(msg.ChangeRole(by=ROOT, at=minutes(2), name=MANAGER.name, role=Role.DEALER))
    run.do(msg.DisableStaff(by=ROOT, at=minutes(2), name=AUDITOR.name))
    sideways = msg.ChangeRole(by=ROOT, at=minutes(3), name=SHIFT_MANAGER.name, role=Role.CASHIER)
    assert run.refused(sideways) is RefusalCode.SECOND_PERSON_MISSING


def test_what_counts_is_the_position_at_the_moment_it_is_done() -> None:
    """An asker who was disabled or moved since, or a second who was, is none."""
    ask = msgspec.structs.replace(TWO["ResetPassword"], second=AUDITOR)
    for change, gone in (
        (msg.DisableStaff(by=OTHER_ROOT, at=minutes(2), name=ROOT.name), ROOT),
        (
            msg.ChangeRole(by=OTHER_ROOT, at=minutes(2), name=ROOT.name, role=Role.DEALER, second=AUDITOR),
            ROOT,
        ),
        (msg.DisableStaff(by=OTHER_ROOT, at=minutes(2), name=AUDITOR.name), AUDITOR),
    ):
        run = a_house()
        run.do(change)
        answer = run.ask(ask)
        assert (answer.code, answer.facts["name"]) == (RefusalCode.ASKER_GONE, gone.name)
    run = a_house()
    moved = msg.ChangeRole(by=ROOT, at=minutes(2), name=AUDITOR.name, role=Role.CASHIER, second=MANAGER)
    run.do(moved)
    assert run.refused(ask) is RefusalCode.SECOND_PERSON_NOT_ALLOWED


def test_the_house_names_who_seconds_and_not_an_administrator_alone() -> None:
    """The change itself takes a second by the rule that it changes."""
    run = a_house()
    naming = msg.SetStaffPolicy(
        by=ROOT, at=minutes(2), policy=msg.StaffPolicy(seconds=[Role.SHIFT_MANAGER]), second=SHIFT_MANAGER
    )
    assert run.refused(naming) is RefusalCode.SECOND_PERSON_NOT_ALLOWED
    run.do(msgspec.structs.replace(naming, second=MANAGER))
    reset = msgspec.structs.replace(TWO["ResetPassword"], second=SHIFT_MANAGER)
    assert (
        run.refused(msgspec.structs.replace(reset, second=AUDITOR)) is RefusalCode.SECOND_PERSON_NOT_ALLOWED
    )
    run.do(reset)
    for nobody in ([], [Role.PLAYER], [Role.AUDITOR, Role.SYSTEM]):
        assert policy_faults(msg.StaffPolicy(seconds=nobody)) == ["seconds: expected positions of the staff"]


def test_the_person_concerned_is_told_at_the_next_login_and_for_a_week() -> None:
    """By whom, with whom and why: whoever logged in first with a reset password may have been another."""
    run = a_house()
    log_in(run, DEALER, 2, "a", 2)
    assert run.state.sessions["a"].told == ()
    run.do(msgspec.structs.replace(TWO["ResetPassword"], second=AUDITOR, reason="lost"))
    run.do(msgspec.structs.replace(TWO["SetTotp"], second=MANAGER))
    for at, token in ((6, "b"), (7, "c")):
        log_in(run, DEALER, at, token)
        told = [(each.what, each.by, each.second, each.reason) for each in run.state.sessions[token].told]
        assert told == [("PasswordSet", "root", "aude", "lost"), ("TotpChanged", "root", "maud", "")]
    log_in(run, DEALER, 8 + 7 * 24 * 60, "d")
    assert run.state.sessions["d"].told == ()
    assert run.replayed() == run.state


def test_long_absence_keeps_what_is_to_be_told() -> None:
    """A month later is still the next login."""
    run = a_house()
    run.do(msgspec.structs.replace(TWO["ResetPassword"], second=AUDITOR))
    log_in(run, DEALER, timedelta(days=31) / timedelta(minutes=1), "a", 2)
    assert [each.what for each in run.state.sessions["a"].told] == ["PasswordSet"]


def incident(about: str, *absent: str, **said: str) -> msg.DeclareStaffIncident:
    words = {"operator": "an engineer", "act": "reset", "reason": "all are ill", **said}
    return msg.DeclareStaffIncident(by=SYSTEM, at=minutes(9), about=about, absent=absent, **words)


def test_an_incident_is_declared_only_when_no_two_are_left() -> None:
    """Without the person concerned and those who cannot act; with a name and a reason."""
    run = a_house()
    refused = run.ask(incident(ROOT.name))
    assert (refused.code, refused.facts) == (
        RefusalCode.SECOND_IS_THERE,
        {"first": OTHER_ROOT.name, "second": AUDITOR.name},
    )
    assert run.refused(incident(ROOT.name, OTHER_ROOT.name, reason=" ")) is RefusalCode.REASON_MISSING
    run.do(incident(ROOT.name, OTHER_ROOT.name))
    run.do(incident(AUDITOR.name, MANAGER.name))
    by_hand = msgspec.structs.replace(incident(AUDITOR.name, MANAGER.name), by=ROOT)
    assert run.refused(by_hand) is RefusalCode.ROLE_NOT_ALLOWED
