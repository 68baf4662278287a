"""A house's settings: one TOML file, then environment variables, then the command line.

Unknown keys are refused with their line, so that a setting that is misspelled never goes unnoticed.
docs/reference/settings.md lists every key.
"""

import os
import re
from collections.abc import Mapping
from copy import deepcopy
from datetime import time
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from taisai.adapters.stores import is_postgres
from taisai.errors import InputError, SettingsError
from taisai.floor.cluster.messages import TERMINALS_MAX
from taisai.floor.gaming_day import DayClock
from taisai.floor.identity import CagePolicy
from taisai.floor.plan import HousePlan, TablePlan
from taisai.floor.players.acts import PlayersPolicy
from taisai.floor.staff.messages import StaffPolicy
from taisai.floor.table.changes import SEATS_MAX
from taisai.floor.table.dealing import AutoPace
from taisai.floor.table.messages import TableSettings
from taisai.floor.table.timing import Timing
from taisai.floor.views.significant import Thresholds
from taisai.game.explain import LANGUAGES
from taisai.game.limits import Limit, Limits, limits_faults
from taisai.rulebooks.catalogue import pay_table as shipped_pay_table
from taisai.rulebooks.catalogue import rulebook_of
from taisai.rulebooks.reader import Faults
from taisai.server.cluster_settings import ALONE, ClusterConfig, cluster_faults
from taisai.server.open_door import play_money_faults
from taisai.server.practice import PracticeConfig, practice_faults
from taisai.server.proof_settings import ProofConfig, proof_faults
from taisai.server.rulebooks_until import RulebookConfig, rulebook_faults, rulebooks_until
from taisai.server.settings_reader import apply_environment, read_file, read_settings
from taisai.server.words.house_words import words_faults

GATEWAYS_MAX = 64
_TABLE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")


