"""From an empty clone to the first page: `make serve` in a new copy of the last commit, with warm caches.

By the clock, since somebody waits for it, and by the processor of all that it starts, which says the same on
a machine that others use too. One try before it fills the caches; it is not counted.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter, sleep
from typing import NamedTuple

import httpx

from bench._child import REPOSITORY

_PATIENCE_S = 600.0
_EVERY_S = 0.05


class FirstPage(NamedTuple):
    """How long somebody waited for it, and what it took of the processors."""

    seconds: float
    worked: float


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def _cloned() -> Iterator[Path]:
    room = Path(tempfile.mkdtemp(prefix="taisai-clone-"))
    try:
        subprocess.run(["git", "clone", "--quiet", str(REPOSITORY), str(room / "clone")], check=True)
        yield room / "clone"
    finally:
        shutil.rmtree(room)


def _is_there(visitor: httpx.Client, address: str) -> bool:
    try:
        return visitor.get(address).status_code == httpx.codes.OK
    except httpx.TransportError:
        return False


def _children() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def first_page() -> FirstPage:
    """One clone, from the command until its first page is there."""
    port = _free_port()
    ours = ("VIRTUAL_ENV", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    environment["TAISAI_SERVER_PORT"] = str(port)
    # One visitor, who needs no certificates: looking again and again must not take what `make` could use.
    visitor = httpx.Client(timeout=1, verify=False)
    with _cloned() as clone, tempfile.TemporaryFile() as said, visitor:
        before, start = _children(), perf_counter()
        serving = subprocess.Popen(
            ["make", "serve"],
            cwd=clone,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
        try:
            while not _is_there(visitor, f"http://127.0.0.1:{port}/"):
                if serving.poll() is not None or perf_counter() - start > _PATIENCE_S:
                    said.seek(0)
                    raise RuntimeError(f"`make serve` came to no page:\n{said.read().decode()}")
                sleep(_EVERY_S)
            seconds = perf_counter() - start
        finally:
            with suppress(ProcessLookupError):
                os.killpg(serving.pid, signal.SIGTERM)
            serving.wait()
        return FirstPage(seconds, _children() - before)


def main() -> None:
    first_page()  # fills the caches
    for each in (first_page(), first_page()):
        print(f"  clone to first page {each.seconds:.1f} s, {each.worked:.1f} s of processor", flush=True)


if __name__ == "__main__":
    main()
