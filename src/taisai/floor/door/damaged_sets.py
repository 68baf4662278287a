"""A damaged set of dice that was used at several tables: one request, one approval, all its rounds void."""

from typing import TYPE_CHECKING, Any

import msgspec

from taisai.floor.approvals.asked import AskedAct, TableAct
from taisai.floor.approvals.messages import RequestApproval
from taisai.floor.door.answers import Answer
from taisai.floor.streams import table_stream
from taisai.floor.table.messages import Accepted, InRound, RoundsElsewhere
from taisai.game.commands import ReportDamagedDice
from taisai.game.people import Actor
from taisai.game.refusals import Refusal, RefusalCode, by_house

if TYPE_CHECKING:
    from taisai.floor.house import House


def report_of(act: AskedAct) -> ReportDamagedDice | None:
    """The report of damage that an act is, if it is one."""
    if not isinstance(act, TableAct) or not isinstance(act.command, InRound):
        return None
    return act.command.command if isinstance(act.command.command, ReportDamagedDice) else None


def tables_named(act: AskedAct) -> list[str]:
    """The streams of all tables that an act speaks of."""
    reported = report_of(act)
    table = getattr(act, "table", None) or getattr(act.command, "table", None)
    names = [*([table] if isinstance(table, str) else ()), *(reported.elsewhere if reported else ())]
    return list(map(table_stream, names))


def at_all_tables(house: "House", asked: RequestApproval) -> RequestApproval | Refusal | None:
    """Why a report cannot name these rounds of other tables; or the report at a table that has some.

    Where the set was used only elsewhere, the first of those tables is the one that is asked.
    """
    reported = report_of(asked.asked)
    if reported is None or not isinstance(asked.asked, TableAct) or not reported.elsewhere:
        return None
    for table, rounds in reported.elsewhere.items():
        house.table(table)
        newest = house.read.table(table).number
        wrong = next((number for number in rounds if not 0 < number <= newest), None)
        if table == asked.asked.table or not rounds or wrong is not None:
            return by_house(RefusalCode.ROUND_UNKNOWN, round=wrong or 0, table=table)
    if reported.rounds:
        return None
    (first, rounds), *others = reported.elsewhere.items()
    moved = _at(asked.asked, first, msgspec.structs.replace(reported, rounds=rounds, elsewhere=dict(others)))
    return msgspec.structs.replace(asked, asked=moved)


def _at(act: TableAct, table: str, reported: ReportDamagedDice) -> TableAct:
    command: Any = act.command
    return TableAct(table, msgspec.structs.replace(command, command=reported, round=None))


async def void_elsewhere(house: "House", act: AskedAct, answer: Answer, by: Actor, key: str) -> Answer:
    """After a report was done at its table: the rounds of the others, under ids of the same request."""
    reported = report_of(act)
    if reported is None or not isinstance(act, TableAct) or not isinstance(answer, Accepted):
        return answer
    found = {}
    for table, rounds in reported.elsewhere.items():
        there = _at(act, table, msgspec.structs.replace(reported, rounds=rounds, elsewhere={}))
        done = await house.do(there, by, f"{key}.{table}")
        found[table] = (
            RoundsElsewhere(rounds=done.rounds, skipped=done.skipped)
            if isinstance(done, Accepted)
            else RoundsElsewhere(refused=str(done.code) if isinstance(done, Refusal) else "waits")
        )
    return msgspec.structs.replace(answer, elsewhere=found) if found else answer
