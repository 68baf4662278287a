"""How what was found at an installation is judged: each border of each judgment."""

from datetime import UTC, datetime, timedelta

import pytest

from taisai.floor.health import (
    GIB,
    Finding,
    IncidentMet,
    LatestPlay,
    Level,
    judge_certificate,
    judge_clock,
    judge_disk,
    judge_incidents,
    judge_postgres,
    judge_python,
    judge_rules,
    judge_schema,
    judge_secret,
    judge_standbys,
    ok,
    worst,
)
from taisai.record.journal import Tip, micros

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
OK, WARNING, FAILED = Level.OK, Level.WARNING, Level.FAILED
DURABLE = {"fsync": ("on",), "full_page_writes": ("on",), "synchronous_commit": ("on", "remote_apply")}
POSTGRES = {
    "server_version": "16.2",
    "server_version_num": "160002",
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "remote_apply",
    "data_checksums": "on",
}


def tip(number: int, at: datetime = NOW, digest: bytes = b"d") -> Tip:
    return Tip("house", number, micros(at), "key", digest, b"signature")


def test_the_worst_finding_counts() -> None:
    """One failure among many that are fine is a failure."""
    fine = ok("a", "b")
    bad = Finding(check="c", level=FAILED, found="d")
    odd = Finding(check="e", level=WARNING, found="f")
    assert worst([]) is OK
    assert worst([fine, odd]) is WARNING
    assert worst([fine, bad, odd]) is FAILED


@pytest.mark.parametrize(
    ("version", "implementation", "system", "bits", "levels"),
    [
        ((3, 11, 0), "CPython", "Linux", 64, [OK, OK]),
        ((3, 10, 9), "CPython", "Linux", 64, [FAILED, OK]),
        ((3, 12, 1), "PyPy", "Linux", 64, [FAILED, OK]),
        ((3, 13, 0), "CPython", "Darwin", 64, [OK, WARNING]),
        ((3, 13, 0), "CPython", "Linux", 32, [OK, WARNING]),
    ],
)
def test_the_interpreter_and_the_machine(
    version: tuple[int, int, int], implementation: str, system: str, bits: int, levels: list[Level]
) -> None:
    """CPython from 3.11 on; tested on 64-bit Linux alone."""
    assert [finding.level for finding in judge_python(version, implementation, system, bits)] == levels


@pytest.mark.parametrize(
    ("now", "tips", "level"),
    [
        (NOW, [], OK),
        (datetime(1970, 1, 2, tzinfo=UTC), [], FAILED),
        (NOW, [tip(1, NOW - timedelta(days=9))], OK),
        (NOW, [tip(1, NOW + timedelta(seconds=2))], OK),
        (NOW, [tip(1), tip(2, NOW + timedelta(seconds=3))], FAILED),
    ],
)
def test_the_clock_goes_on_from_where_the_record_stands(now: datetime, tips: list[Tip], level: Level) -> None:
    """A clock that lost its time, or stands behind the last commit, is no clock."""
    assert judge_clock(now, tips).level is level


