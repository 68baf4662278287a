"""How events change a round. This is the only code that writes to a RoundState."""

from collections.abc import Iterable

from taisai.errors import InvariantBroken
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.state import Chips, PlayerSlip, RoundState


def evolve(state: RoundState, event: ev.AnyEvent) -> RoundState:
    """Apply one event, in place, and give the state back."""
    match event:
        case ev.BettingOpened():
            _open(state, event)
        case ev.BetsPlaced():
            _place(state, event)
        case ev.BettingClosed():
            state.phase = Phase.CLOSED
            state.slip_root, state.slips_closed = event.root, len(state.slips)
        case ev.TumblerCovered() | ev.TumblerActivated() | ev.DiceExposed():
            _tumble(state, event)
        case ev.RollDeclared() | ev.ResultCorrected() | ev.KnownFacesDeclared():
            _set_roll(state, event)
        case ev.PayoutsMade():
            state.paid.update(event.payouts)
        case ev.SettlementReversed():
            _reverse(state, event)
        case ev.BetsSettled():
            state.attempt = event.attempt or state.attempt
            if state.phase is Phase.DECLARED:
                state.phase = Phase.SETTLED
        case ev.RoundConcluded():
            state.phase = Phase.CONCLUDED
        case _:
            _evolve_irregular(state, event)
    return state


def _evolve_irregular(state: RoundState, event: ev.AnyEvent) -> None:
    match event:
        case ev.ExcessRejected() | ev.BetsReturned():
            for taken in event.taken:
                _keep_closed(state, taken.player)
                take_latest(state, taken.player, taken.box, taken.amount)
        case ev.MinimumAdvised():
            state.advised.add((event.player, event.box))
        case ev.PlayerAbsent():
            state.slips[event.player].absent = "cut-off" if event.cut_off else "walked-away"
        case ev.RoundVoided():
            state.phase, state.held = Phase.VOID, ""
            state.ground, state.void_clause = event.ground, event.clause
            state.attempt = event.attempt or state.attempt
            _reveal(state, event)
        case ev.RoundSuspended():
            state.held, state.held_at = "suspended", event.at
        case ev.RoundInterrupted():
            _interrupt(state, event)
        case ev.RoundResumed():
            state.held = ""
        case ev.BetsCorrected():
            _keep_closed(state, event.player)
            slip = replace_slip(state, event.player, event.after)
            slip.chips = event.chips or slip.chips
        case ev.DamagedDiceReported() | ev.DisplayFaultRecorded() | ev.RulingMade():
            pass  # facts on the record; what follows from them are events of their own
        case _:
            raise InvariantBroken(f"an event of unknown type {type(event).__name__}")


def evolve_all(state: RoundState, happened: Iterable[ev.AnyEvent]) -> RoundState:
    """Apply events in their order."""
    for event in happened:
        evolve(state, event)
    return state


def _open(state: RoundState, event: ev.BettingOpened) -> None:
    if event.pay_table_digest != state.pay_table.digest or event.rulebook_digest != state.rulebook.digest:
        raise InvariantBroken(f"{event.table}/{event.number} was played under other rules than these")
    state.phase = Phase.BETTING
    state.table, state.number = event.table, event.number
    state.limits, state.dice_set = event.limits, event.dice_set
    state.lighter_side = event.lighter_side
    state.opened_at, state.commitment = event.at, event.commitment


def _place(state: RoundState, event: ev.BetsPlaced) -> None:
    slip = replace_slip(state, event.player, event.slip)
    slip.version, slip.asked, slip.chips = event.version, event.asked, event.chips
    state.registrations += 1
    if not event.on_behalf:
        slip.absent = ""  # whoever bets, or lays chips on the felt, is there again


def _tumble(state: RoundState, event: ev.TumblerCovered | ev.TumblerActivated | ev.DiceExposed) -> None:
    match event:
        case ev.TumblerCovered():
            state.covered = True
        case ev.TumblerActivated():
            state.tumbles, state.exposed = event.tumbles, event.exposed
        case ev.DiceExposed():
            state.covered, state.exposed = False, True