class _Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the file: it takes no other keys than these."""


class ServerConfig(_Section, frozen=True, kw_only=True):
    """Where the server listens and what it keeps outside of the record."""

    host: str = "127.0.0.1"
    port: int = 8400
    database: str = "taisai.db"
    keys: str = "keys"
    signer: str = ""
    trusted_keys: tuple[str, ...] = ()
    witness: str = ""
    witness_token: str = ""
    witness_ca: str = ""
    witness_required: bool = False
    certificate: str = ""
    certificate_key: str = ""
    secure_cookies: bool | None = None
    trusted_proxies: str = ""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    terminal_cash: bool | None = None
    login_tries_per_minute: int = 10
    redeem_tries_per_minute: int = 30
    connections_max: int = 10_000
    strangers_per_address: int = 256
    allowed_hosts: tuple[str, ...] = ()
    visitors_per_minute: int = 60
    name_keys: str = ""
    ops_host: str = "127.0.0.1"
    ops_port: int | None = None
    gateways: int = 0


class HouseConfig(_Section, frozen=True, kw_only=True):
    """What the house is."""

    name: str = "Taisai"
    names: dict[str, str] = {}
    currency: str = "SGD"
    currency_exponent: int = 2
    chips: tuple[int, ...] = ()
    play_money: bool = False
    open_logins: bool = False
    open_logins_anywhere: bool = False
    ticket_days: int = 182
    ticket_max_minor: int | None = None
    reality_check_minutes: int = 60
    approval_minutes: int = 5
    cut_off_seconds: float = 3.0
    help_line: str = ""
    help_lines: dict[str, str] = {}
    words: str = ""
    day_starts_at: str = "06:00"
    time_zone: str = "UTC"


class DiceConfig(_Section, frozen=True, kw_only=True):
    """Where automatic tables have their dice from. A seed is for play money alone."""

    source: Literal["system", "seeded"] = "system"
    seed: int = 0


class LimitConfig(_Section, frozen=True, kw_only=True):
    """What a box or a group of boxes takes."""

    minimum: int
    maximum: int | None = None


class TableConfig(_Section, frozen=True, kw_only=True):
    """One table, as it is before anyone changes it in the pit."""

    name: str
    pay_table: str
    kind: Literal["live", "cluster"]
    title: str = ""
    titles: dict[str, str] = {}
    video: str = ""
    automatic: bool = False
    money: Literal["credits", "chips"] = "credits"
    unit: int = 100
    minimum: int = 100
    maximum: int | None = None
    groups: dict[str, LimitConfig] = {}
    boxes: dict[str, LimitConfig] = {}
    differential: dict[str, int] = {}
    box_totals: dict[str, int] = {}
    notice: Literal["at-placement", "by-dealer"] = "at-placement"
    betting_seconds: int | None = None
    warn_seconds: int = 5
    round_seconds_min: int = 0
    tumble_seconds: float = 2.0
    result_seconds: float = 5.0
    seats: int = 12
    terminals_max: int = TERMINALS_MAX

    def plan(self) -> TablePlan:
        """The table as the house opens it."""
        limits = Limits(
            unit=self.unit,
            default=Limit(self.minimum, self.maximum),
            groups={name: Limit(limit.minimum, limit.maximum) for name, limit in self.groups.items()},
            boxes={name: Limit(limit.minimum, limit.maximum) for name, limit in self.boxes.items()},
            differential=self.differential,
            box_totals=self.box_totals,
            notice=self.notice,
        )
        timing = Timing(
            betting_seconds=self.betting_seconds,
            warn_seconds=self.warn_seconds,
            round_seconds_min=self.round_seconds_min,
        )
        return TablePlan(
            name=self.name,
            title=self.title or self.name,
            titles=self.titles,
            video=self.video,
            kind=self.kind,
            settings=TableSettings(
                pay_table=self.pay_table, limits=limits, money=self.money, timing=timing, seats=self.seats
            ),
            automatic=self.automatic,
            pace=AutoPace(tumble_seconds=self.tumble_seconds, result_seconds=self.result_seconds),
            terminals_max=self.terminals_max,
        )


class TicketsConfig(_Section, frozen=True, kw_only=True):
    """From which amounts on paying a ticket takes more than the ticket; 0 is never."""

    identify_from_minor: int = 0
    second_from_minor: int = 0


class PlayersConfig(_Section, frozen=True, kw_only=True):
    """How long what a player has set for themselves holds against a change of mind, and who may play."""

    raise_wait_hours: int = 24
    own_exclusion_hours_min: int = 24
    registered_only: bool = False


class PitConfig(_Section, frozen=True, kw_only=True):
    """What must be there before a table starts a round."""

    needs_day: bool = False
    needs_dealer: bool = False
    needs_dice: bool = False
    needs_shaker: bool = False


class SignificantConfig(_Section, frozen=True, kw_only=True):
    """From which amounts on a win, a slip or a payment is significant, and how many refused bets."""

    win_minor: int | None = None
    wager_minor: int | None = None
    transaction_minor: int | None = None
    attempts: int | None = 10

    @property
    def thresholds(self) -> Thresholds:
        return Thresholds(
            win=self.win_minor,
            wager=self.wager_minor,
            transaction=self.transaction_minor,
            attempts=self.attempts,
        )


class StaffConfig(StaffPolicy, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked of logins and passwords until an administrator changes it."""


