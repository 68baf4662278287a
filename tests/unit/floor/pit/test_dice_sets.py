"""The life of a set of dice, as the pit's log tells it."""

from taisai.floor.pit import messages as msg
from taisai.floor.pit.dice_sets import dice_set, dice_sets
from taisai.floor.pit.state import PitList
from tests.unit.house import SUPERVISOR, minutes


def put_in(name: str, at: float, table: str = "T1") -> msg.DicePutIn:
    return msg.DicePutIn(by=SUPERVISOR, at=minutes(at), table=table, dice_set=name)


def looked_at(name: str, at: float, *, passed: bool) -> msg.DiceInspected:
    return msg.DiceInspected(by=SUPERVISOR, at=minutes(at), table="T1", dice_set=name, passed=passed, note="")


def taken_out(name: str, at: float, why: msg.WhyOut = "rotation") -> msg.DiceTakenOut:
    return msg.DiceTakenOut(by=SUPERVISOR, at=minutes(at), table="T1", dice_set=name, why=why)


def pit(*events: msg.AnyPitEvent) -> PitList:
    made = PitList()
    for event in events:
        made.evolve(event)
    return made


def test_a_set_that_nothing_is_known_of_has_no_entries() -> None:
    """It is nowhere, it has not failed, and it passed no inspection."""
    found = dice_set(pit(put_in("red", 1)), "blue")
    assert (found.name, found.table, found.failed, found.entries, found.passed_at) == (
        "blue", None, False, (), None
    )  # fmt: skip
    assert dice_sets(pit()) == []


def test_the_set_that_something_happened_to_last_comes_first() -> None:
    """Each once, with its own entries alone, the oldest of them first."""
    events = [put_in("red", 1), put_in("blue", 2, "T2"), looked_at("red", 3, passed=True)]
    red, blue = dice_sets(pit(*events))
    assert (red.name, red.table, red.entries) == ("red", "T1", (events[0], events[2]))
    assert (blue.name, blue.table, blue.entries) == ("blue", "T2", (events[1],))


def test_only_the_last_inspection_that_was_passed_counts() -> None:
    """One that failed later puts everything since the last good one in doubt, and fails the set."""
    found = dice_set(
        pit(
            put_in("red", 1),
            looked_at("red", 2, passed=True),
            looked_at("red", 3, passed=True),
            looked_at("red", 4, passed=False),
        ),
        "red",
    )
    assert (found.passed_at, found.failed, found.table) == (minutes(3), True, "T1")


def test_a_set_that_was_taken_out_is_nowhere() -> None:
    """Failed only if it was damaged; put in again it is there once more."""
    rested = [put_in("red", 1), taken_out("red", 2)]
    assert (dice_set(pit(*rested), "red").table, dice_set(pit(*rested), "red").failed) == (None, False)
    assert dice_set(pit(*rested, put_in("red", 3, "T2")), "red").table == "T2"
    assert dice_set(pit(put_in("red", 1), taken_out("red", 2, "damaged")), "red").failed
