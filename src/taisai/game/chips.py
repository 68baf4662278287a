"""Colour chips at one table (v3 and open cover, 3.3).

A colour belongs to one player at a time, at a value that stands until every chip of it is back. The chips
are worth nothing elsewhere and are changed back at the table. A chip is in its player's hand, on the felt or
in the rack: the table's books say how many are in the hand, the slips of the round how many are on the felt,
and all others are in the rack, where settlement takes those that lose. Names of colours are read without
regard to case.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

import msgspec

from taisai.game.commands import ColourChips
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.rulebooks.model import Rulebook


class ChipsCommand(
    msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type", forbid_unknown_fields=True
):
    """Something asked for at the rack."""

    by: Actor
    at: datetime
    colour: str
    player: str
    chips: int
    v: Literal[1] = 1


class IssueColour(ChipsCommand, frozen=True, kw_only=True):
    """Sell chips of a colour to a player; the first sale fixes their value."""

    value: int


class ChangeBack(ChipsCommand, frozen=True, kw_only=True):
    """Take chips of a colour back for cash chips."""


class PayInColour(ChipsCommand, frozen=True, kw_only=True):
    """Pay winnings in the player's colour."""


class CollectColour(ChipsCommand, frozen=True, kw_only=True):
    """Take in chips of a colour that lost. Settlement has done that, so nothing is left to collect."""


class DeclareMissing(ChipsCommand, frozen=True, kw_only=True):
    """A supervisor writes off chips that never came back."""


class ChipsEvent(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """A change of the chips that are out. `chips` is positive for chips given out, negative for chips in."""

    by: Actor
    at: datetime
    clause: str
    colour: str
    player: str
    chips: int
    value: int
    v: Literal[1] = 1


class ColourIssued(ChipsEvent, frozen=True, kw_only=True):
    """Chips were sold."""


class ColourPaid(ChipsEvent, frozen=True, kw_only=True):
    """Winnings were paid in the colour."""


class ColourChangedBack(ChipsEvent, frozen=True, kw_only=True):
    """Chips came back for cash."""


class ColourCollected(ChipsEvent, frozen=True, kw_only=True):
    """Losing chips came back to the rack: an act of its own before settlement did it."""


class ColourMissing(ChipsEvent, frozen=True, kw_only=True):
    """Chips were declared missing."""


AnyChipsCommand = IssueColour | ChangeBack | PayInColour | CollectColour | DeclareMissing
AnyChipsEvent = ColourIssued | ColourPaid | ColourChangedBack | ColourCollected | ColourMissing


class Sale(NamedTuple):
    """Who bought chips of a colour last, and what one is worth."""

    holder: str
    value: int


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour that is out: whose it is, what a chip is worth, how many are in the hand and on the felt."""

    holder: str
    value: int
    hand: int
    felt: int = 0

    @property
    def out(self) -> int:
        """The chips that are not in the rack."""
        return self.hand + self.felt


@dataclass(frozen=True, slots=True)
class ColourRack:
    """The colours of one table that are out, as they stand now. `unit` is the table's chip unit."""

    rulebook: Rulebook
    unit: int
    colours: dict[str, Colour] = field(default_factory=dict)

    def find(self, colour: str) -> tuple[str, Colour | None]:
        """A colour under the name that it is out by, however it is written; and how it stands, if it is."""
        if colour in self.colours:
            return colour, self.colours[colour]
        folded = colour.casefold()
        for name, held in self.colours.items():
            if name.casefold() == folded:
                return name, held
        return folded, None

    def refuse(self, code: RefusalCode, **facts: object) -> Refusal:
        """A refusal under the clause on colour chips."""
        return Refusal(code=code, clause=self.rulebook.cite("colour_chips"), facts=facts)

    def bet_refusal(self, player: str, chips: ColourChips, *, more: int) -> Refusal | None:
        """Why a player cannot have `more` on the felt than there is, in these chips."""
        name, held = self.find(chips.colour)
        facts = {"colour": name, "player": player, "chips": more // chips.value}
        if held is None or held.holder != player:
            return self.refuse(RefusalCode.COLOUR_NOT_YOURS, **facts)
        if held.value != chips.value:
            return self.refuse(RefusalCode.VALUE_FIXED, **facts, value=held.value)
        if more > held.hand * held.value:
            return self.refuse(RefusalCode.TOO_MANY_CHIPS, **facts, held=held.hand)
        return None


def decide_chips(rack: ColourRack, command: AnyChipsCommand) -> list[AnyChipsEvent] | Refusal:
    """What follows from a command at the rack."""
    name, held = rack.find(command.colour)
    refusal = _refusal(rack, command, name, held)
    if refusal:
        return refusal
    form, sign = _OUTCOMES[type(command)]
    value = command.value if isinstance(command, IssueColour) else held.value if held else 0
    return [
        form(
            by=command.by,
            at=command.at,
            clause=rack.rulebook.cite("colour_chips"),
            colour=name,
            player=command.player,
            chips=sign * command.chips,
            value=value,
        )
    ]


_OUTCOMES: dict[type, tuple[type[AnyChipsEvent], int]] = {
    IssueColour: (ColourIssued, 1),
    PayInColour: (ColourPaid, 1),
    ChangeBack: (ColourChangedBack, -1),
    DeclareMissing: (ColourMissing, -1),
}


def _refusal(rack: ColourRack, command: AnyChipsCommand, name: str, held: Colour | None) -> Refusal | None:
    least = Role.PIT_SUPERVISOR if isinstance(command, DeclareMissing) else Role.DEALER
    facts = {"colour": name, "player": command.player, "chips": command.chips}

    def refuse(code: RefusalCode, **more: object) -> Refusal:
        return rack.refuse(code, **facts, **more)

    if not command.by.is_at_least(least):
        return refuse(RefusalCode.ROLE_NOT_ALLOWED, least=str(least))
    # Where the rulebook has changed, chips that are still out come back, and none are given out.
    if isinstance(command, IssueColour | PayInColour) and not rack.rulebook.colour_chips:
        return refuse(RefusalCode.COLOUR_CHIPS_NOT_USED)
    if command.chips < 1:
        return refuse(RefusalCode.STAKE_INVALID, stake=command.chips)
    if isinstance(command, IssueColour):
        return _issue_refusal(rack, command, held, refuse)
    if held is None or held.holder != command.player:
        return refuse(RefusalCode.COLOUR_NOT_YOURS)
    if isinstance(command, CollectColour):
        return refuse(RefusalCode.NOTHING_TO_COLLECT)
    if not isinstance(command, PayInColour) and command.chips > held.hand:
        return refuse(RefusalCode.TOO_MANY_CHIPS, held=held.hand)
    return None


def _issue_refusal(
    rack: ColourRack, command: IssueColour, held: Colour | None, refuse: Callable[..., Refusal]
) -> Refusal | None:
    if command.value < 1 or command.value % rack.unit:
        return refuse(RefusalCode.STAKE_NOT_IN_UNITS, stake=command.value, unit=rack.unit)
    if held and held.holder != command.player:
        return refuse(RefusalCode.COLOUR_TAKEN, holder=held.holder)
    if held and held.value != command.value:
        return refuse(RefusalCode.VALUE_FIXED, value=held.value)
    return None
