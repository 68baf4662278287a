"""The staff list: credentials, positions, lock-outs and sessions."""

from collections import defaultdict
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from taisai.floor.staff import messages as msg
from taisai.floor.staff.acts import StaffState, policy_faults, staff_desk
from taisai.floor.staff.attempts import STRANGERS_MAX
from taisai.floor.staff.presence import StaffPresence
from taisai.floor.staff.state import Session
from taisai.game.people import Role
from taisai.game.refusals import Refusal, RefusalCode
from tests.unit.house import AUDITOR, DEALER, ROOT, SYSTEM, Run, minutes

GOOD = msg.PasswordFacts(length=16, signs=10)


def run_staff(**policy: Any) -> Run:
    run = Run(StaffState(), msg.AnyStaffEvent, StaffState)
    run.do(msg.SetStaffPolicy(by=SYSTEM, at=minutes(0), policy=msg.StaffPolicy(**policy)))
    run.do(add("root", Role.ADMINISTRATOR))
    return run


def add(name: str, role: Role, *, must_change: bool = False, facts: msg.PasswordFacts = GOOD) -> msg.AddStaff:
    return msg.AddStaff(
        by=SYSTEM,
        at=minutes(0),
        name=name,
        role=role,
        password_hash=f"hash of {name}",
        facts=facts,
        must_change=must_change,
    )


def log_in(name: str, at: float = 1, *, right: bool = True, token: str = "t", **more: Any) -> msg.LogIn:
    mark = msg.mark(f"hash of {name.strip().lower()}") if right else ""
    return msg.LogIn(by=SYSTEM, at=minutes(at), name=name, password_mark=mark, token=token, **more)


def test_a_login_begins_a_session_in_ones_own_position() -> None:
    """Name and password right: a session, and the record says when and where."""
    run = run_staff()
    run.do(add("mia", Role.SHIFT_MANAGER))
    run.do(log_in(" MIA ", token="digest", where="pit 1"))
    session = run.state.sessions["digest"]
    assert (session.name, session.role, session.where) == ("mia", Role.SHIFT_MANAGER, "pit 1")
    assert isinstance(run.events()[-1], msg.LoggedIn)


@pytest.mark.parametrize("acting", [Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER])
def test_a_person_may_act_in_a_lower_position(acting: Role) -> None:
    """A shift manager acts as dealer, supervisor or pit manager."""
    run = run_staff()
    run.do(add("mia", Role.SHIFT_MANAGER))
    run.do(log_in("mia", acting=acting))
    assert run.state.sessions["t"].actor.role is acting


@pytest.mark.parametrize(
    ("own", "acting"),
    [
        (Role.DEALER, Role.PIT_SUPERVISOR),
        (Role.SHIFT_MANAGER, Role.CASHIER),
        (Role.ADMINISTRATOR, Role.DEALER),
        (Role.CASHIER, Role.DEALER),
    ],
)
def test_nobody_acts_in_a_higher_or_another_position(own: Role, acting: Role) -> None:
    """The attempt is on the record, refused, and counts as no failed password."""
    run = run_staff(failures_max=1)
    run.do(add("someone", own))
    assert run.refused(log_in("someone", acting=acting)) is RefusalCode.ROLE_NOT_ALLOWED
    assert run.events()[-1].why == "position"
    run.do(log_in("someone", 2))


def test_every_attempt_is_recorded_with_the_name_supplied() -> None:
    """Known or not, right or wrong."""
    run = run_staff(failures_max=3)
    run.do(log_in("root"))
    for name in ("root", "nobody", "x" * 200):
        assert run.refused(log_in(name, right=False)) is RefusalCode.LOGIN_FAILED
    failed = [event for event in run.events() if isinstance(event, msg.LoginFailed)]
    assert [(event.name, event.why) for event in failed] == [
        ("root", "password"),
        ("nobody", "unknown"),
        ("x" * 64, "unknown"),
    ]