class Config(_Section, frozen=True, kw_only=True):
    """Everything that is set."""

    server: ServerConfig = ServerConfig()
    house: HouseConfig = HouseConfig()
    dice: DiceConfig = DiceConfig()
    staff: StaffConfig = StaffConfig()
    tickets: TicketsConfig = TicketsConfig()
    players: PlayersConfig = PlayersConfig()
    pit: PitConfig = PitConfig()
    significant: SignificantConfig = SignificantConfig()
    practice: PracticeConfig = PracticeConfig()
    rulebook: dict[str, RulebookConfig] = {}
    proof: ProofConfig = ProofConfig()
    cluster: ClusterConfig | None = None
    table: tuple[TableConfig, ...] = ()

    def plan(self) -> HousePlan:
        """The house that these settings describe."""
        house = self.house
        return HousePlan(
            name=house.name,
            currency=house.currency,
            currency_exponent=house.currency_exponent,
            chips=tuple(sorted(set(house.chips))),
            play_money=house.play_money,
            tables=(
                *(table.plan() for table in self.table),
                *(self.practice.plans() if house.play_money else ()),
            ),
            ticket_days=house.ticket_days,
            ticket_max_minor=house.ticket_max_minor,
            reality_check_minutes=house.reality_check_minutes,
            approval_minutes=house.approval_minutes,
            cut_off_seconds=house.cut_off_seconds,
            players=PlayersPolicy(**msgspec.structs.asdict(self.players), day=self.day_clock),
            cage=CagePolicy(**msgspec.structs.asdict(self.tickets)),
            rulebooks_until=rulebooks_until(self.rulebook),
        )

    @property
    def day_clock(self) -> DayClock:
        """When gaming days begin; an error where that is no time or no zone."""
        try:
            begins = time.fromisoformat(self.house.day_starts_at)
        except ValueError:
            got = self.house.day_starts_at
            raise InputError(f"expected a time of day such as 06:00, got {got!r}") from None
        clock = DayClock(zone=self.house.time_zone, begins=begins)
        _ = clock.tz
        return clock

    @property
    def writing(self) -> ClusterConfig:
        """How the record is written, with or without `[cluster]`."""
        return self.cluster or ALONE

    @property
    def staff_policy(self) -> StaffPolicy:
        return StaffPolicy(**msgspec.structs.asdict(self.staff))

    @property
    def uses_tls(self) -> bool:
        return bool(self.server.certificate)

    @property
    def secure_cookies(self) -> bool:
        """Cookies travel over TLS only, unless a play-money house is tried out without it."""
        if self.server.secure_cookies is None:
            return self.uses_tls or not self.house.play_money
        return self.server.secure_cookies

    @property
    def takes_cash(self) -> bool:
        """Whether a terminal's word is enough for money put into it."""
        said = self.server.terminal_cash
        return self.house.play_money if said is None else said


def load_config(
    path: Path | None,
    environment: Mapping[str, str] = os.environ,
    overrides: Mapping[str, Mapping[str, Any]] | None = None,
    base: Mapping[str, Any] | None = None,
) -> Config:
    """Read the settings and check that a house can be run with them. `base` stands in for a file."""
    raw: dict[str, Any] = deepcopy(dict(base or {}))
    lines: dict[str, int] = {}
    source = str(path) if path else "settings"
    if path is not None:
        raw, lines = read_file(path)
    faults = Faults(lines)
    sections = {"server": ServerConfig, "house": HouseConfig, "dice": DiceConfig}
    apply_environment(raw, environment, sections, faults)
    for section, values in (overrides or {}).items():
        raw.setdefault(section, {}).update({key: value for key, value in values.items() if value is not None})
    config = read_settings(raw, Config, faults)
    if config is not None:
        check_config(config, faults)
    if config is None or faults.found:
        raise SettingsError(source, sorted(faults.found, key=lambda fault: (fault.line or 0, fault.key)))
    return config


def check_config(config: Config, faults: Faults) -> None:
    """What no house may do, and what cannot work."""
    found = play_money_faults(config.house, dice=config.dice.source)
    found += [*_server_faults(config), *words_faults(config.house.words), *_day_faults(config)]
    found += [*rulebook_faults(config.rulebook), *proof_faults(config.proof)]
    found += cluster_faults(config.cluster, on_postgres=is_postgres(config.server.database))
    seen: set[str] = set()
    for number, table in enumerate(config.table):
        key = f"table[{number}]"
        if not _TABLE_NAME.fullmatch(table.name):
            found.append(f"{key}.name: expected letters, digits, - and _, got {table.name!r}")
        if table.name in seen:
            found.append(f"{key}.name: {table.name} is already a table")
        seen.add(table.name)
        found += _table_faults(config, table, key)
    if not config.table:
        found.append("table: a house has at least one [[table]]")
    if config.house.play_money:
        found += _practice_faults(config, seen)
    for fault in found:
        key, _, message = fault.partition(": ")
        faults.add(key, message)


