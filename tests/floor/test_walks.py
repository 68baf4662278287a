"""The walks of ARCHITECTURE.md are those that acts really take, and are short."""

import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from taisai.floor.approvals.asked import TableAct
from taisai.floor.cluster.messages import CashOutToTicket
from taisai.floor.door.answers import Waiting
from taisai.floor.door.forms import do_at_table
from taisai.floor.house import House
from taisai.floor.table.messages import InRound
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from tests.floor.houses import (
    DEALER,
    SUPERVISOR,
    SmallHouse,
    cluster,
    decide_request,
    live,
    seat,
    start_round,
)

ROOT = Path(__file__).parents[2]
TERMINAL = Actor("C1-1", Role.PLAYER)
# An act is in somebody's hands where it, its command, or what waits with it at a desk is among the arguments.
CARRIED = {
    "TableAct", "ApprovalAct", "Command", "GameCommand", "TableCommand", "HouseCommand", "WaitingCommand",
    "Request",
}  # fmt: skip
# The most files in whose hands an act may be; each holds it today in fewer.
AT_MOST = {"slip": 23, "cash-out": 16, "void": 23, "correction": 32}


class Walk:
    """The files that hold an act while it is done."""

    def __init__(self) -> None:
        self.files: list[str] = []

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        name = frame.f_code.co_filename
        if event != "call" or "/src/taisai/" not in name:
            return
        file = name.partition("/src/taisai/")[2]
        if file not in self.files and any(_is_carried(each) for each in list(frame.f_locals.values())):
            self.files.append(file)

    async def of(self, ask: Callable[..., Awaitable[Any]], *facts: Any, **more: Any) -> Any:
        sys.setprofile(self)
        try:
            return await ask(*facts, **more)
        finally:
            sys.setprofile(None)


def _is_carried(value: object) -> bool:
    return any(each.__name__ in CARRIED for each in type(value).__mro__[:4])


def drawn(name: str) -> list[str]:
    """The files of a walk as ARCHITECTURE.md draws it; which interface it begins at does not matter here."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    found = re.search(rf"\*\*A {name}\*\*[^`]*```text\n(.*?)```", text, flags=re.DOTALL)
    assert found is not None
    files = [line.split()[0] for line in found[1].splitlines()]
    assert all((ROOT / "src" / "taisai" / file).is_file() for file in files)
    return [file for file in files if not file.startswith("server/")]


async def slip(house: House, walk: Walk) -> Any:
    session = await seat(house, "C1", "C1-1", 10_000)
    await start_round(house, "C1")
    await house.seated_player(session)  # whose own limits are looked at
    by, at = Actor(session, Role.PLAYER), house.now()
    placing = cmd.PlaceBets(by=by, at=at, player=session, slip={"big": 100}, version=1)
    act = TableAct("C1", InRound(by=by, at=at, command=placing, round=1))
    return await walk.of(house.do, act, TERMINAL, "slip")


async def cash_out(house: House, walk: Walk) -> Any:
    await seat(house, "C1", "C1-1", 10_000)
    ticket = house.tickets.to_issue(house.tickets.for_request(TERMINAL, "out"))
    command = CashOutToTicket(by=TERMINAL, at=house.now(), terminal="C1-1", ticket=ticket)
    return await walk.of(house.do, TableAct("C1", command), TERMINAL, "out")


async def void(house: House, walk: Walk) -> Any:
    await start_round(house, "T1")
    fields = {"ground": "exposed-early"}
    return await walk.of(do_at_table, house, "T1", "VoidRound", fields, by=DEALER, key="void")


async def correction(house: House, walk: Walk) -> Any:
    await start_round(house, "T1")
    for name, fields in (
        ("CloseBetting", {}),
        ("CoverTumbler", {}),
        ("ActivateTumbler", {"tumbles": 3}),
        ("ExposeDice", {}),
        ("DeclareRoll", {"roll": [1, 2, 3]}),
    ):
        await do_at_table(house, "T1", name, fields, by=DEALER, key=name)
    asked = {"roll": [1, 2, 4], "reason": "misread"}
    waits = await walk.of(do_at_table, house, "T1", "CorrectResult", asked, by=DEALER, key="ask")
    assert isinstance(waits, Waiting)
    return await walk.of(decide_request, house, waits.approval, approve=True, by=SUPERVISOR, key="yes")


@pytest.mark.parametrize(
    ("name", "walked"),
    [("slip", slip), ("cash-out", cash_out), ("void", void), ("correction", correction)],
)
async def test_a_walk_is_as_it_is_drawn_and_short(name: str, walked: Any) -> None:
    """Every file that is drawn holds the act, and few others do."""
    async with SmallHouse(cluster(), live()).open(dealing=False) as house:
        walk = Walk()
        answer = await walked(house, walk)
    assert not isinstance(answer, Refusal | Waiting)
    assert set(drawn(name)) - set(walk.files) == set()
    assert len(walk.files) <= AT_MOST[name], walk.files
