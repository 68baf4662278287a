"""For money a round opens only under a rulebook that is approved and in force at that moment."""

from datetime import UTC, datetime, timedelta

import pytest

from taisai.adapters.clock import ManualClock
from taisai.game.refusals import Refusal, RefusalCode
from taisai.rulebooks.catalogue import rulebook
from taisai.rulebooks.in_force import in_force_since
from tests.floor.houses import SmallHouse, live, start_round

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
