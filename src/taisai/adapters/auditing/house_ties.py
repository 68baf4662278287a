"""How a house takes up its record: with the right key, the right secrets, and the witness's word for it."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime

from taisai.adapters.auditing.whole import anchor_events, check_ties
from taisai.adapters.signing.places import KeyPlace
from taisai.adapters.signing.trust import Trust
from taisai.errors import InputError, StoreError
from taisai.record.anchor import (
    AnyAnchorEvent,
    CheckValuesNoted,
    WitnessMissed,
    append,
    check_value,
    key_in_use,
    noted_values,
)
from taisai.record.faults import RecordFault
from taisai.record.journal import Tip
from taisai.record.patience import patiently
from taisai.record.ports import Signer, Store, Witness

OpenWith = Callable[[Signer], Awaitable[Store]]


async def open_with_key_in_use(
    open_with: OpenWith, place: KeyPlace, writer: str, *, restoring: bool = False
) -> tuple[Store, Signer]:
    """Open a record with the key to which its last rotation handed over.

    A rotation that was recorded and then cut short is finished here. A copy from before a rotation is opened
    with another key only while a restore is being declared.
    """
    signer = place.current() or place.make()
    store = await open_with(signer)
    try:
        expected = key_in_use(await events_of(store), writer)
        if expected in (None, signer.key_id) or restoring:
            return store, signer
        waiting = place.successor()
        if waiting is None or waiting.key_id != expected:
            said = f"the record was handed over to key {expected}, and {place.where} is {signer.key_id}"
            raise InputError(f"{said}: put the copy of the keys back")
    except BaseException:
        await store.close()
        raise
    await store.close()
    signer = place.promote()
    return await open_with(signer), signer


async def events_of(store: Store) -> list[AnyAnchorEvent]:
    """What a record says of its ties."""

    async def read() -> list[AnyAnchorEvent]:
        async with store.snapshot() as snapshot:
            return await anchor_events(snapshot)

    return await patiently("the record cannot be read", read)


async def check_at_start(
    store: Store, trust: Trust, witness: Witness | None, *, required: bool, begun: bool
) -> str:
    """Refuse a record that is not the house's own; returns why the witness could not be asked, if so."""
    missed, kept = "", list[Tip]()
    if witness is not None:
        try:
            kept = list(await asyncio.to_thread(witness.kept))
        except (InputError, StoreError) as error:
            missed = str(error) if begun else ""
    if missed and required:
        raise InputError(f"{missed}; the house does not open without its witness (witness_required)")

    async def look() -> None:
        async with store.snapshot() as snapshot:
            await check_ties(snapshot, trust, kept)

    try:
        await patiently("the record cannot be read", look)
    except RecordFault as fault:
        # A line that the house never signed vouches for nothing, and must not be able to close a house.
        if fault.code != "witness_false" or required:
            raise
        missed = str(fault)
    return missed


async def note_at_start(store: Store, trust: Trust, missed: str, at: datetime) -> None:
    """Put on the record by what the secrets are known again, and that the witness was not asked."""
    noted = noted_values(await events_of(store))
    values = {name: check_value(name, secret) for name, secret in trust.secrets.items() if name not in noted}
    if values:
        event = CheckValuesNoted(at=at, values=values)
        await patiently("the secrets cannot be noted", lambda: append(store, event))
    if missed:
        told = WitnessMissed(at=at, why=missed)
        await patiently("the record cannot be written", lambda: append(store, told))
