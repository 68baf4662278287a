"""A warm process that forks children, lets them write, and kills them: one line in, one line out.

It imports everything once and has one thread, so that a fork is cheap and safe.
"""

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
from pathlib import Path
from typing import Any

from taisai.adapters.postgres.journal import PostgresJournal
from taisai.record.journal import Batch, Commit
from taisai.record.ports import Store
from tests.crash.disk import Disk
from tests.crash.workload import life
from tests.record import Place


def main() -> None:
    """Serve until standard input ends."""
    for line in sys.stdin:
        order = json.loads(line)
        print(json.dumps(run(order)), flush=True)


def run(order: dict[str, Any]) -> dict[str, Any]:
    """Fork a child for an order and collect what it was told before it died."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            asyncio.run(live(order, writing))
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    told = _listen(reading, child, order.get("kill_after_acks"))
    _, status = os.waitpid(child, 0)
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    return {"acknowledged": told, "killed": killed, "status": status}


def _listen(reading: int, child: int, kill_after: int | None) -> list[str]:
    data = b""
    while part := os.read(reading, 65_536):
        data += part
        if kill_after is not None and data.count(b"\n") >= kill_after:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
    os.close(reading)
    # A line that was cut short was never told.
    return data.decode().split("\n")[:-1]


async def live(order: dict[str, Any], writing: int) -> None:
    """A child's life: open the store, send all that waits, say what was acknowledged."""
    where = order["where"]
    disk: Disk | None = None
    if where.startswith("postgresql"):
        store = await Place(where).open()
        _die_at_statement(store, order.get("kill_at"), random.Random(order.get("seed")))
    else:
        disk = Disk("disk")
        disk.kill_at = order.get("kill_at")
        store = await Place(Path(where)).open(vfs="disk")
    groups = life(order["first"], order["length"])
    if order.get("all_at_once"):
        groups = [[batch for group in groups for batch in group]]
    for group in groups:
        await asyncio.gather(*[_send(store, batch, writing) for batch in group])
    if order.get("kill_after_acks"):
        await asyncio.Event().wait()  # the kill is on its way, however late it comes


async def _send(store: Store, batch: Batch, writing: int) -> None:
    await store.append(batch)
    os.write(writing, batch.answers[0].id.encode() + b"\n")


def _die_at_statement(store: Any, kill_at: int | None, chance: random.Random) -> None:
    """Die before the n-th commit is sent, while the server works on it, or before its answer is passed on."""
    if kill_at is None:
        return
    journal: PostgresJournal = store._journal
    write = journal._write
    count = 0

    async def dying(connection: Any, commit: Commit) -> bool:
        nonlocal count
        count += 1
        if count < kill_at:
            return await write(connection, commit)
        moment = chance.choice(["before", "during", "after"])
        if moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        if moment == "during":
            delay = chance.uniform(0, 0.002)
            asyncio.get_running_loop().call_later(delay, os.kill, os.getpid(), signal.SIGKILL)
        await write(connection, commit)
        os.kill(os.getpid(), signal.SIGKILL)
        return True

    journal._write = dying


if __name__ == "__main__":
    main()
