"""A lease on a record in PostgreSQL: a second process does not start on it, and takes nothing.

A row says who writes, until when, by the database's clock. It is renewed every quarter of its time; whoever
finds it run out may take it. The journal fences all the same: a lease only says who tries.
"""

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

import asyncpg

from taisai.adapters.postgres_replicas import confirmed
from taisai.adapters.postgres_session import LOST, connect_primary, say, translated
from taisai.errors import StoreUnavailable
from taisai.record.ports import RecordInUse

log = logging.getLogger("taisai.lease")

LEASE_SECONDS: Final = 2.0
_HOUSE: Final = "house"
# Beside the record and no part of it: nothing here is signed, and an older release does without.
_MAKE: Final = """
CREATE TABLE IF NOT EXISTS leases (
  desk text PRIMARY KEY, slot text NOT NULL, until timestamptz NOT NULL, epoch bigint NOT NULL);
ALTER TABLE leases ADD COLUMN IF NOT EXISTS since timestamptz"""
_MAKING: Final = 0x7461697361690002  # "taisai" and a number, among the server's advisory locks
_TAKE: Final = """
INSERT INTO leases AS l (desk, slot, until, epoch, since)
VALUES ($1, $2, clock_timestamp() + $3, 1, clock_timestamp())
ON CONFLICT (desk) DO UPDATE
SET slot = $2, until = clock_timestamp() + $3, epoch = l.epoch + 1, since = clock_timestamp()
WHERE l.until < clock_timestamp() RETURNING epoch"""
_RENEW: Final = """
UPDATE leases SET until = clock_timestamp() + $4 WHERE desk = $1 AND slot = $2 AND epoch = $3 RETURNING 1"""
_RELEASE: Final = "UPDATE leases SET until = clock_timestamp() WHERE desk = $1 AND slot = $2 AND epoch = $3"


class RecordLease:
    """One process's hold of a record."""

    runs_out = True

    def __init__(self, url: str, *, slot: str, seconds: float = LEASE_SECONDS) -> None:
        self.lost = asyncio.Event()  # another process has taken the record
        self._url, self._where = url, say(url)
        self._time = timedelta(seconds=seconds)
        self._patience = max(5.0, seconds)  # for one try; it has long run out by then
        self._slot = f"{slot} on {socket.gethostname()}, process {os.getpid()} ({uuid4().hex[:8]})"
        self._epoch = 0
        self._renewed = 0.0
        self._connection: asyncpg.Connection[Any] | None = None

    def is_overdue(self) -> bool:
        """Whether it could not be renewed in its time."""
        return asyncio.get_running_loop().time() - self._renewed > self._time.total_seconds()

    async def acquire(self) -> None:
        """Have the record, or say who has it. One that was killed is waited for until its lease runs out."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + 2 * self._time.total_seconds()
        with translated(self._where):
            await self._make()
            while True:
                connection = await self._connected()
                asked = loop.time()  # it may have been granted at any moment since
                with confirmed(connection, self._where):
                    epoch = await connection.fetchval(_TAKE, _HOUSE, self._slot, self._time)
                if epoch is not None:
                    self._epoch, self._renewed = epoch, asked
                    return
                if loop.time() > deadline:
                    break
                await asyncio.sleep(self._time.total_seconds() / 8)
            holder, since = await connection.fetchrow(
                "SELECT slot, since FROM leases WHERE desk = $1", _HOUSE
            )
        await self.release()
        known = f", since {since.isoformat(timespec='seconds')}" if since else ""
        raise RecordInUse(f"{self._where} is in use by {holder}{known}")

    async def _make(self) -> None:
        connection = await self._connected()
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", _MAKING)
            await connection.execute(_MAKE)

    async def keep(self) -> None:
        """Renew it for as long as this runs; ends when another has taken the record."""
        loop = asyncio.get_running_loop()
        while not self.lost.is_set():
            await asyncio.sleep(self._time.total_seconds() / 4)
            try:
                connection, asked = await self._connected(), loop.time()
                with confirmed(connection, self._where):
                    mine = await connection.fetchval(
                        _RENEW, _HOUSE, self._slot, self._epoch, self._time, timeout=self._patience
                    )
            except (asyncpg.PostgresError, StoreUnavailable, *LOST) as error:
                log.debug("the lease could not be renewed: %s", error)
                self._drop()
                continue
            if mine is None:
                log.critical("another process has taken %s", self._where)
                self.lost.set()
            else:
                self._renewed = asked

    async def release(self) -> None:
        """Give it back, so that the next process need not wait."""
        connection, self._connection = self._connection, None
        if connection is None or connection.is_closed():
            return
        try:
            if self._epoch:
                await connection.execute(_RELEASE, _HOUSE, self._slot, self._epoch)
            await connection.close(timeout=5)
        except (asyncpg.PostgresError, *LOST) as error:
            log.debug("the lease runs out by itself: %s", error)
            connection.terminate()

    async def _connected(self) -> "asyncpg.Connection[Any]":
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect_primary(self._url)
        return self._connection

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.terminate()


@asynccontextmanager
async def held(url: str, *, slot: str, seconds: float = LEASE_SECONDS) -> AsyncIterator[RecordLease]:
    """Hold a record while this is open."""
    lease = RecordLease(url, slot=slot, seconds=seconds)
    await lease.acquire()
    keeping = asyncio.create_task(lease.keep(), name="taisai-lease")
    try:
        yield lease
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await lease.release()
