"""The checker of clusters finds each broken promise: one that cannot fail shows nothing."""

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from taisai.client import TerminalKey
from taisai.record.journal import Answer, Commit, Event
from tests.cluster.checker import Checker
from tests.cluster.people import Listening

ROUND = {"type": "RoundEvent", "round": 1}


def event(version: int, name: str, body: dict[str, Any], stream: str = "table:C1") -> Event:
    return Event(stream, version, 0, name, msgspec.json.encode(body), b"")


def taken(version: int, epoch: int) -> Event:
    return event(version, "DeskTaken", {"type": "DeskTaken", "epoch": epoch})


def commit(writer: str, number: int, *events: Event, answers: tuple[Answer, ...] = ()) -> Commit:
    return Commit(writer, number, 0, {}, "", b"", b"", events=events, answers=answers)


def done(name: str, *happened: str) -> Answer:
    said = {"type": "Accepted", "happened": happened}
    return Answer("terminal:a", name, b"", msgspec.json.encode(said))


NOTED = event(2, "TableNoted", {"type": "TableNoted"})
SLIP = event(2, "BetsPlaced", {**ROUND, "event": {"type": "BetsPlaced", "player": "p", "slip": {"big": 100}}})


@pytest.mark.parametrize(
    ("commits", "found"),
    [
        (
            [commit("a", 1, taken(1, 1)), commit("b", 1, NOTED)],
            "b wrote TableNoted after a (epoch 1) took it",
        ),
        ([commit("a", 1, taken(2, 1))], "version 2 follows 0"),
        ([commit("a", 2, taken(1, 1))], "a/2 follows 0"),
        ([commit("a", 1, taken(1, 2))], "epoch 2 follows 0"),
        ([commit("a", 1, answers=(done("x"), done("x")))], "was answered twice"),
        ([commit("a", 1, answers=(done("x", "Gone"),))], "{'Gone': 1} is told and not there"),
        ([commit("a", 1, taken(1, 1), SLIP)], "1 slips for 0 answers"),
    ],
)
def test_a_record_that_breaks_a_rule_is_found(commits: list[Commit], found: str) -> None:
    """Fenced writers, gaps, epochs, ids and slips."""
    checker = Checker()
    for each in commits:
        checker.read(each)
    assert any(found in each for each in checker.found.wrong), checker.found.wrong


def heard(*told: Any, name: str = "C1-1", credit: int = 0) -> Any:
    """A player who was told this."""
    terminal = Listening("http://nowhere", TerminalKey(name, "", "C1"))
    terminal.told, terminal.sessions, terminal.credit = list(told), {f"{name}.1"}, credit
    return SimpleNamespace(terminal=terminal, log=[])


@pytest.mark.parametrize(
    ("players", "found"),
    [
        ([heard(("credit", 50))], "told a credit of 50, which it had never"),
        ([heard(("credit", 90), ("credit", 100), credit=90)], "told a credit of 100, which it had earlier"),
        ([heard(credit=80)], "was told 80 at last, and has 90"),
        ([heard(("round", 8, 1, "betting", None), ("round", 6, 1, "betting", None))], "number 6 after 8"),
        (
            [
                heard(("round", 8, 1, "betting", None)),
                heard(("round", 8, 1, "closed", None), name="C1-2"),
            ],
            "8 was (1, ['betting', None]) to some",
        ),
        ([heard(("settled", 1, [1, 2, 3], False))], "saw [1, 2, 3] in C1/1, and None was declared"),
    ],
)
def test_a_player_who_was_told_what_is_not_on_the_record_is_found(players: list[Any], found: str) -> None:
    """Credits, numbers, dice, and two who heard different things under one number."""
    wrong = listened(players)
    assert any(found in each for each in wrong), wrong


def test_a_player_who_was_told_the_record_is_not_found() -> None:
    """A new connection may begin with an older state of it, and goes forward from there."""
    whole = heard(("credit", 100), ("opened",), ("credit", 0), ("credit", 90), credit=90)
    assert listened([whole]) == []


def listened(players: list[Any]) -> list[str]:
    checker = Checker()
    checker.credits.stood["C1-1.1"] = [0, 100, 90]
    checker.books.balances["credit:C1-1.1"] = 90
    checker.hear(players)
    return checker.found.wrong
