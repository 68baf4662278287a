"""An audit by several processes at once: each reads the record for itself and makes its share of the checks.

This process makes the first share and starts a helper for each of the others. All of them look at the same
moment of the record, and of all faults that they find the one is told that a single process would have met
first. A helper that ends without a word has proved nothing, and the audit says so.
"""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import msgspec

from taisai.adapters.auditing import helper as audit_helper
from taisai.adapters.auditing import whole as auditing
from taisai.adapters.auditing.helper import GO, LOOK, Task, Word, moment_of
from taisai.adapters.scratch import Scratch
from taisai.adapters.signing.trust import Trust
from taisai.adapters.stores import read_store
from taisai.errors import InputError, StoreUnavailable
from taisai.floor.audit.rounds import RoundFindings
from taisai.floor.audit.whole import Audit, Report, Share, first_of, shares
from taisai.record.faults import RecordFault
from taisai.record.journal import Tip
from taisai.record.ports import KeyRing, RecordSnapshot
from taisai.record.verify import Place

# A shorter record is audited before a helper has started.
_EVENTS_WORTH_IT = 20_000
# How often all try to see the same moment of a record that somebody writes.
_TRIES = 20

Watch = Callable[[int, int], None]
_decode = msgspec.json.Decoder(Word).decode


class _RecordMoved(Exception):
    """Not all who read a record saw the same moment of it."""


async def audited_by(
    processes: int | None,
    store: str,
    trust: Trust,
    kept: auditing.Kept | None = None,
    archives: Sequence[Path] = (),
    watch: Watch | None = None,
) -> Report:
    """Audit the record at an address by so many processes; by default one for each core, if it is long."""
    mine, *others = shares(await _worth(store) if processes is None else processes)
    task = Task(store, [str(path) for path in archives], list(trust.keys.raw.values()), [])
    async with _helpers([msgspec.structs.replace(task, share=sorted(share)) for share in others]) as helpers:
        prove = partial(_prove, helpers, mine, watch)
        for _ in range(_TRIES):
            with suppress(_RecordMoved):
                return await auditing.audited(partial(_read, store, helpers), trust, kept, archives, prove)
    # A record that moves on too fast for several is still read at one moment by one.
    return await audited_by(1, store, trust, kept, archives, watch)


async def _worth(store: str) -> int:
    async with read_store(store) as snapshot:
        counts = await snapshot.counts()
    return cores() if counts.events >= _EVENTS_WORTH_IT else 1


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@asynccontextmanager
async def _read(store: str, helpers: "Sequence[_Helper]") -> AsyncIterator[RecordSnapshot]:
    """The record as it stands now, while all helpers look too."""
    for helper in helpers:
        helper.say(LOOK)
    async with read_store(store) as stored:
        moment = await moment_of(stored)
        if any([await helper.moment() != moment for helper in helpers]):
            raise _RecordMoved
        yield stored


async def _prove(
    helpers: "Sequence[_Helper]",
    mine: Share,
    watch: Watch | None,
    snapshot: RecordSnapshot,
    keys: KeyRing,
    seen: Sequence[Tip],
) -> Report:
    """Every share, and the first fault of all of them."""
    whole = sum(tip.number for tip in (await snapshot.tips()).values())

    def tell(read: int) -> None:
        if watch is not None:
            watch(min([read, *(helper.read for helper in helpers)]), whole)

    own = Audit(keys, share=mine, witnessed=seen, watch=tell)
    for helper in helpers:
        helper.say(GO)
    following = asyncio.gather(*(helper.end() for helper in helpers))
    report, found = None, list[tuple[Place, Exception]]()
    try:
        report = await own.run(snapshot, Scratch)
    except Exception as error:  # a helper may have met another before it
        found.append((own.place, error))
    except BaseException:
        following.cancel()
        raise
    words = await following
    found += [(word.place, _raised(word)) for word in words if word.place is not None]
    if found or report is None:
        raise first_of(found)
    for word in words:
        if word.report is not None:
            report.rounds.add(RoundFindings(**word.report.rounds))
    return report


def _raised(word: Word) -> Exception:
    if word.fault is not None:
        where, what, code, facts = word.fault
        return RecordFault(where, what, code, **facts)
    return InputError(word.error) if word.is_input else StoreUnavailable(word.error)


class _Helper:
    """A process with a share of an audit, and what it says."""

    def __init__(self, process: Process) -> None:
        self._process, self.read = process, 0

    def say(self, line: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, RuntimeError):  # one that is gone is missed when its word is waited for
            self._process.stdin.write(line)

    async def moment(self) -> str:
        """What it sees."""
        word = await self._word()
        if word.place is not None:
            raise _raised(word)
        return word.moment

    async def end(self) -> Word:
        """Its last word."""
        while (word := await self._word()).report is None and word.place is None:
            self.read = word.read
        self.read = sys.maxsize
        return word

    async def _word(self) -> Word:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if line.endswith(b"\n"):
            return _decode(line)
        code = await self._process.wait()
        how = f"by {signal.Signals(-code).name}" if code < 0 else f"with code {code}"
        raise StoreUnavailable(f"a process of the audit ended {how}, so nothing is proved: audit again")

    async def close(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.communicate()


@asynccontextmanager
async def _helpers(tasks: Sequence[Task]) -> AsyncIterator[list[_Helper]]:
    """A process for each task, all gone afterwards."""
    helpers: list[_Helper] = []
    try:
        for task in tasks:
            command = (sys.executable, "-P", "-m", audit_helper.__name__)
            helpers.append(_Helper(await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)))
            helpers[-1].say(msgspec.json.encode(task) + b"\n")
        yield helpers
    finally:
        for helper in helpers:
            await helper.close()