@pytest.mark.parametrize("name", ["root", "nobody"])
def test_too_many_failures_lock_a_name_out_for_a_time(name: str) -> None:
    """The answers are the same whether or not anybody has the name."""
    run = run_staff(failures_max=3, lock_minutes=10)
    codes = [run.refused(log_in(name, 1 + n / 10, right=False)) for n in range(4)]
    assert codes == [RefusalCode.LOGIN_FAILED] * 2 + [RefusalCode.LOGIN_LOCKED] * 2
    assert run.refused(log_in(name, 11)) is RefusalCode.LOGIN_LOCKED
    assert run.events()[-1].why == "locked"
    assert run.refused(log_in(name, 12, right=False)) is RefusalCode.LOGIN_FAILED
    if name == "root":
        run.do(log_in(name, 12))


def test_a_lock_without_end_waits_for_an_administrator() -> None:
    """`lock_minutes` 0."""
    run = run_staff(failures_max=1, lock_minutes=0)
    run.do(add("dora", Role.DEALER))
    assert run.refused(log_in("dora", right=False)) is RefusalCode.LOGIN_LOCKED
    assert run.refused(log_in("dora", 10_000)) is RefusalCode.LOGIN_LOCKED
    assert run.refused(msg.UnlockStaff(by=DEALER, at=minutes(1), name="dora")) is RefusalCode.ROLE_NOT_ALLOWED
    run.do(msg.UnlockStaff(by=ROOT, at=minutes(10_001), name="dora"))
    run.do(log_in("dora", 10_002))


def test_names_that_nobody_has_take_a_bounded_place() -> None:
    """An attacker cannot fill the memory with names."""
    run = run_staff()
    for n in range(STRANGERS_MAX + 50):
        run.ask(log_in(f"name{n}", right=False))
    assert len(run.state.attempts.strangers) == STRANGERS_MAX


def test_a_second_factor_is_asked_for_and_works_once() -> None:
    """Without a code, with a wrong one, or with one that was used, the login fails."""
    run = run_staff()
    run.do(add("mia", Role.SHIFT_MANAGER))
    mia = run.state.members["mia"]
    actor = Session("mia", mia.role, "", minutes(0), "").actor
    mark = msg.mark("hash of mia")
    own = msg.SetTotp(by=actor, at=minutes(1), name="mia", secret="sealed", step=100, password_mark=mark)
    run.do(own)
    assert run.refused(log_in("mia")) is RefusalCode.LOGIN_FAILED
    assert run.events()[-1].why == "totp"
    assert run.refused(log_in("mia", totp_step=100)) is RefusalCode.LOGIN_FAILED
    assert run.events()[-1].why == "totp-repeated"
    run.do(log_in("mia", totp_step=101))
    assert run.refused(log_in("mia", totp_step=101, token="u")) is RefusalCode.LOGIN_FAILED
    run.do(log_in("mia", totp_step=102, token="u"))


def test_a_second_factor_is_ones_own_and_an_administrator_can_only_remove_it() -> None:
    """Nobody can set up another's second factor; a lost one is taken away and its sessions end."""
    run = run_staff()
    run.do(add("dora", Role.DEALER))
    run.do(log_in("dora"))
    setting = msg.SetTotp(by=ROOT, at=minutes(1), name="dora", secret="sealed")
    assert run.refused(setting) is RefusalCode.ROLE_NOT_ALLOWED
    assert run.refused(msgspec.structs.replace(setting, by=DEALER)) is RefusalCode.LOGIN_FAILED
    run.do(msgspec.structs.replace(setting, by=DEALER, password_mark=msg.mark("hash of dora")))
    run.do(msgspec.structs.replace(setting, secret=None, second=AUDITOR))
    assert run.state.members["dora"].totp is None
    assert run.state.sessions == {}


def test_roles_that_need_a_second_factor_owe_it() -> None:
    """The session begins, and says what is due first."""
    run = run_staff(totp_roles=[Role.CASHIER])
    run.do(add("carl", Role.CASHIER, must_change=True))
    run.do(log_in("carl"))
    assert run.state.dues("carl", minutes(1)) == ["password", "totp"]


