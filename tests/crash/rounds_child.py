"""A house that is killed: a warm process that forks a child for each short life of the floor.

Each line on standard input asks for one life. The child takes up the record at an address, says "ready", and
asks the commands of an evening from a wave on; every answer that a desk gives is told on standard output, as
an acknowledgement. It may be told to kill itself when a wave's first commit is about to be made, is being
made, or has just been made.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec

from taisai.adapters.clock import ManualClock
from taisai.adapters.postgres.store import PostgresStore
from taisai.adapters.sqlite.store import SqliteStore
from taisai.record.journal import Batch, Committed
from taisai.record.ports import Store
from tests.crash.disk import Disk
from tests.evening import Floor, Step, evening, expected
from tests.record import SIGNER, START


class Life(msgspec.Struct):
    """What a child is to do."""

    address: str
    rounds: int
    first: int
    end: Literal["", "before", "during", "after"] = ""
    wave: int = -1
    moment: int = 0  # when exactly "during" is: operations of the disk, or turns of the loop


class Told(msgspec.Struct):
    """What a child tells."""

    what: Literal["ready", "acknowledged", "dying", "over"]
    pid: int = 0
    commands: list[tuple[str, str]] = []
    answer: str = ""


def tell(told: Told) -> None:
    os.write(1, msgspec.json.encode(told) + b"\n")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Dying:
    """Stands between the desks and the store, and kills the process at the commit that it was told."""

    def __init__(self, store: Store, life: Life, during: Callable[[int], Any]) -> None:
        self._append = store.append
        self._life = life
        self._during = during
        self._dying = False
        self.wave = -1
        store.append = self.append

    async def append(self, batch: Batch) -> Committed:
        life = self._life
        if self._dying or not life.end or self.wave != life.wave or not batch.answers:
            return await self._append(batch)
        self._dying = True
        tell(Told("dying", commands=[(answer.sender, answer.id) for answer in batch.answers]))
        if life.end == "before":
            die()
        elif life.end == "during":
            self._during(life.moment)
        committed = await self._append(batch)
        die()
        return committed


async def live(life: Life) -> None:
    """Open, take the desks, play on from a wave."""
    clock = ManualClock(START)
    store, during = await opened(life.address, clock)
    dying = Dying(store, life, during)
    floor = Floor(store, clock)
    await floor.start()
    tell(Told("ready", pid=os.getpid()))

    def told(step: Step, answer: bytes) -> None:
        tell(Told("acknowledged", commands=[step.key], answer=answer.decode()))

    for number, wave in enumerate(evening(life.rounds)[life.first :], life.first):
        dying.wave = number
        await floor.play([wave], told)
    await floor.stop()
    await store.close()


async def opened(address: str, clock: ManualClock) -> tuple[Store, Callable[[int], Any]]:
    """The store, and how to be killed in the middle of its next commit."""
    if address.startswith("postgresql:"):
        loop = asyncio.get_running_loop()

        def turns_later(left: int) -> None:
            """The statement is on its way, or being worked on, or done and not yet known."""
            if not left:
                die()
            loop.call_soon(turns_later, left - 1)

        postgres = await PostgresStore.open(address, writer="main", signer=SIGNER, clock=clock)
        return postgres, turns_later
    disk = Disk(f"dying-{os.getpid()}")

    def at_operation(place: int) -> None:
        disk.kill_at = len(disk.ops) + 1 + place

    sqlite = await SqliteStore.open(Path(address), writer="main", signer=SIGNER, clock=clock, vfs=disk.name)
    return sqlite, at_operation


def main() -> None:
    """Fork for each line; everything is imported and every rulebook is read before the first."""
    expected()
    for line in sys.stdin.buffer:
        child = os.fork()
        if not child:
            asyncio.run(live(msgspec.json.decode(line, type=Life)))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        tell(Told("over", pid=os.waitstatus_to_exitcode(status)))


if __name__ == "__main__":
    main()
