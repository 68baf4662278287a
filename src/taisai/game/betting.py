"""Decisions while bets are open: slips, limits at placement, excess and bets below the minimum."""

from collections.abc import Iterator
from typing import Final, Literal

from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Act
from taisai.game.evolve import evolve
from taisai.game.limits import Limit
from taisai.game.notary import proven_slips
from taisai.game.people import Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.game.state import Breach, PlayerSlip, RoundState
from taisai.rulebooks.model import Box

Decision = list[ev.AnyEvent] | Refusal

_PRECEDENCE: Final = list(RefusalCode)


def place_bets(state: RoundState, command: cmd.PlaceBets) -> Decision:
    """Accept a slip whole, cut to what is left under a maximum, or refuse it whole."""
    before = state.slips.get(command.player) or PlayerSlip()
    if command.version <= before.version:
        same = command.version == before.version
        if same and command.slip == before.asked and command.chips == before.chips:
            return []  # the same slip again: it is on the felt as it was accepted
        code = RefusalCode.SLIP_DIFFERS if same else RefusalCode.SLIP_STALE
        return state.refuse(code, "place", version=command.version, registered=before.version)
    slip, chips = command.slip, command.chips
    refusal = slip_refusal(state, slip) if chips is None else _coloured_refusal(state, slip, chips)
    if refusal is not None:
        return refusal
    cuts = _cuts(state, command, before)
    if isinstance(cuts, Refusal):
        return cuts
    accepted = dict(slip)
    if cuts:
        accepted |= {cut.box: cut.accepted for cut in cuts}
        accepted = {box: amount for box, amount in accepted.items() if amount}
    how: Literal["terminal", "felt", "on-request"] = "terminal"
    if command.by.role is not Role.PLAYER:
        how = "on-request" if command.on_request else "felt"
    return [
        ev.BetsPlaced(
            by=command.by,
            at=command.at,
            clause=state.rulebook.cite("on_behalf" if how == "on-request" else "place"),
            player=command.player,
            version=command.version,
            slip=accepted,
            asked=slip,
            cuts=cuts,
            on_behalf=how == "on-request",
            how=how,
            chips=chips,
        )
    ]


def _cuts(state: RoundState, command: cmd.PlaceBets, before: PlayerSlip) -> list[ev.Cut] | Refusal:
    """The boxes on which less than asked is taken; or why the whole slip is refused, by precedence."""
    cuts: list[ev.Cut] = []
    refusals: list[Refusal] = []
    boxes, held, chips = state.pay_table.by_id, before.amounts, command.chips
    for box, asked in command.slip.items():
        outcome = _within_limits(state, boxes[box], asked, held.get(box, 0), chips)
        if outcome is None:
            continue
        if isinstance(outcome, Refusal):
            refusals.append(outcome)
        else:
            cuts.append(outcome)
    if command.all_or_nothing:
        refusals += [_cut_refusal(state, cut) for cut in cuts]
    return min(refusals, key=lambda refusal: _PRECEDENCE.index(refusal.code)) if refusals else cuts


def _cut_refusal(state: RoundState, cut: ev.Cut) -> Refusal:
    """What is said of a box that takes less to someone who wants all or nothing."""
    code = RefusalCode.ABOVE_MAXIMUM if cut.asked > cut.limit else RefusalCode.BOX_FULL
    facts = {"box": cut.box, "asked": cut.asked, "limit": cut.limit, "allowed": cut.accepted}
    return state.refuse(code, "limits_kept", total=state.totals.get(cut.box, 0), **facts)


def slip_refusal(state: RoundState, slip: dict[str, int]) -> Refusal | None:
    """What is wrong with a slip whatever the limits: boxes that are not there, amounts that are no chips."""
    unit = state.limits.unit
    if slip.keys() <= state.pay_table.by_id.keys():
        for amount in slip.values():
            if type(amount) is not int or amount <= 0 or amount % unit:
                return _first_fault(state, slip)
        return None
    return _first_fault(state, slip)


def _first_fault(state: RoundState, slip: dict[str, int]) -> Refusal | None:
    """Of all that is wrong with a slip what is said of it: boxes first, then amounts, then units."""
    unit = state.limits.unit
    for box in slip:
        if box not in state.pay_table:
            return state.refuse(RefusalCode.BOX_UNKNOWN, "layout", box=box, pay_table=state.pay_table.id)
    for box, amount in slip.items():
        if type(amount) is not int or amount <= 0:
            return state.refuse(RefusalCode.STAKE_INVALID, "place", box=box, stake=amount)
    for box, amount in slip.items():
        if amount % unit:
            facts = {"box": box, "stake": amount, "unit": unit}
            return state.refuse(RefusalCode.STAKE_NOT_IN_UNITS, "limits_kept", **facts)
    return None


