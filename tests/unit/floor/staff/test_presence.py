"""Who is there now: a session ends when it was idle too long, or lasted too long, to the minute."""

from datetime import timedelta

from taisai.floor.staff.acts import StaffState
from taisai.floor.staff.messages import StaffPolicy
from taisai.floor.staff.presence import StaffPresence
from taisai.floor.staff.state import Session
from taisai.game.people import Role
from taisai.game.refusals import Refusal, RefusalCode
from tests.unit.house import START, minutes

SESSION = Session("dora", Role.DEALER, "t", START, "pit 1")


def a_staff(hours: int = 12) -> StaffState:
    policy = StaffPolicy(idle_minutes=15, session_hours_max=hours)
    return StaffState(policy=policy, sessions={"t": SESSION})


def why(answer: Session | Refusal) -> object:
    assert isinstance(answer, Refusal), answer
    assert answer.code is RefusalCode.SESSION_ENDED
    return answer.facts["why"]


def test_whoever_is_heard_of_in_time_stays_and_whoever_is_not_has_left() -> None:
    """Each request begins the idle time anew; at its very end it is over, and asking does not wake it."""
    staff, presence = a_staff(), StaffPresence()
    moment = timedelta(microseconds=1)
    assert presence.admit(staff, "t", minutes(15) - moment, acted=True) is SESSION
    assert presence.admit(staff, "t", minutes(30) - 2 * moment, acted=True) is SESSION
    for _ in range(2):
        assert why(presence.admit(staff, "t", minutes(45) - 2 * moment, acted=True)) == "idle"
    assert presence.overdue(staff, minutes(45) - 2 * moment) == [(SESSION, "idle")]


def test_after_a_restart_a_session_counts_from_its_login() -> None:
    """Nobody has been heard of yet, so the login is the last that is known."""
    staff, presence = a_staff(), StaffPresence()
    assert presence.overdue(staff, minutes(14)) == []
    assert why(presence.admit(staff, "t", minutes(15), acted=True)) == "idle"


def test_nobody_is_there_for_ever_however_busy() -> None:
    """The longest session ends though its last request was a minute ago."""
    staff, presence = a_staff(hours=1), StaffPresence()
    for minute in range(60):
        assert presence.admit(staff, "t", minutes(minute), acted=True) is SESSION
    assert why(presence.admit(staff, "t", minutes(60), acted=True)) == "too-long"


def test_a_token_that_was_logged_out_or_never_given_is_nobodys() -> None:
    """And a later session under the same token does not inherit when the earlier one was seen."""
    staff, presence = a_staff(), StaffPresence()
    assert why(presence.admit(staff, "another", START, acted=True)) == "logged-out"
    presence.admit(staff, "t", minutes(14), acted=True)
    del staff.sessions["t"]
    assert presence.overdue(staff, minutes(14)) == []
    staff.sessions["t"] = SESSION
    assert presence.overdue(staff, minutes(16)) == [(SESSION, "idle")]


def test_what_a_page_asks_for_by_itself_keeps_nobody_logged_in() -> None:
    """It is let in as long as its person acted lately, and is nobody's act."""
    staff, presence = a_staff(), StaffPresence()
    assert presence.admit(staff, "t", minutes(10), acted=True) is SESSION
    for minute in range(11, 25):
        assert presence.admit(staff, "t", minutes(minute), acted=False) is SESSION
    assert why(presence.admit(staff, "t", minutes(25), acted=False)) == "idle"
    assert why(presence.admit(staff, "t", minutes(25), acted=True)) == "idle"
