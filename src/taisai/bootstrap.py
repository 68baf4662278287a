"""The one place where the parts are wired: settings in, a running house out."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import msgspec
from argon2 import PasswordHasher

from taisai.adapters.auditing.house_ties import check_at_start, events_of, note_at_start, open_with_key_in_use
from taisai.adapters.auditing.whole import audited
from taisai.adapters.clock import SeededEntropy, SystemClock, SystemEntropy
from taisai.adapters.copies.archiving import Archiving, write_archive
from taisai.adapters.copies.restoring import Declaring, declare
from taisai.adapters.evidence import INCIDENTS_FOLDER, FolderSafe
from taisai.adapters.people.passwords import Passwords, one_time_password
from taisai.adapters.people.signing_in import two_signed_in
from taisai.adapters.sealing import Sealer, derived, house_secret
from taisai.adapters.signing.places import SIGNING, KeyPlace, key_place
from taisai.adapters.signing.trust import Trust, show_beside, trust_house
from taisai.adapters.stores import is_postgres, open_names, open_store, read_store, standbys_watched
from taisai.adapters.witnesses.file import Telling, witness_at, witness_warnings
from taisai.adapters.witnesses.log_folder import FolderLog
from taisai.adapters.witnesses.proof_parts import log_folder, log_keeping, log_key, notarising
from taisai.errors import InputError, InvariantBroken
from taisai.floor.approvals.asked import StaffAct
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.door.answers import Answer
from taisai.floor.health import Finding
from taisai.floor.house import House
from taisai.floor.owners.units import units_of
from taisai.floor.pit.acts import PitPolicy
from taisai.floor.players.live_names import LiveNames
from taisai.floor.ports import Asking
from taisai.floor.proofs.log_files import LogFiles
from taisai.floor.staff.messages import AddStaff, NoteMoneyPlay, SetStaffPolicy, StaffPolicy
from taisai.floor.streams import LOG
from taisai.floor.table.dealing import Timer
from taisai.floor.table.tumbler import SimulatedTumbler
from taisai.floor.tickets import TicketKey
from taisai.floor.views.house_views import VIEWS
from taisai.floor.views.significant import SignificantEvents, agree_on_thresholds
from taisai.game.people import Role
from taisai.game.refusals import Refusal
from taisai.record.anchor import (
    KeyRotated,
    RecordArchived,
    RestoreDeclared,
    origin_after,
    restores_in,
    rotation,
)
from taisai.record.anchor import append as append_anchor
from taisai.record.journal import Tip
from taisai.record.patience import patiently
from taisai.record.ports import NamesStore, Signer, Store, Witness
from taisai.record.views import catch_up
from taisai.server.config import Config
from taisai.server.ops.cluster_figures import count_leases, count_standbys
from taisai.server.ops.metrics import METRICS
from taisai.server.parts import Apart, Parts, ReadRecord, WitnessTold

if TYPE_CHECKING:
    from taisai.adapters.postgres.leases import RecordLease

# A database that is being started too is waited for some seconds; a wrong address is then said.
_TRIES_TO_OPEN: Final = 8
# Why the first people of a house have nobody who agreed to them: it stands on the record with each.
FIRST_START: Final = "first start"


def make_tumbler(config: Config) -> SimulatedTumbler:
    """The dice of automatic tables: the operating system's generator, or a seed where nothing is at stake."""
    if config.dice.source == "seeded":
        if not config.house.play_money:
            raise InputError("a seeded generator is for play money alone")
        return SimulatedTumbler(SeededEntropy(config.dice.seed), f"seed {config.dice.seed}: play money")
    return SimulatedTumbler(SystemEntropy())


@dataclass(frozen=True)
class Outside:
    """What a house has outside of this process: its record, its players' names and its secrets."""

    store: Store
    names: NamesStore
    trust: Trust
    ticket_secret: bytes
    sealing_secret: bytes
    read_record: ReadRecord
    apart: Apart
    evidence: Path | None = None  # where incidents are kept while the record cannot be written
    lease: "RecordLease | None" = None
    missed_witness: str = ""  # why the witness could not be asked at the start
    receipts_secret: bytes = b""  # salts of proofs; without it a house makes none
    log_signer: Signer | None = None
    log_files: LogFiles | None = None
    restores: int = 0
    # While it is open the record's standbys are looked at; what there is to warn of.
    standbys: AbstractAsyncContextManager[Callable[[], list[str]]] = field(
        default_factory=lambda: nullcontext(list)
    )


