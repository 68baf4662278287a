"""Significant events: every kind that is looked for can happen, and is found with what it was about."""

import msgspec
import pytest

from taisai.floor.cage import AnyCageEvent
from taisai.floor.cluster.messages import AnyClusterEvent
from taisai.floor.desks.evidence import IncidentNoted
from taisai.floor.desks.kind import DeskTaken
from taisai.floor.pit import messages as pit
from taisai.floor.players import messages as players
from taisai.floor.staff import messages as staff
from taisai.floor.views.significant import _READERS, Code, Thresholds, significant
from taisai.game import events as ev
from taisai.record.anchor import AnyAnchorEvent
from taisai.record.journal import Event
from tests.unit.house import CASHIER, ROOT, SUPERVISOR, SYSTEM, minutes

UNIONS = (
    AnyClusterEvent,
    AnyCageEvent,
    ev.AnyEvent,
    staff.AnyStaffEvent,
    players.AnyPlayersEvent,
    pit.AnyPitEvent,
    AnyAnchorEvent,
)
KINDS = {kind.__name__: kind for union in UNIONS for kind in union.__args__} | {
    kind.__name__: kind for kind in (DeskTaken, IncidentNoted)
}
# A value for each field that is looked at; the others hold their own name.
VALUES = {
    "payouts": {"p-1": 10},
    "slip": {"big": 10},
    "amount": 10,
    "service": "door-open",
    "cut_off": True,
    "difference": -3,
    "variance_minor": -3,
    "passed": False,
    "copy": 2,
    "by": {"name": "sue", "role": "pit-supervisor"},
}
LARGE = Thresholds(win=10, wager=10, transaction=10)


def stored(kind: str, body: object, stream: str = "table:T1") -> Event:
    return Event(stream, 7, 1_000, kind, msgspec.json.encode(body), b"")


@pytest.mark.parametrize("kind", sorted(_READERS))
def test_every_kind_that_is_looked_for_is_found(kind: str) -> None:
    """The events have the fields that the list reads."""
    fields = KINDS[kind].__struct_fields__
    body = {"type": kind, **{name: VALUES.get(name, name) for name in fields}}
    if kind == "CreditsPaidOut":
        body["ticket"] = None  # paid by hand
    if kind == "TotpChanged":
        body["secret"] = None  # removed
    found = significant(stored(kind, body), LARGE)
    assert found
    for each in found:
        assert (each.stream, each.version, each.at, each.name) == (
            "table:T1",
            7,
            1_000,
            each.code.name.lower(),
        )
        assert each.device
    plain = {"DeskTaken", "RoundInterrupted", "StaffPolicySet", "TableOpened", "ServiceChanged"}
    assert all(each.what for each in found) or kind in plain


def test_what_is_not_large_is_not_significant() -> None:
    """Nor is anything large where the house has set no threshold."""
    body = {"type": "PayoutsMade", "payouts": {"p-1": 9, "p-2": 11}}
    assert [each.what for each in significant(stored("PayoutsMade", body), LARGE)] == ["p-2"]
    assert significant(stored("PayoutsMade", body), Thresholds()) == []
    assert significant(stored("BettingClosed", {}), LARGE) == []


def test_an_event_of_a_round_is_found_inside_the_tables() -> None:
    """It travels wrapped, with the round's number."""
    inner = {"type": "RoundVoided", "by": VALUES["by"], "ground": "not-flat"}
    (found,) = significant(stored("RoundVoided", {"type": "RoundEvent", "round": 3, "event": inner}), LARGE)
    assert (found.code, found.what, found.by, found.device) == (Code.ROUND_VOIDED, "not-flat", "sue", "T1")


def test_a_count_without_a_difference_is_not_significant() -> None:
    """The log of counts has it; this list has what did not add up."""
    count = pit.FloatCounted(
        by=CASHIER,
        at=minutes(0),
        table="T1",
        when="closing",
        counted=10,
        expected=10,
        difference=0,
        second=SUPERVISOR,
    )
    assert significant(stored("FloatCounted", count, "pit"), LARGE) == []
    short = msgspec.structs.replace(count, counted=8, difference=-2)
    (found,) = significant(stored("FloatCounted", short, "pit"), LARGE)
    assert (found.code, found.amount, found.device) == (Code.COUNT_DIFFERS, -2, "T1")


def test_a_failed_login_names_what_was_supplied() -> None:
    """On the staff list's own stream."""
    failed = staff.LoginFailed(by=SYSTEM, at=minutes(0), name="mia", why="password", where="cage")
    (found,) = significant(stored("LoginFailed", failed, "staff"), LARGE)
    assert (found.code, found.what, found.device) == (Code.LOGIN_FAILED, "mia, password, cage", "staff")


def test_a_password_counts_when_others_reset_it() -> None:
    """One's own change and the first of a new account are no reset."""
    said = {"by": ROOT, "at": minutes(0), "name": "mia", "password_hash": "h", "must_change": True}
    (found,) = significant(stored("PasswordSet", staff.PasswordSet(**said, reset=True), "staff"), LARGE)
    assert (found.code, found.what, found.by) == (Code.PASSWORD_RESET, "mia", "root")
    assert significant(stored("PasswordSet", staff.PasswordSet(**said), "staff"), LARGE) == []


def test_codes_are_one_number_each() -> None:
    """No two kinds share a number, and the hundreds tell the class."""
    assert len({int(code) for code in Code}) == len(Code.__members__)
