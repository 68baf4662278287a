"""What an act that waits for a second person would do to a round: tried on a copy, so nothing happens.

The second person signs a change of dice, bets and money; this is the before and the after of each of them.
"""

from datetime import datetime
from typing import Final

import msgspec

from taisai.floor.approvals.acts import Request
from taisai.floor.approvals.asked import TableAct, agreed, inner
from taisai.floor.table.damaged_dice import rounds_of
from taisai.floor.table.messages import InRound, RoundEvent
from taisai.floor.table.player_names import plain_player
from taisai.floor.table.state import FindRules
from taisai.floor.views.pay_list import PayChange, changes, net_of
from taisai.floor.views.timeline import round_in_store
from taisai.game.commands import AnyCommand, ReportDamagedDice
from taisai.game.decide import decide
from taisai.game.evolve import evolve
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from taisai.game.round import Round, shipped_rules
from taisai.game.state import RoundState
from taisai.record.ports import Store

ROUNDS_MAX: Final = 100
# Whoever agrees is high enough: an act that would be refused for that alone is refused to them, not here.
_SECOND: Final = Actor("(whoever agrees)", Role.CASINO_MANAGER)


class BetsChanged(msgspec.Struct, frozen=True, kw_only=True):
    """A player's bets as they are on the register, and as they would be."""

    player: str
    before: dict[str, int]
    after: dict[str, int]


class RoundEffect(msgspec.Struct, frozen=True, kw_only=True):
    """What an act would do to one round. `refusal` is why it would not be done, as things stand."""

    table: str
    round: int
    state_before: str
    state_after: str
    dice_before: list[int] | None
    dice_after: list[int] | None
    bets: list[BetsChanged]
    money: list[PayChange]
    refusal: Refusal | None


async def effects_of(
    request: Request, store: Store, now: datetime, find_rules: FindRules = shipped_rules
) -> list[RoundEffect]:
    """What a request would change, round by round; nothing for an act that is not about a round."""
    act = request.what()
    if not isinstance(act, TableAct) or not isinstance(act.command, InRound):
        return []
    command = inner(agreed(act, second=_SECOND, reason=request.reason, at=now))
    found = []
    for table, number, wanted in _rounds(act, command)[:ROUNDS_MAX]:
        happened = await round_in_store(store, table, number)
        events = (event.event for event in happened if isinstance(event, RoundEvent))
        found.append(_effect(table, Round.rebuild(events, find_rules).state, wanted))
    return found


def _rounds(act: TableAct, command: AnyCommand) -> list[tuple[str, int, AnyCommand]]:
    """The rounds that an act is about, each with the act as its table is asked for it."""
    named = act.command.round if isinstance(act.command, InRound) else None
    numbers = rounds_of(act.command) or ([named] if named else [])
    found = [(act.table, number, command) for number in sorted(numbers)]
    if isinstance(command, ReportDamagedDice):
        for table, rounds in command.elsewhere.items():
            there = msgspec.structs.replace(command, rounds=rounds, elsewhere={})
            found += [(table, number, there) for number in sorted(rounds)]
    return found


def _effect(table: str, state: RoundState, command: AnyCommand) -> RoundEffect:
    before = state.copy()
    decision = decide(state, command)
    refusal = decision if isinstance(decision, Refusal) else None
    if not isinstance(decision, Refusal):
        for event in decision:
            evolve(state, event)
    return RoundEffect(
        table=table,
        round=state.number,
        state_before=str(before.phase),
        state_after=str(state.phase),
        dice_before=list(before.roll) if before.roll else None,
        dice_after=list(state.roll) if state.roll else None,
        bets=_bets(table, before, state),
        money=changes(table, net_of(before), net_of(state)),
        refusal=refusal,
    )


def _bets(table: str, before: RoundState, after: RoundState) -> list[BetsChanged]:
    found = []
    for player in sorted({*before.slips, *after.slips}):
        was = before.slips[player].slip() if player in before.slips else {}
        now = after.slips[player].slip() if player in after.slips else {}
        if was != now:
            found.append(BetsChanged(player=plain_player(player, table), before=was, after=now))
    return found
