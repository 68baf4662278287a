"""What `taisai doctor` finds out about one house: record, folders, keys, clock, witness. It only looks."""

import asyncio
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from taisai.adapters.stores import is_postgres, sqlite_path
from taisai.cli.doctor_network import look_at_port, look_at_tls, mode_of, not_checked
from taisai.errors import InputError, StoreError
from taisai.floor import health as checkup
from taisai.floor.health import Finding, failed, ok, warning
from taisai.record.journal import Tip
from taisai.server.config import Config

if TYPE_CHECKING:
    from taisai.floor.desks.evidence import IncidentNoted

SECRETS: Final = {
    "tickets.key": "no ticket that is out could be redeemed",
    "sealing.key": "no password and no second factor of the staff would be known",
}


def look_at_house(config: Config, *, thorough: bool = True) -> list[Finding]:
    """Everything that the settings name, each thing on its own line."""
    found: list[Finding] = []
    tips: list[Tip] | None = None  # where the record ends; none where nobody could look
    try:
        found, tips = _record(config, thorough)
    except ImportError as error:
        found.append(not_checked("database", error))
    found += [
        *_folders(config),
        *_keys(config, tips),
        checkup.judge_clock(datetime.now(UTC), tips or ()),
        *look_at_tls(config),
        look_at_port(config),
    ]
    return [*found, _witness(config, tips)]


def _record(config: Config, thorough: bool) -> tuple[list[Finding], list[Tip] | None]:
    from taisai.adapters.record_facts import record_facts

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
        from taisai.adapters.postgres_session import DURABLE

        found += checkup.judge_postgres(facts.settings, DURABLE)
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


def _keys(config: Config, tips: list[Tip] | None) -> list[Finding]:
    folder = Path(config.server.keys)
    begun = tips is None or bool(tips)
    if not folder.is_dir():
        said = f"{folder} is not there"
        if begun:
            return [_lost("keys", said, "the record would go on under a new key")]
        advice = "start the house, which makes them; then keep a copy in a safe place"
        return [warning("keys", said, expected="the house's keys", advice=advice)]
    found = [checkup.judge_secret("keys", mode_of(folder), owned=_is_ours(folder))]
    found += [
        checkup.judge_secret(name, mode_of(folder / name), owned=_is_ours(folder / name))
        if (folder / name).exists()
        else _lost(name, "it is not there", loss)
        for name, loss in SECRETS.items()
        if begun or (folder / name).exists()
    ]
    try:
        return [*found, _signing_key(folder, tips or [], begun=begun)]
    except ImportError as error:
        return [*found, not_checked("signing key", error)]


def _lost(check: str, said: str, loss: str) -> Finding:
    advice = f"put the copy of the keys back before the house starts: with a new one {loss}"
    return failed(check, said, expected="what the record was made with", advice=advice)


def _is_ours(path: Path) -> bool:
    return path.stat().st_uid == os.geteuid()


def _signing_key(folder: Path, tips: list[Tip], *, begun: bool) -> Finding:
    """The key can be used, and the record's last commits are signed by it or by one before it."""
    from taisai.adapters.keys import load_key, public_keys_in
    from taisai.record.journal import signed_bytes

    path = folder / "signing.pem"
    if not path.exists() and not begun:
        advice = "start the house, which makes it"
        return warning("signing key", "there is none yet", expected="an Ed25519 key", advice=advice)
    expected = "an Ed25519 key that only its owner can read, the one that signed the record"
    try:
        key, known = load_key(path), public_keys_in(folder)
    except InputError as error:
        advice = "chmod 600 it, or put the copy of the keys back"
        return failed("signing key", str(error), expected=expected, advice=advice)
    for tip in tips:
        if not known.verifies(tip.key, tip.signature, signed_bytes(tip.digest)):
            said = (
                f"the last commit of {tip.writer} is signed by key {tip.key}, whose public half is not here"
            )
            advice = "put the right keys back; after a change of keys keep the old one's .pub in the folder"
            return failed("signing key", said, expected=expected, advice=advice)
    return ok("signing key", f"{key.key_id}" + ("; it fits the record" if tips else ""))


def _witness(config: Config, tips: list[Tip] | None) -> Finding:
    place = config.server.witness
    if not place:
        if config.house.play_money:
            return ok("witness", "none; play money needs none")
        advice = "set `witness` to a file that those who keep the record cannot change"
        return warning(
            "witness", "none: a record that is cut short goes unseen", expected="one", advice=advice
        )
    path = Path(place)
    if not path.parent.is_dir() or (path.exists() and not os.access(path, os.W_OK)):
        advice = "see that its disk is mounted and that this user may add to the file"
        return failed("witness", f"{path} cannot be written", expected="a file to add to", advice=advice)
    from taisai.adapters.witness import FileWitness

    try:
        kept = FileWitness(path).kept() if path.exists() else []
    except InputError as error:
        advice = "keep the file and begin a new one"
        return failed("witness", str(error), expected="a witness's lines", advice=advice)
    if tips is None:
        return ok("witness", f"{path}, not compared with the record")
    finding = checkup.judge_witness(kept, tips)
    beside = (
        not is_postgres(config.server.database)
        and path.parent.resolve() == sqlite_path(config.server.database).parent.resolve()
    )
    if finding.level is checkup.Level.OK and beside:
        advice = "keep it on another machine's disk: who can cut the record short can cut this too"
        return warning("witness", "it lies beside the record", expected="another place", advice=advice)
    return finding
