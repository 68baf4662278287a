"""A plain slip is spelled by a short way, and the digest of what was asked is the same as by the long one."""

from typing import Any

import msgspec
import pytest

from taisai.floor.desks.requests import said_by_members, said_of
from taisai.game import commands as cmd
from tests.unit.floor.desks.test_requests import DEALER, places

UNUSUAL = [
    {},
    {"slip": {}},
    {"slip": {"big": 1, "v": 1, "x": 2}},
    {"slip": {"big": 1, "v": 1}},
    {"slip": {'"': 1, ',"v":1': 2, "é": 3, "\\": 4}},
    {"version": 0},
    {"version": -1},
    {"version": 10**30},
    {"all_or_nothing": True},
    {"on_request": True},
    {"chips": cmd.ColourChips("red", 100, {"big": 100})},
    {"player": "somebody else"},
]


@pytest.mark.parametrize("more", UNUSUAL, ids=str)
@pytest.mark.parametrize("number", [3, 0, None])
def test_a_slip_is_said_the_same_by_the_short_way_as_by_the_long_one(
    more: dict[str, Any], number: int | None
) -> None:
    """Whatever is unusual about it: its digest is the one that records before this release have."""
    command = msgspec.structs.replace(places(**more), round=number)
    assert said_of(command) == said_by_members(command)
    for_another = msgspec.structs.replace(command, by=DEALER)
    assert said_of(for_another) == said_by_members(for_another)


def test_what_is_kept_of_one_asker_is_not_said_of_another() -> None:
    """A player at the terminal and a dealer at the table may speak of one player by turns."""
    own = msgspec.structs.replace(places(), round=1)
    dealers = msgspec.structs.replace(own, by=DEALER, command=msgspec.structs.replace(own.command, by=DEALER))
    same = msgspec.structs.replace(own, by=msgspec.structs.replace(own.by))  # equal, and another object
    for command in (own, dealers, own, same, dealers):
        assert said_of(command) == said_by_members(command)
