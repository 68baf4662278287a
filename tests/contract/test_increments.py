"""Backups that hold what came after an earlier one: restored together they are the record."""

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest

from taisai.adapters.copies.backup import export_to_file, import_from_file
from taisai.adapters.copies.increments import restore_since, tips_of, write_since
from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.adapters.signing.keys import public_pem
from taisai.errors import InputError
from taisai.record.ports import Store
from taisai.record.verify import verify
from tests.record import KEYS, SIGNER, START, Place, slip
from tests.unit.command import run


async def _since(store: Store, earlier: Path, target: Path) -> int:
    async with store.snapshot() as snapshot:
        return await write_since(snapshot, earlier, target, at=START, keys=KEYS)


async def _backed_up(store: Store, folder: Path) -> list[Path]:
    """A whole export and two that go on from it."""
    files = [folder / name for name in ("whole.jsonl", "one.jsonl", "two.jsonl")]
    for number in range(1, 6):
        await store.append(slip(number))
    async with store.snapshot() as snapshot:
        await export_to_file(snapshot, files[0], at=START, keys=KEYS)
    for earlier, target in pairwise(files):
        for _ in range(3):
            number += 1
            await store.append(slip(number))
        assert await _since(store, earlier, target) == 3
    return files


async def test_increments_restored_in_their_order_are_the_record(at: Place, tmp_path: Path) -> None:
    """Each holds its own commits alone; together they are verified and continued."""
    store = await at.open()
    whole, one, two = await _backed_up(store, tmp_path)
    assert len(one.read_bytes().splitlines()) == 5
    copy = MemoryStore(MemoryDisk(), writer="main", signer=SIGNER, clock=at.clock)
    assert [
        await import_from_file(whole, copy),
        await restore_since(one, copy),
        await restore_since(two, copy),
    ] == [
        5,
        3,
        3,
    ]
    assert await copy.tips() == await store.tips() == await tips_of(two)
    await copy.append(slip(12))
    async with copy.snapshot() as snapshot:
        assert (await verify(snapshot, KEYS)).commits == 12


async def test_an_increment_goes_onto_nothing_but_what_it_follows(at: Place, tmp_path: Path) -> None:
    """Not without the one before it, not twice, and not onto another record."""
    store = await at.open()
    whole, one, two = await _backed_up(store, tmp_path)
    copy = MemoryStore(MemoryDisk(), writer="main", signer=SIGNER, clock=at.clock)
    await import_from_file(whole, copy)
    with pytest.raises(InputError, match=r"two\.jsonl does not go on where the one before it ends"):
        await restore_since(two, copy)
    await restore_since(one, copy)
    with pytest.raises(InputError, match=r"one\.jsonl does not go on"):
        await restore_since(one, copy)
    with pytest.raises(InputError, match="is a whole export"):
        await restore_since(whole, copy)
    other = MemoryStore(MemoryDisk(), writer="main", signer=SIGNER, clock=at.clock)
    await other.append(slip(2, version=0))
    with pytest.raises(InputError, match="it is no backup of this record"):
        await _since(other, whole, tmp_path / "no.jsonl")


async def test_an_increment_that_was_cut_short_is_refused(at: Place, tmp_path: Path) -> None:
    """Wherever it was cut."""
    store = await at.open()
    whole, one, _ = await _backed_up(store, tmp_path)
    lines = one.read_bytes().splitlines(keepends=True)
    for kept in (lines[:-1], lines[:2], [*lines[:2], lines[-1]]):
        copy = MemoryStore(MemoryDisk(), writer="main", signer=SIGNER, clock=at.clock)
        await import_from_file(whole, copy)
        one.write_bytes(b"".join(kept))
        with pytest.raises(InputError, match=r"cut short|expected an end that counts"):
            await restore_since(one, copy)


@pytest.mark.parametrize("medium", ["sqlite"], indirect=True)
async def test_a_copied_file_is_gone_on_from_and_restored_by_the_commands(at: Place, tmp_path: Path) -> None:
    """While the record is written; the restored file is whole or not there."""
    store, key = await at.open(), str(tmp_path / "key.pub")
    Path(key).write_bytes(public_pem(SIGNER.public))

    async def command(*arguments: str) -> tuple[int, str]:
        result = await asyncio.to_thread(run, *arguments)
        return result.exit_code, result.stdout + result.stderr

    for number in range(1, 4):
        await store.append(slip(number, stream="example:1"))
    first, second = str(tmp_path / "monday.db"), str(tmp_path / "tuesday.jsonl")
    assert (await command("backup", str(at.where), "--out", first))[0] == 0
    await store.append(slip(4, stream="example:1"))
    code, said = await command("backup", str(at.where), "--out", second, "--since", first, "--key", key)
    assert (code, "1 commit after" in said) == (0, True), said
    target = tmp_path / "restored.db"
    restore = ("restore", first, str(target), "--key", key, "--then", second)
    code, said = await command(*restore, "--then", second)
    assert (code, "does not go on" in said, target.exists()) == (2, True, False)
    code, said = await command(*restore)
    assert code == 0, said
    assert "sound: 4 commits" in (await command("audit", "verify", str(target), "--key", key))[1]
