"""Codes with which terminals enrol: each is good once, and not for long."""

from datetime import timedelta

from taisai.server.live import enrolments
from taisai.server.live.enrolments import Enrolments
from tests.unit.house import PIT_MANAGER, START, minutes


def test_a_code_is_good_once() -> None:
    """Whoever has it gets the place that it was made for; the second gets nothing."""
    waiting = Enrolments()
    code = waiting.offer("C1", "C1-1", "window", PIT_MANAGER, START)
    offered = waiting.take(code, START)
    assert offered is not None
    assert (offered.table, offered.terminal, offered.label, offered.by) == (
        "C1",
        "C1-1",
        "window",
        PIT_MANAGER,
    )
    assert waiting.take(code, START) is None


def test_a_code_is_found_however_it_is_typed() -> None:
    """Small letters, dashes and spaces around it are no difference; another code is."""
    waiting = Enrolments()
    code = waiting.offer("C1", "C1-1", "", PIT_MANAGER, START)
    assert waiting.take("", START) is None
    assert waiting.take(code[:-1], START) is None
    assert waiting.take(f" {code[:5].lower()}-{code[5:]} ", START) is not None


def test_a_code_ends_at_its_minute() -> None:
    """The last moment before is good, the minute itself is too late."""
    waiting = Enrolments(minutes=10)
    soon, late = [waiting.offer("C1", name, "", PIT_MANAGER, START) for name in ("C1-1", "C1-2")]
    assert waiting.take(soon, minutes(10) - timedelta(microseconds=1)) is not None
    assert waiting.take(late, minutes(10)) is None


def test_so_many_wait_and_no_more() -> None:
    """The oldest code gives way; every other is still good."""
    waiting = Enrolments()
    codes = [
        waiting.offer("C1", f"C1-{number}", "", PIT_MANAGER, START)
        for number in range(enrolments._WAITING_MAX + 1)
    ]
    assert waiting.take(codes[0], START) is None
    second = waiting.take(codes[1], START)
    assert second is not None
    assert second.terminal == "C1-1"
