"""Processes that somebody watches: what ends is started again, after the time that was asked for."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Final

from taisai.cli.trial.lines import Cable

# After an end that nobody asked for; one that ends again and again is started less and less often.
_RESTART_SECONDS: Final = (1.0, 2.0, 5.0)
_LIVED_SECONDS: Final = 30.0
_STOP_SECONDS: Final = 20.0


class Supervised:
    """One process of the cluster, with the lines that lead to and from it."""

    def __init__(self, name: str, command: Sequence[str], folder: Path, *, address: str = "") -> None:
        self.name, self.address = name, address
        self.lines: list[Cable] = []
        self.state = "down"
        self._command, self._folder = list(command), folder
        self._process: asyncio.subprocess.Process | None = None
        self._not_before = 0.0
        self._task: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        alive = self._process is not None and self._process.returncode is None
        return self._process.pid if self._process is not None and alive else None

    @property
    def log(self) -> Path:
        return self._folder.parent / f"{self.name}.log"

    def start(self) -> None:
        self._task = asyncio.create_task(self._watch(), name=f"watch {self.name}")

    async def _watch(self) -> None:
        ends = 0
        while True:
            await asyncio.sleep(max(0.0, self._not_before - monotonic()))
            with self.log.open("ab") as log:
                self._process = await asyncio.create_subprocess_exec(
                    *self._command,
                    cwd=self._folder,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            self.state, begun = "running", monotonic()
            await self._process.wait()
            ends = 0 if monotonic() - begun > _LIVED_SECONDS else ends + 1
            pause = _RESTART_SECONDS[min(ends, len(_RESTART_SECONDS) - 1)]
            self.state, self._not_before = "down", max(self._not_before, monotonic() + pause)

    def kill(self, seconds: float) -> None:
        """As when the machine is lost; it comes back after some seconds."""
        self._not_before = monotonic() + seconds
        self._signal(signal.SIGKILL)

    def stop(self, seconds: float) -> None:
        """As an upgrade does it: it may say goodbye, and comes back after some seconds."""
        self._not_before = monotonic() + seconds
        if self.pid is not None:
            os.kill(self.pid, signal.SIGTERM)

    async def hang(self, seconds: float) -> None:
        """It stands still, and then goes on as if nothing had been."""
        self._signal(signal.SIGSTOP)
        self.state = "hung"
        await asyncio.sleep(seconds)
        self._signal(signal.SIGCONT)
        self.state = "running"

    async def partition(self, seconds: float) -> None:
        """Nothing comes through to it or from it."""
        for line in self.lines:
            line.swallow()
        self.state = "cut off"
        await asyncio.sleep(seconds)
        for line in self.lines:
            line.heal()
        self.state = "running"

    def _signal(self, how: signal.Signals) -> None:
        for pid in self._all():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, how)

    def _all(self) -> list[int]:
        """The process, and a PostgreSQL that it started, which is a session of its own."""
        found = [self.pid] if self.pid is not None else []
        with contextlib.suppress(OSError, ValueError, IndexError):
            first = int((self._folder / "data" / "postmaster.pid").read_text(encoding="ascii").split()[0])
            found += [first, *_children(first)]
        return found

    async def end(self) -> None:
        """For good."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._process is None or self._process.returncode is not None:
            return
        self._signal(signal.SIGCONT)
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        try:
            await asyncio.wait_for(self._process.wait(), _STOP_SECONDS)
        except TimeoutError:
            self._signal(signal.SIGKILL)
            await self._process.wait()


def _children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            if int(stat.read_text(encoding="ascii").rpartition(")")[2].split()[1]) == parent:
                found.append(int(stat.parent.name))
    return found
