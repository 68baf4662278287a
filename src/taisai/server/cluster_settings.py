"""Settings of a house whose record survives the loss of a server."""

import re
from typing import Final

import msgspec

_SLOT: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_NATS: Final = re.compile(r"(nats|tls)://[^\s/]+$")


class ClusterConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the house writes to PostgreSQL with standbys, and the bus between its processes.

    `slot` is the writer's name on the record: one of a small fixed set, because writers are never forgotten.
    """

    slot: str = "house"
    lease_seconds: float = 2.0
    replicas_min: int = 1
    nats: tuple[str, ...] = ()
    nats_user: str = ""
    nats_password_file: str = ""
    nats_token_file: str = ""
    nats_credentials: str = ""
    nats_ca: str = ""
    nats_certificate: str = ""
    nats_certificate_key: str = ""

    @property
    def nats_access(self) -> dict[str, str]:
        """How this process shows the bus who it is, by the names that whoever connects has for it."""
        names = (
            *("user", "password_file", "token_file", "credentials"),
            *("ca", "certificate", "certificate_key"),
        )
        return {name: getattr(self, f"nats_{name}") for name in names}


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
    faults += [
        f"cluster.nats: expected addresses such as nats://n1:4222, got {_without_password(server)!r}"
        for server in config.nats
        if not _NATS.match(server)
    ]
    if bool(config.nats_user) != bool(config.nats_password_file):
        faults.append("cluster.nats_user: it belongs together with cluster.nats_password_file")
    shown = [config.nats_user, config.nats_token_file, config.nats_credentials]
    if len([each for each in shown if each]) > 1:
        faults.append(
            "cluster.nats_credentials: expected one of them, cluster.nats_user or cluster.nats_token_file"
        )
    if bool(config.nats_certificate) != bool(config.nats_certificate_key):
        faults.append("cluster.nats_certificate: it belongs together with cluster.nats_certificate_key")
    if not 0 <= config.replicas_min <= 9:
        faults.append(f"cluster.replicas_min: expected 0 to 9, got {config.replicas_min}")
    return faults


def _without_password(server: str) -> str:
    return server.rpartition("@")[2]
