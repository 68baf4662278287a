"""Every tip of a witness is held against the record, and what contradicts it is said."""

import msgspec
import pytest

from taisai.adapters.memory import MemoryDisk
from taisai.record.faults import RecordFault
from taisai.record.journal import Tip, signed_bytes
from taisai.record.ports import Store
from taisai.record.witnessed import compare
from tests.record import KEYS, SIGNER, Place, slip
from tests.unit.record.test_anchor import restore


async def grown(count: int) -> tuple[Store, list[Tip]]:
    """A record of so many commits, and every tip that it had."""
    store = await Place(MemoryDisk()).open()
    seen = []
    for number in range(1, count + 1):
        await store.append(slip(number))
        seen += (await store.tips()).values()
    return store, seen


def another(tip: Tip, number: int | None = None) -> Tip:
    """A tip of another branch, signed by the house all the same."""
    digest = b"x" * 32
    changed = msgspec.structs.replace(tip, digest=digest, signature=SIGNER.sign(signed_bytes(digest)))
    return msgspec.structs.replace(changed, number=number or tip.number)


async def judged(store: Store, kept: list[Tip], *restores: object) -> tuple[int, int]:
    async with store.snapshot() as snapshot:
        compared = await compare(snapshot, KEYS, kept, restores)  # type: ignore[arg-type] # a test's own
    return compared.found, compared.left_behind


async def test_every_tip_is_compared_and_not_only_the_last() -> None:
    """A fork that came back to the same length would pass otherwise."""
    store, seen = await grown(5)
    assert await judged(store, seen) == (5, 0)
    with pytest.raises(RecordFault, match="commit main/2: a witness has seen another") as found:
        await judged(store, [*seen, another(seen[1])])
    assert found.value.code == "forked"


async def test_a_record_that_ends_before_the_witness_is_rolled_back() -> None:
    """And one of a writer that is not there at all."""
    store, seen = await grown(3)
    with pytest.raises(RecordFault, match="it is not in the record, which ends at main/3") as found:
        await judged(store, [*seen, another(seen[-1], 4)])
    assert found.value.code == "rolled_back"
    elsewhere = msgspec.structs.replace(another(seen[-1]), writer="other")
    with pytest.raises(RecordFault, match="which ends at other/0"):
        await judged(store, [elsewhere])


async def test_what_a_declared_restore_left_behind_is_counted() -> None:
    """It contradicts nothing; what lies outside of it does."""
    store, seen = await grown(5)
    lost = [another(seen[4], number) for number in (4, 7, 9)]
    assert await judged(store, [*seen, *lost], restore()) == (5, 3)
    with pytest.raises(RecordFault, match="main/10"):
        await judged(store, [*seen, another(seen[4], 10)], restore())


async def test_a_line_without_the_houses_signature_hides_no_other() -> None:
    """It is told last."""
    store, seen = await grown(3)
    false = msgspec.structs.replace(seen[0], signature=b"0" * 64)
    with pytest.raises(RecordFault, match="witness of main/1: its signature is not by key") as found:
        await judged(store, [false, *seen])
    assert found.value.code == "witness_false"
    with pytest.raises(RecordFault, match="main/9"):
        await judged(store, [false, another(seen[2], 9)])
