"""The operator's guide to PostgreSQL's recovery, carried out word for word on a real server."""

import re
import shlex
from pathlib import Path

import asyncpg
import pytest

from taisai.adapters.postgres.store import PostgresStore
from taisai.adapters.stores import read_store
from taisai.record.faults import RecordFault
from taisai.record.verify import verify
from tests.docs.blocks import ROOT
from tests.postgres import Server, own_server
from tests.record import KEYS, SIGNER, Place, slip

_GUIDE = (ROOT / "docs" / "guides" / "operator.md").read_text(encoding="utf-8")


def _block(title: str) -> list[str]:
    found = re.search(rf'```\w+ title="{re.escape(title)}"\n(.*?)```', _GUIDE, re.DOTALL)
    assert found, f"the guide has no block {title!r}"
    return found[1].splitlines()


class Guide:
    """The guide's commands and settings, with its folders at a server of the tests."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.settings: dict[str, str] = {}
        self._places = {
            "/mnt/wal": str(server.folder / "wal"),
            "/mnt/backup": str(server.folder / "backup"),
            "/var/lib/postgresql/15/main": str(server.folder / "data"),
            "/var/lib/postgresql/15/lost": str(server.folder / "lost"),
        }
        for place in ("wal", "backup"):
            server.run_as_its_user("mkdir", str(server.folder / place))

    def here(self, text: str) -> str:
        for place, at in self._places.items():
            text = text.replace(place, at)
        return text

    def set(self, title: str, **instead: str) -> None:
        """Take over a block of settings."""
        for line in _block(title):
            name, _, value = line.partition(" = ")
            self.settings[name] = instead.get(name) or self.here(value.strip("'"))

    def run(self, title: str) -> None:
        """Carry out a block of commands."""
        for line in _block(title):
            words = shlex.split(self.here(line.removeprefix("$ ")))
            match words:
                case ["sudo", "systemctl", "stop", "taisai"]:
                    continue  # the test's own store is closed
                case ["sudo", "systemctl", "restart", "postgresql"]:
                    self.server.stop("fast")
                    self.server.start(**self.settings)
                case ["sudo", "systemctl", "stop", "postgresql"]:
                    self.server.stop("fast")
                case ["sudo", "systemctl", "start", "postgresql"]:
                    self.server.start(**self.settings)
                case ["sudo", "-u", "postgres", *command]:
                    self.server.run_as_its_user(*command)
                case _:
                    assert words[:3] == ["sudo", "-u", "taisai"], f"the test does not know {line!r}"


async def _appended(at: Place, server: Server, first: int, last: int) -> str:
    """Slips from one to another; the server's time after them."""
    store = await PostgresStore.open(server.url(), writer="main", signer=SIGNER, clock=at.clock)
    for number in range(first, last + 1):
        await store.append(slip(number))
    await store.close()
    connection = await asyncpg.connect(server.url())
    try:
        return str(await connection.fetchval("SELECT clock_timestamp()::text"))
    finally:
        await connection.close()


@pytest.mark.slow
async def test_a_record_is_brought_back_to_a_moment_as_the_guide_says(tmp_path: Path) -> None:
    """What came after the moment is gone, what came before is verified, and the witness tells of the rest."""
    at = Place(tmp_path)
    with own_server() as server:
        guide = Guide(server)
        guide.set("/etc/postgresql/15/main/conf.d/archive.conf")
        await _appended(at, server, 1, 3)
        guide.run("base backup")
        moment = await _appended(at, server, 4, 6)
        await _appended(at, server, 7, 8)
        async with read_store(server.url()) as snapshot:
            seen = list((await snapshot.tips()).values())
        guide.run("restore")
        conf = "/etc/postgresql/15/main/conf.d/recovery.conf"
        guide.set(conf, recovery_target_time=moment)
        guide.run("after it")
        server.wait_until("NOT pg_is_in_recovery()")
        async with read_store(server.url()) as snapshot:
            assert (await verify(snapshot, KEYS)).commits == 6
            with pytest.raises(RecordFault, match="a witness has seen it and it is not in the record"):
                await verify(snapshot, KEYS, witnessed=seen)
        await _appended(at, server, 7, 7)
