"""A server in a process of its own, and what it takes of the machine."""

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path

import httpx

REPOSITORY = Path(__file__).parents[1]


class Child:
    """One of the servers, in a process of its own."""

    def __init__(self, *arguments: str, module: str = "bench.server", source: Path = REPOSITORY) -> None:
        environment = {**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{source / 'src'}"}
        command = [sys.executable, "-m", module, *arguments]
        self.process = subprocess.Popen(command, cwd=source, env=environment)

    def resident(self) -> int:
        """Bytes of memory that are really there."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def seconds(self) -> float:
        """Processor time that all of its threads have had, to the nanosecond."""
        return processor_seconds(self.process.pid)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def processor_seconds(pid: int) -> float:
    """What all threads of a process have had of the processor."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(each.read_text(encoding="ascii").split()[0]) for each in threads) / 1e9


def free_port() -> int:
    """A port that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def up(port: int, path: str) -> None:
    """Wait until a server answers."""
    async with httpx.AsyncClient(verify=False) as client:
        while True:
            try:
                if (await client.get(f"http://127.0.0.1:{port}{path}")).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.1)
