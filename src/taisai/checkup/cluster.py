"""What `taisai doctor` finds out about a house of many processes: leases, standbys, clocks and the bus."""

import asyncio
import socket
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from taisai.adapters.stores import is_postgres
from taisai.errors import InputError, StoreError
from taisai.floor.health import Finding, failed, ok, warning
from taisai.floor.owners.units import units_of
from taisai.server.cluster_settings import ClusterConfig
from taisai.server.config import Config

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taisai.adapters.postgres.lease_rows import LeaseRow
    from taisai.adapters.postgres.replica_watch import ClusterFacts, Standby

_APART_SECONDS: Final = 1.0
_CONNECT_SECONDS: Final = 2.0
_LET_IN_SECONDS: Final = 10.0
_NATS_PORT: Final = 4222
_SLOT_ROWS: Final = ("slot:", "house")


def look_at_cluster(config: Config) -> list[Finding]:
    """Nothing where the record is a file: then one process is the house."""
    if not is_postgres(config.server.database):
        return []
    from taisai.adapters.postgres.replica_watch import cluster_facts

    try:
        facts = asyncio.run(cluster_facts(config.server.database))
    except StoreError:
        return look_at_bus(config.writing)  # the record's own line says what is wrong with it
    return [*judge_cluster(facts, units_of(config.plan())), *look_at_bus(config.writing)]


def judge_cluster(facts: "ClusterFacts", units: "Sequence[str]") -> list[Finding]:
    return [*_lag(facts.standbys), _leases(facts.leases, units), _clocks(facts.ahead_seconds)]


def _lag(standbys: "Sequence[Standby]") -> list[Finding]:
    from taisai.adapters.postgres.replica_watch import BEHIND_SECONDS

    if not standbys:
        return []
    said = "; ".join(map(str, standbys))
    if all(each.behind_seconds <= BEHIND_SECONDS for each in standbys):
        return [ok("replication", said)]
    advice = "see what keeps it from replaying (disk, network, a long query): a promotion would wait for it"
    expected = f"no standby more than {BEHIND_SECONDS:.0f} s behind"
    return [warning("replication", said, expected=expected, advice=advice)]


def _leases(rows: "Sequence[LeaseRow]", units: "Sequence[str]") -> Finding:
    held = {row.unit: row for row in rows if row.is_alive and not row.unit.startswith(_SLOT_ROWS)}
    strange = sorted(set(held) - set(units))
    if strange:
        said = "; ".join(f"{unit} by {held[unit]}" for unit in strange)
        advice = "give all processes the same tables in their settings"
        return warning("leases", said, expected=f"the units of this house: {', '.join(units)}", advice=advice)
    if not held:
        return ok("leases", "nobody has the house: no process of it runs")
    by_holder: dict[str, list[str]] = {}
    for unit, row in held.items():
        by_holder.setdefault(str(row), []).append(unit)
    said = "; ".join(f"{', '.join(names)} by {holder}" for holder, names in by_holder.items())
    left = [unit for unit in units if unit not in held]
    if left:
        advice = "start a desk (taisai desk): nobody answers for these"
        return warning(
            "leases", f"{', '.join(left)} by nobody; {said}", expected="an owner each", advice=advice
        )
    return ok("leases", said)


def _clocks(ahead: float) -> Finding:
    said = f"this machine's clock is {ahead:+.1f} s from the database's"
    if abs(ahead) > _APART_SECONDS:
        advice = "set both by one source (NTP, PTP): deadlines go by the clock of the desk's machine"
        return warning("clocks", said, expected=f"within {_APART_SECONDS:.0f} s", advice=advice)
    return ok("clocks", said)


def look_at_bus(how: ClusterConfig) -> list[Finding]:
    """Whether each server of the bus that the settings name lets this process in."""
    if not how.nats:
        return []
    away = [f"{_place(each)} ({why})" for each in how.nats if (why := _why_away(each))]
    if away:
        advice = "start nats-server there, or mend cluster.nats: desks and gateways wait for it"
        return [_bus_judged(f"{', '.join(away)} away", advice, wholly=len(away) == len(how.nats))]
    shut = asyncio.run(_refusals(how))
    if shut:
        advice = "mend who is let in, there or in the settings: see cluster.nats_user and its neighbours"
        return [_bus_judged("; ".join(shut), advice, wholly=len(shut) == len(how.nats))]
    return [ok("bus", f"{', '.join(map(_place, how.nats))} answer")]


def _bus_judged(said: str, advice: str, *, wholly: bool) -> Finding:
    if wholly:
        return failed("bus", said, expected="a server that answers", advice=advice)
    return warning("bus", said, expected="all servers of the bus", advice=advice)


async def _refusals(how: ClusterConfig) -> list[str]:
    """What each server that does not let us in says of it."""
    from taisai.adapters.bus.access import BusAccess
    from taisai.adapters.bus.link import BusLink

    found = []
    for server in how.nats:
        link = BusLink([server], "doctor", access=BusAccess(**how.nats_access))
        try:
            await asyncio.wait_for(link.open(), _LET_IN_SECONDS)
        except InputError as error:
            found.append(str(error))
        except TimeoutError:
            found.append(f"{_place(server)} greets, and lets nobody in")
        finally:
            await link.close()
    return found


def _place(server: str) -> str:
    """A server as a line names it, without a password."""
    parts = urlsplit(server)
    return f"{parts.hostname}:{parts.port or _NATS_PORT}"


def _why_away(server: str) -> str:
    host, _, port = _place(server).rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=_CONNECT_SECONDS) as line:
            greeting = line.recv(64)  # a server of the bus speaks first
    except OSError as error:
        return error.strerror or type(error).__name__
    return "" if greeting.startswith(b"INFO ") else "what answers there is no NATS server"
