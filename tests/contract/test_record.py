"""What every store promises about the record as a whole: it stays, it verifies, it can be made again."""

import asyncio
from pathlib import Path

import pytest

from taisai.adapters.copies.backup import export_to_file, import_from_file
from taisai.adapters.memory import MemoryDisk
from taisai.adapters.scratch import Scratch
from taisai.adapters.witnesses.file import FileWitness
from taisai.errors import InputError, StoreConflict
from taisai.record.faults import RecordFault
from taisai.record.journal import Batch
from taisai.record.order import in_order
from taisai.record.ports import CommandRepeated, Store, StreamMoved
from taisai.record.verify import Findings, verify
from taisai.record.views import BALANCES, VIEWS, balances, catch_up, dump, rebuild
from tests.record import KEYS, OTHER_SIGNER, START, Place, answer, bet, buy_in, on, place, slip


async def verified(store: Store, **more: object) -> Findings:
    async with store.snapshot() as snapshot:
        return await verify(snapshot, KEYS, views=VIEWS, **more)


async def filled(store: Store, count: int = 30) -> None:
    await asyncio.gather(*(store.append(slip(number)) for number in range(1, count + 1)))
    await store.append(Batch(transfers=(bet("p1", 50, "bet.1"),), answers=(answer("no", b"refused"),)))


async def test_a_reopened_store_goes_on_where_it_was(at: Place) -> None:
    """Events, answers, chain and ledger outlive the process."""
    store = await at.open()
    await filled(store)
    before = await store.tips()
    store = await at.reopen(store)
    assert await store.tips() == before
    with pytest.raises(CommandRepeated):
        await store.append(Batch(answers=(answer("no", b"again"),)))
    await store.append(slip(31))
    findings = await verified(store)
    assert (findings.events, findings.transfers, findings.answers) == (31, 32, 32)


async def test_an_untouched_record_verifies_and_says_how_much(at: Place) -> None:
    """Verification counts what it checked."""
    store = await at.open()
    await filled(store)
    await catch_up(store, BALANCES)
    findings = await verified(store)
    assert (findings.streams, findings.events, findings.transfers) == (1, 30, 31)
    assert findings.transferred_minor == sum(100 + n for n in range(1, 31)) + 50
    assert findings.signatures >= 1


async def test_an_empty_record_verifies(at: Place) -> None:
    """Nothing is not a fault."""
    assert (await verified(await at.open())).commits == 0


async def test_a_record_signed_by_somebody_else_is_found(at: Place) -> None:
    """The key decides, not the chain."""
    store = await at.open(signer=OTHER_SIGNER)
    await store.append(slip(1))
    with pytest.raises(RecordFault, match="signature"):
        await verified(store)


async def test_a_record_with_a_new_key_verifies_with_both(at: Place) -> None:
    """Keys can change; each part is checked with the one it was signed with."""
    from taisai.adapters.signing.keys import PublicKeys
    from tests.record import SIGNER

    store = await at.open()
    await store.append(slip(1))
    store = await at.reopen(store, signer=OTHER_SIGNER)
    await store.append(slip(2))
    with pytest.raises(RecordFault, match="main/2 to 2"):
        await verified(store)
    async with store.snapshot() as snapshot:
        both = PublicKeys([SIGNER.public, OTHER_SIGNER.public])
        assert (await verify(snapshot, both)).signatures == 2


async def test_a_witness_confirms_what_it_saw(at: Place, tmp_path: Path) -> None:
    """Tips that were handed over are found again later."""
    store = await at.open()
    await filled(store, 5)
    witness = FileWitness(tmp_path / "witness.jsonl")
    witness.keep(START, (await store.tips()).values())
    await store.append(slip(6))
    witness.keep(START, (await store.tips()).values())
    assert (await verified(store, witnessed=witness.kept())).witnessed == 2


async def test_balances_follow_the_transfers(at: Place) -> None:
    """A balance is what the transfers make it, at any time."""
    store = await at.open()
    await store.append(Batch(transfers=(buy_in("p", 500, "x.1"),)))
    assert await balances(store, ["credit:p", "credit:q"]) == {"credit:p": (0, 500), "credit:q": (0, 0)}
    await store.append(Batch(transfers=(bet("p", 20, "x.2"), buy_in("q", 7, "x.3"))))
    assert await balances(store, ["cash", "credit:p"]) == {"cash": (507, 0), "credit:p": (20, 500)}


async def test_a_rebuilt_view_is_identical(at: Place) -> None:
    """Views hold nothing that the journal does not say."""
    store = await at.open()
    await filled(store)
    await catch_up(store, BALANCES)
    await store.append(slip(31))
    await catch_up(store, BALANCES)
    first = [line async for line in dump(store)]
    await rebuild(store, BALANCES)
    assert [line async for line in dump(store)] == first
    assert len(first) == 9


