"""Sets of dice and their rounds: none leaves its tumbler in mid-round, and none is used once damaged."""

from typing import TYPE_CHECKING, Any

from taisai.floor.approvals.asked import AskedAct, TableAct
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.door.damaged_sets import report_of
from taisai.floor.pit.messages import InspectDice, TakeOutDice
from taisai.game.people import Role
from taisai.game.refusals import Refusal, RefusalCode, by_house

if TYPE_CHECKING:
    from taisai.floor.house import House


def dice_in_play(house: "House", command: Any) -> Refusal | None:
    """Why a set of dice is not taken out or looked at now: its round is in play.

    What was damaged is reported, which voids the round; then it is taken out.
    """
    if not isinstance(command, TakeOutDice | InspectDice) or command.by.role is Role.SYSTEM:
        return None
    desk = house.tables.get(command.table)
    if desk is None or not desk.state.in_play or desk.state.current.dice_set != command.dice_set:
        return None
    facts = {"dice_set": command.dice_set, "table": command.table, "round": desk.state.number}
    return by_house(RefusalCode.DICE_IN_PLAY, **facts)


def set_aside(house: "House", act: AskedAct) -> InspectDice | None:
    """After a report of damage: the set has failed, so no round begins with it while it is in the tumbler."""
    reported = report_of(act)
    if reported is None or reported.dice_set is None or not isinstance(act, TableAct):
        return None
    pit = house.pit.state
    tables = (name for name in house.plans if pit.dice_set(name) == reported.dice_set)
    if (table := next(tables, None)) is None:
        return None
    return InspectDice(
        by=SYSTEM,
        at=reported.at,
        table=table,
        dice_set=reported.dice_set,
        passed=False,
        note=reported.reason,
    )
