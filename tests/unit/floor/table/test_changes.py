"""What a table plays by is changed between rounds, at its time, by two people."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from taisai.floor.desks.kind import Acted
from taisai.floor.table.changes import AHEAD_MAX, SEATS_MAX, cannot_open, changed_first, due_change
from taisai.floor.table.messages import (
    CancelChange,
    CarryOutChange,
    ChangePlanned,
    OpenTable,
    StartRound,
    TableOpened,
)
from taisai.floor.table.state import TableState
from taisai.game.refusals import Refusal, RefusalCode
from tests.unit.floor.table.test_round_money import AT, DEALER, MANAGER, SUPERVISOR
from tests.unit.floor.table.test_state import CONSOLE, opening

LATER = AT + timedelta(minutes=30)
OTHER = "tai-sai-v6/3"


def done(table: TableState, command: Any) -> list[Any]:
    """What a command brings about."""
    outcome = table.act(command, "T1.1")
    assert isinstance(outcome, Acted), outcome
    return list(outcome.events)


def refused(table: TableState, command: Any) -> Refusal:
    outcome = table.act(command, "T1.1")
    assert isinstance(outcome, Refusal), outcome
    return outcome


def opened(*, playing: bool = False) -> TableState:
    table = TableState("T1")
    done(table, opening())
    if playing:
        done(table, StartRound(by=DEALER, at=AT))
    return table


def change(effective: datetime | None = None, **more: Any) -> OpenTable:
    """Two people ask for another pay table."""
    return msgspec.structs.replace(
        opening(**{"pay_table": OTHER, **more}), second=MANAGER, reason="the season", effective=effective
    )


def plays(table: TableState) -> str:
    assert table.settings is not None
    return table.settings.pay_table


def test_a_table_is_opened_by_one_person_and_changed_by_two() -> None:
    """The system, which has no second, changes it too."""
    table = opened()
    alone = msgspec.structs.replace(change(), second=None)
    assert refused(table, alone).code is RefusalCode.SECOND_PERSON_MISSING
    assert plays(table) == "tai-sai-v6/2"
    (event,) = done(table, change())
    assert isinstance(event, TableOpened)
    assert (event.second, event.reason, event.planned) == (MANAGER, "the season", False)
    assert event.pay_table_digest == table.find_rules(OTHER)[1].digest
    done(table, msgspec.structs.replace(alone, by=CONSOLE, settings=opening().settings))
    assert plays(table) == "tai-sai-v6/2"


def test_a_change_for_later_is_due_at_its_time_and_not_a_microsecond_before() -> None:
    """Whoever opens a round then plays by it."""
    table = opened()
    (planned,) = done(table, change(LATER))
    assert isinstance(planned, ChangePlanned)
    assert (plays(table), table.planned) == ("tai-sai-v6/2", planned)
    early = LATER - timedelta(microseconds=1)
    assert due_change(table, early) is None
    assert changed_first(table, early) == []
    assert refused(table, CarryOutChange(by=CONSOLE, at=early)).code is RefusalCode.NOTHING_CHANGES
    assert due_change(table, LATER) == planned
    (first,) = changed_first(table, LATER)
    assert (first.settings.pay_table, first.at, first.by) == (OTHER, LATER, SUPERVISOR)
    (carried,) = done(table, CarryOutChange(by=CONSOLE, at=LATER))
    assert carried == first
    assert carried.planned
    assert (plays(table), table.planned) == (OTHER, None)


def test_other_rules_wait_for_the_end_of_the_round_in_play_and_limits_do_not() -> None:
    """The change stays planned however long the round takes."""
    table = opened(playing=True)
    (seats,) = done(table, change(pay_table="tai-sai-v6/2", seats=3))
    assert isinstance(seats, TableOpened)
    (planned,) = done(table, change())
    assert isinstance(planned, ChangePlanned)
    assert due_change(table, LATER) is None
    table.rounds.clear()  # as if it were over and let go
    assert due_change(table, AT) == planned


def test_money_of_another_sort_waits_for_an_empty_felt() -> None:
    """What is on it would go back as something else; between rounds it is changed at once."""
    other = change(pay_table="tai-sai-v6/2", money="chips")
    before = opened().settings
    assert before is not None
    assert before.money == "credits"
    assert cannot_open(opened(), other) is None
    refusal = cannot_open(opened(playing=True), other)
    assert refusal is not None
    assert refusal.facts["round"] == 1
    assert cannot_open(opened(playing=True), msgspec.structs.replace(other, effective=LATER)) is None


def test_every_fault_of_the_settings_is_told_at_once() -> None:
    """Seats that no table has and a time that no year has, in one refusal."""
    found = cannot_open(opened(), change(AT + AHEAD_MAX + timedelta(seconds=1), seats=SEATS_MAX + 1))
    assert found is not None
    assert found.code is RefusalCode.LIMITS_INVALID
    assert [fault.partition(":")[0] for fault in found.facts["faults"]] == ["seats", "effective"]
    assert cannot_open(opened(), change(AT + AHEAD_MAX, seats=SEATS_MAX)) is None


def test_two_people_take_a_change_back_and_there_must_be_one() -> None:
    """One alone is refused."""
    table = opened()
    cancel = CancelChange(by=SUPERVISOR, at=AT, second=MANAGER, reason="not yet")
    assert refused(table, cancel).code is RefusalCode.NOTHING_CHANGES
    done(table, change(LATER))
    alone = msgspec.structs.replace(cancel, second=None)
    assert refused(table, alone).code is RefusalCode.SECOND_PERSON_MISSING
    done(table, cancel)
    assert (table.planned, due_change(table, LATER)) == (None, None)
