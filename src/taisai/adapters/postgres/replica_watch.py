"""How the standbys of a record in PostgreSQL follow it: seen while it is open, and by the doctor."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import asyncpg
import msgspec

from taisai.adapters.postgres.lease_rows import LeaseRow, LeaseRows
from taisai.adapters.postgres.session import LOST, connect_primary, say, translated
from taisai.errors import StoreUnavailable

log = logging.getLogger("taisai.replicas")

LOOK_SECONDS: Final = 5.0
# A standby so far behind would keep a promotion waiting.
BEHIND_SECONDS: Final = 10.0
STANDBYS: Final = """
SELECT application_name, coalesce(state, ''), coalesce(sync_state, ''),
  greatest(coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn), 0), 0)::bigint,
  coalesce(extract(epoch FROM replay_lag), 0)::float8
FROM pg_stat_replication ORDER BY application_name, pid"""


class Standby(msgspec.Struct, frozen=True):
    """One standby, as the primary sees it."""

    name: str
    state: str
    sync: str
    behind_bytes: int
    behind_seconds: float

    @property
    def confirms(self) -> bool:
        """Whether a commit may wait for it."""
        return self.state == "streaming" and self.sync in ("sync", "quorum")

    def __str__(self) -> str:
        return f"{self.name} {self.state}, {self.sync}, {self.behind_seconds:.1f} s behind"


async def standbys_of(connection: Any) -> list[Standby]:
    return [Standby(*row) for row in await connection.fetch(STANDBYS)]


class ClusterFacts(msgspec.Struct, frozen=True):
    """What the server that takes writes says of the house's processes and of its own standbys."""

    standbys: list[Standby]
    leases: list[LeaseRow]
    ahead_seconds: float  # by how much this machine's clock is ahead of the server's


async def cluster_facts(url: str) -> ClusterFacts:
    """Look at a record's server without touching it; raises `StoreUnavailable` where that cannot be done."""
    with translated(say(url)):
        connection = await connect_primary(url)
        try:
            standbys, leases = await standbys_of(connection), []
            if await connection.fetchval("SELECT to_regclass('leases')") is not None:
                leases = await LeaseRows(connection, "", timedelta()).look()
            before = datetime.now(UTC)
            theirs = await connection.fetchval("SELECT clock_timestamp()")
            after = datetime.now(UTC)
        finally:
            await connection.close(timeout=5)
    doubt, ahead = (after - before) / 2, before + (after - before) / 2 - theirs
    return ClusterFacts(standbys, leases, ahead.total_seconds() if abs(ahead) > doubt else 0.0)


class ReplicaWatch:
    """Looks at the standbys now and then; what it saw last is there to be told."""

    def __init__(self, url: str, *, wanted: int, seen: Callable[[Sequence[Standby]], None]) -> None:
        self.standbys: list[Standby] = []
        self._url, self._wanted, self._seen = url, wanted, seen
        self._has_looked = False
        self._connection: asyncpg.Connection[Any] | None = None

    async def look(self) -> None:
        """See them now; a server that does not answer is the store's trouble and told there."""
        try:
            if self._connection is None or self._connection.is_closed():
                self._connection = await connect_primary(self._url)
            self.saw(await asyncio.wait_for(standbys_of(self._connection), LOOK_SECONDS))
        except (asyncpg.PostgresError, StoreUnavailable, *LOST) as error:
            log.debug("the standbys of %s cannot be seen: %s", say(self._url), error)
            self._drop()

    def saw(self, standbys: list[Standby]) -> None:
        self.standbys, self._has_looked = standbys, True
        self._seen(standbys)

    def warnings(self) -> list[str]:
        """What somebody should look at, though wagers may be taken."""
        if not self._has_looked:
            return []
        said = [
            f"the standby {each.name} is {each.behind_seconds:.0f} s behind"
            for each in self.standbys
            if each.behind_seconds > BEHIND_SECONDS
        ]
        confirming = sum(each.confirms for each in self.standbys)
        if confirming < self._wanted:
            said.append(
                f"{confirming} of {self._wanted} synchronous standbys follow the record: bets wait for them"
            )
        elif self._wanted and len(self.standbys) == self._wanted:
            said.append("no standby is left to spare: the loss of one stops the bets")
        return said

    async def run(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(LOOK_SECONDS)

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.terminate()

    def close(self) -> None:
        self._drop()


@asynccontextmanager
async def watching(
    url: str, *, wanted: int, seen: Callable[[Sequence[Standby]], None]
) -> AsyncIterator[ReplicaWatch]:
    """Look at the standbys of a record for as long as this is open."""
    watch = ReplicaWatch(url, wanted=wanted, seen=seen)
    task = asyncio.create_task(watch.run(), name="taisai-replicas")
    try:
        yield watch
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        watch.close()
