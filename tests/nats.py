"""A real server of the bus, from the wheel that carries it."""

import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class NatsServer:
    """One server on a port of its own; it can be stopped and started again at the same address."""

    def __init__(self) -> None:
        self.port = free_port()
        self.options: list[str] = []  # of a server that has others beside it
        self.url = f"nats://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        self._reading: threading.Thread | None = None
        self.let_go = 0  # clients that did not read what waited for them

    def start(self) -> None:
        beside = Path(sys.executable).with_name("nats-server")
        program = str(beside) if beside.exists() else shutil.which("nats-server")
        assert program, "nats-server is not there: install the extra `cluster`"
        command = [program, "-a", "127.0.0.1", "-p", str(self.port), *self.options]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE)
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if b"Server is ready" in line:
                # What it says after that must not fill the pipe, or it would wait for a reader.
                self._reading = threading.Thread(target=self._read, args=(self._process.stderr,), daemon=True)
                self._reading.start()
                return
        raise AssertionError("nats-server ended before it was ready")

    def _read(self, said: IO[bytes]) -> None:
        for line in said:
            self.let_go += b"Slow Consumer" in line

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def signal(self, how: signal.Signals) -> None:
        """Stop it where it stands, or let it go on."""
        assert self._process is not None
        self._process.send_signal(how)

    def stop(self) -> None:
        """At once, as a crash."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._reading is not None:
                self._reading.join()
            if self._process.stderr is not None:
                self._process.stderr.close()
            self._process = self._reading = None


@contextmanager
def nats_server() -> Iterator[NatsServer]:
    server = NatsServer()
    server.start()
    try:
        yield server
    finally:
        server.stop()
