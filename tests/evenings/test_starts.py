"""A start of the whole application outlives each failure of the store: wiring, feeds, first logins."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from taisai.bootstrap import first_logins
from taisai.cli.serving import EVERYONE
from tests.evenings.faults import Faults
from tests.evenings.loop import Process, VirtualLoop
from tests.evenings.plan import CLUSTER, LIVE, Plan
from tests.evenings.process import Server
from tests.evenings.store import Disk
from tests.evenings.streams import Streams
from tests.evenings.world import config_of

KINDS = ("read fails", "append fails", "append kept, end not seen", "store gone for a while")
TABLES = [{**CLUSTER, "name": "C3"}, {**LIVE, "name": "T1", "maximum": 800}]
PLAN = Plan(seed=1, tables=TABLES, people=[])


class OneFault(Faults):
    """One kind of fault, which strikes once: at the place with this number."""

    def __init__(self, kind: str, number: int) -> None:
        super().__init__(PLAN, Streams(1), lambda what: None)
        self.calm, self._kind, self._number, self.places = False, kind, number, Counter[str]()

    def strikes(self, kind: str) -> bool:
        self.places[kind] += 1
        return kind == self._kind and self.places[kind] == self._number


def start_with(disk: Disk, faults: OneFault) -> set[str]:
    """Start, make the first logins and stop; the names of those who were told a password."""
    loop = VirtualLoop()
    asyncio.set_event_loop(loop)
    process = Process("server")
    server = Server(loop, config_of(PLAN), disk, process, faults, lambda process, when: None)

    async def live() -> set[str]:
        assert await server.start(), server.failed
        policy = server.parts.config.staff_policy
        work: Any = first_logins(server.parts, policy, EVERYONE, must_change=False)
        told = await loop.start_in(process, work, "first logins")
        assert set(server.parts.house.staff.state.members) == set(EVERYONE)
        assert {desk.has_state for desk in server.parts.house.desks()} == {True}
        await server.stop()
        return set(told)

    try:
        return loop.run_until_complete(live())
    finally:
        process.alive = True  # so that what still waits in it can be ended
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        asyncio.set_event_loop(None)
        loop.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_start_outlives_a_failure_at_each_of_its_steps(kind: str) -> None:
    """Of a new record and of one that has begun: the house opens, and nobody's password is lost."""
    begun = Disk()
    assert start_with(begun, OneFault("none", 0)) == set(EVERYONE)
    for again in (False, True):
        number = places = 1
        while number <= places:
            faults = OneFault(kind, number)
            begun.gone_until = 0.0
            told = start_with(begun if again else Disk(), faults)
            assert told == (set() if again else set(EVERYONE))
            places, number = faults.places[kind], number + 1
        assert places > 5