async def test_a_view_is_the_same_in_every_store(at: Place) -> None:
    """The canonical dump does not depend on where it is kept, nor on how appends were grouped."""
    store = await at.open()
    await filled(store)
    await catch_up(store, BALANCES)
    async with place(MemoryDisk()) as other:
        plain = await other.open()
        for number in range(1, 31):
            await plain.append(slip(number))
        await plain.append(Batch(transfers=(bet("p1", 50, "bet.1"),)))
        await catch_up(plain, BALANCES)
        assert [line async for line in dump(store)] == [line async for line in dump(plain)]


async def test_a_view_is_moved_by_one_at_a_time(at: Place) -> None:
    """Whoever brings a stale position is refused and changes nothing."""
    store = await at.open()
    await store.append(slip(1))
    await store.view_put("v", {"a": b"1", "b": b"2"}, before={}, after={"main": 1})
    with pytest.raises(StoreConflict):
        await store.view_put("v", {"a": b"9"}, before={}, after={"main": 1})
    await store.view_put("v", {"a": None}, before={"main": 1}, after={"main": 2})
    assert [row async for row in store.view_rows("v")] == [("b", b"2")]
    assert await store.view_get("v", ["a", "b"]) == {"b": b"2"}
    assert [row async for row in store.view_rows("v", "a")] == []
    await store.view_put("v", {"ba": b"3", "c": b"4"}, before={"main": 2}, after={"main": 3})
    assert [key async for key, _ in store.view_rows("v", after="b")] == ["ba", "c"]
    assert [key async for key, _ in store.view_rows("v", "b", after="b")] == ["ba"]
    assert [key async for key, _ in store.view_rows("v", "c", after="a")] == ["c"]


async def test_a_snapshot_does_not_see_what_comes_later(at: Place) -> None:
    """An audit of a running record sees one moment."""
    store = await at.open()
    await filled(store, 5)
    async with store.snapshot() as snapshot:
        before = await snapshot.counts()
        await store.append(slip(6))
        assert await snapshot.counts() == before
        assert (await verify(snapshot, KEYS)).events == 5
    assert (await verified(store)).events == 6


async def test_an_export_restores_into_every_store(at: Place, tmp_path: Path) -> None:
    """Exported from one store, imported into another: the same signatures, and it verifies."""
    async with place(MemoryDisk()) as other:
        source = await other.open()
        await filled(source)
        await source.append(Batch((on("table:T2", 0, body=b"\xff\x00"),)))
        await export_to_file(source, tmp_path / "export.jsonl", at=START, keys=KEYS)
        store = await at.open()
        assert await import_from_file(tmp_path / "export.jsonl", store) == 32
        assert await store.tips() == await source.tips()
        assert [c async for c in in_order(store)] == [c async for c in in_order(source)]
    await store.append(slip(31))
    assert (await verified(store)).commits == 33
    await export_to_file(store, tmp_path / "again.jsonl", at=START, keys=KEYS)
    with pytest.raises(InputError, match="empty"):
        await import_from_file(tmp_path / "export.jsonl", store)


async def test_events_are_checked_as_they_are_read(at: Place) -> None:
    """Reading from the middle takes the digest of the event before."""
    store = await at.open()
    await filled(store, 20)
    whole = [event async for event in store.events("table:T1")]
    for after in (0, 1, 7, 20):
        assert [event async for event in store.events("table:T1", after=after)] == whole[after:]


async def test_a_desk_taken_over_is_fenced(at: Place) -> None:
    """A new owner appends first; the old one's next append conflicts, and it must drop its state."""
    if isinstance(at.where, Path):
        store = other = await at.open()  # one process writes a file: two desks in it
    else:
        store, other = await at.open(writer="one"), await at.open(writer="two")
    await store.append(slip(1))
    await other.append(
        Batch((on("table:T1", 1, at=slip(2).streams[0].events[0].at),), (), (answer("taken"),))
    )
    with pytest.raises(StreamMoved) as moved:
        await store.append(slip(2))
    assert moved.value.found == 2
    await store.append(slip(3, version=2))
    assert (await verified(store)).events == 3


async def test_a_view_can_be_checked_on_the_disk(at: Place) -> None:
    """Very many rows need no memory: the same rows are found right, and a wrong one is found."""
    store = await at.open()
    await filled(store)
    await catch_up(store, BALANCES)
    assert (await verified(store, scratch=Scratch)).events == 30
    tips = {writer: tip.number for writer, tip in (await store.tips()).items()}
    await store.view_put(BALANCES.name, {"cash": b"[0,1]"}, before=tips, after=tips)
    with pytest.raises(RecordFault, match="balances of cash: expected"):
        await verified(store, scratch=Scratch)
    await store.view_put(BALANCES.name, {"cash": None}, before=tips, after=tips)
    with pytest.raises(RecordFault, match="found no row"):
        await verified(store, scratch=Scratch)


def test_a_scratch_is_a_mapping() -> None:
    """As a dictionary, in the order of its keys."""
    scratch = Scratch()
    scratch.update({"b": b"2", "a": b"1", "c": None})
    assert list(scratch.items()) == [("a", b"1"), ("b", b"2"), ("c", None)]
    assert (len(scratch), scratch.pop("a"), scratch.get("x"), "b" in scratch) == (3, b"1", None, True)
    with pytest.raises(KeyError):
        del scratch["a"]