def _coloured_refusal(state: RoundState, slip: dict[str, int], chips: cmd.ColourChips) -> Refusal | None:
    """The same of a slip with colour chips: are they used here, what is asked, what of it is in colour."""
    refusal = chips_unused(state, chips) or slip_refusal(state, slip)
    return refusal or chips_refusal(state, slip, chips)


def chips_unused(state: RoundState, chips: cmd.ColourChips | None) -> Refusal | None:
    """Why a rulebook without colour chips takes none."""
    if chips is None or state.rulebook.colour_chips:
        return None
    return state.refuse(RefusalCode.COLOUR_CHIPS_NOT_USED, "colour_chips", colour=chips.colour)


def chips_refusal(state: RoundState, slip: dict[str, int], chips: cmd.ColourChips | None) -> Refusal | None:
    """Colour chips are whole chips, at a value that the chip unit divides, and part of the stake."""
    if chips is None:
        return None
    value = chips.value
    for box, amount in chips.boxes.items():
        if value < 1 or value % state.limits.unit or amount % value or not 0 < amount <= slip.get(box, 0):
            facts = {"box": box, "stake": amount, "unit": value}
            return state.refuse(RefusalCode.STAKE_NOT_IN_UNITS, "colour_chips", **facts)
    return None


def _within_limits(
    state: RoundState, box: Box, asked: int, held: int, chips: cmd.ColourChips | None
) -> ev.Cut | Refusal | None:
    """Whether a box takes the amount: None as it is, a Cut for less, a Refusal of the whole slip."""
    limit, rules, below = state.limits.of(box), state.rulebook.limits, None
    if asked < limit.minimum and rules.minimum != "advise":
        facts = {"box": box.id, "stake": asked, "minimum": limit.minimum}
        below = state.refuse(RefusalCode.BELOW_MINIMUM, "limits_kept", **facts)
    if asked <= held:
        return below
    if rules.maximum == "player":
        return below or _player_maximum_refusal(state, box, limit, asked, held)
    if limit.maximum is None or state.limits.notice == "by-dealer":
        return below
    others = state.totals.get(box.id, 0) - held
    room = min(asked, limit.maximum - others)
    accepted = max(chips.fits(box.id, room) if chips and room > 0 else room, held)
    if accepted == asked:
        return below
    if accepted < limit.minimum:
        accepted = held  # what is left would not make a bet, so nothing is added
    clause = state.rulebook.cite("excess")
    return ev.Cut(box=box.id, asked=asked, accepted=accepted, limit=limit.maximum, clause=clause)


def _player_maximum_refusal(
    state: RoundState, box: Box, limit: Limit, asked: int, held: int
) -> Refusal | None:
    limits, maximum, room = state.limits, limit.maximum, asked
    total_max = limits.box_total(box) if limits.box_totals else None
    if maximum is not None and maximum < room:
        room = maximum
    total = state.totals.get(box.id, 0)
    if total_max is not None:
        room = min(room, total_max - (total - held))
    if room == asked:
        return None
    # What is left may not make a bet: then what is there already is all that is taken.
    allowed = room if room >= limit.minimum else held
    facts = {"box": box.id, "asked": asked, "allowed": allowed}
    if limit.maximum is not None and asked > limit.maximum:
        facts |= {"limit": limit.maximum, "total": held}
        return state.refuse(RefusalCode.ABOVE_MAXIMUM, "limits_kept", **facts)
    facts |= {"limit": total_max, "total": total}
    return state.refuse(RefusalCode.BOX_FULL, "limits_kept", **facts)


def reject_excess(state: RoundState, command: cmd.RejectExcess) -> Decision:
    """Give back what is above a limit, the latest chips first, whoever put them there."""
    breach = next((breach for breach in state.breaches() if breach.on == command.on), None)
    if breach is None:
        return state.refuse(RefusalCode.NO_EXCESS, "excess", on=command.on)
    return [_rejected(state, breach, command)]


