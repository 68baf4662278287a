"""Which rounds were played with which dice."""

from taisai.adapters.memory import MemoryStore
from taisai.dice import Roll
from taisai.floor.table import messages as table
from taisai.floor.views.dice_rounds import DICE_ROUNDS, rounds_of_set
from tests.evening import DEALER, LIVE, SUPERVISOR, Script, batches_of, steps
from tests.unit.floor.kept_evening import empty_store, kept_evening


async def rounds_with(*sets: str | None) -> MemoryStore:
    """A table at which each round has its own set of dice."""
    script = Script()
    script.wave(script.ask("T1", "pit", table.OpenTable, SUPERVISOR, settings=LIVE))
    for dice_set in sets:
        script.wave(script.ask("T1", "console-T1", table.StartRound, DEALER, dice_set=dice_set))
        script.deal("T1", Roll(1, 2, 3))
    store = empty_store()
    for batch in await batches_of(steps(script.waves)):
        await store.append(batch)
    return store


async def test_a_set_finds_its_own_rounds_in_their_order() -> None:
    """Not those of a set whose name begins alike, nor those whose dice nobody named."""
    store = await rounds_with("A", "A/1", None, "A", "A%2F1")
    names = ("A", "A/1", "A%2F1", "", "B")
    found = {name: [row.round async for row in rounds_of_set(store, name)] for name in names}
    keys = [key.split("/")[:-1] async for key, _ in store.view_rows(DICE_ROUNDS.name)]
    assert sorted(keys) == [["A", "T1"], ["A", "T1"], ["A%252F1", "T1"], ["A%2F1", "T1"]]
    assert found == {"A": [1, 4], "A/1": [2], "A%2F1": [5], "": [], "B": []}


async def test_a_round_of_a_set_is_told_as_it_ended() -> None:
    """With its dice and its state; a record without sets of dice has none to tell."""
    (row,) = [row async for row in rounds_of_set(await rounds_with("B"), "B")]
    assert (row.table, row.round, row.dice_set, row.dice, row.state) == ("T1", 1, "B", [1, 2, 3], "concluded")
    assert [row async for row in rounds_of_set(await kept_evening(), "B")] == []
