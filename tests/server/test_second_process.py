"""A second process on a record in use does not start and takes nothing; one that is fenced ends."""

import asyncio
import socket
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from httpx import AsyncClient
from litestar import Litestar

from taisai.adapters.postgres.leases import LEASE_SECONDS
from taisai.bootstrap import open_parts
from taisai.cli import serving as cli
from taisai.cli.output import Exit
from taisai.floor.desks.endings import Fenced
from taisai.record.ports import RecordInUse
from taisai.server import running
from taisai.server.config import Config
from tests.postgres_fixtures import postgres_server, postgres_url
from tests.server.houses import CHEAP, CLUSTER, serving, settings

__all__ = ["postgres_server", "postgres_url"]

pytestmark = pytest.mark.slow


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'house.db'}"
    url: str = request.getfixturevalue("postgres_url")
    return url


async def test_the_second_says_who_has_the_record_and_the_first_notices_nothing(
    tmp_path: Path, database: str
) -> None:
    """Not one event of the second is on the record, and no desk of the first is fenced off."""
    config = settings(tmp_path, CLUSTER, server={"database": database})
    async with serving(config) as house:
        heads = {head.stream: head.version async for head in house.parts.house.store.heads()}
        with pytest.raises(RecordInUse, match=r"process .*since 20"):
            async with open_parts(config, hasher=CHEAP):
                pass
        assert {head.stream: head.version async for head in house.parts.house.store.heads()} == heads
        console, terminal = await house.console("C1"), await house.terminal(credit=1_000)
        await console.act("StartRound")
        assert (await terminal.place((await terminal.betting()).number, {"big": 100})).slip == {"big": 100}
    async with open_parts(config, hasher=CHEAP) as parts:  # what was given back is there for the next
        assert parts.house.table("C1").has_state


async def test_a_record_whose_process_was_killed_is_taken_when_its_lease_has_run_out(
    tmp_path: Path, postgres_url: str
) -> None:
    """Nobody gives it back then; the next one waits, and does not give up before."""
    config = settings(tmp_path, CLUSTER, server={"database": postgres_url})
    async with open_parts(config, hasher=CHEAP):
        pass
    connection = await asyncpg.connect(postgres_url)
    await connection.execute(
        "UPDATE leases SET slot = 'a dead one', until = clock_timestamp() + interval '1 second'"
    )
    async with open_parts(config, hasher=CHEAP) as parts:
        assert not parts.house.ownership.is_overdue()
    await connection.close()


async def test_one_that_was_taken_over_all_the_same_knows_it_by_itself(
    tmp_path: Path, postgres_url: str
) -> None:
    """It need not write to find out: the lease is another's."""
    config = settings(tmp_path, CLUSTER, server={"database": postgres_url})
    async with open_parts(config, hasher=CHEAP) as parts:
        connection = await asyncpg.connect(postgres_url)
        await connection.execute("UPDATE leases SET slot = 'another', epoch = epoch + 1")
        async with asyncio.timeout(20 * LEASE_SECONDS):
            await parts.house.ownership.lost.wait()
        await connection.close()


async def test_one_whose_lease_has_run_out_tells_nobody_anything_until_it_is_renewed(
    tmp_path: Path, postgres_url: str
) -> None:
    """It may have been taken over: /readyz says so, sockets end, and whoever asks is told to wait."""
    cluster = {"slot": "desk-01", "lease_seconds": 2.0, "replicas_min": 0}
    config = settings(tmp_path, CLUSTER, server={"database": postgres_url}, cluster=cluster)
    async with serving(config) as house:
        console, terminal = await house.console("C1"), await house.terminal(credit=1_000)
        await console.act("StartRound")
        number = (await terminal.betting()).number
        assert set(await house.parts.house.store.tips()) == {"desk-01"}
        holding = await asyncpg.connect(postgres_url)
        async with holding.transaction():
            await holding.execute("LOCK TABLE leases")  # nobody can renew anything now
            async with asyncio.timeout(60):
                while not (await _asked(house.address, "/readyz")).get("faults"):
                    await asyncio.sleep(0.05)
                while house.hub.feeds["C1"].clients:
                    await asyncio.sleep(0.05)
            assert "the lease on the record has run out" in (await _asked(house.address, "/readyz"))["faults"]
            assert (await _asked(house.address, "/api/v1/tables"))["code"] == "store_unavailable"
        await holding.close()
        async with asyncio.timeout(60):
            while not (await _asked(house.address, "/readyz")).get("ready"):
                await asyncio.sleep(0.05)
        again = type(terminal)(house.address, terminal.key)
        await house.stack.enter_async_context(again)
        assert (await again.place(number, {"big": 100})).slip == {"big": 100}


async def _asked(address: str, path: str) -> dict[str, Any]:
    async with AsyncClient(base_url=address) as client:
        said: dict[str, Any] = (await client.get(path)).json()
        return said


async def test_a_desk_that_is_fenced_off_ends_the_house(tmp_path: Path) -> None:
    """Whoever finds another owner in the journal has nothing left to say."""
    async with open_parts(settings(tmp_path, CLUSTER), hasher=CHEAP) as parts:
        house = parts.house
        assert house.cage.ended is not None
        house.cage.ended(Fenced("desk cage: another desk has taken it"))
        assert house.ownership.lost.is_set()


@pytest.mark.parametrize(
    ("ending", "code"),
    [
        (running.ServerEnding.TAKEN_OVER, Exit.TAKEN_OVER),
        (running.ServerEnding.NOT_STARTED, Exit.CHECK_FAILED),
    ],
)
def test_a_supervisor_knows_by_the_exit_code_why_a_house_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ending: running.ServerEnding, code: Exit
) -> None:
    """So that it starts one again that was taken over."""

    def run(app: Litestar, config: Config, opened: socket.socket) -> running.ServerEnding:
        opened.close()
        return ending

    monkeypatch.setattr(running, "run", run)
    with pytest.raises(SystemExit) as ended:
        cli.start(settings(tmp_path, CLUSTER))
    assert ended.value.code == code
