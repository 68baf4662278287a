"""A second process on a record in use does not start and takes nothing; one that is fenced ends."""

import asyncio
import socket
from pathlib import Path

import asyncpg
import pytest
from litestar import Litestar

from taisai.adapters.leases import LEASE_SECONDS
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
        with pytest.raises(RecordInUse, match="process"):
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
        assert not parts.house.is_overdue()
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
            await parts.house.fenced.wait()
        await connection.close()


async def test_a_desk_that_is_fenced_off_ends_the_house(tmp_path: Path) -> None:
    """Whoever finds another owner in the journal has nothing left to say."""
    async with open_parts(settings(tmp_path, CLUSTER), hasher=CHEAP) as parts:
        house = parts.house
        assert house.cage.ended is not None
        house.cage.ended(Fenced("desk cage: another desk has taken it"))
        assert house.fenced.is_set()


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
