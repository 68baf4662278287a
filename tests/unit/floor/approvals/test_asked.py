"""Acts that wait for a second person: their name, their desk, and the same act once it is agreed."""

import pytest

from taisai.dice import Roll
from taisai.errors import InputError
from taisai.floor.approvals.asked import (
    AskedAct,
    CageAct,
    PitAct,
    TableAct,
    act_name,
    agreed,
    inner,
    recalled,
    target_of,
)
from taisai.floor.cage import VoidTicket
from taisai.floor.pit.messages import FillTable
from taisai.floor.table.messages import InRound
from taisai.game import commands as cmd
from tests.unit.house import CASHIER, DEALER, SUPERVISOR, minutes

CORRECTION = cmd.CorrectResult(by=DEALER, at=minutes(0), roll=Roll(1, 2, 3), second=None, reason="")
IN_ROUND = TableAct("T1", InRound(by=DEALER, at=minutes(0), command=CORRECTION, round=7))
VOID = CageAct(VoidTicket(by=CASHIER, at=minutes(0), ticket="n", second=None, reason=""))
FILL = PitAct(FillTable(by=DEALER, at=minutes(0), table="T1", amount=100))


@pytest.mark.parametrize(
    ("act", "name", "stream"),
    [
        (IN_ROUND, "CorrectResult", "table:T1"),
        (VOID, "VoidTicket", "cage"),
        (FILL, "FillTable", "pit"),
    ],
)
def test_an_act_has_the_name_that_people_use_and_the_stream_of_its_desk(
    act: AskedAct, name: str, stream: str
) -> None:
    """What travels inside a round's command is called by its own name."""
    assert (act_name(act), target_of(act)) == (name, stream)


@pytest.mark.parametrize("act", [IN_ROUND, VOID, FILL])
def test_what_two_people_agreed_on_differs_only_in_second_reason_and_time(act: AskedAct) -> None:
    """Who asked and what for stays; the act that was asked for is not touched."""
    done = agreed(act, second=SUPERVISOR, reason="misread", at=minutes(3))
    said = inner(done)
    assert (said.second, said.reason, said.at, said.by) == (SUPERVISOR, "misread", minutes(3), inner(act).by)
    assert done.command.at == minutes(3)
    assert inner(act).second is None
    assert agreed(done, second=None, reason="", at=minutes(0)) == act


def test_an_act_of_an_old_record_is_read_back_and_nonsense_is_named() -> None:
    """Plain values without a time become the same typed act; what is none is refused in one line."""
    raw = {"type": "FillTable", "by": {"name": "dora", "role": "dealer"}, "table": "T1", "amount": 100}
    assert recalled("pit", raw, minutes(0)) == FILL
    correction = {"type": "CorrectResult", "by": raw["by"], "roll": [1, 2, 3], "second": None, "reason": ""}
    in_round = {"type": "InRound", "by": raw["by"], "round": 7, "command": correction}
    assert recalled("table:T1", in_round, minutes(0)) == IN_ROUND
    with pytest.raises(InputError, match="a request to pit cannot be read"):
        recalled("pit", {**raw, "type": "BurnTable"}, minutes(0))
    with pytest.raises(InputError, match="a request to kitchen cannot be read"):
        recalled("kitchen", raw, minutes(0))