def _practice_faults(config: Config, names: set[str]) -> list[str]:
    try:
        shipped_pay_table(config.practice.pay_table)
    except InputError as error:
        return [f"practice.pay_table: {error}"]
    return practice_faults(config.practice, names)


def _day_faults(config: Config) -> list[str]:
    try:
        _ = config.day_clock
    except InputError as error:
        return [f"house.day_starts_at: {error}"]
    return []


def _server_faults(config: Config) -> list[str]:
    server = config.server
    faults = []
    if bool(server.certificate) != bool(server.certificate_key):
        faults.append("server.certificate: it belongs together with server.certificate_key")
    if not 0 <= server.port <= 65_535:
        faults.append(f"server.port: expected 0 to 65535, got {server.port}")
    if server.ops_port is not None and not 1 <= server.ops_port <= 65_535:
        faults.append(f"server.ops_port: expected 1 to 65535, got {server.ops_port}")
    if not 0 <= server.gateways <= GATEWAYS_MAX:
        faults.append(f"server.gateways: expected 0 to {GATEWAYS_MAX}, got {server.gateways}")
    if server.ops_port is not None and server.ops_port == server.port:
        faults.append("server.ops_port: expected another port than server.port")
    if not 0 <= config.house.currency_exponent <= 4:
        faults.append(f"house.currency_exponent: expected 0 to 4, got {config.house.currency_exponent}")
    if min(config.house.chips, default=1) < 1:
        faults.append(f"house.chips: expected amounts above 0, got {min(config.house.chips)}")
    faults += [
        f"tickets.{name}: expected 0 or more, got {amount}"
        for name, amount in msgspec.structs.asdict(config.tickets).items()
        if amount < 0
    ]
    return faults


def _shown_faults(table: TableConfig, key: str) -> list[str]:
    """What pages cannot show: a title in a language that they do not speak, a picture from nowhere."""
    faults = [
        f"{key}.titles: expected {', '.join(LANGUAGES)}, got {language!r}"
        for language in table.titles
        if language not in LANGUAGES
    ]
    address = urlsplit(table.video)
    if table.video and (address.scheme not in ("http", "https") or not address.netloc):
        faults.append(f"{key}.video: expected an http or https address, got {table.video!r}")
    return faults


def _table_faults(config: Config, table: TableConfig, key: str) -> list[str]:
    try:
        pay_table = shipped_pay_table(table.pay_table)
    except InputError as error:
        return [f"{key}.pay_table: {error}"]
    faults = _shown_faults(table, key)
    if table.automatic and not config.house.play_money:
        faults.append(f"{key}.automatic: a simulated tumbler is for play money alone")
    if table.automatic and table.betting_seconds is None and table.kind == "live":
        # At terminals the players say when: the table has no clock.
        faults.append(f"{key}.betting_seconds: an automatic live table closes by itself")
    if table.automatic and table.notice == "by-dealer":
        faults.append(f"{key}.notice: an automatic table has no dealer who could notice: at-placement")
    if table.kind == "live" and rulebook_of(table.pay_table).electronic:
        faults.append(f"{key}.kind: {rulebook_of(table.pay_table).id} is played at terminals: a cluster")
    if not 0 <= table.seats <= SEATS_MAX:
        faults.append(f"{key}.seats: expected 0 to {SEATS_MAX}, got {table.seats}")
    if not 1 <= table.terminals_max <= TERMINALS_MAX:
        faults.append(f"{key}.terminals_max: expected 1 to {TERMINALS_MAX}, got {table.terminals_max}")
    if table.kind == "cluster" and table.money != "credits":
        faults.append(f"{key}.money: terminals play with credits")
    if table.unit % pay_table.unit:
        faults.append(f"{key}.unit: {pay_table.id} pays whole amounts in units of {pay_table.unit}")
    limits = limits_faults(table.plan().settings.limits, rulebook_of(table.pay_table), pay_table)
    return faults or [f"{key}.{fault.removeprefix('default.')}" for fault in limits]
