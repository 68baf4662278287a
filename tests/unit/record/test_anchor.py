"""Rotations, check values and restores: what makes a change lawful, and what does not."""

from datetime import timedelta

import msgspec
import pytest

from taisai.adapters.memory import MemoryDisk
from taisai.adapters.signing.keys import PublicKeys
from taisai.record.anchor import (
    ANCHOR,
    CheckValuesNoted,
    RestoreDeclared,
    anchor_event,
    append,
    check_value,
    compare_secrets,
    key_in_use,
    noted_values,
    rotation,
    with_rotation,
)
from taisai.record.faults import RecordFault
from taisai.record.journal import Event, micros
from taisai.record.ports import RecordCorrupt
from taisai.record.verify import verify
from tests.record import KEYS, OTHER_SIGNER, SIGNER, START, Place, slip

ROTATED = rotation("main", SIGNER, OTHER_SIGNER, START, "yearly")


def restore(**more: object) -> RestoreDeclared:
    told = {"by": "ann", "second": "bob", "reason": "disk", "ends": {"main": 3}, "seen": {"main": 9}}
    return RestoreDeclared(at=START, **{**told, **more})  # type: ignore[arg-type] # facts of a test


def test_a_trusted_key_vouches_for_the_one_after_it() -> None:
    """Both signed the rotation, so whoever trusts the old one trusts the new one too."""
    extended = with_rotation(KEYS, ROTATED)
    assert extended.verifies(OTHER_SIGNER.key_id, OTHER_SIGNER.sign(b"m"), b"m")
    assert not KEYS.knows(OTHER_SIGNER.key_id), "the ring that was given is not changed"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"by_old": "00" * 64}, f"key {SIGNER.key_id} has not signed it"),
        ({"by_new": "00" * 64}, f"key {OTHER_SIGNER.key_id} has not signed it"),
        ({"at": START + timedelta(seconds=1)}, "has not signed it"),
        ({"writer": "other"}, "has not signed it"),
        ({"public": SIGNER.public.hex()}, "has not signed it"),
        ({"public": "zz"}, "it cannot be read"),
        ({"old": OTHER_SIGNER.key_id}, "which is not trusted here"),
    ],
)
def test_a_rotation_that_was_altered_vouches_for_nothing(changed: dict[str, object], said: str) -> None:
    """Every part of it is signed by both keys."""
    with pytest.raises(RecordFault, match=said):
        with_rotation(KEYS, msgspec.structs.replace(ROTATED, **changed))


async def test_a_record_is_verified_across_a_rotation_by_the_old_key_alone() -> None:
    """And a commit by the old key afterwards is found."""
    place = Place(MemoryDisk())
    store = await place.open()
    await store.append(slip(1))
    await append(store, ROTATED)
    store = await place.reopen(store, signer=OTHER_SIGNER)
    await store.append(slip(2))
    async with store.snapshot() as snapshot:
        assert (await verify(snapshot, KEYS)).signatures == 2
    store = await place.reopen(store, signer=SIGNER)
    await store.append(slip(3))
    async with store.snapshot() as snapshot:
        with pytest.raises(RecordFault, match=f"after that was handed over to {OTHER_SIGNER.key_id}"):
            await verify(snapshot, KEYS)
    await place.close()


def test_the_key_in_use_is_that_of_the_last_rotation_of_the_writer() -> None:
    """A restore begins anew: the copy may be from before a rotation."""
    assert key_in_use([], "main") is None
    assert key_in_use([ROTATED], "main") == OTHER_SIGNER.key_id
    assert key_in_use([ROTATED], "other") is None
    assert key_in_use([ROTATED, restore()], "main") is None


def test_a_check_value_tells_secrets_apart_and_names_too() -> None:
    """The same secret under another name has another value; half a secret is no secret."""
    assert check_value("tickets", b"x" * 32) != check_value("sealing", b"x" * 32)
    noted = noted_values([CheckValuesNoted(at=START, values={"tickets": check_value("tickets", b"x" * 32)})])
    compare_secrets(noted, {"tickets": b"x" * 32, "sealing": b"y" * 32})
    with pytest.raises(RecordFault, match="not the key that the record was made with") as found:
        compare_secrets(noted, {"tickets": b"y" * 32})
    assert (found.value.code, found.value.facts["name"]) == ("secret_swapped", "tickets.key")


def test_a_restore_excuses_what_lies_between_and_nothing_else() -> None:
    """By writer, number and time."""
    told, at = restore(), micros(START)
    excused = [number for number in range(1, 12) if told.excuses("main", number, at)]
    assert excused == [4, 5, 6, 7, 8, 9]
    assert not told.excuses("main", 5, at + 1), "what was signed after the declaration is no part of it"
    assert not told.excuses("other", 5, at)


async def test_an_event_is_put_behind_whatever_the_stream_holds() -> None:
    """Its time never goes back."""
    place = Place(MemoryDisk())
    store = await place.open()
    await append(store, ROTATED)
    await append(store, CheckValuesNoted(at=START - timedelta(days=1), values={}))
    kept = [stored async for stored in store.events(ANCHOR)]
    assert [stored.version for stored in kept] == [1, 2]
    assert kept[1].at == kept[0].at
    assert anchor_event(kept[0]) == ROTATED
    await place.close()


def test_an_event_that_cannot_be_read_is_corrupt() -> None:
    """It is said where it stands."""
    with pytest.raises(RecordCorrupt, match="anchor version 7"):
        anchor_event(Event(ANCHOR, 7, 0, "KeyRotated", b"{}", b""))


def test_a_ring_of_one_more_key_holds_all() -> None:
    """Nothing is taken away."""
    ring = PublicKeys([SIGNER.public]).extended(OTHER_SIGNER.public)
    assert ring.knows(SIGNER.key_id)
    assert ring.knows(OTHER_SIGNER.key_id)
