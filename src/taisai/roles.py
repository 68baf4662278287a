"""The roles of one process of a house: a desk, a gateway, or both in one."""

import socket
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from argon2 import PasswordHasher

from taisai.adapters.auditing.house_ties import check_at_start, events_of
from taisai.adapters.auditing.whole import audited
from taisai.adapters.clock import SystemClock
from taisai.adapters.people.names import NamesElsewhere
from taisai.adapters.people.passwords import Passwords
from taisai.adapters.sealing import Sealer, load_secret
from taisai.adapters.signing.trust import trust_house
from taisai.adapters.stores import look_at_store, read_store
from taisai.adapters.witnesses.proof_parts import notarising
from taisai.bootstrap import OpenOutside, Outside, kept_by, on_a_thread, on_disk, open_house
from taisai.errors import InputError, InvariantBroken
from taisai.floor.house import House
from taisai.floor.owners.owning import Owning
from taisai.floor.owners.units import named_units
from taisai.floor.table.dealing import Timer
from taisai.floor.tickets import TicketKey
from taisai.floor.views.significant import SignificantEvents, agree_on_thresholds
from taisai.record.anchor import origin_after, restores_in
from taisai.record.carrying import carrying
from taisai.record.journal import Batch
from taisai.record.patience import patiently
from taisai.server.config import Config
from taisai.server.ops.cluster_figures import count_bus
from taisai.server.ops.metrics import METRICS
from taisai.server.parts import Parts

if TYPE_CHECKING:
    from taisai.adapters.bus.link import BusLink
    from taisai.adapters.bus.owner import OwnerOnBus

# The secrets that every process of a house needs; where a record has begun none of them is made anew.
_SHARED_SECRETS: Final = ("tickets", "sealing", "receipts")


def bus_of(config: Config, name: str) -> "BusLink":
    """The connection to the bus that the settings name, not opened yet."""
    from taisai.adapters.bus.access import BusAccess
    from taisai.adapters.bus.link import BusLink

    how = config.writing
    if not how.nats:
        raise InputError("cluster.nats: expected the addresses of the bus, such as nats://n1:4222, got none")
    access = BusAccess(**how.nats_access)
    link = BusLink(how.nats, name, counted=lambda what: METRICS.bus.labels(what).inc(), access=access)
    count_bus(link)
    return link


OpenBus = Callable[[Config, str], "BusLink"]


@dataclass
class _ToBus:
    """Between a store, which is there first, and the bus, which tells what it commits."""

    owner: "OwnerOnBus | None" = None

    def carry(self, batch: Batch) -> None:
        if self.owner is not None:  # what comes before is found by where the streams stand
            self.owner.carry(batch)


@asynccontextmanager
async def open_desk(
    config: Config,
    timer: Timer | None = None,
    *,
    hasher: PasswordHasher | None = None,
    open_outside: OpenOutside = on_disk,
    open_bus: OpenBus = bus_of,
) -> AsyncIterator[tuple[House, Parts]]:
    """A house that has all desks, and answers for them on the bus, too, where the settings name one."""
    if not config.writing.nats:
        async with open_house(config, timer, hasher=hasher, open_outside=open_outside) as opened:
            yield opened
        return
    from taisai.adapters.bus.owner import OwnerOnBus

    to_bus = _ToBus()

    @asynccontextmanager
    async def outside(config: Config, clock: Timer) -> AsyncIterator[Outside]:
        async with open_outside(config, clock) as opened:
            yield replace(opened, store=carrying(opened.store, to_bus.carry))

    async with AsyncExitStack() as stack:
        link = open_bus(config, config.writing.slot)
        await link.open()
        stack.push_async_callback(link.close)
        house, parts = await stack.enter_async_context(
            open_house(config, timer, hasher=hasher, open_outside=outside)
        )
        to_bus.owner = OwnerOnBus(link, config.writing.slot, house, parts.names)
        await to_bus.owner.start()
        stack.push_async_callback(to_bus.owner.stop)
        yield house, parts


