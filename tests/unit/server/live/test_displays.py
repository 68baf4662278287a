"""A public display follows a table by server-sent events from a bounded queue."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from taisai.server.live import displays
from taisai.server.live.displays import Display
from taisai.server.live.hub import Hub
from tests.floor.houses import SmallHouse, live, settle_down, start_round
from tests.unit.server.live.listening import hub_of


@pytest.fixture
async def hub() -> AsyncIterator[Hub]:
    async with hub_of(SmallHouse(live())) as hub:
        yield hub


async def told(display: Display) -> list[tuple[str, int | None]]:
    """All that waits for a display which then leaves."""
    display.leave()
    return [(name, seq) async for name, seq, _ in display.follow()]


async def test_whoever_begins_gets_a_snapshot_and_then_the_news(hub: Hub) -> None:
    """The news carry on where the snapshot stands."""
    feed = hub.feed("T1")
    before, display = feed.seq, Display(feed, None)
    await start_round(hub.house, "T1")
    await settle_down()
    assert await told(display) == [("snapshot", before), ("round", feed.seq - 1)]


async def test_whoever_comes_back_gets_what_they_missed(hub: Hub) -> None:
    """One that has seen everything gets nothing; a number from nowhere gets a snapshot."""
    feed = hub.feed("T1")
    before = feed.seq
    await start_round(hub.house, "T1")
    await settle_down()
    assert await told(Display(feed, before)) == [("round", feed.seq - 1)]
    assert await told(Display(feed, feed.seq)) == []
    for nowhere in (-1, feed.seq + 1):
        assert await told(Display(feed, nowhere)) == [("snapshot", feed.seq)]


async def test_a_display_that_falls_behind_is_let_go_once(hub: Hub) -> None:
    """Its stream ends after what waited, the others go on, and leaving twice is leaving once."""
    feed = hub.feed("T1")
    slow, other = Display(feed, feed.seq), Display(feed, feed.seq)
    for number in range(displays._WAITING_MAX + 1):
        slow.tell(("round", number, b""))
    assert list(feed.displays) == [other]
    slow.tell(("round", 999, b""))
    assert [seq for _, seq in await told(slow)] == list(range(1, displays._WAITING_MAX))
    other.leave()


async def test_where_nothing_happens_there_is_a_sign_of_life(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no number, since nothing happened, and the house's time."""
    monkeypatch.setattr(displays, "QUIET_SECONDS", 0.001)
    feed = hub.feed("T1")
    display = Display(feed, feed.seq)
    news = display.follow()
    name, seq, data = await anext(news)
    assert (name, seq) == ("ping", None)
    assert msgspec.json.decode(data)["server_time"] == feed.now()
    display.leave()
