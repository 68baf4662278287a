"""What comes in at the door: in whose name it is on the record, and who may bring it."""

import pytest

from taisai.errors import InvariantBroken
from taisai.floor.approvals.asked import CageAct, TableAct
from taisai.floor.cage import OpenDrawer
from taisai.floor.door.acts import PlayersAct, check_name, sender_of
from taisai.floor.players.messages import RegisterPlayer
from taisai.floor.table.messages import StartRound
from taisai.game.people import Actor, Role
from tests.floor.houses import DEALER, MANAGER, START, SUPERVISOR, TESTS

TERMINAL, SESSION = Actor("C1-1", Role.PLAYER), Actor("C1-1.4", Role.PLAYER)


def start(by: Actor) -> TableAct:
    return TableAct("T1", StartRound(by=by, at=START))


def register(by: Actor) -> PlayersAct:
    return PlayersAct(RegisterPlayer(by=by, at=START, player="jane"))


def test_ids_of_two_senders_never_meet() -> None:
    """A terminal, a person and the house of the same name are three; so is a terminal at the registry."""
    people = [Actor("C1-1", role) for role in (Role.PLAYER, Role.DEALER, Role.SYSTEM)]
    names = [sender_of(start(by), by) for by in people] + [sender_of(register(TERMINAL), TERMINAL)]
    assert names == ["terminal:C1-1", "staff:C1-1", "C1-1", "terminal:C1-1:player"]


def test_staff_have_one_name_at_every_desk() -> None:
    """Only a terminal's ids are used twice."""
    drawer = CageAct(OpenDrawer(by=DEALER, at=START, float_minor=1))
    assert {sender_of(act, DEALER) for act in (start(DEALER), register(DEALER), drawer)} == {"staff:dora"}


def test_everybody_acts_in_their_own_name() -> None:
    """A terminal for its player, the house for anybody."""
    check_name(start(DEALER), DEALER)
    check_name(start(DEALER), TESTS)
    check_name(register(SESSION), TERMINAL)


@pytest.mark.parametrize("by", [SUPERVISOR, MANAGER, TERMINAL, Actor("dora", Role.PIT_MANAGER)])
def test_nobody_brings_an_act_of_somebody_else(by: Actor) -> None:
    """Not with a higher position, nor with the same name in another one; staff do not play for a terminal."""
    with pytest.raises(InvariantBroken, match=f"{by.name} brought an act of dora"):
        check_name(start(DEALER), by)
    with pytest.raises(InvariantBroken, match="dora brought an act of C1-1"):
        check_name(register(SESSION), DEALER)
