"""What a table plays by: opening it, and changing its rulebook, pay table or limits, also at a set time.

A rulebook or a pay table changes between rounds. A change that has to wait for that, or for its time, stands
on the table's stream, and is carried out at the first boundary of rounds at or after its time: by the table's
clock, or with the opening of the next round if that comes first.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from taisai.floor.desks.kind import Outcome
from taisai.floor.permits import not_by_two, not_permitted
from taisai.floor.table.messages import (
    CancelChange,
    CarryOutChange,
    ChangeCancelled,
    ChangePlanned,
    OpenTable,
    TableOpened,
    TableSettings,
)
from taisai.floor.table.timing import timing_faults
from taisai.game.acts import WHERE_IT_STANDS, Phase
from taisai.game.limits import limits_faults
from taisai.game.people import Role
from taisai.game.refusals import Refusal, RefusalCode

if TYPE_CHECKING:
    from taisai.floor.table.state import TableState

SEATS_MAX: Final = 100
# A change that is planned for longer ahead is a slip of the pen.
AHEAD_MAX: Final = timedelta(days=366)


def open_table(table: "TableState", command: OpenTable) -> Outcome:
    """Open a table, change what it plays by, or plan the change."""
    refusal = not_permitted(command)
    if refusal is None and table.settings is not None and command.by.role is not Role.SYSTEM:
        refusal = not_by_two(command)
    refusal = refusal or cannot_open(table, command)
    if refusal:
        return refusal
    effective = _waits_until(table, command)
    if effective is None:
        return table.done([_opened(table, command, command.at)], [])
    rulebook, pay_table = table.find_rules(command.settings.pay_table)
    planned = ChangePlanned(
        by=command.by,
        at=command.at,
        settings=command.settings,
        effective=effective,
        rulebook_digest=rulebook.digest,
        pay_table_digest=pay_table.digest,
        second=command.second,
        reason=command.reason,
    )
    return table.done([planned], [])


def _waits_until(table: "TableState", command: OpenTable) -> datetime | None:
    """The time that a change waits for, or the end of the round in play; none where it holds at once."""
    if table.settings is None:
        return None
    if command.effective is not None and command.effective > command.at:
        return command.effective
    other_rules = command.settings.pay_table != table.settings.pay_table
    return command.at if other_rules and table.in_play else None


def cannot_open(table: "TableState", command: OpenTable) -> Refusal | None:
    """Why a table cannot play by these settings, whoever asks for them."""
    settings, faults = command.settings, settings_faults(table, command.settings)
    if command.effective is not None and command.effective > command.at + AHEAD_MAX:
        faults.append(f"effective: expected within {AHEAD_MAX.days} days, got {command.effective}")
    rulebook, pay_table = table.find_rules(settings.pay_table)
    if faults:
        clause = rulebook.cite("limits_shown")
        return Refusal(code=RefusalCode.LIMITS_INVALID, clause=clause, facts={"faults": faults})
    if settings.limits.unit % pay_table.unit:
        facts = {"unit": settings.limits.unit, "needed": pay_table.unit}
        return Refusal(code=RefusalCode.UNIT_UNPAYABLE, clause=rulebook.cite("settle"), facts=facts)
    other_money = table.settings is not None and table.settings.money != settings.money
    if other_money and table.in_play and _waits_until(table, command) is None:
        # What is on the felt came from one sort of money and would go back as the other.
        standing = table.current.standing if table.current else Phase.NOT_OPEN
        return table.refuse(WHERE_IT_STANDS[standing], round=table.number, phase=str(standing))
    return None


def settings_faults(table: "TableState", settings: TableSettings) -> list[str]:
    """Everything that keeps a table from playing by these settings."""
    faults = limits_faults(settings.limits, *table.find_rules(settings.pay_table))
    faults += timing_faults(settings.timing)
    if not 0 <= settings.seats <= SEATS_MAX:
        faults.append(f"seats: expected 0 to {SEATS_MAX}, got {settings.seats}")
    return faults


def due_change(table: "TableState", now: datetime) -> ChangePlanned | None:
    """The change whose time has come, once no round is in play."""
    planned = table.planned
    return planned if planned is not None and not table.in_play and now >= planned.effective else None


def carry_out_change(table: "TableState", command: CarryOutChange) -> Outcome:
    """The time has come and no round is in play: from here on the table plays by the other settings."""
    refusal = not_permitted(command)
    if refusal:
        return refusal
    planned = due_change(table, command.at)
    if planned is None:
        return table.refuse(RefusalCode.NOTHING_CHANGES, act="CarryOutChange", phase=table.standing)
    return table.done([_opened(table, planned, command.at)], [])


def changed_first(table: "TableState", at: datetime) -> list[TableOpened]:
    """What a round that opens now brings about before it: a change that is due."""
    planned = due_change(table, at)
    return [_opened(table, planned, at)] if planned else []


def cancel_change(table: "TableState", command: CancelChange) -> Outcome:
    """Two people take a planned change back."""
    refusal = not_permitted(command) or not_by_two(command)
    if refusal:
        return refusal
    if table.planned is None:
        return table.refuse(RefusalCode.NOTHING_CHANGES, act="CancelChange", phase=table.standing)
    cancelled = ChangeCancelled(by=command.by, at=command.at, second=command.second, reason=command.reason)
    return table.done([cancelled], [])


def _opened(table: "TableState", asked: OpenTable | ChangePlanned, at: datetime) -> TableOpened:
    rulebook, pay_table = table.find_rules(asked.settings.pay_table)
    return TableOpened(
        by=asked.by,
        at=at,
        settings=asked.settings,
        rulebook_digest=rulebook.digest,
        pay_table_digest=pay_table.digest,
        second=asked.second,
        reason=asked.reason,
        planned=isinstance(asked, ChangePlanned),
    )
