"""The staff list as its stream tells it: passwords that were, lock-outs, sessions, dues."""

from typing import Any

import pytest

from taisai.errors import InvariantBroken
from taisai.floor.staff import messages as msg
from taisai.floor.staff.attempts import STRANGERS_MAX, Attempts
from taisai.floor.staff.state import NAME_LEN_MAX, Member, StaffList, plain_name
from taisai.game.people import Role
from tests.unit.house import SYSTEM, minutes


class Told(StaffList):
    """A staff list that only hears events."""

    def tell(self, kind: Any, minute: float = 0, **facts: Any) -> None:
        self.evolve(kind(by=SYSTEM, at=minutes(minute), **facts))


def told() -> Told:
    staff = Told()
    staff.tell(msg.StaffAdded, name="dora", role=Role.DEALER)
    return staff


def test_of_a_persons_passwords_only_so_many_are_remembered() -> None:
    """The newest first; the same password with a new hash is not another one."""
    staff = told()
    for number in range(7):
        staff.tell(msg.PasswordSet, number, name="dora", password_hash=f"h{number}", must_change=False)
    staff.tell(msg.PasswordSet, 9, name="dora", password_hash="renewed", must_change=False, renewed=True)
    member = staff.members["dora"]
    assert member.earlier_hashes == ("h5", "h4", "h3", "h2")
    assert (member.password_hash, member.password_at) == ("renewed", minutes(6))
    assert staff.password_hash(" DORA ") == "renewed"
    assert staff.password_hash("nobody") is None


def test_a_lock_ends_at_its_moment_and_the_next_failure_counts_from_one() -> None:
    """Without a moment it lasts until somebody unlocks; a refused position is no failed password."""
    staff = told()
    for why in ("password", "position", "locked"):
        staff.tell(msg.LoginFailed, name="dora", why=why, where="")
    assert staff.attempts.at("dora").failures == 1
    staff.tell(msg.StaffLocked, name="dora", failures=1, until=minutes(15))
    assert staff.attempts.at("dora").is_locked(minutes(14.9))
    assert not staff.attempts.at("dora").is_locked(minutes(15))
    staff.tell(msg.LoginFailed, 16, name="dora", why="password", where="")
    assert staff.attempts.at("dora") == Attempts(1)
    staff.tell(msg.StaffLocked, 17, name="dora", failures=1, until=None)
    assert staff.attempts.at("dora").is_locked(minutes(1_000_000))
    staff.tell(msg.StaffUnlocked, 18, name="dora")
    assert staff.attempts.at("dora") == Attempts()


def test_strangers_do_not_fill_the_memory_and_a_new_member_inherits_their_lock() -> None:
    """The oldest made-up name is forgotten first; a locked name stays locked when somebody gets it."""
    staff = told()
    for number in range(STRANGERS_MAX + 1):
        staff.tell(msg.LoginFailed, name=f"x{number}", why="name", where="")
    assert len(staff.attempts.strangers) == STRANGERS_MAX
    assert staff.attempts.at("x0") == Attempts()
    staff.tell(msg.StaffAdded, name="x1", role=Role.DEALER)
    assert staff.attempts.at("x1") == Attempts(1)
    assert "x1" not in staff.attempts.strangers


def test_one_token_is_one_session() -> None:
    """A second login under it is a broken record; logging out twice is none."""
    staff = told()
    login = {"name": "dora", "role": Role.DEALER, "token": "t", "totp_step": None, "where": ""}
    staff.tell(msg.LoggedIn, 1, **login)
    with pytest.raises(InvariantBroken, match="two sessions have one token"):
        staff.tell(msg.LoggedIn, 2, **login)
    for _ in range(2):
        staff.tell(msg.LoggedOut, 3, name="dora", token="t", why="asked")
        assert staff.sessions_of("dora") == []
    staff.tell(msg.LoggedIn, 4, **login)
    member = staff.members["dora"]
    assert (member.before_last_login_at, member.last_login_at) == (minutes(1), minutes(4))


def test_what_is_due_follows_from_the_policy_of_the_day() -> None:
    """A password is due at its very age, and a second factor to the positions that need one."""
    staff = told()
    staff.tell(msg.PasswordSet, name="dora", password_hash="h", must_change=False)
    assert staff.dues("dora", minutes(0)) == []
    staff.policy = msg.StaffPolicy(password_days_max=1, totp_roles=[Role.DEALER])
    day = 24 * 60
    assert staff.dues("dora", minutes(day - 1)) == ["totp"]
    assert staff.dues("dora", minutes(day)) == ["password", "totp"]
    staff.tell(msg.TotpChanged, name="dora", secret="s", step=0)
    assert staff.dues("dora", minutes(0)) == []


def test_names_are_kept_in_one_form_and_positions_reach_down_only() -> None:
    """Typed with spaces or capitals it is the same name, and never a longer one than is kept."""
    assert plain_name("  DoRa ") == "dora"
    assert len(plain_name("x" * 1_000)) == NAME_LEN_MAX
    manager = Member("mia", Role.PIT_MANAGER)
    assert manager.may_act_as(Role.DEALER)
    assert not manager.may_act_as(Role.SHIFT_MANAGER)
    assert not manager.may_act_as(Role.CASHIER)
