"""Colour chips at a table: each is in the hand, on the felt or in the rack, and nowhere twice."""

from typing import Any

import pytest

from taisai.dice import Roll
from taisai.errors import InputError
from taisai.floor.table.messages import AtRack, InRound, StartRound
from taisai.floor.table.rack import at_rack, rack_of, spelled
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.chips import ChangeBack, Colour, DeclareMissing, IssueColour, PayInColour
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger.accounts import CASH, colour_chips, credit, house
from tests.floor.houses import settings
from tests.unit.floor.table.test_round_money import AT, DEALER, SUPERVISOR, Evening

RED = colour_chips("T1", "red")


def at(kind: Any, chips: int, colour: str = "red", by: Actor = DEALER, **more: Any) -> AtRack:
    command = kind(by=by, at=AT, colour=colour, player="ann", chips=chips, **more)
    return AtRack(by=by, at=AT, command=command)


def sold() -> Evening:
    """Ann bought ten red chips at 100, and a round is open."""
    evening = Evening("tai-sai-v3/1", limits=settings("tai-sai-v3/1").limits)
    evening.ask(at(IssueColour, 10, value=100))
    evening.ask(StartRound(by=DEALER, at=AT))
    return evening


def placing(amount: int, colour: str = "red", value: int = 100, version: int = 1) -> InRound:
    chips = cmd.ColourChips(colour, value, {"big": amount})
    by = Actor("ann", Role.PLAYER)
    bets = cmd.PlaceBets(by=by, at=AT, player="ann", slip={"big": amount}, version=version, chips=chips)
    return InRound(by=by, at=AT, command=bets)


def colours(evening: Evening) -> dict[str, Colour]:
    rack = rack_of(evening.table)
    assert rack is not None
    return rack.colours


def code_of(answer: object) -> RefusalCode | None:
    return answer.code if isinstance(answer, Refusal) else None


def test_a_chip_is_in_the_hand_or_on_the_felt_and_what_lost_is_in_the_rack() -> None:
    """Ten sold, four placed and lost, six left; with the last one back the colour is nobody's."""
    evening = sold()
    assert colours(evening) == {"red": Colour("ann", 100, 10)}
    evening.ask(placing(400))
    assert colours(evening) == {"red": Colour("ann", 100, 6, 4)}
    evening.finish(Roll(1, 1, 2))
    assert colours(evening) == {"red": Colour("ann", 100, 6)}
    evening.ask(at(ChangeBack, 6))
    assert colours(evening) == {}
    assert evening.balance(credit("ann")) == 600


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (placing(1_000, colour="blue"), RefusalCode.COLOUR_NOT_YOURS),
        (placing(1_000, value=50), RefusalCode.VALUE_FIXED),
        (at(ChangeBack, 11), RefusalCode.TOO_MANY_CHIPS),
        (at(ChangeBack, 0), RefusalCode.STAKE_INVALID),
        (at(DeclareMissing, 1), RefusalCode.ROLE_NOT_ALLOWED),
        (at(PayInColour, 1), RefusalCode.FUNDS_INSUFFICIENT),
        (at(IssueColour, 10**15, value=100), RefusalCode.AMOUNT_INVALID),
    ],
)
def test_chips_that_are_not_there_are_neither_bet_nor_moved(asked: Any, code: RefusalCode) -> None:
    """Another's colour, another value, more than in the hand, winnings that nobody won."""
    evening = sold()
    assert code_of(evening.ask(asked)) is code
    assert colours(evening) == {"red": Colour("ann", 100, 10)}
    assert evening.balance(RED) == 1_000


def test_a_chip_on_the_felt_cannot_be_changed_back_as_well() -> None:
    """Nor bet a second time: only what is in the hand counts."""
    evening = sold()
    evening.ask(placing(900))
    assert code_of(evening.ask(at(ChangeBack, 2))) is RefusalCode.TOO_MANY_CHIPS
    evening.ask(at(ChangeBack, 1))
    assert code_of(evening.ask(placing(1_000, version=2))) is RefusalCode.TOO_MANY_CHIPS
    assert colours(evening) == {"red": Colour("ann", 100, 0, 9)}


def test_money_of_chips_goes_where_the_act_says() -> None:
    """Cash at a sale, the house when a supervisor writes chips off."""
    evening = sold()
    assert evening.balance(CASH) == 1_000
    evening.ask(at(DeclareMissing, 3, by=SUPERVISOR))
    assert (evening.balance(RED), evening.balance(house("T1"))) == (700, 300)


def test_a_colour_is_spelled_as_it_is_out_and_a_name_that_is_no_account_is_refused() -> None:
    """RED is red; a slip without colour is passed on as it came."""
    evening = sold()
    assert spelled(evening.table, placing(100, colour="RED").command) == placing(100).command
    close = cmd.CloseBetting(by=DEALER, at=AT)
    assert spelled(evening.table, close) is close
    with pytest.raises(InputError, match="expected a colour of letters"):
        evening.ask(at(IssueColour, 1, colour="sea:green", value=100))


def test_a_table_that_was_never_opened_has_no_rack() -> None:
    """Chips are sold at open tables only."""
    table = TableState("T1")
    assert rack_of(table) is None
    assert code_of(at_rack(table, at(IssueColour, 1, value=100), "T1.1")) is RefusalCode.TABLE_CLOSED
