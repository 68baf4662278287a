"""Failed logins by name and place: who is locked out where, what lifts it, and what never does."""

from typing import Any

import msgspec
import pytest

from taisai.floor.staff import messages as msg
from taisai.floor.staff.acts import StaffState
from taisai.floor.staff.attempts import PLACES_MAX, AttemptBook, attempt_place
from taisai.game.refusals import RefusalCode
from tests.unit.house import DEALER, ROOT, SYSTEM, Run, minutes

GOOD = msg.PasswordFacts(length=16, signs=10)
HERE, ELSEWHERE = "10.0.0.1", "192.0.2.7"
RIGHT = msg.mark("h")


def a_house(**policy: Any) -> Run:
    run = Run(StaffState(), msg.AnyStaffEvent, StaffState)
    run.do(msg.SetStaffPolicy(by=SYSTEM, at=minutes(0), policy=msg.StaffPolicy(failures_max=3, **policy)))
    for person in (ROOT, DEALER):
        added = msg.AddStaff(
            by=SYSTEM, at=minutes(0), name=person.name, role=person.role, password_hash="h", facts=GOOD
        )
        run.do(added)
    return run


def log_in(where: str, *, right: bool = True, at: float = 1, **more: Any) -> msg.LogIn:
    mark = RIGHT if right else ""
    token = f"{where} {at} {more.get('known')}"
    return msg.LogIn(
        by=SYSTEM, at=minutes(at), name="dora", password_mark=mark, token=token, where=where, **more
    )


def lock(run: Run, where: str, at: float = 1, **more: Any) -> None:
    codes = [run.refused(log_in(where, right=False, at=at, **more)) for _ in range(3)]
    assert codes[-1] is RefusalCode.LOGIN_LOCKED


def test_a_stranger_locks_a_name_where_the_stranger_is_and_nowhere_else() -> None:
    """Nor for a device that is known at the very same address; the right password there stays refused."""
    run = a_house()
    lock(run, HERE)
    assert run.refused(log_in(HERE)) is RefusalCode.LOGIN_LOCKED
    run.do(log_in(ELSEWHERE))
    run.do(log_in(HERE, known=True))
    assert run.state.attempts.is_locked("dora", minutes(1))
    assert run.replayed() == run.state


def test_a_known_device_is_locked_by_its_own_failures() -> None:
    """Whoever sits at it guesses no longer than a stranger."""
    run = a_house()
    lock(run, HERE, known=True)
    assert run.refused(log_in(HERE, known=True)) is RefusalCode.LOGIN_LOCKED
    run.do(log_in(HERE))


def test_no_attempt_lifts_a_lock() -> None:
    """Neither a wrong password at its change, nor a right one; nor a second factor; nor a login elsewhere."""
    run = a_house()
    lock(run, HERE)
    change = msg.ChangePassword(
        by=DEALER, at=minutes(2), old_mark="", password_hash="new", facts=GOOD, where=HERE
    )
    factor = msg.SetTotp(by=DEALER, at=minutes(2), name="dora", secret="s", where=HERE)
    run.do(log_in(ELSEWHERE, at=2))
    for command in (
        change,
        factor,
        msgspec.structs.replace(change, old_mark=RIGHT),
        msgspec.structs.replace(factor, password_mark=RIGHT),
        log_in(HERE, at=3),
    ):
        assert run.refused(command) is RefusalCode.LOGIN_LOCKED
        assert run.events()[-1].why == "locked"
    run.do(log_in(HERE, at=1 + 15))


@pytest.mark.parametrize("kind", ["password", "factor"])
def test_guessing_at_ones_own_account_locks_as_a_login_does(kind: str) -> None:
    """A stolen session is no place to try passwords at."""
    run = a_house()
    if kind == "password":
        command: Any = msg.ChangePassword(
            by=DEALER, at=minutes(1), old_mark="", password_hash="new", facts=GOOD, where=HERE
        )
    else:
        command = msg.SetTotp(by=DEALER, at=minutes(1), name="dora", secret="s", where=HERE)
    codes = [run.refused(command) for _ in range(3)]
    assert codes == [RefusalCode.LOGIN_FAILED] * 2 + [RefusalCode.LOGIN_LOCKED]
    assert run.refused(log_in(HERE)) is RefusalCode.LOGIN_LOCKED


def test_a_second_factor_is_changed_with_the_password_and_a_fresh_code_of_the_old_one() -> None:
    """Without the code, or with one that was used, it is a failed attempt."""
    run = a_house()
    own: dict[str, Any] = {"by": DEALER, "at": minutes(1), "name": "dora", "password_mark": RIGHT}
    run.do(msg.SetTotp(**own, secret="first", step=100))
    for old in (None, 99, 100):
        assert run.ask(msg.SetTotp(**own, secret="next", step=200, old_step=old)).code in (
            RefusalCode.LOGIN_FAILED,
            RefusalCode.LOGIN_LOCKED,
        )
    own["at"] = minutes(60)
    run.do(msg.SetTotp(**own, secret="next", step=200, old_step=101))
    assert run.state.members["dora"].totp == "next"


def test_unlocking_ends_every_lock_of_a_name() -> None:
    """Wherever it holds."""
    run = a_house(lock_minutes=0)
    lock(run, HERE)
    lock(run, ELSEWHERE)
    run.do(msg.UnlockStaff(by=ROOT, at=minutes(2), name="dora"))
    assert run.refused(msg.UnlockStaff(by=ROOT, at=minutes(2), name="dora")) is RefusalCode.NOTHING_CHANGES
    run.do(log_in(HERE, at=3))


def test_a_lock_of_an_older_record_holds_everywhere() -> None:
    """It had no place."""
    state = a_house().state
    old = b'{"type":"StaffLocked","by":{"name":"x","role":"system"},"at":"2026-03-02T12:00:00Z","v":1,'
    old += b'"name":"dora","failures":5,"until":null}'
    state.evolve(msgspec.json.decode(old, type=msg.AnyStaffEvent))
    for where in (HERE, ELSEWHERE):
        assert state.attempts.lock("dora", where, minutes(9)) is not None


def test_places_are_bounded_too() -> None:
    """An attacker with many addresses does not fill the memory; the oldest is forgotten first."""
    book = AttemptBook()
    book.joined("dora")
    for number in range(PLACES_MAX + 5):
        book.failed("dora", attempt_place(f"a{number}", known=False))
        book.failed("nobody", f"a{number}")
    assert len(book.members["dora"]) == len(book.strangers["nobody"]) == PLACES_MAX
    assert book.at("dora", "a0").failures == 0
    assert book.at("dora", f"a{PLACES_MAX}").failures == 1