OpenOutside = Callable[[Config, Timer], AbstractAsyncContextManager[Outside]]


@asynccontextmanager
async def on_disk(
    config: Config, clock: Timer, *, restoring: bool = False, only: Collection[str] | None = None
) -> AsyncIterator[Outside]:
    """The record where the settings say, and beside it the folder of keys.

    One of several processes that divide the house takes `only` some units, or any where it names none.

    While a restore is being declared the witness is not asked, and nothing is noted before the declaration.
    """
    keys = Path(config.server.keys)
    if keys.exists() and not keys.is_dir():
        raise InputError(f"expected a folder for the keys at {keys}, got a file")
    keys.mkdir(mode=0o700, parents=True, exist_ok=True)
    place = _key_of(config)
    async with AsyncExitStack() as stack:
        database = config.server.database
        lease: RecordLease | None = None
        if is_postgres(database):
            lease = await stack.enter_async_context(_held(config, clock, only))
        store, signer = await open_with_key_in_use(
            partial(_opened, config, clock),
            place,
            config.writing.slot,
            restoring=restoring,
        )
        stack.push_async_callback(store.close)
        begun = bool(await patiently("the record cannot be read", store.tips))
        ticket_secret = house_secret(keys / "tickets.key", begun=begun)
        sealing_secret = house_secret(keys / "sealing.key", begun=begun)
        trust = trust_house(keys, config.server.trusted_keys, database, signer=signer.public)
        witness = None if restoring else witness_of(config)
        required = config.server.witness_required
        missed = await check_at_start(store, trust, witness, required=required, begun=begun)
        if not restoring:
            show_beside(config.server.database, signer)
            await note_at_start(store, trust, missed, clock.now())
        restores = restores_in(await events_of(store))
        # The office may come here from another process: what it proves by must have come along.
        logged = bool(config.writing.nats) and await store.head(LOG) is not None
        log_files = log_folder(config.proof.log, database, keys)
        shared = bool(config.writing.nats)
        opening = open_names(database, keys / "names.db", config.server.name_keys, shared=shared)
        names = await stack.enter_async_context(opening)
        yield Outside(
            store,
            names,
            trust,
            ticket_secret,
            sealing_secret,
            partial(read_store, database),
            on_a_thread,
            keys / INCIDENTS_FOLDER,
            lease,
            missed,
            house_secret(keys / "receipts.key", begun=logged),
            log_key(keys, begun=logged),
            # A log that goes on from a copy has files of its own: the old ones tell of what was lost.
            FolderLog(log_files / f"restored-{restores}" if restores else log_files, keys),
            restores,
            standbys_watched(database, config.writing.replicas_min, count_standbys),
        )


def _key_of(config: Config) -> KeyPlace:
    """Where this writer's key is: of processes that share a folder each has its own, by its slot."""
    name = f"{SIGNING}-{config.writing.slot}" if config.writing.nats else SIGNING
    return key_place(config.server.signer, Path(config.server.keys), name)


async def rotate_key(config: Config, reason: str) -> KeyRotated:
    """Hand a house's record over to a new key; nobody else may be writing it.

    The event comes first. A process that dies after it leaves the new key waiting, and the next start
    promotes it, as the record asks.
    """
    clock = SystemClock()
    async with on_disk(config, clock) as outside:
        place = _key_of(config)
        old, new = place.current(), place.make_successor()
        if old is None:
            raise InvariantBroken("a record was opened without a key")
        rotated = rotation(config.writing.slot, old, new, clock.now(), reason)
        await append_anchor(outside.store, rotated)
    show_beside(config.server.database, place.promote())
    return rotated


async def restore_declared(
    config: Config, asked: Declaring, *, hasher: PasswordHasher | None = None
) -> tuple[RestoreDeclared, list[str]]:
    """Declare that the record goes on from a copy, then void the rounds that were in play in it."""
    clock, witness = SystemClock(), witness_of(config)
    kept = list(await asyncio.to_thread(witness.kept)) if witness else []
    async with on_disk(config, clock, restoring=True) as outside:
        if not await outside.store.tips():
            raise InputError("there is no record to go on from: put the copy in place first (taisai restore)")
        sealer = Sealer(outside.sealing_secret)
        declared, by, second = await declare(outside.store, sealer, asked, kept, clock.now())
    async with open_house(config, hasher=hasher) as (house, _):
        voided = await house.void_rounds_in_play(by, second, f"restore: {asked.reason}")
    return declared, voided