def close_betting(state: RoundState, command: cmd.CloseBetting) -> Decision:
    """No more bets. What the screen shows was noticed and is decided on; the clock asks nobody (5.1)."""
    breaches = list(state.breaches()) if state.cell(Act.REJECT_EXCESS).legal else []
    by_clock = command.by.role is Role.SYSTEM
    if breaches and not by_clock and command.excess is None:
        facts = {"on": breaches[0].on, "limit": breaches[0].limit, "excess": breaches[0].excess}
        return state.refuse(RefusalCode.EXCESS_UNDECIDED, "excess", **facts)
    happened: list[ev.AnyEvent] = []
    decided: Literal["", "rejected", "left", "clock"] = ""
    if breaches:
        decided = "clock" if by_clock else "rejected" if command.excess == "reject" else "left"
    after = state
    if decided == "rejected":
        after = state.copy()
        # What one rejection takes may be what kept another pair within its limit.
        while breach := next(after.breaches(), None):
            happened.append(_rejected(after, breach, command))
            evolve(after, happened[-1])
        breaches = []
    proven = proven_slips(after)
    happened.append(
        ev.BettingClosed(
            by=command.by,
            at=command.at,
            clause=state.rulebook.cite("close"),
            players=len(after.stakes_by_player()),
            staked=after.staked(),
            excess=[ev.Excess(breach.on, breach.box, breach.limit, breach.excess) for breach in breaches],
            excess_by=decided,
            slips=proven.leaves,
            root=proven.root,
        )
    )
    return happened


def _rejected(state: RoundState, breach: Breach, command: cmd.Command) -> ev.ExcessRejected:
    return ev.ExcessRejected(
        by=command.by,
        at=command.at,
        clause=state.rulebook.cite("excess"),
        on=breach.on,
        limit=breach.limit,
        taken=list(_latest_chips(state, breach)),
    )


def _latest_chips(state: RoundState, breach: Breach) -> Iterator[ev.ChipsTaken]:
    chips = [
        (chip.order, chip.amount, player)
        for player, slip in state.slips.items()
        for chip in slip.chips_on(breach.box)
    ]
    left, stays = breach.excess, {player: slip.on(breach.box) for player, slip in state.slips.items()}
    for _, amount, player in sorted(chips, reverse=True):
        if left <= 0 or not stays[player]:
            continue
        there, coloured = stays[player], state.slips[player].chips
        rest = there - min(left, amount, there)
        stays[player] = coloured.fits(breach.box, rest) if coloured else rest  # no chip is halved
        left -= there - stays[player]
        yield ev.ChipsTaken(player, breach.box, there - stays[player])


def advise_minimum(state: RoundState, command: cmd.AdviseMinimum) -> Decision:
    """Tell a player of a bet below the minimum."""
    below = _below_minimum(state, command.player, command.box)
    if isinstance(below, Refusal):
        return below
    stake, minimum = below
    return [
        ev.MinimumAdvised(
            by=command.by,
            at=command.at,
            clause=state.rulebook.cite("below_minimum"),
            player=command.player,
            box=command.box,
            stake=stake,
            minimum=minimum,
        )
    ]


def return_below_minimum(state: RoundState, command: cmd.ReturnBelowMinimum) -> Decision:
    """Give a bet back whose player was told of the minimum and left it as it was."""
    below = _below_minimum(state, command.player, command.box)
    if isinstance(below, Refusal):
        return below
    if (command.player, command.box) not in state.advised:
        facts = {"player": command.player, "box": command.box}
        return state.refuse(RefusalCode.PLAYER_NOT_ADVISED, "below_minimum", **facts)
    taken = [ev.ChipsTaken(command.player, command.box, below[0])]
    clause = state.rulebook.cite("below_minimum")
    return [ev.BetsReturned(by=command.by, at=command.at, clause=clause, taken=taken)]


def _below_minimum(state: RoundState, player: str, box_id: str) -> tuple[int, int] | Refusal:
    """The stake and the minimum of a bet that is below it."""
    if box_id not in state.pay_table:
        return state.refuse(RefusalCode.BOX_UNKNOWN, "layout", box=box_id, pay_table=state.pay_table.id)
    stake = state.slips[player].on(box_id) if player in state.slips else 0
    minimum = state.limits.of(state.pay_table.by_id[box_id]).minimum
    if not 0 < stake < minimum:
        facts = {"player": player, "box": box_id, "stake": stake, "minimum": minimum}
        return state.refuse(RefusalCode.NOT_BELOW_MINIMUM, "below_minimum", **facts)
    return stake, minimum


def record_absence(state: RoundState, command: cmd.RecordWalkAway | cmd.RecordCutOff) -> Decision:
    """A player who has gone, or whose terminal is cut off, is settled like anyone."""
    cut_off = isinstance(command, cmd.RecordCutOff)
    topic = "terminal_cut_off" if cut_off else "walk_away"
    slip = state.slips.get(command.player)
    if slip is None or not slip.amounts:
        return state.refuse(RefusalCode.PLAYER_UNKNOWN, topic, player=command.player)
    clause = state.rulebook.cite(topic)
    return [
        ev.PlayerAbsent(by=command.by, at=command.at, clause=clause, player=command.player, cut_off=cut_off)
    ]
