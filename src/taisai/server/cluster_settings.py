"""Settings of a house whose record survives the loss of a server."""

import re
from typing import Final

import msgspec

_SLOT: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


class ClusterConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the house writes to PostgreSQL with standbys.

    `slot` is the writer's name on the record: one of a small fixed set, because writers are never forgotten.
    """

    slot: str = "house"
    lease_seconds: float = 2.0
    replicas_min: int = 1


# A house without the section: whatever its database has, it asks for no standby.
ALONE: Final = ClusterConfig(replicas_min=0)


def cluster_faults(config: ClusterConfig | None, *, on_postgres: bool) -> list[str]:
    """What cannot be a writer's name, a lease or a number of standbys."""
    if config is None:
        return []
    faults = []
    if not on_postgres:
        faults.append("cluster: it needs a database at postgresql://… (server.database)")
    if not _SLOT.fullmatch(config.slot):
        faults.append(f"cluster.slot: expected a name such as desk-03, got {config.slot!r}")
    if not 0.5 <= config.lease_seconds <= 60:
        faults.append(f"cluster.lease_seconds: expected 0.5 to 60, got {config.lease_seconds}")
    if not 0 <= config.replicas_min <= 9:
        faults.append(f"cluster.replicas_min: expected 0 to 9, got {config.replicas_min}")
    return faults
