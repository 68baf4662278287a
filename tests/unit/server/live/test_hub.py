"""What the interfaces share: the house, the feed of each table, and how answers are put into words."""

import asyncio

import pytest

from taisai.errors import InputError, StoreError, UnknownName
from taisai.floor.desks.incidents import OurFault
from taisai.record.ports import CommandAltered, RecordCorrupt
from taisai.server.live.hub import failure
from tests.floor.houses import SmallHouse, cluster, live, seat, settle_down
from tests.unit.server.live.listening import Listener, hub_of


async def test_a_terminal_has_one_connection() -> None:
    """The new one takes the old one's place; when the old one then ends the new one stays."""
    async with hub_of(SmallHouse(cluster())) as hub:
        feed, old, new = hub.feed("C1"), Listener(), Listener()
        hub.join_terminal(feed, "C1-1", old.outbox, 0)
        hub.join_terminal(feed, "C1-1", new.outbox, 0)
        await settle_down()
        assert old.last("Bye") == {"type": "Bye", "reason": "replaced"}
        assert old.why_broken() == "told"
        hub.leave_terminal(feed, "C1-1", old.outbox)
        assert feed.seats.connected == {"C1-1": new.outbox}
        assert list(feed.clients) == [new.outbox]
        hub.leave_terminal(feed, "C1-1", new.outbox)
        hub.leave_terminal(feed, "C1-1", new.outbox)
        assert (feed.seats.connected, list(feed.clients)) == ({}, [])


async def test_a_session_finds_its_terminal_at_any_table() -> None:
    """Where nobody plays there is nobody; a table of no such name is told by those there are."""
    async with hub_of(SmallHouse(cluster("C1"), cluster("C2"))) as hub:
        session = await seat(hub.house, "C2", "C2-1", 10_000)
        assert (hub.terminal_of(session), hub.terminal_of("C1-1.1")) == ("C2-1", None)
        with pytest.raises(UnknownName, match="C3"):
            hub.feed("C3")


async def test_a_hub_that_stops_says_goodbye_once_and_takes_no_wagers() -> None:
    """Stopping twice is stopping once, and who asks for faults hears of it."""
    async with hub_of(SmallHouse(live())) as hub:
        feed, client = hub.feed("T1"), Listener()
        feed.clients[client.outbox] = 0
        assert await hub.faults() == []
        await hub.stop()
        await hub.stop()
        assert client.types() == ["Bye"]
        assert await hub.faults() == ["the server is going down"]


async def test_work_that_nobody_waits_for_fails_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """An error is told, and nothing is kept of what has ended."""

    async def broken() -> None:
        raise ValueError("spilt")

    async with hub_of(SmallHouse(live())) as hub:
        hub.spawn(broken())
        hub.spawn(asyncio.sleep(0))
        await settle_down()
        assert hub._tasks == {}
    assert "failed: spilt" in caplog.messages[-1]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (CommandAltered("C1-1", "7"), "command_altered"),
        (OurFault("ab12"), "our_fault"),
        (RecordCorrupt("table:T1 version 7"), "operator_needed"),
        (StoreError("away"), "store_unavailable"),
        (InputError("expected 1, got 2"), "input_invalid"),
        (KeyError("nobody foresaw"), "internal"),
    ],
)
def test_every_error_has_its_code_and_its_words(error: Exception, code: str) -> None:
    """No error reaches a client bare: what is no fault of the input tells nothing of the inside."""
    found, _, facts, said = failure(error, "T1: an act")
    assert (found, sorted(said)) == (code, ["en", "zh-Hans", "zh-Hant"])
    told = {"input_invalid": {"message": "expected 1, got 2"}, "our_fault": {"incident": "ab12"}}
    assert facts == told.get(code, {})


async def test_what_fails_is_logged_with_its_table_its_act_and_the_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Whoever reads the log need not guess where it was; whoever asked is told nothing of it."""
    async with hub_of(SmallHouse(live())) as hub:
        told = hub.failed("m1", ZeroDivisionError("by zero"), about="T1: PlaceBets at the console")
        assert (told.id, told.code) == ("m1", "internal")
        assert "by zero" not in str(told.sentences)
        assert "T1: PlaceBets at the console met ZeroDivisionError: by zero" in caplog.text