async def archive_month(
    config: Config, asked: Archiving, *, hasher: PasswordHasher | None = None
) -> RecordArchived:
    """Let a closed month leave the store for an archive; nobody else may be writing the record."""
    clock = SystemClock()
    async with open_house(config, hasher=hasher) as (house, parts):
        store, signer = house.store, _key_of(config).current()
        if signer is None:
            raise InvariantBroken("a record was opened without a key")
        people = await two_signed_in(
            store, parts.sealer, (asked.by, asked.second), asked.reason, clock.now(), "a month is archived"
        )
        for view in (*VIEWS, parts.significant):
            await catch_up(store, view)
        return await write_archive(
            store,
            [desk.kind for desk in house.tables.values()],
            asked,
            people,
            signer=signer,
            keys=parts.trust.keys,
            now=clock.now(),
        )


@asynccontextmanager
async def _held(config: Config, clock: Timer, only: Collection[str] | None) -> AsyncIterator["RecordLease"]:
    """The record for this process alone or shared; a server that has just been started is waited for."""
    from taisai.adapters.postgres.leases import held
    from taisai.adapters.postgres.store import prepare

    how, database = config.writing, config.server.database
    prepared = partial(prepare, database, replicas_min=how.replicas_min)
    await patiently("the record cannot be opened", prepared, tries=_TRIES_TO_OPEN)
    async with held(
        database,
        slot=how.slot,
        units=units_of(config.plan()),
        seconds=how.lease_seconds,
        share=only is not None,
        takes_some=bool(only),
        now=clock.now,
        counted=lambda what: METRICS.leases.labels(what).inc(),
    ) as lease:
        count_leases(lease)
        yield lease


async def _opened(config: Config, clock: Timer, signer: Signer) -> Store:
    how = config.writing
    return await open_store(
        config.server.database, writer=how.slot, signer=signer, clock=clock, replicas_min=how.replicas_min
    )


