"""How events change a round. This is the only code that writes to a RoundState."""

from collections.abc import Iterable

from taisai.errors import InvariantBroken
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.state import WRITTEN_DOWN, Chips, PlayerSlip, RoundState


def evolve(state: RoundState, event: ev.AnyEvent) -> RoundState:
    """Apply one event, in place, and give the state back."""
    match event:
        case ev.BettingOpened():
            _open(state, event)
        case ev.BetsPlaced():
            place(state, event)
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
            state.went_since.clear()
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
            _miss(state, event)
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


def place(state: RoundState, event: ev.BetsPlaced) -> None:
    """Apply a slip: nearly all that ever happens, so that whoever applies very many asks for it alone."""
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


def _miss(state: RoundState, event: ev.PlayerAbsent) -> None:
    """Somebody has gone; what a settlement knew of them is kept, since its results are proved by it."""
    slip = state.slips[event.player]
    if state.attempt:
        state.went_since.setdefault(event.player, slip.absent)
    slip.absent = "cut-off" if event.cut_off else "walked-away"


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
    if slip.amounts:
        for box in {**slip.amounts, **wanted}:  # those that are there first, then new ones
            difference = wanted.get(box, 0) - slip.amounts.get(box, 0)
            if difference > 0:
                _lay_on_top(state, slip, box, difference)
                if state.advised:
                    state.advised.discard((player, box))
            elif difference < 0:
                take_latest(state, player, box, -difference)
    else:
        _lay(state, slip, wanted)
        for box in wanted if state.advised else ():
            state.advised.discard((player, box))
    return slip


def _lay(state: RoundState, slip: PlayerSlip, wanted: dict[str, int]) -> None:
    """A player's first chips, all at once: the most frequent thing that ever happens in a round."""
    totals = state.totals
    for box, amount in wanted.items():
        if amount <= 0:
            raise InvariantBroken(f"{amount} laid on {box}")
        totals[box] = totals.get(box, 0) + amount
    before, boxes = state.order, len(wanted)
    state.order = before + boxes
    state.revision += boxes
    slip.amounts, slip.laid = wanted, before


def _written_down(slip: PlayerSlip) -> None:
    """What comes now did not come with the rest: from here on every box has its own moment."""
    if slip.laid != WRITTEN_DOWN:
        slip.moments, slip.laid = slip.first, WRITTEN_DOWN
        slip.amounts = dict(slip.amounts)


def _lay_on_top(state: RoundState, slip: PlayerSlip, box: str, amount: int) -> None:
    """More chips on a box, or the first on one of several."""
    _written_down(slip)
    state.order += 1
    state.revision += 1
    if box in slip.moments:
        slip.later.setdefault(box, []).append(Chips(state.order, amount))
    else:
        slip.moments[box] = state.order
    amounts, totals = slip.amounts, state.totals
    amounts[box] = amounts.get(box, 0) + amount
    totals[box] = totals.get(box, 0) + amount


def take_latest(state: RoundState, player: str, box: str, amount: int) -> None:
    """Take an amount from a player's latest chips on a box."""
    slip = state.slips[player]
    if amount > slip.on(box):
        raise InvariantBroken(f"{amount} taken from {player} on {box}, which held less")
    _written_down(slip)
    left, later = amount, slip.later.get(box, [])
    while left and later:
        latest = later.pop()
        if latest.amount > left:
            later.append(Chips(latest.order, latest.amount - left))
        left -= min(left, latest.amount)
    if not later:
        slip.later.pop(box, None)
    for amounts in (slip.amounts, state.totals):
        amounts[box] -= amount
        if not amounts[box]:
            del amounts[box]
    if box not in slip.amounts:
        del slip.moments[box]
    state.advised.discard((player, box))
    state.revision += 1