def test_a_new_password_is_due_at_first_and_when_it_is_old() -> None:
    """An administrator's password is for once; the age is a setting, off unless asked for."""
    run = run_staff()
    run.do(add("dora", Role.DEALER, must_change=True))
    assert run.state.dues("dora", minutes(1)) == ["password"]
    run.do(
        msg.ChangePassword(
            by=DEALER, at=minutes(2), old_mark=msg.mark("hash of dora"), password_hash="new", facts=GOOD
        )
    )
    assert run.state.dues("dora", minutes(2) + timedelta(days=5_000)) == []
    policy = msg.StaffPolicy(password_days_max=90)
    run.do(msg.SetStaffPolicy(by=ROOT, at=minutes(3), policy=policy, second=AUDITOR))
    assert run.state.dues("dora", minutes(2) + timedelta(days=89)) == []
    assert run.state.dues("dora", minutes(2) + timedelta(days=90)) == ["password"]


def test_a_password_is_changed_with_the_old_one_and_ends_other_sessions() -> None:
    """A wrong old password counts as a failed login."""
    run = run_staff(one_session=False)
    run.do(add("dora", Role.DEALER))
    for token in ("a", "b"):
        run.do(log_in("dora", token=token))
    change = msg.ChangePassword(
        by=DEALER, at=minutes(2), old_mark="", password_hash="new", facts=GOOD, token="a"
    )
    assert run.refused(change) is RefusalCode.LOGIN_FAILED
    assert run.state.attempts.at("dora").failures == 1
    run.do(msgspec.structs.replace(change, old_mark=msg.mark("hash of dora")))
    assert set(run.state.sessions) == {"a"}
    assert run.state.password_hash("dora") == "new"
    assert run.state.members["dora"].earlier_hashes == ("hash of dora",)


def test_who_is_not_on_the_list_has_no_password_to_change() -> None:
    """Nor has who was disabled."""
    run = run_staff()
    mark = msg.mark("hash of dora")
    change = msg.ChangePassword(by=DEALER, at=minutes(2), old_mark=mark, password_hash="new", facts=GOOD)
    assert run.refused(change) is RefusalCode.STAFF_UNKNOWN
    run.do(add("dora", Role.DEALER))
    run.do(msg.DisableStaff(by=ROOT, at=minutes(1), name="dora"))
    assert run.refused(change) is RefusalCode.STAFF_UNKNOWN


@pytest.mark.parametrize(
    ("facts", "fault"),
    [
        (msg.PasswordFacts(length=11, signs=9), "at least 12 characters"),
        (msg.PasswordFacts(length=12, signs=4), "at least 5 different characters"),
        (msg.PasswordFacts(length=12, signs=9, holds_name=True), "not the name in it"),
        (msg.PasswordFacts(length=12, signs=9, reused=True), "not one of the last passwords"),
    ],
)
def test_a_weak_password_is_refused_with_what_it_lacks(facts: msg.PasswordFacts, fault: str) -> None:
    """Each demand of the policy has its words."""
    run = run_staff()
    answer = run.ask(add("dora", Role.DEALER, facts=facts))
    assert (answer.code, answer.facts["faults"]) == (RefusalCode.PASSWORD_WEAK, [fault])


def test_a_stronger_hash_of_the_same_password_does_not_make_it_younger() -> None:
    """Renewing a hash is not changing a password."""
    run = run_staff()
    before = run.state.members["root"].password_at
    run.do(
        msg.RenewHash(
            by=SYSTEM, at=minutes(9), name="root", old_mark=msg.mark("hash of root"), password_hash="stronger"
        )
    )
    root = run.state.members["root"]
    assert (root.password_at, root.password_hash, root.earlier_hashes) == (before, "stronger", ())