@pytest.mark.parametrize(
    ("free", "filesystem", "level"),
    [
        (9 * GIB, "ext4", OK),
        (2 * GIB - 1, "ext4", WARNING),
        (GIB // 4 - 1, "ext4", FAILED),
        (9 * GIB, "tmpfs", WARNING),
        (0, "tmpfs", FAILED),
        (9 * GIB, "nfs4", FAILED),
        (9 * GIB, "", OK),
    ],
)
def test_a_record_needs_room_on_a_disk_of_its_own_machine(free: int, filesystem: str, level: Level) -> None:
    """A full disk stops the house, and a write-ahead log does not work across a network."""
    assert judge_disk("disk", free, filesystem).level is level


@pytest.mark.parametrize(
    ("begins", "ends", "level"),
    [
        (NOW, NOW + timedelta(days=31), OK),
        (NOW, NOW + timedelta(days=29), WARNING),
        (NOW - timedelta(days=9), NOW, FAILED),
        (NOW + timedelta(days=1), NOW + timedelta(days=99), FAILED),
    ],
)
def test_a_certificate_is_renewed_in_time(begins: datetime, ends: datetime, level: Level) -> None:
    """A month before it ends somebody is told."""
    assert judge_certificate(begins, ends, NOW, ["house.example"]).level is level


@pytest.mark.parametrize(
    ("mode", "owned", "level"),
    [
        (0o600, True, OK),
        (0o700, True, OK),
        (0o640, True, FAILED),
        (0o604, False, FAILED),
        (0o600, False, WARNING),
    ],
)
def test_a_secret_is_its_owners_alone(mode: int, owned: bool, level: Level) -> None:
    """Nobody else may read it, and the owner should be who runs the house."""
    assert judge_secret("key", mode, owned=owned).level is level


@pytest.mark.parametrize(
    ("version", "level", "said"),
    [
        (None, OK, "none yet"),
        (2, OK, "nothing to come"),
        (1, WARNING, "1 to come"),
        (3, FAILED, "version 3"),
    ],
)
def test_a_schema_is_known_to_this_release(version: int | None, level: Level, said: str) -> None:
    """An older one is brought forward at the next start; a newer one is for another release."""
    finding = judge_schema(version, 2)
    assert finding.level is level
    assert said in finding.found


@pytest.mark.parametrize(
    ("changed", "levels"),
    [
        ({}, [OK, OK]),
        ({"synchronous_commit": "off"}, [OK, FAILED]),
        ({"fsync": "off", "data_checksums": "off"}, [OK, FAILED]),
        ({"data_checksums": "off"}, [OK, WARNING]),
        ({"server_version_num": "130014", "server_version": "13.14"}, [FAILED, OK]),
    ],
)
def test_a_database_server_keeps_what_it_acknowledges(changed: dict[str, str], levels: list[Level]) -> None:
    """One that may forget is no place for money."""
    assert [finding.level for finding in judge_postgres({**POSTGRES, **changed}, DURABLE)] == levels


def test_a_house_that_wants_standbys_is_told_when_too_few_confirm() -> None:
    """One that wants none is well without."""
    assert judge_standbys("", 0, wanted=0).level == OK
    assert judge_standbys("*", 1, wanted=1).level == OK
    short = judge_standbys("*", 0, wanted=1)
    assert short.level == FAILED
    assert "cluster.replicas_min" in short.expected


def test_a_record_is_played_on_by_the_rules_it_was_played_by() -> None:
    """A pay table that is gone, or another under the same name, fails."""
    shipped = {"tai-sai-v6/2": "aa", "tai-sai-v3/1": "bb"}

    def played(pay_table: str, digest: str) -> LatestPlay:
        return LatestPlay(table="T1", pay_table=pay_table, pay_table_digest=digest)

    assert judge_rules([], shipped).level is OK
    assert judge_rules([played("tai-sai-v6/2", "aa")], shipped).level is OK
    assert judge_rules([played("tai-sai-v6/2", "ab")], shipped).level is FAILED
    assert judge_rules([played("tai-sai-v9/1", "aa")], shipped).level is FAILED


def test_incidents_are_warned_of_for_a_while() -> None:
    """By number, desk, act and error; those that are not on the record yet come first."""
    met = IncidentMet(number="1A2B3C4D", at=NOW, desk="T1", act="BuyIn", error="KeyError")
    assert judge_incidents([], 0, NOW).level is Level.OK
    fresh = judge_incidents([met], 0, NOW + timedelta(days=1))
    assert fresh.level is Level.WARNING
    assert "1A2B3C4D" in fresh.found
    assert "BuyIn at T1 met KeyError" in fresh.found
    assert judge_incidents([met], 0, NOW + timedelta(days=31)).level is Level.OK
    assert "beside the keys" in judge_incidents([met], 2, NOW).found
