"""What the doctor says of leases, standbys, clocks and the bus."""

from datetime import UTC, datetime

import pytest

from taisai.adapters.postgres.lease_rows import LeaseRow
from taisai.adapters.postgres.replica_watch import ClusterFacts, ReplicaWatch, Standby
from taisai.checkup.cluster import judge_cluster, look_at_bus
from taisai.server.cluster_settings import ClusterConfig
from tests.nats import NatsServer, nats_server

UNITS = ("office", "table:C1")
SINCE = datetime(2026, 5, 1, tzinfo=UTC)


def row(unit: str, holder: str = "desk-01", *, alive: bool = True) -> LeaseRow:
    return LeaseRow(unit, holder, alive, 1, SINCE)


def facts(
    standbys: list[Standby] | None = None, leases: list[LeaseRow] | None = None, ahead: float = 0.0
) -> ClusterFacts:
    return ClusterFacts(standbys or [], leases or [], ahead)


@pytest.mark.parametrize(
    ("found", "check", "level", "said"),
    [
        (facts([Standby("pg2", "streaming", "sync", 0, 0.1)]), "replication", "ok", "0.1 s behind"),
        (facts([Standby("pg2", "streaming", "sync", 0, 99.0)]), "replication", "warning", "99.0 s behind"),
        (facts(), "leases", "ok", "nobody has the house"),
        (
            facts(leases=[*map(row, UNITS), row("slot:desk-01")]),
            "leases",
            "ok",
            "office, table:C1 by desk-01",
        ),
        (facts(leases=[row("office")]), "leases", "warning", "table:C1 by nobody"),
        (facts(leases=[row("office"), row("table:X")]), "leases", "warning", "table:X by desk-01"),
        (facts(leases=[row("office", alive=False)]), "leases", "ok", "nobody has the house"),
        (facts(ahead=0.4), "clocks", "ok", "+0.4 s"),
        (facts(ahead=-1.4), "clocks", "warning", "-1.4 s"),
    ],
)
def test_each_part_of_a_cluster_is_judged(found: ClusterFacts, check: str, level: str, said: str) -> None:
    """What is wrong is named, with what to do."""
    (finding,) = [each for each in judge_cluster(found, UNITS) if each.check == check]
    assert finding.level == level
    assert said in finding.found
    assert bool(finding.advice) == (level != "ok")


def test_a_bus_that_is_away_is_named_without_its_password() -> None:
    """One server of two away is a warning, all of them a fault."""
    gone = f"nats://taisai:secret@127.0.0.1:{NatsServer().port}"
    with nats_server() as server:
        (well,) = look_at_bus(ClusterConfig(nats=(server.url,)))
        (partly,) = look_at_bus(ClusterConfig(nats=(server.url, gone)))
    (wholly,) = look_at_bus(ClusterConfig(nats=(gone,)))
    assert (well.level, partly.level, wholly.level) == ("ok", "warning", "failed")
    assert "secret" not in partly.found + wholly.found
    assert look_at_bus(ClusterConfig()) == []


@pytest.mark.parametrize(
    ("standbys", "said"),
    [
        ([], "0 of 1 synchronous standbys"),
        ([Standby("pg2", "streaming", "sync", 0, 0.0)], "no standby is left to spare"),
        ([Standby("pg2", "streaming", "sync", 9, 60.0)] * 2, "the standby pg2 is 60 s behind"),
        ([Standby("pg2", "streaming", "sync", 0, 0.0), Standby("pg3", "streaming", "async", 0, 0.0)], ""),
    ],
)
def test_readiness_warns_of_standbys_that_are_missing_or_behind(standbys: list[Standby], said: str) -> None:
    """Before the first look there is nothing to say."""
    watch = ReplicaWatch("postgresql://nowhere/x", wanted=1, seen=lambda seen: None)
    assert watch.warnings() == []
    watch.saw(standbys)
    assert (watch.warnings() == []) == (not said)
    assert any(said in each for each in watch.warnings()) or not said
