"""Views: made from commits, brought up to date when asked, and made again the same."""

from collections.abc import Mapping

from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.record.journal import Batch
from taisai.record.ports import Positions
from taisai.record.views import BALANCES, balances, catch_up, dump, read_totals, rebuild
from tests.record import SIGNER, Place, bet, buy_in


class Contested(MemoryStore):
    """Somebody else brings the view up to date just before the first write."""

    rival: MemoryStore | None = None

    async def view_put(
        self, view: str, rows: Mapping[str, bytes | None], *, before: Positions, after: Positions
    ) -> None:
        if self.rival is not None:
            rival, self.rival = self.rival, None
            await catch_up(rival, BALANCES)
        await super().view_put(view, rows, before=before, after=after)


async def lines(store: MemoryStore) -> list[bytes]:
    return [line async for line in dump(store)]


def opened(kind: type[MemoryStore], disk: MemoryDisk) -> MemoryStore:
    return kind(disk, writer="main", signer=SIGNER, clock=Place(disk).clock)


async def put(store: MemoryStore) -> None:
    await store.append(Batch(transfers=(buy_in("p", 100, "a"), bet("p", 30, "b"))))


def test_an_account_without_a_row_has_nothing() -> None:
    """No row and an empty one read as zero."""
    assert read_totals(None) == read_totals(b"") == (0, 0)
    assert read_totals(b"[5,7]") == (5, 7)


async def test_balances_are_of_now_however_often_they_are_asked_for() -> None:
    """Each transfer counts once; an account that nobody used is at zero."""
    store = opened(MemoryStore, MemoryDisk())
    assert await balances(store, ["cash"]) == {"cash": (0, 0)}
    await put(store)
    for _ in range(2):
        found = await balances(store, ["cash", "credit:p", "credit:q"])
        assert found == {"cash": (100, 0), "credit:p": (30, 100), "credit:q": (0, 0)}


async def test_a_view_made_again_has_the_same_lines() -> None:
    """Whatever was in it before: nothing is kept that the journal does not say."""
    store = opened(MemoryStore, MemoryDisk())
    await put(store)
    await catch_up(store, BALANCES)
    before = await lines(store)
    assert len(before) == 3
    assert before[0] == b'["balances","cash","[100,0]"]\n'
    await store.view_put("balances", {"cash": b"[9,9]", "x": b"[1,1]"}, before={"main": 1}, after={"main": 1})
    assert await lines(store) != before
    await rebuild(store, BALANCES)
    assert await lines(store) == before


async def test_a_view_that_another_process_moved_is_not_moved_twice() -> None:
    """The conflict is no fault: it goes on from where the other has come."""
    disk = MemoryDisk()
    store = opened(Contested, disk)
    assert isinstance(store, Contested)
    await put(store)
    store.rival = opened(MemoryStore, disk)
    assert await balances(store, ["cash"]) == {"cash": (100, 0)}
    assert store.rival is None