@asynccontextmanager
async def open_shared_desk(
    config: Config,
    timer: Timer | None = None,
    *,
    only: Collection[str] = (),
    hasher: PasswordHasher | None = None,
    open_bus: OpenBus = bus_of,
) -> AsyncIterator[Parts]:
    """A process that runs some units of a house and follows the others: whatever is free, or `only` some.

    It waits for what others have, takes it when they are gone, and hands all of it over at its end.
    """
    from taisai.adapters.bus.asking import BusAsking
    from taisai.adapters.bus.following import BusFollowing
    from taisai.adapters.bus.owner import CopiesHere, OwnerOnBus
    from taisai.adapters.postgres.leases import RecordLease

    clock, to_bus, plan = timer or SystemClock(), _ToBus(), config.plan()
    wanted = named_units(plan, only)
    slot = config.writing.slot

    @asynccontextmanager
    async def outside(config: Config, clock: Timer) -> AsyncIterator[Outside]:
        async with on_disk(config, clock, only=wanted if only else ()) as opened:
            yield replace(opened, store=carrying(opened.store, to_bus.carry))

    async with AsyncExitStack() as stack:
        link = open_bus(config, slot)
        await link.open()
        stack.push_async_callback(link.close)
        copies = CopiesHere(plan, clock.now)
        following = BusFollowing(link, copies)
        asking = BusAsking(link, copies.streams, reached=following.reached)
        stack.push_async_callback(asking.close)
        house, parts = await stack.enter_async_context(
            open_house(config, clock, hasher=hasher, open_outside=outside, elsewhere=asking)
        )
        copies.house = house
        await following.start()
        to_bus.owner = OwnerOnBus(link, slot, house, parts.names)
        await to_bus.owner.start()
        stack.push_async_callback(to_bus.owner.stop)
        ownership = house.ownership
        if not isinstance(ownership, RecordLease):
            raise InvariantBroken("a house that is shared has no leases")
        await following.meet(frozenset(ownership.others))
        owning = Owning(house, ownership, wanted=wanted, serving=to_bus.owner)
        await owning.start()
        stack.push_async_callback(owning.stop)
        yield parts


@asynccontextmanager
async def open_serving(
    config: Config,
    timer: Timer | None = None,
    *,
    hasher: PasswordHasher | None = None,
    open_outside: OpenOutside = on_disk,
    open_bus: OpenBus = bus_of,
) -> AsyncIterator[Parts]:
    """What `taisai serve` is made of: all desks and a gateway in one process, on the bus if there is one."""
    opening = open_desk(config, timer, hasher=hasher, open_outside=open_outside, open_bus=open_bus)
    async with opening as (_, parts):
        yield parts


@asynccontextmanager
async def looking_at_disk(config: Config, clock: Timer) -> AsyncIterator[Outside]:
    """The record as a process reads it that owns no desk, and a copy of the house's secrets."""
    database, keys = config.server.database, Path(config.server.keys)
    async with AsyncExitStack() as stack:
        store = await patiently("the record cannot be opened", partial(look_at_store, database, clock))
        stack.push_async_callback(store.close)
        secrets = shared_secrets(keys)
        trust = trust_house(keys, config.server.trusted_keys, database)
        await check_at_start(store, trust, None, required=False, begun=True)
        yield Outside(
            store,
            NamesElsewhere(),
            trust,
            secrets["tickets"],
            secrets["sealing"],
            partial(read_store, database),
            on_a_thread,
            receipts_secret=secrets["receipts"],
            restores=restores_in(await events_of(store)),
        )


@asynccontextmanager
async def open_gateway(
    config: Config,
    port: int,
    timer: Timer | None = None,
    *,
    hasher: PasswordHasher | None = None,
    open_outside: OpenOutside = looking_at_disk,
    open_bus: OpenBus = bus_of,
    among: str = "",
) -> AsyncIterator[Parts]:
    """What `taisai gateway` is made of: it owns nothing, and what decides is asked over the bus.

    Where several listen at one port, `among` tells them apart.
    """
    from taisai.adapters.bus.gateway import GatewayFloor

    clock, name = timer or SystemClock(), f"{socket.gethostname()}:{port}{among}"
    async with AsyncExitStack() as stack:
        link = open_bus(config, f"gateway {name}")
        await link.open()
        stack.push_async_callback(link.close)
        outside = await stack.enter_async_context(open_outside(config, clock))
        store, sealer = outside.store, Sealer(outside.sealing_secret)
        significant = SignificantEvents(config.significant.thresholds)
        await patiently("the record cannot be read", partial(agree_on_thresholds, store, significant))
        origins = [
            origin_after(config.proof.origin_of(config.house.name), each)
            for each in range(outside.restores, -1, -1)
        ]
        floor = GatewayFloor(
            config.plan(),
            store,
            clock,
            TicketKey(outside.ticket_secret),
            link,
            name,
            notarising=notarising(origins[0], outside.receipts_secret, sealer, tuple(origins[1:])),
        )
        await floor.start()
        stack.push_async_callback(floor.stop)
        await floor.until_owned()
        yield Parts(
            config,
            floor,
            Passwords(sealer, hasher),
            sealer,
            outside.trust,
            floor.names,
            significant,
            outside.read_record,
            outside.apart,
            partial(audited, outside.read_record, outside.trust, kept_by(config)),
            gateway=name,
            epoch=time.time_ns(),
        )


def shared_secrets(keys: Path) -> dict[str, bytes]:
    """What every process of a house has to have; a gateway makes none of it."""
    missing = [f"{name}.key" for name in _SHARED_SECRETS if not (keys / f"{name}.key").exists()]
    if missing:
        raise InputError(
            f"{', '.join(missing)} not found in {keys}: a gateway has the house's secrets, put a copy there"
        )
    return {name: load_secret(keys / f"{name}.key") for name in _SHARED_SECRETS}