def test_one_session_a_person_replaces_the_older_one() -> None:
    """The setting is on unless a house turns it off."""
    run = run_staff()
    run.do(log_in("root", token="a"))
    run.do(log_in("root", 2, token="b"))
    assert set(run.state.sessions) == {"b"}
    assert [event.why for event in run.events() if isinstance(event, msg.LoggedOut)] == ["replaced"]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (msg.DisableStaff(by=ROOT, at=minutes(2), name="dora"), "disabled"),
        (
            msg.ChangeRole(by=ROOT, at=minutes(2), name="dora", role=Role.CASHIER, second=AUDITOR),
            "role-changed",
        ),
        (
            msg.ResetPassword(
                by=ROOT, at=minutes(2), name="dora", password_hash="h", facts=GOOD, second=AUDITOR
            ),
            "password-changed",
        ),
    ],
)
def test_what_changes_a_persons_rights_ends_their_sessions(command: Any, why: str) -> None:
    """No session outlives what it was given for."""
    run = run_staff()
    run.do(add("dora", Role.DEALER))
    run.do(log_in("dora"))
    run.do(command)
    assert run.state.sessions == {}
    assert run.events()[-1].why == why


def test_a_disabled_person_cannot_log_in_until_enabled() -> None:
    """The answer is that of a wrong password."""
    run = run_staff()
    run.do(add("dora", Role.DEALER))
    run.do(msg.DisableStaff(by=ROOT, at=minutes(1), name="dora", reason="left"))
    assert run.refused(log_in("dora")) is RefusalCode.LOGIN_FAILED
    run.do(msg.EnableStaff(by=ROOT, at=minutes(1), name="dora", second=AUDITOR))
    run.do(log_in("dora"))


def test_the_last_administrator_stays() -> None:
    """A house without an administrator could not be opened again."""
    run = run_staff()
    disable = msg.DisableStaff(by=ROOT, at=minutes(1), name="root")
    change = msg.ChangeRole(by=ROOT, at=minutes(1), name="root", role=Role.DEALER, second=AUDITOR)
    assert {run.refused(disable), run.refused(change)} == {RefusalCode.LAST_ADMINISTRATOR}
    run.do(add("ada", Role.ADMINISTRATOR))
    run.do(disable)


@pytest.mark.parametrize("name", ["A", "a", "Anna", "an na", "-anna", "anna@x", "a" * 33, ""])
def test_names_are_plain(name: str) -> None:
    """Lower case, so that nobody can be their own second person under another spelling."""
    assert run_staff().refused(add(name, Role.DEALER)) is RefusalCode.NAME_INVALID


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SYSTEM])
def test_staff_are_neither_players_nor_the_system(role: Role) -> None:
    """These positions have no login."""
    assert run_staff().refused(add("anna", role)) is RefusalCode.NAME_INVALID


def test_only_administrators_touch_the_list() -> None:
    """A dealer can add, change, reset and set nothing."""
    run = run_staff()
    run.do(add("carl", Role.CASHIER))
    asked = [
        msgspec.structs.replace(add("x1", Role.DEALER), by=DEALER),
        msg.ChangeRole(by=DEALER, at=minutes(1), name="carl", role=Role.DEALER),
        msg.DisableStaff(by=DEALER, at=minutes(1), name="carl"),
        msg.EnableStaff(by=DEALER, at=minutes(1), name="carl"),
        msg.ResetPassword(by=DEALER, at=minutes(1), name="carl", password_hash="h", facts=GOOD),
        msg.SetStaffPolicy(by=DEALER, at=minutes(1), policy=msg.StaffPolicy()),
    ]
    assert {run.refused(command) for command in asked} == {RefusalCode.ROLE_NOT_ALLOWED}


def test_a_policy_that_cannot_be_used_names_its_faults() -> None:
    """Every fault at once."""
    policy = msg.StaffPolicy(failures_max=0, lock_minutes=10**12, password_days_max=0)
    assert policy_faults(policy) == [
        "failures_max: expected 1 to 100, got 0",
        "lock_minutes: expected 0 to 525600, got 1000000000000",
        "password_days_max: expected 1 to 3650, got 0",
    ]


