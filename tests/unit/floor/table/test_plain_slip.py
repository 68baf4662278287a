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
