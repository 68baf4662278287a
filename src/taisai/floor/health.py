"""What a look at an installation found, and how it is judged. No I/O: the facts come in as arguments."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

import msgspec

from taisai.record.journal import Tip, moment

GIB: Final = 2**30
DISK_NEEDED: Final = GIB // 4
DISK_WANTED: Final = 2 * GIB
CERTIFICATE_WARNING: Final = timedelta(days=30)
# A machine whose clock stands before this release was made has lost its time.
RELEASED: Final = datetime.fromisoformat("2026-01-01T00:00:00+00:00")
# Two clocks may differ by so much before anyone is told.
# For so long `taisai doctor` warns of an incident.
INCIDENT_FRESH: Final = timedelta(days=30)
CLOCK_TOLERANCE: Final = timedelta(seconds=2)
PYTHON_MIN: Final = (3, 11)
POSTGRES_MIN: Final = 14
# Locks and shared memory do not work across machines there, so a write-ahead log is not safe.
NETWORK_FILESYSTEMS: Final = frozenset({"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "afs", "ceph"})
PASSING_FILESYSTEMS: Final = frozenset({"tmpfs", "ramfs"})


class Level(StrEnum):
    """How serious a finding is."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at. `expected` and `advice` are empty where nothing is wrong."""

    check: str
    level: Level
    found: str
    expected: str = ""
    advice: str = ""


def ok(check: str, found: str) -> Finding:
    return Finding(check=check, level=Level.OK, found=found)


def warning(check: str, found: str, *, expected: str, advice: str) -> Finding:
    return Finding(check=check, level=Level.WARNING, found=found, expected=expected, advice=advice)


def failed(check: str, found: str, *, expected: str, advice: str) -> Finding:
    return Finding(check=check, level=Level.FAILED, found=found, expected=expected, advice=advice)


def worst(findings: Iterable[Finding]) -> Level:
    """The gravest of them; fine where there is none."""
    order = list(Level)
    return max((finding.level for finding in findings), key=order.index, default=Level.OK)


def judge_python(version: tuple[int, int, int], implementation: str, system: str, bits: int) -> list[Finding]:
    """The interpreter and the machine that it runs on."""
    said = ".".join(map(str, version))
    python = f"{implementation} {said}"
    if version[:2] < PYTHON_MIN or implementation != "CPython":
        wanted = ".".join(map(str, PYTHON_MIN))
        advice = f"install CPython {wanted} or newer and make the environment again"
        found = failed("python", python, expected=f"CPython {wanted} or newer", advice=advice)
    else:
        found = ok("python", python)
    platform = f"{system}, {bits} bits"
    if system == "Linux" and bits == 64:
        return [found, ok("platform", platform)]
    advice = "run the house on 64-bit Linux; elsewhere nothing is tested"
    return [found, warning("platform", platform, expected="Linux, 64 bits", advice=advice)]


def judge_clock(now: datetime, tips: Iterable[Tip]) -> Finding:
    """Time goes on from where the record stands."""
    said = f"{now.isoformat(timespec='seconds')}"
    advice = "set the clock, and keep it right with a time service (chrony, systemd-timesyncd)"
    if now < RELEASED:
        return failed("clock", said, expected=f"a time after {RELEASED.date()}", advice=advice)
    last = max((moment(tip.at) for tip in tips), default=None)
    if last is None:
        return ok("clock", said)
    if last > now + CLOCK_TOLERANCE:
        behind = f"{said}, {last - now} behind the record's last commit"
        expected = f"a time after {last.isoformat(timespec='seconds')}"
        return failed("clock", behind, expected=expected, advice=advice)
    return ok("clock", f"{said}; the record's last commit is from {last.isoformat(timespec='seconds')}")


def judge_disk(check: str, free: int, filesystem: str) -> Finding:
    """Room for the record, on a disk that keeps it."""
    said = f"{free / GIB:.1f} GiB free on {filesystem or 'an unknown file system'}"
    if filesystem in NETWORK_FILESYSTEMS:
        advice = "put the record on a disk of this machine, or use PostgreSQL"
        return failed(check, said, expected="a local file system", advice=advice)
    if free < DISK_NEEDED:
        advice = "make room: when the disk is full the house stops taking wagers"
        return failed(check, said, expected=f"at least {DISK_WANTED / GIB:.0f} GiB free", advice=advice)
    if filesystem in PASSING_FILESYSTEMS:
        advice = "put the record on a disk"
        return warning(check, said, expected="a file system that outlives a restart", advice=advice)
    if free < DISK_WANTED:
        advice = "make room before the disk is full"
        return warning(check, said, expected=f"at least {DISK_WANTED / GIB:.0f} GiB free", advice=advice)
    return ok(check, said)


def judge_certificate(begins: datetime, ends: datetime, now: datetime, names: Iterable[str]) -> Finding:
    """A certificate that browsers and terminals still take."""
    said = f"for {', '.join(names) or 'no name'}, good until {ends.date()}"
    advice = "renew the certificate and start the house again"
    if not begins <= now < ends:
        expected = f"one that is good on {now.date()}"
        return failed("tls", f"{said} (from {begins.date()})", expected=expected, advice=advice)
    if ends - now < CERTIFICATE_WARNING:
        expected = f"at least {CERTIFICATE_WARNING.days} days left"
        return warning("tls", f"{said}: {(ends - now).days} days left", expected=expected, advice=advice)
    return ok("tls", said)


