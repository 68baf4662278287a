"""What a feed tells."""

import msgspec

from taisai.server import wire
from taisai.server.live.displays import Display
from taisai.server.live.feed import Feed
from taisai.server.live.news import Follower, SnapshotParts
from tests.floor.houses import SmallHouse, live
from tests.unit.server.live.listening import hub_of


def test_a_snapshot_in_parts_has_the_fields_of_the_whole() -> None:
    """Whatever the wire's snapshot gets, the one that is put together from encoded parts has too."""
    assert SnapshotParts.__struct_fields__ == wire.Snapshot.__struct_fields__
    assert SnapshotParts.__struct_config__.tag == wire.Snapshot.__struct_config__.tag
    assert SnapshotParts.__struct_config__.tag_field == wire.Snapshot.__struct_config__.tag_field


async def test_a_snapshot_in_parts_reads_as_a_snapshot() -> None:
    """A page cannot tell in how many parts it was encoded."""
    async with hub_of(SmallHouse(live())) as hub:
        feed = hub.feed("T1")
        whole = msgspec.json.decode(feed.snapshot(), type=wire.Snapshot)
        assert (whole.seq, whole.session, whole.service) == (feed.seq, None, "in-service")
        assert whole.table == feed.table


async def test_a_display_is_a_follower() -> None:
    """Everything that a follower can be asked, a display answers."""
    asked = {name for name in vars(Follower) if not name.startswith("_")}
    assert asked == {"tell", "leave"}
    async with hub_of(SmallHouse(live())) as hub:
        feed: Feed = hub.feed("T1")
        follower: Follower = Display(feed, None)
        assert list(feed.displays) == [follower]
        follower.leave()
        assert list(feed.displays) == []
