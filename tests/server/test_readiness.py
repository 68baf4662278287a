"""Ready only when wagers can be taken: not while a desk is rebuilt, not while the server goes down."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from taisai.client import Refused
from taisai.errors import StoreUnavailable
from taisai.floor.streams import table_stream
from taisai.record.journal import Batch, Committed, Event
from tests.server.houses import CLUSTER, Serving, serving, settings


async def ready(house: Serving) -> tuple[int, list[str]]:
    answer = await (await house.visitor()).http.get("/readyz")
    return answer.status_code, answer.json()["faults"]


async def test_a_desk_that_lost_its_state_is_not_ready_until_it_has_it_again(house: Serving) -> None:
    """A commit failed: the desk makes its state again by itself, and everyone bets on."""
    console, terminal = await house.console("C1"), await house.terminal(credit=1_000)
    await console.act("StartRound")
    number = (await terminal.betting()).number
    await terminal.place(number, {"big": 100}, version=1)  # all that the round needs of the record is there
    store = house.parts.house.store
    appending, failing = store.append, ["once"]

    async def append(batch: Batch) -> Committed:
        if failing and any(part.stream == table_stream("C1") for part in batch.streams):
            raise StoreUnavailable(f"the disk is full {failing.pop()}")
        return await appending(batch)

    store.append = append
    reading, answering = store.events, asyncio.Event()

    async def events(stream: str, *, after: int = 0) -> AsyncIterator[Event]:
        await answering.wait()
        async for event in reading(stream, after=after):
            yield event

    store.events = events
    try:
        with pytest.raises(Refused) as failed:
            await terminal.place(number, {"big": 200}, version=2)
        assert failed.value.code == "store_unavailable"
        assert await ready(house) == (503, ["the desk of C1 is being rebuilt"])
    finally:
        answering.set()  # nothing waits for a test that failed
    assert (await terminal.place(number, {"big": 200}, version=2)).slip == {"big": 200}
    assert await ready(house) == (200, [])


async def test_a_server_that_goes_down_says_so(house: Serving) -> None:
    """So that nobody is sent to it any more; it is alive until it is gone."""
    await house.hub.stop()
    assert await ready(house) == (503, ["the server is going down"])
    assert (await (await house.visitor()).http.get("/livez")).status_code == 200


async def test_a_store_that_does_not_answer_is_not_ready(house: Serving) -> None:
    """The fault has a name and tells nothing else."""

    async def tips() -> None:
        raise StoreUnavailable("secret details")

    house.parts.house.store.tips = tips
    assert await ready(house) == (503, ["the store does not answer: StoreUnavailable"])


async def test_requests_and_clients_that_never_read_are_counted(tmp_path: Path) -> None:
    """By method and status, and no more than that."""
    async with serving(settings(tmp_path, CLUSTER), people={}) as house:
        visitor = await house.visitor()
        await visitor.http.get("/api/v1/tables/none")
        text = (await visitor.http.get("/metrics")).text
        assert 'taisai_http_request_seconds_count{method="GET",status="404"}' in text
        assert "taisai_clients_dropped_total" in text
