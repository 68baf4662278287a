"""What may be appended: plain names, and parts that fit together."""

import re

import msgspec
import pytest

from taisai.errors import InputError
from taisai.record.checks import BODY_BYTES_MAX, check_batch, check_command, check_stream, check_writer
from taisai.record.journal import Answer, Batch, NewEvent, StreamEvents
from tests.record import START_AT, answer, buy_in, on, slip


def test_names_are_plain() -> None:
    """They must read alike in every store, file and log."""
    for wrong in ("", "a b", "é", "x" * 65, "-a"):
        with pytest.raises(InputError):
            check_writer(wrong)
    with pytest.raises(InputError, match="SHA-256"):
        check_batch(Batch(answers=(msgspec.structs.replace(answer("c"), request=b"short"),)))


def test_a_stream_has_a_kind_and_at_most_two_names() -> None:
    """The longest that fit are taken, and one character more is not."""
    for right in ("cage", "table:T1", "checkpoint:table:T1", "a" * 32 + ":" + "b" * 96):
        check_stream(right)
    for wrong in ("", "Table:T1", "table:", "a:b:c:d", "a" * 33, "a:" + "b" * 97, "table:T1\n"):
        with pytest.raises(InputError, match="expected a stream"):
            check_stream(wrong)


def test_a_batch_has_something_in_it_and_nothing_twice() -> None:
    """Two streams, transfers or commands of one name cannot both stand; one command id of two senders can."""
    check_batch(slip(1))
    check_batch(Batch(answers=(answer("c"), answer("c", sender="t2"))))
    with pytest.raises(InputError, match="empty batch"):
        check_batch(Batch())
    for wrong, said in (
        (Batch((on("table:T1", 0), on("table:T1", 1))), "each stream once"),
        (Batch(transfers=(buy_in("p", 1, "x"), buy_in("q", 2, "x"))), "each transfer once"),
        (Batch(answers=(answer("c"), answer("c"))), "each command once"),
    ):
        with pytest.raises(InputError, match=said):
            check_batch(wrong)


def test_events_go_forward_and_fit() -> None:
    """The same moment twice is no step back, and a body may be as large as the largest."""
    at_once = tuple(NewEvent("BetsPlaced", START_AT, b"{}") for _ in range(2))
    check_batch(Batch((StreamEvents("table:T1", 0, at_once),)))
    check_batch(Batch((on("table:T1", 0, body=bytes(BODY_BYTES_MAX)),)))
    back = (*at_once, NewEvent("BetsPlaced", START_AT - 1, b"{}"))
    for wrong, said in (
        (StreamEvents("table:T1", 0, back), "go forward in time"),
        (StreamEvents("table:T1", 0, ()), "expected events"),
        (on("table:T1", -1), "a version from 0, got -1"),
        (StreamEvents("table:T1", 0, (NewEvent("Bets Placed", 0, b""),)), "event type"),
        (on("table:T1", 0, body=bytes(BODY_BYTES_MAX + 1)), f"at most {BODY_BYTES_MAX} bytes"),
    ):
        with pytest.raises(InputError, match=said):
            check_batch(Batch((wrong,)))


def test_a_command_has_a_sender_and_an_id() -> None:
    """Neither may be empty or have a space in it."""
    check_command("C1-1:player", "8f3a/2")
    for sender, command in (("", "a"), ("a", ""), ("a b", "c"), ("a", "b c"), ("a", "x" * 129)):
        with pytest.raises(InputError, match="sender and a command id"):
            check_command(sender, command)


def test_of_many_commands_the_one_that_cannot_be_kept_is_named() -> None:
    """Among good ones: a bad sender, a bad id, a line feed that would make two names of one."""
    good = [Answer("ann", str(number), bytes(32), b"{}") for number in range(3)]
    check_batch(Batch(answers=tuple(good)))
    for sender, name in (("", "9"), ("bob", "x y"), ("bob\nann", "9"), ("bob", "9\n")):
        with pytest.raises(InputError, match=re.escape(repr(name))):
            check_batch(Batch(answers=(*good, Answer(sender, name, bytes(32), b"{}"))))
    with pytest.raises(InputError, match="31 bytes"):
        check_batch(Batch(answers=(*good, Answer("bob", "9", bytes(31), b"{}"))))
