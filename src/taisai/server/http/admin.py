"""For administrators: the house as it is in force, its health, backups, keys and witness. It only reads.

Staff are changed at their own addresses, each act with the second person that it needs.
"""

import asyncio
import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar import get

from taisai.adapters.copies.backup import last_backup
from taisai.adapters.stores import is_postgres, sqlite_path
from taisai.floor.health import Finding, Level, worst
from taisai.floor.staff.messages import StaffPolicy
from taisai.floor.table.messages import TableSettings
from taisai.record.anchor import check_value
from taisai.server.config import Config
from taisai.server.http.dependencies import TheHub, TheParts
from taisai.server.http.problems import server_problem
from taisai.server.live.hub import Hub
from taisai.server.live.table_view import millis
from taisai.server.parts import Parts

# Settings that are nobody's to read on a page: whether they are set is said, and no more.
SECRET: Final = frozenset({"server.witness_token", "dice.seed"})
_CREDENTIALS: Final = re.compile(r"(?<=://)[^/@\"]*@")
_PIN: Final = re.compile(r"(?<=pin-value=)[^&;\"]+")
_NESTED: Final = re.compile(r'("[a-z_]*(?:token|secret|password)[a-z_]*":)"[^"]+"')
HIDDEN: Final = "•••"


class SettingView(msgspec.Struct, frozen=True, kw_only=True):
    """A setting as it is in force, and whether the house has set it or it is as it came."""

    section: str
    name: str
    value: str
    is_default: bool


class AdminTableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the record has it: what it plays by now, and what is planned."""

    name: str
    titles: Mapping[str, str]
    kind: str
    settings: TableSettings | None
    planned: TableSettings | None
    planned_at: int | None
    closed: bool


class BackupView(msgspec.Struct, frozen=True, kw_only=True):
    """The last copy that was made with `taisai backup`."""

    at: int
    where: str
    bytes: int


class HouseKeyView(msgspec.Struct, frozen=True, kw_only=True):
    """A key of the house: a public one by its id and where it came from, a secret by its check value."""

    name: str
    id: str
    where: str


class WriterView(msgspec.Struct, frozen=True, kw_only=True):
    """How far the record of one writer is, and how far its witness has heard."""

    writer: str
    commits: int
    witnessed: int | None


class WitnessView(msgspec.Struct, frozen=True, kw_only=True):
    """The witness: where it is, when it last answered, and what keeps it from being told."""

    where: str
    required: bool
    told_at: int | None
    trouble: str
    writers: list[WriterView]


class InstallationView(msgspec.Struct, frozen=True, kw_only=True):
    """The house as it is in force. `backup_known` says whether copies leave a note here at all."""

    at: int
    settings: list[SettingView]
    tables: list[AdminTableView]
    backup: BackupView | None
    backup_known: bool
    keys: list[HouseKeyView]
    witness: WitnessView | None


class HealthView(msgspec.Struct, frozen=True, kw_only=True):
    """What `taisai doctor --quick` finds, and the gravest of it."""

    at: int
    worst: Level
    findings: list[Finding]


@get("/api/v1/admin/installation", tags=["staff"])
async def get_installation(hub: TheHub, parts: TheParts) -> InstallationView:
    """Settings, tables, backups, keys and the witness, as they are in force; no secret of any kind."""
    database = parts.config.server.database
    backup = None if is_postgres(database) else await asyncio.to_thread(last_backup, sqlite_path(database))
    return InstallationView(
        at=hub.now(),
        settings=settings_in_force(parts.config, hub.house.read.staff().policy),
        tables=[_table(hub, name) for name in hub.floor],
        backup=BackupView(at=millis(backup.at), where=backup.where, bytes=backup.bytes) if backup else None,
        backup_known=not is_postgres(database),
        keys=_keys(parts),
        witness=await _witness(hub, parts),
    )


@get("/api/v1/admin/health", tags=["staff"])
async def get_health(hub: TheHub, parts: TheParts) -> HealthView:
    """The same checks as `taisai doctor --quick`, made now. One at a time."""
    if parts.checking.locked():
        raise server_problem(429, "too_many", seconds=5)
    async with parts.checking:
        findings = await asyncio.to_thread(parts.checkup)
    return HealthView(at=hub.now(), worst=worst(findings), findings=findings)


def settings_in_force(config: Config, staff: StaffPolicy) -> list[SettingView]:
    """Every setting but those of tables; what is asked of logins as the record has it; no secrets."""
    found = []
    for section in msgspec.structs.fields(config):
        values = staff if section.name == "staff" else getattr(config, section.name)
        if not isinstance(values, msgspec.Struct):
            continue
        plain = type(values)() if not any(one.required for one in msgspec.structs.fields(values)) else None
        for one in msgspec.structs.fields(values):
            value = getattr(values, one.name)
            found.append(
                SettingView(
                    section=section.name,
                    name=one.name,
                    value=_shown(f"{section.name}.{one.name}", value),
                    is_default=plain is not None and value == getattr(plain, one.name),
                )
            )
    return found


def _shown(name: str, value: object) -> str:
    if name in SECRET:
        return HIDDEN if value not in ("", None, 0) else ""
    said = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    said = _PIN.sub(HIDDEN, said)
    return _NESTED.sub(rf'\1"{HIDDEN}"', _CREDENTIALS.sub(f"{HIDDEN}@", said))


def _table(hub: Hub, name: str) -> AdminTableView:
    here, plan = hub.house.read.table(name), hub.floor[name].plan
    planned = here.planned
    return AdminTableView(
        name=name,
        titles=hub.feed(name).table.titles,
        kind=plan.kind,
        settings=here.settings,
        planned=planned.settings if planned else None,
        planned_at=millis(planned.effective) if planned else None,
        closed=here.closed,
    )


def _keys(parts: Parts) -> list[HouseKeyView]:
    public = [HouseKeyView(name="public", id=one.key, where=one.where) for one in parts.trust.sources]
    secrets = [
        HouseKeyView(name=name, id=check_value(name, secret), where="")
        for name, secret in sorted(parts.trust.secrets.items())
    ]
    return [*public, *secrets]


async def _witness(hub: Hub, parts: Parts) -> WitnessView | None:
    told, server = parts.telling(), parts.config.server
    if told is None:
        return None
    tips = await hub.house.store.tips()
    return WitnessView(
        where=_shown("server.witness", server.witness),
        required=server.witness_required,
        told_at=millis(told.at) if told.at else None,
        trouble=told.trouble,
        writers=[
            WriterView(writer=name, commits=tip.number, witnessed=told.commits.get(name))
            for name, tip in sorted(tips.items())
        ],
    )


HANDLERS: list[Any] = [get_installation, get_health]
