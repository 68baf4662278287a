"""Where the processes of a cluster to try out listen."""

import json
import socket
from pathlib import Path
from typing import Final

_FILE: Final = "ports.json"


class Ports:
    """Where everything listens, by name: the same after every start, unless somebody else has it by then."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE
        self._before: dict[str, int] = json.loads(self._path.read_text()) if self._path.exists() else {}
        self._now: dict[str, int] = {}

    @staticmethod
    def are_in(folder: Path) -> bool:
        """Whether a cluster was there before."""
        return (folder / _FILE).exists()

    def of(self, name: str) -> int:
        if name not in self._now:
            self._now[name] = free_port(self._before.get(name, 0))
            self._path.write_text(json.dumps(self._before | self._now), encoding="utf-8")
        return self._now[name]


def free_port(wanted: int = 0) -> int:
    """One that nobody has: the wanted one, if it is free."""
    with socket.socket() as found:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind(("127.0.0.1", wanted))
        except OSError:
            return free_port()
        port: int = found.getsockname()[1]
        return port
