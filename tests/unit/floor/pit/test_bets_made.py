"""Every bet that counted, from the record."""

from collections import Counter

from taisai.errors import UnknownName
from taisai.floor.pit.bets_made import BetsMade, RoundBets, recorded_bets
from taisai.game.round import Rules, shipped_rules
from tests.unit.floor.kept_evening import empty_store, kept_evening


async def test_bets_are_those_after_all_corrections() -> None:
    """A slip that was corrected twice over counts as it was left, and one that was changed as changed."""
    (first,) = [each for each in (await recorded_bets(await kept_evening())).rounds if each.table == "T1"]
    assert first == RoundBets(
        table="T1",
        round=1,
        pay_table="tai-sai-v6/2",
        stakes={
            "ann": {"big": 300, "sum-9": 50},
            "bob": {"small": 150, "any-triple": 50},
            "cat": {"big": 500, "sum-9": 50},
            "dan": {"small": 500},
        },
    )


async def test_void_rounds_are_left_out() -> None:
    """The one that was void before its dice, and the one that was settled first."""
    found = await recorded_bets(await kept_evening())
    assert [(each.table, each.round) for each in found.rounds] == [("T1", 1), ("C1", 1), ("C1", 2)]
    assert not found.left_out


async def test_one_tables_bets_are_asked_for_by_its_name() -> None:
    """A table that never played has none, and neither has an empty record."""
    store = await kept_evening()
    assert [each.round for each in (await recorded_bets(store, "C1")).rounds] == [1, 2]
    assert await recorded_bets(store, "T9") == BetsMade([], Counter())
    assert await recorded_bets(empty_store()) == BetsMade([], Counter())


async def test_rounds_under_rules_that_are_not_at_hand_are_left_out_and_counted() -> None:
    """The others are told all the same; void rounds are not missed."""

    def find(name: str) -> Rules:
        if name.startswith("tai-sai"):
            raise UnknownName("pay table", name, [])
        return shipped_rules(name)

    found = await recorded_bets(await kept_evening(), find_rules=find)
    assert [(each.table, each.round) for each in found.rounds] == [("C1", 1), ("C1", 2)]
    assert found.left_out == {"tai-sai-v6/2": 1}


async def test_rules_of_the_same_name_that_say_something_else_are_not_taken_for_a_rounds() -> None:
    """A pay table that was changed since is known by its digest."""

    def find(name: str) -> Rules:
        return shipped_rules("tai-sai-v6/3" if name == "tai-sai-v6/2" else name)

    found = await recorded_bets(await kept_evening(), "T1", find)
    assert found == BetsMade([], Counter({"tai-sai-v6/2": 1}))
