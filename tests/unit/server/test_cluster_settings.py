"""Settings of a house whose record survives the loss of a server."""

import pytest

from taisai.server.cluster_settings import ALONE, ClusterConfig, cluster_faults


def test_a_standby_is_asked_for_with_the_section_and_not_without_it() -> None:
    """And a writer has a name either way."""
    assert (ClusterConfig().replicas_min, ALONE.replicas_min) == (1, 0)
    assert (ClusterConfig(slot="desk-03").slot, ALONE.slot) == ("desk-03", "house")
    assert cluster_faults(None, on_postgres=False) == []
    assert cluster_faults(ClusterConfig(), on_postgres=True) == []


@pytest.mark.parametrize(
    ("config", "on_postgres", "fault"),
    [
        (ClusterConfig(), False, "cluster: it needs a database at postgresql"),
        (ClusterConfig(slot="Desk 3"), True, "cluster.slot: expected a name such as desk-03, got 'Desk 3'"),
        (ClusterConfig(lease_seconds=0.1), True, "cluster.lease_seconds: expected 0.5 to 60, got 0.1"),
        (ClusterConfig(nats_user="taisai"), True, "cluster.nats_user: it belongs together with"),
        (
            ClusterConfig(nats_token_file="a", nats_credentials="b"),
            True,
            "cluster.nats_credentials: expected one of them",
        ),
        (ClusterConfig(nats_certificate="a"), True, "cluster.nats_certificate: it belongs together with"),
        (ClusterConfig(nats=("n1",)), True, "cluster.nats: expected addresses such as nats://n1:4222, got"),
        (ClusterConfig(replicas_min=-1), True, "cluster.replicas_min: expected 0 to 9, got -1"),
    ],
)
def test_what_cannot_work_is_said_with_its_key(config: ClusterConfig, on_postgres: bool, fault: str) -> None:
    """One line says what was expected and what came."""
    (said,) = cluster_faults(config, on_postgres=on_postgres)
    assert said.startswith(fault)
