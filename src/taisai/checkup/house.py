"""What `taisai doctor` finds out about one house: record, folders, keys, clock, witness. It only looks."""

import asyncio
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from taisai.adapters.stores import is_postgres, sqlite_path
from taisai.checkup.cluster import look_at_cluster
from taisai.checkup.network import look_at_port, look_at_tls, not_checked
from taisai.checkup.ties import look_at_keys, look_at_witness
from taisai.errors import InputError, StoreError
from taisai.floor import health as checkup
from taisai.floor.health import Finding, failed, ok, warning
from taisai.record.journal import Tip
from taisai.server.config import Config

if TYPE_CHECKING:
    from taisai.floor.desks.evidence import IncidentNoted


def look_at_house(config: Config, *, thorough: bool = True) -> list[Finding]:
    """Everything that the settings name, each thing on its own line."""
    found: list[Finding] = []
    tips: list[Tip] | None = None  # where the record ends; none where nobody could look
    try:
        found, tips = _record(config, thorough)
    except ImportError as error:
        found.append(not_checked("database", error))
    found += [
        *look_at_cluster(config),
        *_folders(config),
        *look_at_keys(config, tips),
        checkup.judge_clock(datetime.now(UTC), tips or ()),
        *look_at_tls(config),
        look_at_port(config),
    ]
    return [*found, *look_at_witness(config, tips)]


def _record(config: Config, thorough: bool) -> tuple[list[Finding], list[Tip] | None]:
    from taisai.adapters.auditing.record_facts import record_facts

    address = config.server.database
    try:
        facts = asyncio.run(record_facts(address, thorough=thorough))
    except (StoreError, InputError) as error:
        advice = "see that it runs and that this user may use it; after damage restore a backup"
        return [failed("database", str(error), expected="a record that can be read", advice=advice)], None
    if facts.unread:
        advice = "start the house, which takes the log in (it was killed or the power failed), and look again"
        said = f"{facts.where} has a log that was not taken in yet"
        return [warning("database", said, expected="a record that was closed", advice=advice)], None
    if facts.schema is None and not facts.is_postgres:
        advice = "start the house, which makes it; or mend `database` if there should be one"
        where = f"there is none at {facts.where}"
        return [warning("database", where, expected="the house's record", advice=advice)], []
    written = f", being written by process {facts.owner}" if facts.owner else ""
    found = [ok("database", f"{facts.where}, {sum(tip.number for tip in facts.tips):,} commits{written}")]
    found.append(checkup.judge_schema(facts.schema, facts.known))
    if facts.is_postgres:
        from taisai.adapters.postgres.session import DURABLE

        found += checkup.judge_postgres(facts.settings, DURABLE)
        names = facts.settings["synchronous_standby_names"]
        wanted = config.writing.replicas_min
        found.append(checkup.judge_standbys(names, facts.standbys, wanted=wanted))
    else:
        found += _sqlite(facts.settings["journal_mode"], facts.damage)
    found.append(checkup.judge_rules(facts.played, _shipped()))
    found.append(_incidents(config, facts.incidents))
    was_read = facts.schema in (None, facts.known) and not facts.damage
    return found, facts.tips if was_read else None


def _sqlite(mode: str, damage: list[str] | None) -> list[Finding]:
    found = []
    if mode == "wal":
        found.append(ok("durability", "write-ahead log; the house syncs every commit (synchronous full)"))
    else:
        advice = "nothing to do: the next start of the house turns the write-ahead log on"
        found.append(warning("durability", f"journal mode {mode}", expected="wal", advice=advice))
    if damage:
        advice = "stop the house, keep this file, and restore the last backup (taisai restore)"
        said = "; ".join(damage).replace("\n", "; ")
        found.append(failed("integrity", said, expected="no damaged page", advice=advice))
    elif damage is not None:
        found.append(ok("integrity", "every page and index is whole"))
    return found


def _incidents(config: Config, noted: "list[IncidentNoted]") -> Finding:
    from taisai.adapters.evidence import INCIDENTS_FOLDER, numbers_in

    known = {each.number for each in noted}
    aside = numbers_in(Path(config.server.keys) / INCIDENTS_FOLDER) - known
    met = [
        checkup.IncidentMet(number=each.number, at=each.at, desk=each.desk, act=each.act, error=each.error)
        for each in noted
    ]
    return checkup.judge_incidents(met, len(aside), datetime.now(UTC))


def _shipped() -> dict[str, str]:
    from taisai.rulebooks.catalogue import rulebook, shipped_rulebooks

    return {table.id: table.digest for name in shipped_rulebooks() for table in rulebook(name).pay_tables}


# --- Files -----------------------------------------------------------------------------------------------


def _folders(config: Config) -> list[Finding]:
    """The folder of the record, and the disks that the record and the keys lie on."""
    keys = Path(config.server.keys)
    if is_postgres(config.server.database):
        return [_disk("disk", keys)]
    path = sqlite_path(config.server.database)
    return [_folder(path), _disk("disk", path.parent)]


def _folder(path: Path) -> Finding:
    folder = path.parent
    advice = "make the folder and give it to the user that runs the house"
    if not folder.is_dir():
        return failed("data folder", f"{folder} is not there", expected="a folder", advice=advice)
    if not os.access(folder, os.W_OK | os.X_OK):
        said = f"{folder} cannot be written"
        return failed("data folder", said, expected="a folder of this user", advice=advice)
    open_to_all = [
        f"{each} (mode {each.stat().st_mode & 0o777:o})"
        for each in (folder, path)
        if each.exists() and each.stat().st_mode & 0o002 and not each.stat().st_mode & 0o1000
    ]
    if open_to_all:
        said = f"anyone can write {', '.join(open_to_all)}"
        advice = "chmod o-w them"
        return failed("data folder", said, expected="only the house writes there", advice=advice)
    return ok("data folder", f"{folder} (mode {folder.stat().st_mode & 0o777:o})")


def _disk(check: str, folder: Path) -> Finding:
    there = next((each for each in (folder, *folder.resolve().parents) if each.is_dir()), Path("/"))
    return checkup.judge_disk(check, shutil.disk_usage(there).free, filesystem_of(there))


def filesystem_of(folder: Path, mounts: Path = Path("/proc/self/mounts")) -> str:
    """The kind of file system that a folder lies on; nothing where the machine does not say."""
    try:
        lines = mounts.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    resolved = folder.resolve()
    best, kind = -1, ""
    for line in lines:
        _, place, name, *_ = line.split(" ")
        mount = Path(place.replace("\\040", " "))
        if resolved.is_relative_to(mount) and len(mount.parts) >= best:
            best, kind = len(mount.parts), name
    return kind
