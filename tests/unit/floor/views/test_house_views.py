"""The views that a house keeps: each under its own name, and to be made again from the journal."""

from taisai.floor.views.house_views import VIEWS
from taisai.record.views import catch_up
from tests.unit.floor.kept_evening import kept_evening


def test_every_view_has_a_name_of_its_own() -> None:
    """Two of one name would write into each other's rows."""
    assert sorted(view.name for view in VIEWS) == [
        "balances",
        "dice-rounds",
        "meters",
        "owed",
        "plays",
        "refused-acts",
        "refused-bets",
        "rounds",
        "ticket-log",
        "tickets",
    ]


async def test_each_view_names_every_row_that_it_changes() -> None:
    """A row that a commit changes and does not name would be made from nothing, and lost."""
    store = await kept_evening()
    changed: dict[str, int] = {}
    for view in VIEWS:
        kept: dict[str, bytes | None] = {}
        for commit in await store.commits("main", after=0, limit=1_000):
            named = set(view.keys(commit))
            rows = {key: kept[key] for key in named if kept.get(key) is not None}
            view.apply(commit, rows)
            assert rows.keys() <= named, view.name
            kept |= rows
        await catch_up(store, view)
        found = {key: row async for key, row in store.view_rows(view.name)}
        assert found == {key: row for key, row in kept.items() if row is not None}
        changed[view.name] = len(found)
    assert [name for name, count in changed.items() if not count] == ["dice-rounds"]
