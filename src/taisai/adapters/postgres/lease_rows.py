"""The table of leases in PostgreSQL: a row for each unit of a house, one for each process's name.

It is beside the record and no part of it: nothing here is signed, and an older release does without.
"""

from datetime import datetime, timedelta
from typing import Any, Final

import asyncpg
import msgspec

# The statements below spell these names out.
# Releases before units held the whole house by this row. Whoever holds units keeps it up under a name of its
# own, so that such a release finds it taken, and one that has it is found.
HOUSE: Final = "house"
BY_UNITS: Final = "by units"
SLOTS: Final = "slot:"
# Whoever waits for a unit hears here that one was given back.
CHANNEL: Final = "taisai_leases"

_MAKE: Final = """
CREATE TABLE IF NOT EXISTS leases (
  desk text PRIMARY KEY, slot text NOT NULL, until timestamptz NOT NULL, epoch bigint NOT NULL);
ALTER TABLE leases ADD COLUMN IF NOT EXISTS since timestamptz"""
_MAKING: Final = 0x7461697361690002  # "taisai" and a number, among the server's advisory locks
_TAKE_HOUSE: Final = """
INSERT INTO leases AS l (desk, slot, until, epoch, since)
VALUES ('house', 'by units', clock_timestamp() + $1, 1, clock_timestamp())
ON CONFLICT (desk) DO UPDATE
SET slot = 'by units', until = clock_timestamp() + $1, epoch = l.epoch + 1, since = clock_timestamp()
WHERE l.slot = 'by units' OR l.until < clock_timestamp() RETURNING 1"""
_TAKE: Final = """
INSERT INTO leases AS l (desk, slot, until, epoch, since)
SELECT unit, $2, clock_timestamp() + $3, 1, clock_timestamp() FROM unnest($1::text[]) AS unit
ON CONFLICT (desk) DO UPDATE
SET slot = $2, until = clock_timestamp() + $3, epoch = l.epoch + 1, since = clock_timestamp()
WHERE l.until < clock_timestamp() RETURNING desk, epoch"""
_RENEW: Final = """
WITH house AS (
  UPDATE leases SET until = clock_timestamp() + $4 WHERE desk = 'house' AND slot = 'by units' RETURNING 1),
mine AS (
  UPDATE leases AS l SET until = clock_timestamp() + $4
  FROM unnest($1::text[], $2::bigint[]) AS m (desk, epoch)
  WHERE l.desk = m.desk AND l.epoch = m.epoch AND l.slot = $3 RETURNING l.desk)
SELECT (SELECT count(*) FROM house), ARRAY(SELECT desk FROM mine), clock_timestamp()"""
_RELEASE: Final = """
WITH mine AS (
  UPDATE leases AS l SET until = clock_timestamp()
  FROM unnest($1::text[], $2::bigint[]) AS m (desk, epoch)
  WHERE l.desk = m.desk AND l.epoch = m.epoch AND l.slot = $3 RETURNING 1)
SELECT pg_notify('taisai_leases', '') FROM (SELECT count(*) FROM mine) AS given"""
# The last to go gives the row of older releases back too.
_RELEASE_HOUSE: Final = """
UPDATE leases SET until = clock_timestamp() WHERE desk = 'house' AND slot = 'by units'
AND NOT EXISTS (SELECT 1 FROM leases WHERE desk <> 'house' AND until > clock_timestamp())"""
_HAND_OVER: Final = """
WITH mine AS (
  UPDATE leases AS l SET slot = $4, epoch = l.epoch + 1, since = clock_timestamp(),
    until = clock_timestamp() + $5
  WHERE desk = $1 AND epoch = $2 AND slot = $3
    AND EXISTS (SELECT 1 FROM leases WHERE slot = $4 AND starts_with(desk, 'slot:')
      AND until > clock_timestamp())
  RETURNING 1)
SELECT count(*), pg_notify('taisai_leases', '') FROM mine"""
# Under either name: whoever does not know what became of the first try may try again.
_RENAME: Final = """
UPDATE leases SET slot = $2 WHERE slot IN ($1, $2)
RETURNING desk, epoch, until > clock_timestamp() AS alive"""
_LOOK: Final = "SELECT desk, slot, until > clock_timestamp(), epoch, since FROM leases ORDER BY desk"


class LeaseRow(msgspec.Struct, frozen=True):
    """Who has what, and since when; a lease that has run out is nobody's."""

    unit: str
    holder: str
    is_alive: bool
    epoch: int
    since: datetime | None

    def __str__(self) -> str:
        known = f", since {self.since.isoformat(timespec='seconds')}" if self.since else ""
        return f"{self.holder}{known}"


class Renewed(msgspec.Struct, frozen=True):
    """What is still ours, and the database's clock; `house` is false when an older release has it all."""

    house: bool
    units: frozenset[str]
    clock: datetime


class LeaseRows:
    """The statements, on one connection, for one holder; each is a transaction of its own."""

    def __init__(self, connection: "asyncpg.Connection[Any]", holder: str, time: timedelta) -> None:
        self._connection, self._holder, self._time = connection, holder, time

    async def make(self) -> None:
        """The table, if it is not there; several processes may start at once."""
        async with self._connection.transaction():
            await self._connection.execute("SELECT pg_advisory_xact_lock($1)", _MAKING)
            await self._connection.execute(_MAKE)

    async def take(self, units: list[str], *, whole: bool) -> dict[str, int]:
        """Those that nobody has, with their epochs; with `whole` all of them or none."""
        transaction = self._connection.transaction()
        await transaction.start()
        taken: dict[str, int] = {}
        try:
            if await self._connection.fetchval(_TAKE_HOUSE, self._time) is not None:
                rows = await self._connection.fetch(_TAKE, units, self._holder, self._time)
                taken = {row["desk"]: row["epoch"] for row in rows}
            if not taken or (whole and len(taken) < len(units)):
                taken = {}
                await transaction.rollback()
            else:
                await transaction.commit()
        except BaseException:
            if not self._connection.is_closed():
                self._connection.terminate()
            raise
        return taken

    async def renew(self, mine: dict[str, int], patience: float) -> Renewed:
        """All of them in one statement."""
        house, units, clock = await self._connection.fetchrow(
            _RENEW, list(mine), list(mine.values()), self._holder, self._time, timeout=patience
        )
        return Renewed(bool(house), frozenset(units), clock)

    async def look(self) -> list[LeaseRow]:
        """Every row, by the database's clock."""
        return [LeaseRow(*row) for row in await self._connection.fetch(_LOOK)]

    async def release(self, mine: dict[str, int]) -> None:
        """Whoever waits may have them at once."""
        await self._connection.execute(_RELEASE, list(mine), list(mine.values()), self._holder)
        await self._connection.execute(_RELEASE_HOUSE)

    async def hand_over(self, unit: str, epoch: int, to: str) -> bool:
        """Make one over to another holder, if that one is alive."""
        row = await self._connection.fetchrow(_HAND_OVER, unit, epoch, self._holder, to, self._time)
        return bool(row and row[0])

    async def rename(self, to: str) -> dict[str, int]:
        """Have all rows of ours under another name; those that have not run out, with their epochs."""
        rows = await self._connection.fetch(_RENAME, self._holder, to)
        return {row["desk"]: row["epoch"] for row in rows if row["alive"]}
