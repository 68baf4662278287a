"""A process that may no longer be the record's writer shows nobody a table that may be stale."""

import asyncio

import pytest

from taisai.errors import StoreUnavailable
from taisai.server.live import lease_watch
from taisai.server.live.displays import Display
from tests.floor.houses import SmallHouse, live, settle_down, start_round
from tests.unit.server.live.listening import Listener, hub_of


async def test_all_who_follow_a_table_are_let_go_and_whoever_comes_is_refused_until_it_is_renewed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Once it is renewed those who come stay, and the log has said both."""
    monkeypatch.setattr(lease_watch, "LOOK_SECONDS", 0.0)
    async with hub_of(SmallHouse(live())) as hub:
        overdue = False
        hub.house.ownership.is_overdue = lambda: overdue
        feed, client = hub.feed("T1"), Listener()
        feed.clients[client.outbox] = 0
        display = Display(feed, feed.seq)
        watching = asyncio.create_task(lease_watch.hush_when_stale(hub))
        await settle_down()
        assert (client.types(), list(feed.displays)) == ([], [display])
        overdue = True
        await settle_down()
        assert client.last("Bye") == {"type": "Bye", "reason": "restarting"}
        assert (client.why_broken(), list(feed.displays)) == ("told", [])
        with pytest.raises(StoreUnavailable, match="lease"):
            await start_round(hub.house, "T1")
        overdue = False
        feed.clients.clear()
        await settle_down()
        other = Listener()
        feed.clients[other.outbox] = 0
        await start_round(hub.house, "T1")
        await settle_down()
        assert "Bye" not in other.types()
        watching.cancel()
        said = [record.getMessage() for record in caplog.records if record.name == "taisai.lease"]
        assert len(said) == 2
