"""Single rounds from the journal: where one is, what happened in it, and how it stands."""

import msgspec
import pytest

from taisai.dice import Roll
from taisai.errors import InputError, InvariantBroken
from taisai.floor.events import table_event
from taisai.floor.streams import table_stream
from taisai.floor.views.round_reading import load_round, round_events, round_row
from taisai.floor.views.rounds import ROUNDS, round_key
from taisai.game.acts import Phase
from taisai.game.events import BettingOpened, RoundVoided
from taisai.game.round import Rules
from tests.unit.floor.kept_evening import empty_store, kept_evening


async def test_a_rounds_row_says_where_it_is_on_its_tables_stream() -> None:
    """Its first event there is its opening; a later void is within it, and other rounds between."""
    store = await kept_evening()
    row = await round_row(store, "T1", 2)
    assert row is not None
    stored = [table_event(event) async for event in store.events(table_stream("T1"), after=row.first - 1)]
    happened = [event async for event in round_events(store, "T1", 2)]
    assert happened[0] == stored[0]
    assert happened[-1] == stored[row.last - row.first]
    assert isinstance(happened[0].event, BettingOpened)
    assert isinstance(happened[-1].event, RoundVoided)
    assert {event.round for event in happened} == {2}
    assert row.last - row.first + 1 > len(happened)


async def test_a_round_is_loaded_as_its_last_correction_left_it() -> None:
    """Another round of the same table is another state."""
    store = await kept_evening()
    first, third = await load_round(store, "T1", 1), await load_round(store, "T1", 3)
    assert (first.phase, first.roll, first.number) == (Phase.CONCLUDED, Roll(1, 2, 3), 1)
    assert first.slips["dan"].slip() == {"small": 500}
    assert (third.phase, third.roll, list(third.slips)) == (Phase.VOID, None, ["ann", "bob"])


async def test_a_round_that_never_was_has_no_row_no_events_and_cannot_be_loaded() -> None:
    """Of a table that played, and in a record in which nothing happened."""
    for store in (await kept_evening(), empty_store()):
        assert await round_row(store, "T1", 4) is None
        assert [event async for event in round_events(store, "T1", 4)] == []
        with pytest.raises(InputError, match="the table T1 has no round 4"):
            await load_round(store, "T1", 4)


async def test_a_round_is_played_by_the_rules_that_its_opening_names() -> None:
    """They are asked for once, by the name of the pay table."""
    asked = []
    store = await kept_evening()
    state = await load_round(store, "C1", 1)

    def find(name: str) -> Rules:
        asked.append(name)
        return state.rulebook, state.pay_table

    await load_round(store, "C1", 1, find)
    assert asked == ["sic-bo-etg-v8/1"]


async def test_a_row_that_points_behind_the_opening_is_a_fault_of_ours() -> None:
    """A round is never made from its second half."""
    store = await kept_evening()
    row = await round_row(store, "T1", 1)
    assert row is not None
    late = msgspec.json.encode(msgspec.structs.replace(row, first=row.first + 1))
    at = await store.view_positions(ROUNDS.name)
    await store.view_put(ROUNDS.name, {round_key("T1", 1): late}, before=at, after=at)
    with pytest.raises(InvariantBroken, match="T1/1 does not begin with its opening"):
        await load_round(store, "T1", 1)
