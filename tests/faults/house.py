"""The house of a fault run: a server process, its record, and how each of them is broken and mended."""

import asyncio
import contextlib
import resource
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import apsw
import asyncpg

from tests.postgres import Server
from tests.server.houses import AUTOMATIC, LIVE
from tests.server.processes import ServerProcess

TABLE: dict[str, Any] = {**AUTOMATIC, "betting_seconds": 1}
HOUR = 3_600


class FaultyServer(ServerProcess):
    """A server whose clock can be set."""

    program = "tests.faults.child"


Fault = Callable[["FaultyHouse"], Awaitable[bool]]


class FaultyHouse:
    """A house on SQLite or on a PostgreSQL server of its own."""

    def __init__(self, folder: Path, postgres: Server | None) -> None:
        self.folder, self.postgres = folder, postgres
        self.mended_at = 0.0  # when the last fault was over, and the house could have gone on
        database = postgres.url() if postgres else f"sqlite:///{folder / 'house.db'}"
        self.server = FaultyServer(folder, [TABLE, LIVE], server={"database": database})

    async def kill_server(self) -> bool:
        """The process is gone in the middle of whatever it did; a supervisor starts it again."""
        await self.server.kill()
        self.mended_at = monotonic()
        await self.server.start()
        return True

    async def kill_postgres(self) -> bool:
        """Every process of the database is gone; it recovers when it is started."""
        assert self.postgres is not None
        await asyncio.to_thread(self.postgres.kill)
        await asyncio.sleep(1.0)
        await asyncio.to_thread(self._start_postgres)
        return False

    def _start_postgres(self) -> None:
        assert self.postgres is not None
        for _ in range(50):
            with contextlib.suppress(RuntimeError):
                return self.postgres.start()
        raise RuntimeError("PostgreSQL does not start again")

    async def terminate_backends(self) -> bool:
        """An administrator ends every connection of the house, three times."""
        for _ in range(3):
            await self._execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
            await asyncio.sleep(0.2)
        return False

    async def read_only(self) -> bool:
        """The database takes no writes for a while."""
        for setting in ("on", "off"):
            await self._execute(f"ALTER SYSTEM SET default_transaction_read_only = {setting}", may_write=True)
            await self._execute("SELECT pg_reload_conf()")
            await asyncio.sleep(2.0 if setting == "on" else 0)
        return False

    async def _execute(self, text: str, *, may_write: bool = False) -> None:
        assert self.postgres is not None
        connection = await asyncpg.connect(self.postgres.url())
        try:
            if may_write:
                await connection.execute("SET default_transaction_read_only = off")
            await connection.execute(text)
        finally:
            await connection.close()

    async def full_disk(self) -> bool:
        """No file of the process may grow for a while."""
        limit = resource.RLIMIT_FSIZE
        before = resource.prlimit(self.server.pid, limit, (1, resource.RLIM_INFINITY))
        await asyncio.sleep(2.0)
        resource.prlimit(self.server.pid, limit, before)
        return False

    async def locked(self) -> bool:
        """Another program holds the file's write lock for longer than anyone waits for it."""
        other = apsw.Connection(str(self.folder / "house.db"))
        other.set_busy_timeout(5_000)
        await asyncio.to_thread(other.execute, "BEGIN IMMEDIATE")
        await asyncio.sleep(6.0)
        other.execute("ROLLBACK")
        other.close()
        return False

    async def clock_forward(self) -> bool:
        """The machine's clock jumps an hour ahead."""
        (self.folder / "clock").write_text(str(HOUR), encoding="ascii")
        return False

    async def clock_back(self) -> bool:
        """And an hour back again."""
        (self.folder / "clock").write_text("0", encoding="ascii")
        return False


SQLITE: tuple[Fault, ...] = (
    FaultyHouse.kill_server,
    FaultyHouse.full_disk,
    FaultyHouse.clock_forward,
    FaultyHouse.clock_back,
)
SQLITE_LONG: tuple[Fault, ...] = (*SQLITE, FaultyHouse.locked)
POSTGRES: tuple[Fault, ...] = (
    FaultyHouse.kill_server,
    FaultyHouse.kill_postgres,
    FaultyHouse.terminate_backends,
    FaultyHouse.read_only,
    FaultyHouse.clock_forward,
    FaultyHouse.clock_back,
)


@asynccontextmanager
async def running(folder: Path, postgres: Server | None) -> AsyncIterator[FaultyHouse]:
    """A house that is open; its process is ended whatever happens."""
    house = FaultyHouse(folder, postgres)
    try:
        await house.server.start()
        yield house
    finally:
        await house.server.close()