def _set_roll(state: RoundState, event: ev.RollDeclared | ev.ResultCorrected | ev.KnownFacesDeclared) -> None:
    match event:
        case ev.ResultCorrected():
            state.roll, state.dice_clause = event.after, f"corrected {event.clause}"
        case ev.RollDeclared():
            state.roll, state.phase, state.held = event.roll, Phase.DECLARED, ""
            ruled = event.clause == state.rulebook.cite("ruling")
            state.dice_clause = f"corrected {event.clause}" if ruled else ""
            _reveal(state, event)
        case ev.KnownFacesDeclared():
            if tuple(event.known) != state.known:
                raise InvariantBroken(f"the faces {event.known} were declared, and {state.known} were read")
            state.phase, state.held = Phase.DECLARED, ""
            _reveal(state, event)
    state.settles_known = isinstance(event, ev.KnownFacesDeclared)
    state.revision += 1


def _reveal(state: RoundState, event: ev.RollDeclared | ev.KnownFacesDeclared | ev.RoundVoided) -> None:
    if event.secret:
        state.secret, state.share = event.secret, event.share


def _keep_closed(state: RoundState, player: str) -> None:
    """A slip that changes after the closing is remembered as it was closed."""
    if state.betting_has_closed and player in state.slips:
        state.amended.setdefault(player, state.slips[player].slip())


def _reverse(state: RoundState, event: ev.SettlementReversed) -> None:
    state.paid.clear()
    if state.phase is Phase.DECLARED:
        # Stakes of those who had been paid count again, in money: their chips have gone to hand or rack.
        for player in event.payouts:
            state.slips[player].chips = None


def _interrupt(state: RoundState, event: ev.RoundInterrupted) -> None:
    state.held, state.held_at = "interrupted", event.at
    if state.outcome is None:  # a declared roll is registered, not read: it stays open to correction
        state.known = tuple(event.known)
    state.exposed = state.exposed or bool(event.known)  # dice that were read are not concealed
    if event.established and not event.readable:
        state.phase, state.held = Phase.AWAITING_RULING, ""


def replace_slip(state: RoundState, player: str, wanted: dict[str, int]) -> PlayerSlip:
    """Bring a player's chips to the amounts of a slip.

    An increase joins the end, a reduction takes the player's own latest chips, an unchanged amount keeps
    its place.
    """
    slip = state.slips.get(player)
    if slip is None:
        slip = state.slips[player] = PlayerSlip()
    stacks, amounts, totals, advised = slip.stacks, slip.amounts, state.totals, state.advised
    for box in [*stacks, *[box for box in wanted if box not in stacks]] if stacks else wanted:
        amount = wanted.get(box, 0)
        difference = amount - amounts.get(box, 0)
        if difference > 0:
            state.order += 1
            chips = Chips(state.order, difference)
            if box in stacks:
                stacks[box].append(chips)
            else:
                stacks[box] = [chips]
            amounts[box] = amount
            totals[box] = totals.get(box, 0) + difference
            if advised:
                advised.discard((player, box))
            state.revision += 1
        elif difference < 0:
            take_latest(state, player, box, -difference)
    return slip


def take_latest(state: RoundState, player: str, box: str, amount: int) -> None:
    """Take an amount from a player's latest chips on a box."""
    stacks = state.slips[player].stacks
    stack, left = stacks[box], amount
    while left:
        if not stack:
            raise InvariantBroken(f"{amount} taken from {player} on {box}, which held less")
        part = min(left, stack[-1].amount)
        stack[-1].amount -= part
        left -= part
        if not stack[-1].amount:
            stack.pop()
    if not stack:
        del stacks[box]
    for amounts in (state.slips[player].amounts, state.totals):
        amounts[box] -= amount
        if not amounts[box]:
            del amounts[box]
    state.advised.discard((player, box))
    state.revision += 1
