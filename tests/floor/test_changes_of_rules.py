"""A table changes its rulebook or pay table at a set time, by two people, between rounds."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from taisai.adapters.clock import ManualClock
from taisai.floor.approvals.asked import TableAct
from taisai.floor.door.answers import Waiting
from taisai.floor.house import House
from taisai.floor.plan import HousePlan
from taisai.floor.table.messages import Accepted, CancelChange, CarryOutChange, OpenTable, TableSettings
from taisai.game import commands as cmd
from taisai.game.people import Actor
from taisai.game.refusals import Refusal, RefusalCode
from tests.floor.houses import (
    DEALER,
    MANAGER,
    START,
    SUPERVISOR,
    TESTS,
    SmallHouse,
    act,
    ask,
    cluster,
    decide_request,
    events,
    live,
    settings,
    start_round,
)

OTHER = "tai-sai-v6/3"
LATER = START + timedelta(minutes=30)


async def asks(house: House, to: TableSettings, by: Actor = SUPERVISOR, **more: Any) -> Any:
    """One person asks for other settings."""
    wanted = OpenTable(by=by, at=house.now(), settings=to, reason="the new season", **more)
    return await house.do(TableAct("T1", wanted), by, uuid4().hex)


async def agreed(house: House, to: TableSettings, **more: Any) -> Any:
    """Two people change what the table plays by."""
    asked = await asks(house, to, **more)
    assert isinstance(asked, Waiting), asked
    return await decide_request(house, asked.approval, approve=True, by=MANAGER, key=asked.approval)


async def to_the_end(house: House) -> None:
    """Nothing was thrown: the round is void."""
    now = house.now()
    await act(house, "T1", cmd.CloseBetting(by=DEALER, at=now))
    await act(house, "T1", cmd.CoverTumbler(by=DEALER, at=now))
    await act(house, "T1", cmd.ActivateTumbler(by=DEALER, at=now, tumbles=1))
    await act(house, "T1", cmd.VoidRound(by=DEALER, at=now, ground="too-few-tumbles"))


def plays(house: House) -> str:
    found = house.read.table("T1").settings
    assert found is not None
    return found.pay_table


async def test_a_change_waits_for_its_time_and_one_person_is_not_enough() -> None:
    """Nothing changes before it; at its time the table's own clock carries it out."""
    small = SmallHouse(live())
    async with small.open() as house:
        assert isinstance(await asks(house, settings(OTHER), effective=LATER), Waiting)
        assert house.read.table("T1").planned is None
        done = await agreed(house, settings(OTHER), effective=LATER)
        assert isinstance(done, Accepted)
        assert done.happened == ["ChangePlanned"]
        await small.pass_time(30 * 60 - 1)
        assert plays(house) == "tai-sai-v6/2"
        await small.pass_time(1)
        assert plays(house) == OTHER
        assert house.read.table("T1").planned is None
    assert events(small.disk, "T1")[-2:] == ["ChangePlanned", "TableOpened"]


async def test_a_round_in_play_keeps_its_rules_and_the_next_one_has_the_others() -> None:
    """A change that is asked for at once waits for the end of the round, too."""
    small = SmallHouse(live())
    async with small.open() as house:
        await start_round(house, "T1")
        assert (await agreed(house, settings(OTHER))).happened == ["ChangePlanned"]
        await small.pass_time(60)
        assert plays(house) == "tai-sai-v6/2"
        await to_the_end(house)
        await small.pass_time(0)
        assert plays(house) == OTHER
        await start_round(house, "T1")
        rounds = house.read.table("T1").rounds
        assert [rounds[number].pay_table.id for number in (1, 2)] == ["tai-sai-v6/2", OTHER]


async def test_a_round_that_opens_at_that_time_has_the_new_rules_whoever_was_first() -> None:
    """Without the table's clock the opening itself brings the change about, in one commit."""
    small = SmallHouse(live())
    async with small.open(dealing=False) as house:
        await agreed(house, settings(OTHER), effective=LATER)
        small.clock.move(LATER)
        opened = await start_round(house, "T1")
        assert opened.happened[:2] == ["TableOpened", "BettingOpened"]
        current = house.read.table("T1").current
        assert current is not None
        assert current.pay_table.id == OTHER


async def test_a_planned_change_is_carried_out_after_a_restart() -> None:
    """It stands on the record: whoever was away when its time came finds it there."""
    small = SmallHouse(live())
    async with small.open() as house:
        await agreed(house, settings(OTHER), effective=LATER)
    small.clock.move(LATER + timedelta(hours=1))
    async with small.open() as house:
        assert plays(house) == OTHER


async def test_two_people_take_a_planned_change_back() -> None:
    """One alone cannot; and where nothing is planned there is nothing to take back."""
    small = SmallHouse(live())
    async with small.open() as house:

        async def taken_back(key: str) -> Any:
            wanted = CancelChange(by=SUPERVISOR, at=house.now(), reason="not yet")
            asked = await house.do(TableAct("T1", wanted), SUPERVISOR, key)
            assert isinstance(asked, Waiting)
            return await decide_request(house, asked.approval, approve=True, by=MANAGER, key=key)

        assert (await taken_back("nothing")).code is RefusalCode.NOTHING_CHANGES
        await agreed(house, settings(OTHER), effective=LATER)
        assert (await taken_back("one")).happened == ["ChangeCancelled"]
        await small.pass_time(3_600)
        assert plays(house) == "tai-sai-v6/2"


