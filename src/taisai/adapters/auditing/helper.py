"""A process that makes one share of an audit for another, which started it and tells it when to look.

`python -m taisai.adapters.auditing.helper` reads its task on the first line, looks at the record as often as
it is told to, and writes a line for all that it has to say.
"""

import asyncio
import gc
import signal
import sys
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import BinaryIO

import msgspec

from taisai.adapters.copies.archives import filled
from taisai.adapters.scratch import Scratch
from taisai.adapters.signing.keys import PublicKeys
from taisai.adapters.stores import read_store
from taisai.errors import InputError
from taisai.floor.audit.whole import Audit
from taisai.floor.views.house_views import VIEWS
from taisai.record.faults import RecordFault
from taisai.record.ports import RecordSnapshot
from taisai.record.verify import Place

LOOK, GO = b"look\n", b"go\n"
_COMMITS_A_WORD = 16
_AT_THE_START: Place = (-1, 0, 0)


class Task(msgspec.Struct, frozen=True):
    """What a helper is to do. It comes by its standard input: an address may hold a password."""

    store: str
    archives: list[str]
    keys: list[bytes]
    share: list[str]


class ShareReport(msgspec.Struct, frozen=True):
    """What a share has found sound, as it is told to the process that adds the shares up."""

    rounds: dict[str, int]


class Word(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line that a helper writes: the moment that it sees, how much it has read, or how it ended."""

    moment: str = ""
    read: int = 0
    report: ShareReport | None = None
    place: Place | None = None
    fault: tuple[str, str, str, dict[str, str | int]] | None = None
    error: str = ""
    is_input: bool = False


async def moment_of(snapshot: RecordSnapshot) -> str:
    """A digest of where a record and its views stand."""
    tips = await snapshot.tips()
    views = {view.name: await snapshot.view_positions(view.name) for view in VIEWS}
    return sha256(msgspec.json.encode([tips, views], order="deterministic")).hexdigest()


def collect_seldom() -> None:
    """What an audit makes is gone by itself: the collector looks as seldom as in a server that runs."""
    gc.set_threshold(50_000, 50, 100)


class Helper:
    """One share, made for whoever is at the other end of two pipes."""

    def __init__(self, orders: BinaryIO, words: BinaryIO) -> None:
        self._orders, self._words = orders, words
        self._place = _AT_THE_START

    def _say(self, word: Word) -> None:
        self._words.write(msgspec.json.encode(word) + b"\n")
        self._words.flush()

    def _tell_progress(self, read: int) -> None:
        if read % _COMMITS_A_WORD == 0:
            self._say(Word(read=read))

    async def work(self) -> None:
        """Look as often as told, and then audit."""
        task = msgspec.json.decode(self._orders.readline(), type=Task)
        order = self._orders.readline()
        while order == LOOK:
            order = await self._look(task)

    async def _look(self, task: Task) -> bytes:
        audit: Audit | None = None
        try:
            async with read_store(task.store) as stored:
                self._say(Word(moment=await moment_of(stored)))
                order = self._orders.readline()
                if order != GO:
                    return order
                snapshot = await filled(stored, [Path(path) for path in task.archives])
                audit = Audit(PublicKeys(task.keys), share=frozenset(task.share), watch=self._tell_progress)
                report = await audit.run(snapshot, Scratch)
                self._say(Word(report=ShareReport(msgspec.to_builtins(report.rounds))))
        except RecordFault as fault:
            said = (fault.where, fault.what, fault.code, fault.facts)
            self._say(Word(place=audit.place if audit else _AT_THE_START, fault=said))
        except BrokenPipeError:
            return b""  # nobody is left to be told
        except Exception as error:  # whoever started it tells it
            text = str(error) or type(error).__name__
            place = audit.place if audit else _AT_THE_START
            self._say(Word(place=place, error=text, is_input=isinstance(error, InputError)))
        return b""


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    import_module("taisai.game.columns")  # as long as nobody waits for it
    collect_seldom()
    asyncio.run(Helper(sys.stdin.buffer, sys.stdout.buffer).work())


if __name__ == "__main__":
    main()
