"""What a table may play by: settings that fit it, and for money rules that are approved and in force then."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from taisai.adapters.clock import ManualClock
from taisai.floor.door.rules_of_tables import may_open, not_in_force, rules_stand, say_what_is_named_otherwise
from taisai.floor.table.messages import OpenTable
from taisai.game.refusals import Refusal, RefusalCode
from taisai.rulebooks.catalogue import rulebook
from taisai.rulebooks.in_force import InForce, in_force_since
from tests.floor.houses import (
    MANAGER,
    START,
    SUPERVISOR,
    TESTS,
    SmallHouse,
    cluster,
    live,
    settings,
    start_round,
)

V6_SINCE = datetime(2023, 10, 6, 0, 0, tzinfo=UTC)  # 08:00 in Singapore


def test_the_times_of_front_pages_are_singapores() -> None:
    """8 o'clock there is midnight in UTC; a rulebook without a date is always in force."""
    assert in_force_since(rulebook("tai-sai-v6")) == V6_SINCE
    assert in_force_since(rulebook("tai-sai-v4")) is None


@pytest.mark.parametrize(
    ("rules", "at", "play_money", "opens"),
    [
        ("tai-sai-v6/2", V6_SINCE - timedelta(seconds=1), False, False),
        ("tai-sai-v6/2", V6_SINCE, False, True),
        ("tai-sai-v6/2", V6_SINCE - timedelta(days=1), True, True),
        ("tai-sai-v4/1", V6_SINCE, False, True),
        ("macau/1", V6_SINCE, False, False),
        ("macau/1", V6_SINCE, True, True),
    ],
)
async def test_a_round_for_money_needs_rules_that_are_approved_and_in_force(
    rules: str, at: datetime, play_money: bool, opens: bool
) -> None:
    """A play-money house may open any."""
    small = SmallHouse(live(rules=rules), play_money=play_money)
    small.clock = ManualClock(at)
    async with small.open() as house:
        answer = await start_round(house, "T1")
        assert isinstance(answer, Refusal) is not opens
        if not opens:
            assert answer.code is RefusalCode.RULES_NOT_IN_FORCE


def test_a_house_may_let_a_rulebook_end() -> None:
    """From that very moment it stands no longer, and its other rulebooks do."""
    ends = START + timedelta(days=1)
    plan = msgspec.structs.replace(SmallHouse().plan, rulebooks_until={"tai-sai-v4": ends})
    assert rules_stand(plan, "tai-sai-v4/1", ends - timedelta(microseconds=1)) is InForce.YES
    assert rules_stand(plan, "tai-sai-v4/1", ends) is InForce.ENDED
    assert rules_stand(plan, "tai-sai-v6/1", ends) is InForce.YES
    assert rules_stand(plan, "macau/1", START) is InForce.NOT_APPROVED


async def test_the_next_round_is_asked_about_the_rules_that_it_will_have() -> None:
    """A change that is due counts already; before it the rules that ended keep the table shut."""
    small = SmallHouse(live(rules="tai-sai-v4/1"), play_money=False)
    small.plan = msgspec.structs.replace(small.plan, rulebooks_until={"tai-sai-v4": START})
    async with small.open(dealing=False) as house:
        refusal = not_in_force(house, "T1")
        assert refusal is not None
        assert refusal.facts == {"rulebook": "tai-sai-v4", "why": "ended"}
        later = START + timedelta(minutes=1)
        wanted = OpenTable(
            by=SUPERVISOR,
            at=START,
            settings=settings("tai-sai-v6/1"),
            second=MANAGER,
            reason="the new version",
            effective=later,
        )
        assert may_open(house, "T1", wanted) is None
        house.table("T1").state.act(wanted, "T1.9")
        assert not_in_force(house, "T1") is not None
        small.clock.move(later)
        assert not_in_force(house, "T1") is None


async def test_every_setting_that_does_not_fit_the_table_is_told() -> None:
    """Also to the system: a dealer's notice without a dealer, and chips at terminals."""
    small = SmallHouse(cluster("C1", "tai-sai-v6/2", automatic=True), live())
    async with small.open(dealing=False) as house:
        before = house.plans["C1"].settings
        limits = msgspec.structs.replace(before.limits, notice="by-dealer")
        wrong = msgspec.structs.replace(before, limits=limits, money="chips")
        refusal = may_open(house, "C1", OpenTable(by=TESTS, at=START, settings=wrong))
        assert refusal is not None
        assert refusal.code is RefusalCode.LIMITS_INVALID
        assert [fault.partition(":")[0] for fault in refusal.facts["faults"]] == ["notice", "money"]
        assert may_open(house, "T1", OpenTable(by=TESTS, at=START, settings=wrong)) is None
        electronic = OpenTable(by=TESTS, at=START, settings=settings("sic-bo-etg-v8/1"))
        assert may_open(house, "C1", electronic) is None
        assert may_open(house, "T1", electronic) is not None


async def test_settings_that_name_other_rules_than_the_record_are_said_at_a_start(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """And nothing is said where they name the same."""
    small = SmallHouse(live(), live("T2"))
    async with small.open(dealing=False) as house:
        say_what_is_named_otherwise(house)
        assert caplog.messages == []
    small.plan = msgspec.structs.replace(small.plan, tables=(live(rules="tai-sai-v4/1"), live("T2")))
    async with small.open(dealing=False) as house:
        caplog.clear()
        say_what_is_named_otherwise(house)
    (said,) = caplog.messages
    assert said.startswith("T1 plays by tai-sai-v6/2 as its record says; the settings name tai-sai-v4/1")
