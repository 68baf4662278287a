"""Colour chips at one table (v3 and open cover, 3.3).

A colour belongs to one player at a time, at a value that stands until every chip of it is back. The chips
are worth nothing elsewhere and are changed back at the table. A pure decider like the round's.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

import msgspec

from taisai.errors import InvariantBroken
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
    """Take in chips of a colour that lost; nothing is given for them."""


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
    """Losing chips came back to the rack."""


class ColourMissing(ChipsEvent, frozen=True, kw_only=True):
    """Chips were declared missing."""


AnyChipsCommand = IssueColour | ChangeBack | PayInColour | CollectColour | DeclareMissing
AnyChipsEvent = ColourIssued | ColourPaid | ColourChangedBack | ColourCollected | ColourMissing


@dataclass(slots=True)
class Colour:
    """Who holds a colour, at what value, and how many chips of it are out."""

    holder: str
    value: int
    out: int


@dataclass(slots=True)
class ColourRack:
    """The colour chips of one table. `unit` is the table's chip unit."""

    rulebook: Rulebook
    unit: int
    colours: dict[str, Colour] = field(default_factory=dict)

    def worth(self) -> int:
        """What all chips that are out are worth."""
        return sum(colour.value * colour.out for colour in self.colours.values())


def decide_chips(rack: ColourRack, command: AnyChipsCommand) -> list[AnyChipsEvent] | Refusal:
    """What follows from a command at the rack."""
    refusal = _refusal(rack, command)
    if refusal:
        return refusal
    form, sign = _OUTCOMES[type(command)]
    value = command.value if isinstance(command, IssueColour) else rack.colours[command.colour].value
    return [
        form(
            by=command.by,
            at=command.at,
            clause=rack.rulebook.cite("colour_chips"),
            colour=command.colour,
            player=command.player,
            chips=sign * command.chips,
            value=value,
        )
    ]


_OUTCOMES: dict[type, tuple[type[AnyChipsEvent], int]] = {
    IssueColour: (ColourIssued, 1),
    PayInColour: (ColourPaid, 1),
    ChangeBack: (ColourChangedBack, -1),
    CollectColour: (ColourCollected, -1),
    DeclareMissing: (ColourMissing, -1),
}


def _refusal(rack: ColourRack, command: AnyChipsCommand) -> Refusal | None:
    held = rack.colours.get(command.colour)
    least = Role.PIT_SUPERVISOR if isinstance(command, DeclareMissing) else Role.DEALER
    facts = {"colour": command.colour, "player": command.player, "chips": command.chips}

    def refuse(code: RefusalCode, **more: object) -> Refusal:
        return Refusal(code=code, clause=rack.rulebook.cite("colour_chips"), facts={**facts, **more})

    if not command.by.is_at_least(least):
        return refuse(RefusalCode.ROLE_NOT_ALLOWED, least=str(least))
    if not rack.rulebook.colour_chips:
        return refuse(RefusalCode.COLOUR_CHIPS_NOT_USED)
    if command.chips < 1:
        return refuse(RefusalCode.STAKE_INVALID, stake=command.chips)
    if isinstance(command, IssueColour):
        return _issue_refusal(rack, command, held, refuse)
    if held is None or held.holder != command.player:
        return refuse(RefusalCode.COLOUR_NOT_YOURS)
    if not isinstance(command, PayInColour) and command.chips > held.out:
        return refuse(RefusalCode.TOO_MANY_CHIPS, held=held.out)
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


def evolve_chips(rack: ColourRack, event: AnyChipsEvent) -> ColourRack:
    """Apply one event to the rack, in place."""
    held = rack.colours.setdefault(event.colour, Colour(event.player, event.value, 0))
    held.out += event.chips
    if held.out < 0:
        raise InvariantBroken(f"more {event.colour} came back than was out")
    if not held.out:
        del rack.colours[event.colour]  # all back: the next player may have it at another value
    return rack
