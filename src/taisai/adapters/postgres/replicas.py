"""Standbys of PostgreSQL: what the primary alone has may be lost with it, so nobody is told of it.

A commit waits until its synchronous standby has it. The wait can be cut short: somebody cancels it, and the
server says success with a warning; or the primary restarts without its standby, and shows the commit all the
same. What comes after such a moment waits behind a barrier.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import asyncpg

from taisai.errors import StoreUnavailable

# Emits nothing that anybody reads, and commits: it returns when all before it is where standbys keep it too.
BARRIER: Final = "SELECT pg_logical_emit_message(true, 'taisai', '')"
BARRIER_S: Final = 5.0
STANDBYS: Final = """
SELECT current_setting('synchronous_standby_names'),
  count(*) FILTER (WHERE sync_state IN ('sync', 'quorum') AND state = 'streaming'),
  count(*) FILTER (WHERE sync_state IS NULL)
FROM pg_stat_replication"""
_WAITED_FOR: Final = re.compile(r"\s*(?:(?:any|first)\s+)?(\d+)\s*\(", re.IGNORECASE)


class Unconfirmed(StoreUnavailable):
    """The primary has it, and whether a standby has it too is not known."""


@contextmanager
def confirmed(connection: Any, where: str) -> Iterator[None]:
    """What is sent in here counts only without a warning; `Unconfirmed` is raised at its end otherwise."""
    said: list[str] = []

    def listen(_: Any, message: Any) -> None:
        if message.severity_en == "WARNING" or (message.sqlstate or "").startswith("01"):
            said.append(message.message)

    connection.add_log_listener(listen)
    try:
        yield
    finally:
        connection.remove_log_listener(listen)
    if said:
        raise Unconfirmed(f"{where}: {said[0]}")


async def barrier(connection: Any, where: str) -> None:
    """Wait until the standbys have all that this server shows; `StoreUnavailable` when they do not answer."""
    try:
        with confirmed(connection, where):
            await connection.execute(BARRIER, timeout=BARRIER_S)
    except (TimeoutError, asyncpg.QueryCanceledError):
        raise StoreUnavailable(f"{where}: no synchronous standby confirms what is written") from None


def waited_for(names: str) -> int:
    """How many standbys a commit waits for, by the setting synchronous_standby_names."""
    if not names.strip():
        return 0
    counted = _WAITED_FOR.match(names)
    return int(counted[1]) if counted else 1


async def check_replicas(connection: Any, where: str, replicas_min: int) -> None:
    """Refuse a server whose commits fewer standbys confirm than the settings ask for."""
    if not replicas_min:
        return
    names, streaming, hidden = await connection.fetchrow(STANDBYS)
    wanted = f"cluster.replicas_min: expected a server with {replicas_min} synchronous standby or more"
    if waited_for(names) < replicas_min:
        raise StoreUnavailable(f"{wanted}, {where} has synchronous_standby_names = '{names}'")
    if streaming < replicas_min and hidden:
        raise StoreUnavailable(
            f"{wanted}, and {where} does not say: grant pg_monitor to the user of the address"
        )
    if streaming < replicas_min:
        raise StoreUnavailable(f"{wanted}, {where} has {streaming} connected")
