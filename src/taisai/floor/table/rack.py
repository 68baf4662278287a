"""Colour chips at a table: where each of them is, acts at the rack, and bets that are made with them.

The book says what is in a player's hand (`chips:TABLE:COLOUR`), the slips of the round in play say what is on
the felt, and whatever is neither is in the rack. There is no other count.
"""

from typing import TYPE_CHECKING

import msgspec

from taisai.errors import InputError
from taisai.floor.desks.kind import Outcome
from taisai.floor.table.messages import AtRack, RackEvent
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.chips import (
    AnyChipsEvent,
    Colour,
    ColourIssued,
    ColourMissing,
    ColourPaid,
    ColourRack,
    decide_chips,
)
from taisai.game.colours import coloured_on
from taisai.game.refusals import Refusal, RefusalCode
from taisai.game.state import PlayerSlip, RoundState
from taisai.ledger import Reason, Transfer
from taisai.ledger.accounts import CASH, colour_chips, credit, house
from taisai.ledger.transfers import AMOUNT_MINOR_MAX
from taisai.record.journal import micros

if TYPE_CHECKING:
    from taisai.floor.table.state import TableState

_OFF_THE_FELT = (Phase.SETTLED, Phase.CONCLUDED, Phase.VOID)
_WITH_CHIPS = (cmd.PlaceBets, cmd.CorrectBets)
_SLIPS = (ev.BetsPlaced, ev.BetsCorrected)


def rack_of(table: "TableState") -> ColourRack | None:
    """The colours that are out at a table, with the chips of each in the hand and on the felt."""
    if table.settings is None:
        return None
    rulebook, _ = table.find_rules(table.settings.pay_table)
    felt = _on_felt(table.current)
    colours = {}
    for name, sale in table.sales.items():
        hand = table.book.balance(colour_chips(table.name, name)) // sale.value
        found = Colour(sale.holder, sale.value, hand, felt.get(name, 0) // sale.value)
        if found.out:
            colours[name] = found
    return ColourRack(rulebook, table.settings.limits.unit, colours)


def _on_felt(state: RoundState | None) -> dict[str, int]:
    """What is on the felt in each colour: of everyone whose bets are still to be settled."""
    felt: dict[str, int] = {}
    if state is None or state.phase in _OFF_THE_FELT:
        return felt
    for player, slip in state.slips.items():
        if slip.chips and player not in state.paid:
            part = coloured_on(slip.chips, slip.amounts)
            felt[slip.chips.colour] = felt.get(slip.chips.colour, 0) + part
    return felt


def at_rack(table: "TableState", command: AtRack, act_id: str) -> Outcome:
    """Decide and apply an act with colour chips."""
    rack = rack_of(table)
    if rack is None:
        return table.refuse(RefusalCode.TABLE_CLOSED)
    decision = decide_chips(rack, command.command)
    if isinstance(decision, Refusal):
        return decision
    (event,) = decision
    _check_name(table, event.colour)
    amount = abs(event.chips) * event.value
    if amount > AMOUNT_MINOR_MAX:
        return table.refuse(RefusalCode.AMOUNT_INVALID, amount=amount)
    if isinstance(event, ColourPaid) and not table.uses_chips:
        free = table.book.balance(credit(event.player))
        if amount > free:
            return table.refuse(RefusalCode.FUNDS_INSUFFICIENT, needed=amount, available=free)
    return table.done([RackEvent(event=event)], [_moved(table, event, amount, f"{act_id}.1")], amount=amount)


def _check_name(table: "TableState", colour: str) -> None:
    """A colour's name becomes the name of an account."""
    try:
        colour_chips(table.name, colour)
    except InputError:
        raise InputError(f"expected a colour of letters, digits and . _ @ -, got {colour!r}") from None


def _moved(table: "TableState", event: AnyChipsEvent, amount: int, transfer_id: str) -> Transfer:
    """Chips against money: cash at a sale, else what the table's bets are made with."""
    chips, other = colour_chips(table.name, event.colour), table.base(event.player)
    reason = Reason.CHIPS_CHANGED
    if isinstance(event, ColourIssued):
        other, reason = CASH, Reason.BUY_IN
    elif isinstance(event, ColourMissing):
        other, reason = house(table.name), Reason.WAIVED
    debit, to = (other, chips) if event.chips > 0 else (chips, other)
    return Transfer(transfer_id, debit, to, amount, reason, micros(event.at), table.name)


def spelled(table: "TableState", asked: cmd.AnyCommand) -> cmd.AnyCommand:
    """The same act with its colour under the name that it is out by."""
    if not isinstance(asked, _WITH_CHIPS) or asked.chips is None:
        return asked
    rack = rack_of(table)
    if rack is None:
        return asked
    named = msgspec.structs.replace(asked.chips, colour=rack.find(asked.chips.colour)[0])
    return msgspec.structs.replace(asked, chips=named)


def unaffordable(table: "TableState", state: RoundState, decision: list[ev.AnyEvent]) -> Refusal | None:
    """Why bets cannot be made: chips of the colour that are not in hand, or credits that are not there.

    A correction says what was on the felt and may leave a receivable; chips that nobody had were not there.
    """
    for event in decision:
        if not isinstance(event, _SLIPS):
            continue
        before = state.slips.get(event.player) or PlayerSlip()
        refusal = None if event.chips is None else _not_in_hand(table, before, event)
        if refusal is None and isinstance(event, ev.BetsPlaced) and not table.uses_chips:
            refusal = _no_credit(table, before, event)
        if refusal is not None:
            return refusal
    return None


def _not_in_hand(
    table: "TableState", before: PlayerSlip, event: ev.BetsPlaced | ev.BetsCorrected
) -> Refusal | None:
    chips = event.chips
    slip = event.slip if isinstance(event, ev.BetsPlaced) else event.after
    after = coloured_on(chips, slip)
    # Whoever bets no colour needs no rack, which is counted over everybody's slips.
    rack = rack_of(table) if after else None
    if chips is None or rack is None:
        return None
    same = before.chips is not None and before.chips.colour == chips.colour
    more = after - (coloured_on(before.chips, before.amounts) if same else 0)
    if isinstance(event, ev.BetsCorrected) and same and before.chips and more <= 0:
        if before.chips.value == chips.value:  # of an earlier round, perhaps: others may hold the colour now
            return None
        facts = {"colour": chips.colour, "value": before.chips.value}
        return rack.refuse(RefusalCode.VALUE_FIXED, **facts)
    return rack.bet_refusal(event.player, chips, more=more)


def _no_credit(table: "TableState", before: PlayerSlip, event: ev.BetsPlaced) -> Refusal | None:
    needed = sum(event.slip.values()) - sum(before.amounts.values())
    if event.chips is not None or before.chips is not None:  # what is in colour takes no credit
        needed -= coloured_on(event.chips, event.slip) - coloured_on(before.chips, before.amounts)
    available = table.book.balance(credit(event.player))
    if needed <= available:
        return None
    return table.refuse(RefusalCode.FUNDS_INSUFFICIENT, needed=needed, available=available)