def test_an_idle_session_ends_and_a_busy_one_goes_on() -> None:
    """Idle time counts from the last request; a restart counts from the login."""
    run = run_staff(idle_minutes=15, session_hours_max=2)
    run.do(log_in("root", 0))
    presence = StaffPresence()
    for at in (14, 28, 42):
        assert isinstance(presence.admit(run.state, "t", minutes(at), acted=True), Session)
    assert isinstance(presence.admit(run.state, "t", minutes(57), acted=True), Refusal)
    assert [(session.token, why) for session, why in presence.overdue(run.state, minutes(57))] == [
        ("t", "idle")
    ]
    assert isinstance(StaffPresence().admit(run.state, "t", minutes(42), acted=True), Refusal)
    assert isinstance(StaffPresence().admit(run.replayed(), "t", minutes(14), acted=True), Session)


def test_no_session_is_longer_than_a_shift_may_be() -> None:
    """Also one that is never idle."""
    run = run_staff(idle_minutes=15, session_hours_max=1)
    run.do(log_in("root", 0))
    presence = StaffPresence()
    seen = [presence.admit(run.state, "t", minutes(at), acted=True) for at in range(0, 70, 10)]
    assert [isinstance(each, Session) for each in seen] == [True] * 6 + [False]
    assert seen[-1].facts["why"] == "too-long"


def test_a_logout_ends_the_session_and_can_be_repeated() -> None:
    """Asking again changes nothing and is no error."""
    run = run_staff()
    run.do(log_in("root"))
    for _ in range(2):
        run.do(msg.LogOut(by=ROOT, at=minutes(2), token="t"))
    assert isinstance(StaffPresence().admit(run.state, "t", minutes(2), acted=True), Refusal)
    assert sum(isinstance(event, msg.LoggedOut) for event in run.events()) == 1


def test_what_was_seen_of_ended_sessions_is_forgotten() -> None:
    """The memory holds those who are there."""
    run = run_staff(one_session=False)
    presence = StaffPresence()
    for token in ("a", "b"):
        run.do(log_in("root", token=token))
        presence.admit(run.state, token, minutes(2), acted=True)
    run.do(msg.LogOut(by=ROOT, at=minutes(3), token="a"))
    assert presence.overdue(run.state, minutes(3)) == []
    assert set(presence._seen) == {"b"}


def test_the_kind_of_desk_names_its_stream() -> None:
    """The staff list has a stream of its own."""
    assert staff_desk().stream == "staff"


class LockOuts(RuleBasedStateMachine):
    """Logins at random against a model that looks at the whole history each time."""

    names = ("root", "dora", "nobody")

    def __init__(self) -> None:
        super().__init__()
        self.run = run_staff(failures_max=3, lock_minutes=10)
        self.run.do(add("dora", Role.DEALER))
        self.now = 1.0
        self.tokens = 0
        self.failures: dict[str, int] = defaultdict(int)
        self.locked_until: dict[str, float] = {}

    @rule(name=st.sampled_from(names), right=st.booleans(), wait=st.sampled_from([0, 1, 5, 10]))
    def attempt(self, name: str, right: bool, wait: float) -> None:
        self.now += wait
        self.tokens += 1
        answer = self.run.ask(log_in(name, self.now, right=right, token=f"t{self.tokens}"))
        if name in self.locked_until and self.now < self.locked_until[name]:
            assert answer.code is RefusalCode.LOGIN_LOCKED
            return
        if self.locked_until.pop(name, None) is not None:
            self.failures[name] = 0
        if right and name != "nobody":
            self.failures[name] = 0
            assert answer.happened[-1] == "LoggedIn"
            return
        self.failures[name] += 1
        if self.failures[name] == 3:
            self.locked_until[name] = self.now + 10
        expected = RefusalCode.LOGIN_LOCKED if name in self.locked_until else RefusalCode.LOGIN_FAILED
        assert answer.code is expected

    @invariant()
    def a_restart_finds_the_same(self) -> None:
        assert self.run.replayed() == self.run.state


TestLockOuts = LockOuts.TestCase
TestLockOuts.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
