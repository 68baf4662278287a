"""Which units a process runs, where several divide a house."""

from collections.abc import Sequence

import pytest

from taisai.floor.desks.endings import OperatorNeeded
from taisai.floor.owners.owning import Owning
from taisai.floor.owners.units import units_of
from tests.floor.houses import SmallHouse, bet, cluster, live, seat, settle_down, start_round
from tests.floor.split import SplitHouse


class Bus:
    """Remembers for which desks a process answers."""

    def __init__(self) -> None:
        self.streams: set[str] = set()

    async def begin(self, streams: Sequence[str]) -> None:
        self.streams |= set(streams)

    async def end(self, streams: Sequence[str]) -> None:
        self.streams -= set(streams)


class Division:
    """Processes that come and go."""

    def __init__(self) -> None:
        self.split = SplitHouse(SmallHouse(live("T1"), live("T2"), cluster("C1"), cluster("C2")))
        self.all = set(units_of(self.split.small.plan))
        self.owning: dict[str, Owning] = {}
        self.bus: dict[str, Bus] = {}

    async def comes(self, name: str, *, only: Sequence[str] | None = None) -> None:
        house, self.bus[name] = self.split.make(name), Bus()
        self.split.houses[name] = house
        await house.start()
        house.begin_dealing()
        ownership = self.split.leases.alive[name]
        self.owning[name] = Owning(house, ownership, wanted=only, serving=self.bus[name])
        await self.owning[name].start()
        await self.look()

    async def look(self) -> None:
        for _ in range(20):
            self.split.leases.tell()
            await settle_down()

    async def goes(self, name: str) -> None:
        await self.owning.pop(name).stop()
        house = self.split.houses.pop(name)
        await house.ownership.release()
        await house.stop()
        await self.look()

    async def dies(self, name: str) -> None:
        owning = self.owning.pop(name)
        if owning._task is not None:
            owning._task.cancel()
        await self.split.kill(name)
        await self.look()

    def owned(self, name: str) -> set[str]:
        return self.split.houses[name].owned

    async def end(self) -> None:
        for name in list(self.owning):
            await self.goes(name)

    def is_sound(self) -> None:
        """Each unit has one process, which answers for its desks and has the lease."""
        held = [unit for house in self.split.houses.values() for unit in house.owned]
        assert sorted(held) == sorted(self.all)
        for name, house in self.split.houses.items():
            assert house.owned == house.ownership.owned
            streams = {s for unit in house.owned for s in house.desks_here.streams_in(unit)}
            assert self.bus[name].streams == streams


async def test_processes_share_what_there_is_and_what_each_leaves() -> None:
    """One has all; a second gets its part without a round being suspended; what one leaves goes on."""
    house = Division()
    await house.comes("a")
    assert house.owned("a") == house.all
    house.is_sound()
    one = house.split.houses["a"]
    session = await seat(one, "C2", "C2-1", 10_000)
    await start_round(one, "C2")
    await bet(one, "C2", session, {"small": 1_000})
    await house.comes("b")
    house.is_sound()
    assert len(house.owned("b")) == 2
    await house.goes("a")
    house.is_sound()
    assert house.owned("b") == house.all
    two = house.split.houses["b"]
    assert two.table("C2").state.current.held == ""
    assert two.table("C2").state.current.slips[session].total() == 1_000
    await house.end()


async def test_what_a_dead_process_had_is_taken_by_those_who_live() -> None:
    """Its share is shared out, also to one alone."""
    house = Division()
    for name in ("a", "b", "c"):
        await house.comes(name)
    house.is_sound()
    await house.dies("a")
    house.is_sound()
    await house.dies("b")
    house.is_sound()
    assert house.owned("c") == house.all
    await house.end()


async def test_a_process_takes_those_that_it_is_for_and_nothing_is_left_over() -> None:
    """What nobody is for in particular is taken by the others, after a while."""
    house = Division()
    await house.comes("office", only=["office"])
    assert house.owned("office") == {"office"}
    del house.split.leases.alive["office"]  # nobody hands it anything
    await house.comes("tables")
    house.is_sound()
    assert house.owned("office") == {"office"}
    await house.end()


async def test_a_unit_that_was_lost_is_let_go() -> None:
    """The journal, or the lease, says that another has it. Whoever follows it then is as sound as before."""
    house = Division()
    await house.comes("a")
    await house.comes("b")
    lost = next(iter(house.owned("b")))
    ownership = house.split.leases.alive["b"]
    ownership.taken(lost)
    house.split.leases.held[lost] = "a"
    house.split.leases.made_over.add(lost)
    assert ownership.faults() == [f"another process has taken {lost}"]
    await house.look()
    house.is_sound()
    assert ownership.faults() == []
    await house.end()


async def test_a_unit_that_a_process_cannot_read_is_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """In an upgrade a newer process may have written what an older one does not know: it takes the rest."""
    house = Division()
    await house.comes("newer")
    older = house.split.make("older")
    take = older.take
    tries: list[str] = []

    async def cannot_read(unit: str) -> None:
        tries.append(unit)
        if unit == "table:C1":
            raise OperatorNeeded("ValidationError: Invalid value 'CoinsThrown'")
        await take(unit)

    monkeypatch.setattr(older, "take", cannot_read)
    monkeypatch.setattr(house.split, "make", lambda name: older)
    await house.comes("older")
    await house.dies("newer")
    assert house.owned("older") == house.all - {"table:C1"}
    await house.look()
    assert 1 < tries.count("table:C1") < 8  # it is tried again, and not at each of forty looks
    monkeypatch.undo()
    await house.comes("newer")
    house.is_sound()
    await house.end()
