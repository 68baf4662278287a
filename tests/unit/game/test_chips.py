"""Colour chips: one holder and one value until every chip of the colour is back (decision 15)."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import taisai
from taisai.errors import InvariantBroken
from taisai.game.chips import (
    AnyChipsCommand,
    AnyChipsEvent,
    ChangeBack,
    CollectColour,
    Colour,
    ColourChangedBack,
    ColourCollected,
    ColourIssued,
    ColourMissing,
    ColourPaid,
    ColourRack,
    DeclareMissing,
    IssueColour,
    PayInColour,
    decide_chips,
    evolve_chips,
)
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from tests.rules.table import DEALER, EVENING, SUPERVISOR, player


class Rack:
    """The rack of one table, and what was asked at it."""

    def __init__(self, rulebook: str = "tai-sai-v3") -> None:
        self.rack = ColourRack(taisai.rulebook(rulebook), unit=10)
        self.events: list[AnyChipsEvent] = []

    def ask(self, kind: type[Any], colour: str, name: str, chips: int, **more: Any) -> Any:
        command = kind(
            **{"by": DEALER, "at": EVENING, "colour": colour, "player": name, "chips": chips, **more}
        )
        return decide_chips(self.rack, command)

    def do(self, *facts: Any, **more: Any) -> AnyChipsEvent:
        decision = self.ask(*facts, **more)
        assert not isinstance(decision, Refusal), decision
        (event,) = decision
        evolve_chips(self.rack, event)
        self.events.append(event)
        return event

    def refused(self, *facts: Any, **more: Any) -> Refusal:
        decision = self.ask(*facts, **more)
        assert isinstance(decision, Refusal)
        return decision


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
    assert rack.rack.worth() == 25 * 50 + 10
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
    rack.rack.unit = 1
    rack.do(IssueColour, "blue", "Ann", 1, value=1)


def test_chips_are_worth_nothing_to_anyone_else() -> None:
    """Only the holder changes them back, is paid in them, loses them."""
    rack = Rack()
    rack.do(IssueColour, "red", "Ann", 10, value=10)
    for kind in (ChangeBack, PayInColour, CollectColour):
        refusal = rack.refused(kind, "red", "Bob", 1)
        assert refusal.code is RefusalCode.COLOUR_NOT_YOURS
        assert rack.refused(kind, "blue", "Ann", 1).code is RefusalCode.COLOUR_NOT_YOURS
    assert rack.rack.colours["red"].out == 10


def test_winnings_in_colour_add_chips_and_losses_bring_them_back() -> None:
    """More may be paid than was sold; no more can come back than is out."""
    rack = Rack()
    rack.do(IssueColour, "red", "Ann", 10, value=10)
    paid = rack.do(PayInColour, "red", "Ann", 31)
    assert isinstance(paid, ColourPaid)
    assert (paid.chips, paid.value) == (31, 10)
    lost = rack.do(CollectColour, "red", "Ann", 40)
    assert isinstance(lost, ColourCollected)
    assert (lost.chips, lost.value) == (-40, 10)
    for kind in (ChangeBack, CollectColour):
        refusal = rack.refused(kind, "red", "Ann", 2)
        assert (refusal.code, refusal.facts["held"]) == (RefusalCode.TOO_MANY_CHIPS, 1)
    rack.do(CollectColour, "red", "Ann", 1)
    assert rack.rack.colours == {}


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


def test_events_that_cannot_have_happened_stop_the_rack() -> None:
    """More of a colour back than was out is a fault of ours, not a rule."""
    rack = Rack()
    sold = rack.do(IssueColour, "red", "Ann", 3, value=10)
    back = ColourChangedBack(
        **{field: getattr(sold, field) for field in sold.__struct_fields__} | {"chips": -4}
    )
    with pytest.raises(InvariantBroken, match="more red came back than was out"):
        evolve_chips(rack.rack, back)


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
    """A colour has one holder and one value while any of it is out, and a replay of the events agrees."""
    rack = Rack()
    for kind, colour, name, chips, value in acts:
        more = {"value": value} if kind is IssueColour else {}
        decision = rack.ask(kind, colour, name, chips, by=SUPERVISOR, **more)
        before = dict(rack.rack.colours)
        if isinstance(decision, Refusal):
            assert rack.rack.colours == before
            continue
        rack.do(kind, colour, name, chips, by=SUPERVISOR, **more)
        held = before.get(colour)
        if held:
            assert held.holder == name
            assert kind is not IssueColour or held.value == value
    for colour in ("red", "blue"):
        out = sum(event.chips for event in rack.events if event.colour == colour)
        assert out == (rack.rack.colours[colour].out if colour in rack.rack.colours else 0)
    stored = msgspec.json.encode(rack.events)
    replayed = ColourRack(rack.rack.rulebook, unit=10)
    for event in msgspec.json.decode(stored, type=list[AnyChipsEvent]):
        evolve_chips(replayed, event)
    assert replayed.colours == rack.rack.colours


def test_commands_are_read_back_as_they_were_sent() -> None:
    """And a fact that a command has no place for is not silently dropped."""
    command = IssueColour(by=DEALER, at=EVENING, colour="red", player="Ann", chips=1, value=10)
    sent = msgspec.json.encode(command)
    assert msgspec.json.decode(sent, type=AnyChipsCommand) == command
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.json.decode(sent.replace(b'"value"', b'"worth":1,"value"'), type=AnyChipsCommand)
