"""Processes that begin as a copy of one that has imported everything: a fork is quick, an import is not.

`begin` asks a process of this module for a copy that runs a module as `python -m` would, in an environment of
its own. The copy is a real process with a number of its own: it can be killed, hung and told to end.
"""

import asyncio
import atexit
import gc
import json
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

_REPOSITORY = Path(__file__).parents[1]
# What the processes of a house import, and what their tests put around them.
_IMPORTED = (
    *("taisai.cli.app", "taisai.cli.serving", "taisai.bootstrap", "taisai.roles", "taisai.server.app"),
    *("taisai.server.desk_app", "taisai.server.running", "taisai.server.ops.logs"),
    *("taisai.adapters.bus.gateway", "taisai.adapters.postgres.looking", "taisai.adapters.bus.owner"),
    *("tests.server.houses", "tests.cluster.sabotages"),
    *("anyio._backends._asyncio", "litestar.plugins.pydantic", "typer._adapters"),
)


class WarmProcess:
    """One of the copies, with the names that a subprocess of asyncio has."""

    def __init__(self, pid: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._writer = writer
        self._ended = asyncio.create_task(self._hear_end(reader))

    async def _hear_end(self, reader: asyncio.StreamReader) -> int:
        said = await reader.readline()
        self.returncode = int(said) if said else -signal.SIGKILL
        self._writer.close()
        return self.returncode

    def send_signal(self, how: signal.Signals) -> None:
        if self.returncode is None:
            os.kill(self.pid, how)

    async def wait(self) -> int:
        return await asyncio.shield(self._ended)


async def begin(
    module: str,
    arguments: Sequence[str],
    environment: Mapping[str, str] | None = None,
    log: Path | None = None,
) -> WarmProcess:
    """Start a copy; it says what it says in the log, if there is one, else where the tests do.

    With a PYTHONPATH of its own it is no copy, and imports what is there.
    """
    reader, writer = await asyncio.open_unix_connection(_begin_original())
    asked = {
        "module": module,
        "arguments": list(arguments),
        "environment": dict(environment or {}),
        "log": str(log) if log else None,
    }
    writer.write(json.dumps(asked).encode() + b"\n")
    return WarmProcess(int(await reader.readline()), reader, writer)


@cache
def _begin_original() -> str:
    """The process that is copied: one for each process of tests, and it ends with that."""
    folder = tempfile.TemporaryDirectory(prefix="taisai-warm-")
    place = f"{folder.name}/socket"
    environment = {**os.environ, "PYTHONPATH": f"{_REPOSITORY / 'src'}:{_REPOSITORY}"}
    command = [sys.executable, "-m", "tests.warm", place]
    original = subprocess.Popen(
        command, cwd=_REPOSITORY, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert original.stdin is not None
    assert original.stdout is not None
    if original.stdout.readline() != b"ready\n":
        raise AssertionError("the process that is copied did not start")

    def end() -> None:
        original.communicate()  # it ends when nobody holds its input any longer
        folder.cleanup()

    atexit.register(end)
    return place


class _Original:
    """Copies itself for whoever connects, and tells each of them how its copy ended."""

    def __init__(self, place: str) -> None:
        self._opened = socket.socket(socket.AF_UNIX)
        self._opened.bind(place)
        self._opened.listen(64)
        self._heard, self._woken = socket.socketpair()
        self._woken.setblocking(False)
        self._running: dict[int, socket.socket] = {}

    def run(self) -> dict[str, Any]:
        """Returns what is asked of it, in the copy; the original ends with its input."""
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.set_wakeup_fd(self._woken.fileno(), warn_on_full_buffer=False)
        self._selector = selectors.DefaultSelector()
        for each in (self._opened, self._heard, sys.stdin):
            self._selector.register(each, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is sys.stdin:
                    self._end()
                elif key.fileobj is self._heard:
                    self._heard.recv(4096)
                    self._tell_ends()
                elif key.fileobj is self._opened:
                    asked = self._copy()
                    if asked is not None:
                        return asked
                else:
                    self._let_go(key.fileobj)

    def _copy(self) -> dict[str, Any] | None:
        asker, _ = self._opened.accept()
        asked: dict[str, Any] = json.loads(asker.makefile("rb").readline())
        pid = os.fork()
        if not pid:
            self._forget(asker)
            return asked
        self._running[pid] = asker
        self._selector.register(asker, selectors.EVENT_READ)
        asker.sendall(b"%d\n" % pid)
        return None

    def _forget(self, asker: socket.socket) -> None:
        """A copy has nothing of the original's but what it imported."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._selector.close()
        for each in (self._opened, self._heard, self._woken, asker, *self._running.values()):
            each.close()

    def _tell_ends(self) -> None:
        while self._running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            asker = self._running.pop(pid)
            if asker.fileno() < 0:
                continue  # nobody waits for it any longer
            self._selector.unregister(asker)
            with suppress(OSError):
                asker.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
            asker.close()

    def _let_go(self, asker: Any) -> None:
        """Whoever asked is gone, so its copy is nobody's."""
        for pid, each in self._running.items():
            if each is asker:
                os.kill(pid, signal.SIGKILL)
        self._selector.unregister(asker)
        asker.close()

    def _end(self) -> None:
        for pid in self._running:
            os.kill(pid, signal.SIGKILL)
        os._exit(0)


def _become(asked: Mapping[str, Any]) -> None:
    """Be the process that was asked for."""
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    if asked["log"]:
        with Path(asked["log"]).open("ab") as log:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
    os.environ.update(asked["environment"])
    if "PYTHONPATH" in asked["environment"]:  # other code than was imported
        os.execv(sys.executable, [sys.executable, "-m", asked["module"], *asked["arguments"]])
    sys.argv = [asked["module"], *asked["arguments"]]
    runpy.run_module(asked["module"], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    for name in _IMPORTED:
        __import__(name)
    gc.collect()
    gc.freeze()  # what was imported is no copy's to look through
    original = _Original(sys.argv[1])
    print("ready", flush=True)
    _become(original.run())