async def on_a_thread(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """With a loop of its own, so that the tables do not wait."""
    return await asyncio.to_thread(lambda: asyncio.run(work()))


@asynccontextmanager
async def open_parts(
    config: Config,
    timer: Timer | None = None,
    *,
    hasher: PasswordHasher | None = None,
    open_outside: OpenOutside = on_disk,
) -> AsyncIterator[Parts]:
    """What a server is made of, with the house in this process behind its ports."""
    async with open_house(config, timer, hasher=hasher, open_outside=open_outside) as (_, parts):
        yield parts


@asynccontextmanager
async def open_house(
    config: Config,
    timer: Timer | None = None,
    *,
    hasher: PasswordHasher | None = None,
    open_outside: OpenOutside = on_disk,
    elsewhere: Asking | None = None,
) -> AsyncIterator[tuple[House, Parts]]:
    """A house on its record, with its keys; closed in order at the end. Beside others it begins empty."""
    clock = timer or SystemClock()
    significant = SignificantEvents(config.significant.thresholds)
    async with AsyncExitStack() as stack:
        outside = await stack.enter_async_context(open_outside(config, clock))
        store, sealer = outside.store, Sealer(outside.sealing_secret)
        await patiently("the record cannot be read", partial(agree_on_thresholds, store, significant))
        telling = await stack.enter_async_context(_witnessed(config, store, clock))
        standbys = await stack.enter_async_context(outside.standbys)
        pit_policy = PitPolicy(**msgspec.to_builtins(config.pit))
        ticket_key = TicketKey(outside.ticket_secret)
        safe = FolderSafe(outside.evidence, outside.sealing_secret)
        names = [
            origin_after(config.proof.origin_of(config.house.name), restores)
            for restores in range(outside.restores, -1, -1)
        ]
        origin, former = names[0], tuple(names[1:])
        live_names = LiveNames(outside.names, SystemEntropy())
        house = House(
            config.plan(),
            store,
            clock,
            ticket_key,
            make_tumbler(config),
            pit_policy,
            safe=safe,
            notarising=notarising(origin, outside.receipts_secret, sealer, former),
            log_keeping=log_keeping(
                origin,
                outside.log_signer,
                outside.log_files,
                pause_seconds=config.proof.checkpoint_seconds,
                witnesses=config.proof.witnesses,
                share_of=config.proof.dice_witness,
            ),
            live_names=live_names,
            request_key=derived(outside.sealing_secret, "requests"),
            units=None if elsewhere is None else (),
            elsewhere=elsewhere,
        )
        if outside.lease is not None:
            house.ownership = outside.lease
        house.incidents.on_note.append(
            lambda incident: METRICS.incidents.labels(incident.desk, incident.act).inc()
        )
        await house.start()
        stack.push_async_callback(house.stop)
        parts = Parts(
            config,
            house,
            Passwords(sealer, hasher),
            sealer,
            outside.trust,
            outside.names,
            significant,
            outside.read_record,
            outside.apart,
            partial(audited, outside.read_record, outside.trust, kept_by(config)),
            lambda: [*witness_warnings(telling, outside.missed_witness), *standbys()],
            partial(_checkup, config),
            partial(_told, telling),
        )
        yield house, parts


def witness_of(config: Config) -> Witness | None:
    """The witness that the settings name, if they name one."""
    server = config.server
    return witness_at(server.witness, server.witness_token, server.witness_ca) if server.witness else None


def kept_by(config: Config) -> Callable[[], Iterable[Tip]] | None:
    """What the witness has kept, where there is one."""
    witness = witness_of(config)
    return witness.kept if witness else None


def _checkup(config: Config) -> list[Finding]:
    """What `taisai doctor --quick` says of this installation."""
    from taisai.checkup.house import look_at_house
    from taisai.checkup.machine import look_at_machine

    return [*look_at_machine(), *look_at_house(config, thorough=False)]


def _told(telling: Telling | None) -> WitnessTold | None:
    return None if telling is None else WitnessTold(telling.told, telling.told_at, telling.trouble)


@asynccontextmanager
async def _witnessed(config: Config, store: Store, clock: Timer) -> AsyncIterator[Telling | None]:
    """While the house is open its witness, if it has one, is told where the record stands."""
    witness = witness_of(config)
    if witness is None:
        yield None
        return
    telling = Telling(store, witness, clock, lambda outcome: METRICS.witness.labels(outcome).inc())
    task = asyncio.create_task(telling.run(), name="taisai-witness")
    try:
        yield telling
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await telling.tell()


async def first_logins(
    parts: Parts, policy: StaffPolicy, people: Mapping[str, Role], *, must_change: bool
) -> dict[str, str]:
    """The first people of a staff list that is empty, with one-time passwords that are told once."""
    if not parts.house.read.staff().is_empty:
        return {}
    told = {name: one_time_password() for name in people}
    policy_set = SetStaffPolicy(by=SYSTEM, at=parts.house.now(), policy=policy, reason=FIRST_START)
    await _join(parts, policy_set)
    added = [await _added(parts, name, role, told[name], must_change) for name, role in people.items()]
    answers = await asyncio.gather(*(_join(parts, command) for command in added))
    for name, answer in zip(people, answers, strict=True):
        if isinstance(answer, Refusal):
            raise InputError(f"{name} cannot join the staff: {answer.code}")
    return told


async def note_money(parts: Parts, config: Config) -> None:
    """A record that ever played for money says so for ever: no setting opens its door by a press again."""
    staff = parts.house.read.staff()
    if config.house.open_logins and staff.for_money:
        raise InputError("house.open_logins: this record has played for money, so nobody comes in by a press")
    if not config.house.play_money and not staff.for_money:
        noted = NoteMoneyPlay(by=SYSTEM, at=parts.house.now())
        await parts.house.do(StaffAct(noted), SYSTEM, uuid4().hex)


async def _join(parts: Parts, command: SetStaffPolicy | AddStaff) -> Answer:
    """Under one id, however often it must be tried: a password is told once, so it must be on the record."""
    key = uuid4().hex
    return await patiently("the staff list", lambda: parts.house.do(StaffAct(command), SYSTEM, key))


async def _added(parts: Parts, name: str, role: Role, password: str, must_change: bool) -> AddStaff:
    return AddStaff(
        by=SYSTEM,
        at=parts.house.now(),
        name=name,
        role=role,
        password_hash=await asyncio.to_thread(parts.passwords.hash, name, password),
        facts=parts.passwords.facts(name, password),
        must_change=must_change,
        reason=FIRST_START,
    )
