"""What is answered to an act in a round: names of what happened, and how a slip now stands."""

from taisai.floor.table.answers import answer_in_round
from taisai.floor.table.messages import Accepted
from taisai.game import commands as cmd
from taisai.game import events as ev
from tests.unit.floor.table.test_round_money import AT, DEALER, evening_with_players


def test_a_slip_is_answered_with_what_stands_and_its_version() -> None:
    """Placed, replaced and withdrawn: each answer has the whole slip of that moment."""
    evening = evening_with_players()
    for version, slip in enumerate(({"big": 100, "small": 50}, {"big": 100}, {}), start=1):
        answer = evening.bet("ann", slip, version)
        assert isinstance(answer, Accepted)
        assert (answer.happened, answer.round) == (["BetsPlaced"], 1)
        assert (answer.slip, answer.slip_version, answer.cuts) == (slip, version, [])


def test_any_other_act_is_answered_without_a_slip() -> None:
    """No slip is not an empty one."""
    evening = evening_with_players()
    [answer] = evening.play(cmd.CloseBetting(by=DEALER, at=AT, excess="leave"))
    assert isinstance(answer, Accepted)
    assert answer.happened[0] == "BettingClosed"
    assert (answer.slip, answer.slip_version, answer.round) == (None, None, 1)


def test_a_slip_of_somebody_who_has_none_is_answered_as_empty() -> None:
    """What was cut from it is told all the same, with the round that was meant."""
    state = evening_with_players().table.rounds[1]
    placing = cmd.PlaceBets(by=DEALER, at=AT, player="zoe", slip={"big": 100}, version=4)
    cut = ev.Cut(box="big", asked=100, accepted=0, limit=0, clause="x")
    placed = ev.BetsPlaced(
        by=DEALER, at=AT, clause="x", player="zoe", slip={}, asked={"big": 100}, version=4, cuts=[cut]
    )
    answer = answer_in_round(9, [placed], placing, state)
    assert (answer.slip, answer.cuts, answer.slip_version, answer.round) == ({}, [cut], 4, 9)
