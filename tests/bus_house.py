"""A small house whose ports are answered over a real bus."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from taisai.adapters.bus.asking import Answering, BusAsking
from taisai.adapters.bus.following import BusFollowing, BusTelling
from taisai.adapters.bus.link import BusLink
from taisai.adapters.bus.owner import OwnerOnBus
from taisai.adapters.bus.presence import BusPresence
from taisai.adapters.memory import MemoryStore
from taisai.floor.followed import FollowedHouse
from taisai.floor.house import House
from taisai.record.journal import Batch
from tests.floor.houses import SmallHouse
from tests.record import SIGNER


@dataclass
class Gateway:
    """The looking and asking side."""

    link: BusLink
    asking: BusAsking
    following: FollowedHouse
    hearing: BusFollowing
    presence: BusPresence
    counts: Counter[str]


@dataclass
class HouseOnBus:
    """A house, what it tells, and one gateway."""

    house: House
    link: BusLink
    telling: BusTelling
    answering: Answering
    gateway: Gateway
    counts: Counter[str] = field(default_factory=Counter)


@asynccontextmanager
async def gateway_of(small: SmallHouse, url: str, *, patience: float = 5.0) -> AsyncIterator[Gateway]:
    """A gateway of a house that is somewhere else; it may come before the house does."""
    counts: Counter[str] = Counter()
    link = BusLink([url], "gateway", counted=lambda what: counts.update([what]))
    await link.open()
    store = MemoryStore(small.disk, writer="gateway", signer=SIGNER, clock=small.clock)
    followed = FollowedHouse(small.plan, store, small.clock, notarising=small.notarising)
    hearing = BusFollowing(link, followed)
    asking = BusAsking(link, followed.streams, patience=patience, reached=hearing.reached)
    presence = BusPresence(link, "*")
    await hearing.start()
    await presence.start()
    try:
        yield Gateway(link, asking, followed, hearing, presence, counts)
    finally:
        await presence.stop()
        await asking.close()
        await link.close()
        await followed.stop()


@asynccontextmanager
async def house_on_bus(small: SmallHouse, url: str, *, patience: float = 5.0) -> AsyncIterator[HouseOnBus]:
    """A house that owns all of its desks and answers for them, and a gateway."""
    counts: Counter[str] = Counter()
    link = BusLink([url], "desk", counted=lambda what: counts.update([what]))
    told: list[OwnerOnBus] = []

    def carry(batch: Batch) -> None:
        for owner in told:
            owner.carry(batch)

    small.carry = carry
    await link.open()
    async with small.open(dealing=False) as house:
        owner = OwnerOnBus(link, "desk", house)
        told.append(owner)
        await owner.start()
        try:
            async with gateway_of(small, url, patience=patience) as gateway:
                yield HouseOnBus(house, link, owner.telling, owner.answering, gateway, counts)
        finally:
            await owner.stop()
            await link.close()
