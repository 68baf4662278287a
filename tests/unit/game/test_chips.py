"""Colour chips: one holder and one value until every chip of the colour is back (decision 15)."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import taisai
from taisai.game.chips import (
    AnyChipsCommand,
    AnyChipsEvent,
    ChangeBack,
    CollectColour,
    Colour,
    ColourChangedBack,
    ColourIssued,
    ColourMissing,
    ColourPaid,
    ColourRack,
    DeclareMissing,
    IssueColour,
    PayInColour,
    decide_chips,
)
from taisai.game.commands import ColourChips
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from tests.rules.table import DEALER, EVENING, SUPERVISOR, player


class Rack:
    """The rack of one table, and what was asked at it; `felt` counts chips of each colour there."""

    def __init__(self, rulebook: str = "tai-sai-v3", unit: int = 10) -> None:
        self.rulebook, self.unit = taisai.rulebook(rulebook), unit
        self.events: list[AnyChipsEvent] = []
        self.felt: Counter[str] = Counter()

    @property
    def rack(self) -> ColourRack:
        """As a table makes it: whoever bought last, and what is out of what was given and came back."""
        colours = {}
        for event in self.events:
            if isinstance(event, ColourIssued):
                out = sum(one.chips for one in self.events if one.colour == event.colour)
                felt = self.felt[event.colour]
                colours[event.colour] = Colour(event.player, event.value, out - felt, felt)
        out = {name: held for name, held in colours.items() if held.out}
        return ColourRack(self.rulebook, self.unit, out)

    def ask(self, kind: type[Any], colour: str, name: str, chips: int, **more: Any) -> Any:
        command = kind(
            **{"by": DEALER, "at": EVENING, "colour": colour, "player": name, "chips": chips, **more}
        )
        return decide_chips(self.rack, command)

    def do(self, *facts: Any, **more: Any) -> AnyChipsEvent:
        decision = self.ask(*facts, **more)
        assert not isinstance(decision, Refusal), decision
        (event,) = decision
        self.events.append(event)
        return event

    def refused(self, *facts: Any, **more: Any) -> Refusal:
        decision = self.ask(*facts, **more)
        assert isinstance(decision, Refusal)
        return decision


@pytest.mark.clause("tai-sai-v3", "3.3")
@pytest.mark.clause("tai-sai-open-cover", "3.3")
@pytest.mark.parametrize("rulebook", ["tai-sai-v3", "tai-sai-open-cover"])
def test_the_first_sale_fixes_holder_and_value(rulebook: str) -> None:
    """Until all are back: then the next player may have the colour, at another value."""
    rack = Rack(rulebook)
    sold = rack.do(IssueColour, "red", "Ann", 20, value=50)
    assert isinstance(sold, ColourIssued)
    assert (sold.clause, sold.chips, sold.value, sold.player) == ("3.3", 20, 50, "Ann")
    assert rack.rack.colours == {"red": Colour("Ann", 50, 20)}
    taken = rack.refused(IssueColour, "red", "Bob", 5, value=50)
    assert (taken.code, taken.clause) == (RefusalCode.COLOUR_TAKEN, "3.3")
    assert taken.facts == {"colour": "red", "player": "Bob", "chips": 5, "holder": "Ann"}
    fixed = rack.refused(IssueColour, "red", "Ann", 5, value=100)
    assert (fixed.code, fixed.facts["value"]) == (RefusalCode.VALUE_FIXED, 50)
    rack.do(IssueColour, "red", "Ann", 5, value=50)
    rack.do(IssueColour, "blue", "Bob", 1, value=10)
    rack.do(ChangeBack, "red", "Ann", 24)
    assert rack.refused(IssueColour, "red", "Bob", 1, value=10).code is RefusalCode.COLOUR_TAKEN
    back = rack.do(ChangeBack, "red", "Ann", 1)
    assert isinstance(back, ColourChangedBack)
    assert (back.chips, back.value) == (-1, 50)
    rack.do(IssueColour, "red", "Bob", 1, value=10)
    assert rack.rack.colours["red"] == Colour("Bob", 10, 1)


def test_a_chip_is_worth_a_multiple_of_the_unit() -> None:
    """Otherwise a bet in it would be no multiple of the unit."""
    rack = Rack()
    for value in (0, -10, 5, 15):
        refusal = rack.refused(IssueColour, "red", "Ann", 1, value=value)
        assert (refusal.code, refusal.facts["unit"]) == (RefusalCode.STAKE_NOT_IN_UNITS, 10)
        assert refusal.facts["stake"] == value
    rack.do(IssueColour, "red", "Ann", 1, value=10)
    Rack(unit=1).do(IssueColour, "blue", "Ann", 1, value=1)


def test_chips_are_worth_nothing_to_anyone_else() -> None:
    """Only the holder changes them back, is paid in them, loses them."""
    rack = Rack()
    rack.do(IssueColour, "red", "Ann", 10, value=10)
    for kind in (ChangeBack, PayInColour, CollectColour):
        refusal = rack.refused(kind, "red", "Bob", 1)
        assert refusal.code is RefusalCode.COLOUR_NOT_YOURS
        assert rack.refused(kind, "blue", "Ann", 1).code is RefusalCode.COLOUR_NOT_YOURS
    assert rack.rack.colours["red"].out == 10


def test_winnings_in_colour_add_chips_and_no_more_come_back_than_are_in_hand() -> None:
    """More may be paid than was sold; chips on the felt cannot be changed back."""
    rack = Rack()
    rack.do(IssueColour, "red", "Ann", 10, value=10)
    paid = rack.do(PayInColour, "red", "Ann", 31)
    assert isinstance(paid, ColourPaid)
    assert (paid.chips, paid.value) == (31, 10)
    rack.felt["red"] = 40
    for kind in (ChangeBack, DeclareMissing):
        refusal = rack.refused(kind, "red", "Ann", 2, by=SUPERVISOR)
        assert (refusal.code, refusal.clause) == (RefusalCode.TOO_MANY_CHIPS, "3.3")
        assert refusal.facts == {"colour": "red", "player": "Ann", "chips": 2, "held": 1}
    rack.do(ChangeBack, "red", "Ann", 1)
    taken = rack.refused(IssueColour, "red", "Bob", 1, value=10)
    assert (taken.code, taken.facts["holder"]) == (RefusalCode.COLOUR_TAKEN, "Ann")


def test_nothing_is_collected_that_settlement_has_not_taken_already() -> None:
    """Chips in the hand and on the felt have not lost; those that have are in the rack."""
    rack = Rack()
    rack.do(IssueColour, "red", "Ann", 10, value=10)
    rack.felt["red"] = 4
    refusal = rack.refused(CollectColour, "red", "Ann", 1)
    assert (refusal.code, refusal.clause) == (RefusalCode.NOTHING_TO_COLLECT, "3.3")
    assert rack.refused(CollectColour, "red", "Bob", 1).code is RefusalCode.COLOUR_NOT_YOURS


@pytest.mark.clause("tai-sai-v3", "3.3")
@pytest.mark.parametrize("written", ["red", "Red", "RED"])
def test_colours_are_names_without_regard_to_case(written: str) -> None:
    """However it is written, it is the one that is out; and a new one gets one spelling."""
    rack = Rack()
    rack.do(IssueColour, written, "Ann", 3, value=10)
    assert list(rack.rack.colours) == ["red"]
    assert rack.refused(IssueColour, "rEd", "Bob", 3, value=10).code is RefusalCode.COLOUR_TAKEN
    assert rack.do(ChangeBack, "reD", "Ann", 3).colour == "red"


def test_two_spellings_of_an_old_record_stay_apart_until_they_are_back() -> None:
    """Each is found as it is written; once one is back, its name means the other."""
    red, capital = Colour("Ann", 10, hand=3), Colour("Bob", 20, hand=1)
    rack = ColourRack(taisai.rulebook("tai-sai-v3"), 10, {"red": red, "Red": capital})
    assert rack.find("red") == ("red", red)
    assert rack.find("Red") == ("Red", capital)
    one = ColourRack(taisai.rulebook("tai-sai-v3"), 10, {"Red": capital})
    assert one.find("red") == ("Red", capital)
    assert ColourRack(taisai.rulebook("tai-sai-v3"), 10).find("Red") == ("red", None)


@pytest.mark.clause("tai-sai-v3", "3.3")
@pytest.mark.clause("tai-sai-open-cover", "3.3")
@pytest.mark.parametrize("rulebook", ["tai-sai-v3", "tai-sai-open-cover"])
@pytest.mark.parametrize(
    ("player", "chips", "more", "code", "facts"),
    [
        ("Ann", ColourChips("red", 10, {"big": 40}), 40, RefusalCode.TOO_MANY_CHIPS, {"held": 3}),
        ("Bob", ColourChips("red", 10, {"big": 10}), 10, RefusalCode.COLOUR_NOT_YOURS, {}),
        ("Ann", ColourChips("blue", 10, {"big": 10}), 10, RefusalCode.COLOUR_NOT_YOURS, {}),
        ("Ann", ColourChips("red", 20, {"big": 20}), 20, RefusalCode.VALUE_FIXED, {"value": 10}),
        ("Ann", ColourChips("RED", 10, {"big": 30}), 30, None, {}),
    ],
)
def test_a_bet_in_colour_needs_chips_of_it_at_their_value_in_that_hand(
    rulebook: str, player: str, chips: ColourChips, more: int, code: RefusalCode | None, facts: dict[str, int]
) -> None:
    """One chip too many, somebody else's, nobody's, or at another value: refused under 3.3."""
    rack = ColourRack(taisai.rulebook(rulebook), 10, {"red": Colour("Ann", 10, hand=3, felt=2)})
    refusal = rack.bet_refusal(player, chips, more=more)
    if code is None:
        assert refusal is None
        return
    assert refusal is not None
    assert (refusal.code, refusal.clause) == (code, "3.3")
    assert refusal.facts == {
        "colour": chips.colour,
        "player": player,
        "chips": more // chips.value,
        **facts,
    }


def test_chips_that_are_out_come_back_under_a_rulebook_without_them() -> None:
    """The table may have changed its rulebook: none are given out any more."""
    rack = ColourRack(taisai.rulebook("tai-sai-v6"), 10, {"red": Colour("Ann", 10, hand=3)})
    fields = {"by": DEALER, "at": EVENING, "colour": "red", "player": "Ann", "chips": 3}
    for refused in (IssueColour(**fields, value=10), PayInColour(**fields)):
        decision = decide_chips(rack, refused)
        assert isinstance(decision, Refusal)
        assert decision.code is RefusalCode.COLOUR_CHIPS_NOT_USED
    assert not isinstance(decide_chips(rack, ChangeBack(**fields)), Refusal)


def test_a_supervisor_may_declare_chips_missing() -> None:
    """A dealer may not; and then the colour is free again."""
    rack = Rack()
    rack.do(IssueColour, "red", "Ann", 3, value=10)
    rack.do(ChangeBack, "red", "Ann", 2)
    refusal = rack.refused(DeclareMissing, "red", "Ann", 1)
    assert (refusal.code, refusal.facts["least"]) == (RefusalCode.ROLE_NOT_ALLOWED, "pit-supervisor")
    assert rack.refused(DeclareMissing, "red", "Ann", 2, by=SUPERVISOR).code is RefusalCode.TOO_MANY_CHIPS
    missing = rack.do(DeclareMissing, "red", "Ann", 1, by=SUPERVISOR)
    assert isinstance(missing, ColourMissing)
    assert (missing.by, missing.chips) == (SUPERVISOR, -1)
    assert rack.rack.colours == {}


@pytest.mark.parametrize("kind", [IssueColour, ChangeBack, PayInColour, CollectColour])
def test_the_rack_is_the_dealers(kind: type[Any]) -> None:
    """Neither players nor others of the house handle it; amounts are whole chips above zero."""
    rack = Rack()
    rack.do(IssueColour, "red", "Ann", 3, value=10)
    more = {"value": 10} if kind is IssueColour else {}
    for who in (player("Ann"), Actor("Kim", Role.CASHIER), Actor("console", Role.SYSTEM)):
        refusal = rack.refused(kind, "red", "Ann", 1, by=who, **more)
        assert (refusal.code, refusal.facts["least"]) == (RefusalCode.ROLE_NOT_ALLOWED, "dealer")
    for chips in (0, -1):
        refusal = rack.refused(kind, "red", "Ann", chips, **more)
        assert (refusal.code, refusal.facts["stake"]) == (RefusalCode.STAKE_INVALID, chips)


@pytest.mark.parametrize("rulebook", ["tai-sai-v4", "tai-sai-v6", "sic-bo-etg-v8"])
def test_other_rulebooks_have_no_colour_chips(rulebook: str) -> None:
    """They speak of no such thing."""
    refusal = Rack(rulebook).refused(IssueColour, "red", "Ann", 1, value=10)
    assert (refusal.code, refusal.clause) == (RefusalCode.COLOUR_CHIPS_NOT_USED, "house")


asked = st.lists(
    st.tuples(
        st.sampled_from([IssueColour, ChangeBack, PayInColour, CollectColour, DeclareMissing]),
        st.sampled_from(["red", "blue"]),
        st.sampled_from(["Ann", "Bob"]),
        st.integers(-1, 5),
        st.sampled_from([10, 20]),
    ),
    max_size=40,
)


@given(asked)
def test_the_chips_that_are_out_are_those_given_less_those_back(
    acts: list[tuple[type[Any], str, str, int, int]],
) -> None:
    """A colour has one holder and one value while any of it is out, and never fewer than none are."""
    rack = Rack()
    for kind, colour, name, chips, value in acts:
        more = {"value": value} if kind is IssueColour else {}
        before = rack.rack.colours.get(colour)
        if isinstance(rack.ask(kind, colour, name, chips, by=SUPERVISOR, **more), Refusal):
            continue
        event = rack.do(kind, colour, name, chips, by=SUPERVISOR, **more)
        after = rack.rack.colours.get(colour)
        out = (before.out if before else 0) + event.chips
        assert out >= 0
        assert (after.out if after else 0) == out
        if before:
            assert before.holder == name
            assert kind is not IssueColour or before.value == value
    stored = msgspec.json.encode(rack.events)
    assert msgspec.json.decode(stored, type=list[AnyChipsEvent]) == rack.events


def test_commands_are_read_back_as_they_were_sent() -> None:
    """And a fact that a command has no place for is not silently dropped."""
    command = IssueColour(by=DEALER, at=EVENING, colour="red", player="Ann", chips=1, value=10)
    sent = msgspec.json.encode(command)
    assert msgspec.json.decode(sent, type=AnyChipsCommand) == command
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.json.decode(sent.replace(b'"value"', b'"worth":1,"value"'), type=AnyChipsCommand)
