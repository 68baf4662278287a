"""The one place where the parts are wired: settings in, a running house out."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import msgspec
from argon2 import PasswordHasher

from taisai.adapters.clock import SeededEntropy, SystemClock, SystemEntropy
from taisai.adapters.keys import PublicKeys, load_or_generate_key, public_path
from taisai.adapters.names import open_names
from taisai.adapters.passwords import Passwords, one_time_password
from taisai.adapters.sealing import Sealer, load_or_make_secret
from taisai.adapters.stores import is_postgres, open_store, sqlite_path
from taisai.errors import InputError
from taisai.floor.dealing import Timer
from taisai.floor.house import SYSTEM, House
from taisai.floor.pit_day import PitPolicy
from taisai.floor.staff_messages import AddStaff, SetStaffPolicy, StaffPolicy
from taisai.floor.tickets import TicketKey
from taisai.floor.tumbler import SimulatedTumbler
from taisai.game.people import Role
from taisai.game.refusals import Refusal
from taisai.server.app_parts import Parts
from taisai.server.config import Config

WRITER = "house"


def make_tumbler(config: Config) -> SimulatedTumbler:
    """The dice of automatic tables: the operating system's generator, or a seed where nothing is at stake."""
    if config.dice.source == "seeded":
        if not config.house.play_money:
            raise InputError("a seeded generator is for play money alone")
        return SimulatedTumbler(SeededEntropy(config.dice.seed), f"seed {config.dice.seed}: play money")
    return SimulatedTumbler(SystemEntropy())


@asynccontextmanager
async def open_parts(
    config: Config, timer: Timer | None = None, *, hasher: PasswordHasher | None = None
) -> AsyncIterator[Parts]:
    """A house on its record, with its keys; closed in order at the end."""
    clock = timer or SystemClock()
    keys = Path(config.server.keys)
    keys.mkdir(mode=0o700, parents=True, exist_ok=True)
    signer = load_or_generate_key(keys / "signing.pem")
    ticket_key = TicketKey(load_or_make_secret(keys / "tickets.key"))
    sealer = Sealer(load_or_make_secret(keys / "sealing.key"))
    names = open_names(keys / "names.db")
    store = await open_store(config.server.database, writer=WRITER, signer=signer, clock=clock)
    _show_public_key(config, keys)
    try:
        pit_policy = PitPolicy(**msgspec.to_builtins(config.pit))
        house = House(config.plan(), store, clock, ticket_key, make_tumbler(config), pit_policy)
        await house.start()
        try:
            public = PublicKeys([signer.public])
            yield Parts(config, house, Passwords(sealer, hasher), sealer, public, names)
        finally:
            await house.stop()
    finally:
        await names.close()
        await store.close()


def _show_public_key(config: Config, keys: Path) -> None:
    """Beside a record in a file lies the public key that verifies it, where `taisai audit` looks for it."""
    if is_postgres(config.server.database):
        return
    path = sqlite_path(config.server.database)
    shown = path.with_name(path.name + ".key.pub")
    if not shown.exists():
        shown.write_bytes(public_path(keys / "signing.pem").read_bytes())


async def first_logins(
    parts: Parts, policy: StaffPolicy, people: Mapping[str, Role], *, must_change: bool
) -> dict[str, str]:
    """The first people of a staff list that is empty, with one-time passwords that are told once."""
    staff = parts.house.staff
    if staff.state.members:
        return {}
    told = {name: one_time_password() for name in people}
    policy_set = SetStaffPolicy(by=SYSTEM, at=parts.house.now(), policy=policy)
    await staff.ask("house", uuid4().hex, policy_set)
    added = [await _added(parts, name, role, told[name], must_change) for name, role in people.items()]
    answers = await asyncio.gather(*(staff.ask("house", uuid4().hex, command) for command in added))
    for name, answer in zip(people, answers, strict=True):
        if isinstance(answer, Refusal):
            raise InputError(f"{name} cannot join the staff: {answer.code}")
    return told


async def _added(parts: Parts, name: str, role: Role, password: str, must_change: bool) -> AddStaff:
    return AddStaff(
        by=SYSTEM,
        at=parts.house.now(),
        name=name,
        role=role,
        password_hash=await asyncio.to_thread(parts.passwords.hash, name, password),
        facts=parts.passwords.facts(name, password),
        must_change=must_change,
    )
