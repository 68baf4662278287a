"""A key that changed without a rotation is noted, and one that was handed over is not."""

import pytest

from taisai.adapters.memory import MemoryDisk
from taisai.record.anchor import append, rotation
from taisai.record.key_changes import KeyChanges
from taisai.record.order import in_order
from tests.record import OTHER_SIGNER, SIGNER, START, Place, slip


@pytest.mark.parametrize("signed", [True, False])
async def test_only_a_change_that_nobody_signed_is_noted(signed: bool) -> None:
    """It was the only way in records of 0.1.0."""
    place = Place(MemoryDisk())
    store = await place.open()
    await store.append(slip(1))
    if signed:
        await append(store, rotation("main", SIGNER, OTHER_SIGNER, START, ""))
    store = await place.reopen(store, signer=OTHER_SIGNER)
    await store.append(slip(2))
    await store.append(slip(3))
    changes = KeyChanges()
    async for commit in in_order(store):
        changes.feed(commit)
    changes.finish()
    await place.close()
    assert [note.code for note in changes.notes] == ([] if signed else ["rekeyed"])
    assert all("unsigned by the old one" in note.text for note in changes.notes)