async def test_nobody_carries_a_change_out_before_its_time() -> None:
    """People never do, and the system not before it is due."""
    small = SmallHouse(live())
    async with small.open() as house:
        await agreed(house, settings(OTHER), effective=LATER)
        early = await ask(house, "T1", CarryOutChange(by=TESTS, at=house.now()))
        assert early.code is RefusalCode.NOTHING_CHANGES
        now = CarryOutChange(by=MANAGER, at=house.now())
        refused = await house.do(TableAct("T1", now), MANAGER, "now")
        assert isinstance(refused, Refusal)
        assert refused.code is RefusalCode.ROLE_NOT_ALLOWED


@pytest.mark.parametrize(
    ("kind", "to", "why"),
    [
        ("live", {"pay_table": "sic-bo-etg-v8/1"}, "is played at terminals"),
        ("cluster", {"money": "chips"}, "terminals play with credits"),
    ],
)
async def test_what_does_not_fit_the_table_is_not_even_put_before_a_second_person(
    kind: str, to: dict[str, Any], why: str
) -> None:
    """Terminals' rules at a live table, chips at terminals: refused when it is asked for."""
    small = SmallHouse(live() if kind == "live" else cluster("T1"))
    async with small.open() as house:
        before = house.read.table("T1").settings
        wanted = settings(to["pay_table"]) if "pay_table" in to else msgspec.structs.replace(before, **to)
        refused = await asks(house, wanted)
        assert isinstance(refused, Refusal)
        assert refused.code is RefusalCode.LIMITS_INVALID
        assert why in refused.facts["faults"][0]


@pytest.mark.clause("tai-sai-v6", "5.1")
async def test_an_automatic_table_has_no_dealer_who_could_notice_excess() -> None:
    """The door refuses the setting whoever asks, also the system at an opening."""
    small = SmallHouse(cluster("T1", "tai-sai-v6/2", automatic=True))
    async with small.open(dealing=False) as house:
        before = house.read.table("T1").settings
        assert before is not None
        limits = msgspec.structs.replace(before.limits, notice="by-dealer")
        wanted = msgspec.structs.replace(before, limits=limits)
        opened = OpenTable(by=TESTS, at=house.now(), settings=wanted)
        for refused in (await asks(house, wanted), await ask(house, "T1", opened)):
            assert isinstance(refused, Refusal)
            assert refused.facts["faults"] == ["notice: an automatic table has no dealer who could notice"]
        assert house.read.table("T1").settings == before


async def test_a_change_too_far_ahead_is_refused() -> None:
    """A year that was mistyped is no plan."""
    small = SmallHouse(live())
    async with small.open() as house:
        refused = await asks(house, settings(OTHER), effective=START + timedelta(days=3660))
        assert refused.facts["faults"][0].startswith("effective: expected within 366 days")


ENDS = datetime(2026, 12, 1, 0, 0, tzinfo=UTC)


def for_money(*tables: Any, at: datetime = START) -> SmallHouse:
    """A house for money that lets Version 4 end, and plays by it."""
    small = SmallHouse(*tables, play_money=False)
    small.plan = msgspec.structs.replace(small.plan, rulebooks_until={"tai-sai-v4": ENDS})
    small.clock = ManualClock(at)
    return small


@pytest.mark.parametrize(
    ("to", "effective", "why"),
    [
        ("macau/1", None, "not-approved"),
        ("tai-sai-v4/1", ENDS, "ended"),
        ("tai-sai-v4/1", ENDS - timedelta(seconds=1), None),
        ("tai-sai-v6/1", None, None),
    ],
)
async def test_for_money_a_table_changes_to_rules_that_are_in_force_then(
    to: str, effective: datetime | None, why: str | None
) -> None:
    """Asked when it is asked for, against the time that the change is for."""
    small = for_money(live())
    async with small.open() as house:
        answer = await asks(house, settings(to), effective=effective)
        if why is None:
            assert isinstance(answer, Waiting)
        else:
            assert answer.code is RefusalCode.RULES_NOT_IN_FORCE
            assert answer.facts["why"] == why


async def test_rules_that_have_ended_open_no_round_for_money_and_end_none() -> None:
    """The round in play comes to its end; the next one needs the rulebook that takes its place."""
    small = for_money(live(rules="tai-sai-v4/1"), at=ENDS - timedelta(minutes=1))
    async with small.open() as house:
        assert isinstance(await start_round(house, "T1"), Accepted)
        await agreed(house, settings("tai-sai-v6/1"), effective=ENDS + timedelta(minutes=5))
        await small.pass_time(120)
        await to_the_end(house)
        refused = await start_round(house, "T1")
        assert refused.code is RefusalCode.RULES_NOT_IN_FORCE
        assert refused.facts == {"rulebook": "tai-sai-v4", "why": "ended"}
        await small.pass_time(240)
        assert isinstance(await start_round(house, "T1"), Accepted)


async def test_a_start_that_names_another_pay_table_changes_nothing_until_two_agree(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The record's last holds; the log says so, and the pit is told what the settings name."""
    small = SmallHouse(live())
    async with small.open() as house:
        assert house.read.named_otherwise("T1") is None
    small.plan = other_plan(small.plan, "tai-sai-v4/1")
    async with small.open() as house:
        assert "T1 plays by tai-sai-v6/2 as its record says; the settings name tai-sai-v4/1" in caplog.text
        await start_round(house, "T1")
        current, named = house.read.table("T1").current, house.read.named_otherwise("T1")
        assert current is not None
        assert current.pay_table.id == "tai-sai-v6/2"
        assert named is not None
        await to_the_end(house)
        await agreed(house, named)
        assert plays(house) == "tai-sai-v4/1"
        assert house.read.named_otherwise("T1") is None


def other_plan(plan: HousePlan, pay_table: str) -> HousePlan:
    return msgspec.structs.replace(plan, tables=(live(rules=pay_table),))
