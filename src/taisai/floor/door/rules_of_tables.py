"""What a table may play by: settings that fit it, and where money is at stake rules that are in force."""

import logging
from datetime import datetime
from typing import TYPE_CHECKING

from taisai.floor.approvals.asked import TableAct
from taisai.floor.approvals.messages import RequestApproval
from taisai.floor.table.changes import cannot_open, due_change
from taisai.floor.table.messages import OpenTable
from taisai.game.people import Role
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.rulebooks.catalogue import rulebook_of
from taisai.rulebooks.in_force import InForce, in_force_at

if TYPE_CHECKING:
    from taisai.floor.house import House
    from taisai.floor.plan import HousePlan
    from taisai.floor.table.state import TableState

log = logging.getLogger("taisai.house")


def rules_stand(plan: "HousePlan", pay_table: str, at: datetime) -> InForce:
    """Whether a pay table's rulebook is approved and in force then, at this house."""
    book = rulebook_of(pay_table)
    return in_force_at(book, at, plan.rulebooks_until.get(book.id))


def not_in_force(house: "House", table: str) -> Refusal | None:
    """For money a round opens only under rules that are approved and in force at that moment."""
    state: TableState = house.table(table).state
    due = due_change(state, house.now())
    settings = due.settings if due else state.settings
    return _refused(house, settings.pay_table, house.now()) if settings else None


def _refused(house: "House", pay_table: str, at: datetime) -> Refusal | None:
    found = rules_stand(house.plan, pay_table, at)
    if house.plan.play_money or found is InForce.YES:
        return None
    return by_house(RefusalCode.RULES_NOT_IN_FORCE, rulebook=rulebook_of(pay_table).id, why=str(found))


def may_open(house: "House", table: str, command: OpenTable) -> Refusal | None:
    """Why a table of this house cannot be opened or changed like this."""
    plan, settings = house.plans[table], command.settings
    rulebook = rulebook_of(settings.pay_table)
    faults = []
    if plan.automatic and settings.limits.notice == "by-dealer":  # where nobody deals
        faults.append("notice: an automatic table has no dealer who could notice")
    if plan.kind == "live" and rulebook.electronic:
        faults.append(f"pay_table: {rulebook.id} is played at terminals: a cluster")
    if plan.kind == "cluster" and settings.money != "credits":
        faults.append("money: terminals play with credits")
    if faults:
        return by_house(RefusalCode.LIMITS_INVALID, faults=faults)
    before = house.table(table).state.settings
    if command.by.role is Role.SYSTEM or before is None or before.pay_table == settings.pay_table:
        return None
    return _refused(house, settings.pay_table, max(command.effective or command.at, command.at))


def before_change(house: "House", asked: RequestApproval) -> Refusal | None:
    """Why a change of a table's settings is not even put before a second person."""
    match asked.asked:
        case TableAct(table=table, command=OpenTable() as command):
            pass
        case _:
            return None
    return may_open(house, table, command) or cannot_open(house.table(table).state, command)


def say_what_is_named_otherwise(house: "House") -> None:
    """At a start: whoever runs the house hears that the settings alone change no rulebook."""
    for name in house.tables:
        named = house.read.named_otherwise(name)
        if named is not None:
            plays = house.read.table(name).settings
            log.warning(
                "%s plays by %s as its record says; the settings name %s, which takes two people in the pit",
                name,
                plays.pay_table if plays else "nothing",
                named.pay_table,
            )