def judge_secret(check: str, mode: int, *, owned: bool) -> Finding:
    """A file or a folder that nobody but the house can read."""
    if mode & 0o077:
        wanted = f"{mode & 0o700:o}"
        return failed(check, f"mode {mode:o}", expected=f"mode {wanted}", advice=f"chmod {wanted} it")
    if not owned:
        advice = "run this command as the user that runs the house, or chown the folder of keys to it"
        return warning(
            check, "it belongs to another user", expected="the user of this process", advice=advice
        )
    return ok(check, f"mode {mode:o}")


def judge_schema(version: int | None, known: int) -> Finding:
    """Where the database's schema stands against what this release brings."""
    if version is None:
        return ok("schema", f"none yet; the first start brings it to version {known}")
    if version > known:
        advice = "install the release that wrote it, or a newer one"
        expected = f"at most version {known}, which this release knows"
        return failed("schema", f"version {version}", expected=expected, advice=advice)
    if version < known:
        advice = "back the record up; the next start of the house brings the schema forward"
        left = f"version {version}, {known - version} to come"
        return warning("schema", left, expected=f"version {known}", advice=advice)
    return ok("schema", f"version {version}, nothing to come")


def judge_postgres(settings: Mapping[str, str], durable: Mapping[str, tuple[str, ...]]) -> list[Finding]:
    """A server that keeps what it says it keeps."""
    number = int(settings["server_version_num"])
    said = f"PostgreSQL {settings['server_version']}"
    if number // 10_000 < POSTGRES_MIN:
        wanted = f"PostgreSQL {POSTGRES_MIN} or newer"
        found = [failed("database version", said, expected=wanted, advice="upgrade the database server")]
    else:
        found = [ok("database version", said)]
    weak = {name: settings[name] for name, wanted in durable.items() if settings[name] not in wanted}
    kept = ", ".join(f"{name} {settings[name]}" for name in durable)
    if weak:
        expected = ", ".join(f"{name} {durable[name][0]}" for name in weak)
        advice = (
            "set them in postgresql.conf: the house refuses a server that may forget what it acknowledged"
        )
        return [*found, failed("durability", kept, expected=expected, advice=advice)]
    if settings["data_checksums"] != "on":
        expected, advice = "data_checksums on", "stop the server and run pg_checksums --enable"
        return [
            *found,
            warning("durability", f"{kept}, data_checksums off", expected=expected, advice=advice),
        ]
    return [*found, ok("durability", kept)]


def judge_standbys(names: str, confirming: int, *, wanted: int) -> Finding:
    """Whether what is acknowledged outlives the server that acknowledged it."""
    said = f"{confirming} confirming, synchronous_standby_names '{names}'"
    if confirming < wanted:
        expected = f"at least {wanted} (cluster.replicas_min)"
        advice = (
            "start the standby and name it in synchronous_standby_names: until then the house takes no wagers"
        )
        return failed("standbys", said, expected=expected, advice=advice)
    return ok("standbys", said)


class LatestPlay(msgspec.Struct, frozen=True, kw_only=True):
    """By which rules a table of the record was last played or opened."""

    table: str
    pay_table: str
    pay_table_digest: str


def judge_rules(played: Iterable[LatestPlay], shipped: Mapping[str, str]) -> Finding:
    """The rules that the record was played by are those that this release ships."""
    tables = list(played)
    strange = [row for row in tables if shipped.get(row.pay_table) != row.pay_table_digest]
    if strange:
        said = ", ".join(f"{row.table} plays {row.pay_table} {row.pay_table_digest[:12]}" for row in strange)
        expected = ", ".join(
            f"{name} {shipped.get(name, 'not shipped')[:12]}"
            for name in sorted({row.pay_table for row in strange})
        )
        advice = "install the release with which it was played; a pay table never changes under its name"
        return failed("rulebooks", said, expected=expected, advice=advice)
    count = len(shipped)
    return ok("rulebooks", f"{count} pay tables; {len(tables)} tables of the record play by their digests")


class IncidentMet(msgspec.Struct, frozen=True, kw_only=True):
    """A bug of ours that a command met, as its number finds it."""

    number: str
    at: datetime
    desk: str
    act: str
    error: str


def judge_incidents(met: Iterable[IncidentMet], beside_keys: int, now: datetime) -> Finding:
    """Whether a command met a bug of ours lately, and whether all that is known of it is on the record."""
    found = sorted(met, key=lambda each: each.at)
    advice = "send number, desk, act and error to those who make taisai; the house itself went on"
    if beside_keys:
        said = f"{beside_keys} beside the keys and not on the record"
        advice = "start the house, which puts them on the record; they were met while it could not be written"
        return warning("incidents", said, expected="none", advice=advice)
    if not found:
        return ok("incidents", "none")
    last = found[-1]
    when = last.at.isoformat(timespec="seconds")
    said = f"{len(found)}; the last is {last.number} at {when}: {last.act} at {last.desk} met {last.error}"
    if now - last.at > INCIDENT_FRESH:
        return ok("incidents", said)
    return warning("incidents", said, expected="none", advice=advice)
