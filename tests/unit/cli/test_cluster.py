"""A cluster to try out: what is started, what is asked of it, and what is refused."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from taisai.cli.serving import PLAY_MONEY
from taisai.cli.trial import engines
from taisai.cli.trial.lines import Cable, laid_to_port, reach_port
from taisai.cli.trial.processes import Supervised
from taisai.cli.trial.running import Trial, ask
from taisai.cli.trial.toml import as_toml
from taisai.errors import InputError
from taisai.server.config import load_config

WAITS = ["sleep", "60"]


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.01)


def test_settings_that_are_written_are_read_again(tmp_path: Path) -> None:
    """The play-money house with all of its tables, and tables inside of them."""
    path = tmp_path / "settings.toml"
    path.write_text(as_toml({"house": PLAY_MONEY["house"], "table": PLAY_MONEY["table"]}), encoding="utf-8")
    config = load_config(path, {})
    assert [table.name for table in config.table] == [table["name"] for table in PLAY_MONEY["table"]]
    assert config.house.names["zh-Hant"] == PLAY_MONEY["house"]["names"]["zh-Hant"]


def test_the_engines_are_programs_that_the_extra_brings(tmp_path: Path) -> None:
    """Each command begins with a program that is there; Patroni waits for a standby at every commit."""
    made = engines.own_folder(tmp_path / "pg1")
    command = engines.patroni("pg1", made, port=1, reached_at=2, etcd_at=3, rest=4)
    for each in (command, engines.etcd(tmp_path, 1, 2), engines.nats(1, 2, [3])):
        assert Path(each[0]).exists()
    settings = json.loads((made / "patroni.json").read_text(encoding="utf-8"))
    assert settings["bootstrap"]["dcs"]["synchronous_mode_strict"] is True
    assert (Path(settings["postgresql"]["bin_dir"]) / "initdb").exists()


async def test_a_process_that_is_killed_hung_or_ends_is_watched(tmp_path: Path) -> None:
    """Killed, it comes back as another one; hung, it goes on as the same."""
    folder = tmp_path / "desk1"
    folder.mkdir()
    watched = Supervised("desk1", WAITS, folder)
    watched.start()
    try:
        await until(lambda: watched.pid)
        first = watched.pid
        await watched.hang(0.01)
        assert (watched.pid, watched.state) == (first, "running")
        watched.kill(0.0)
        await until(lambda: watched.pid not in (None, first))
        assert watched.state == "running"
    finally:
        await watched.end()
    assert watched.pid is None


async def test_a_partition_swallows_what_is_sent_until_it_is_over(tmp_path: Path) -> None:
    """Nothing is lost by it while both ends are patient."""

    gone = asyncio.Event()

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(100):
            writer.write(data)
        writer.close()
        await writer.wait_closed()
        gone.set()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    cable = Cable(reach_port(server.sockets[0].getsockname()[1]))
    watched = Supervised("gateway1", WAITS, tmp_path)
    watched.lines = [cable]
    async with laid_to_port(cable) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        parted = asyncio.create_task(watched.partition(0.2))
        await until(lambda: watched.state == "cut off")
        writer.write(b"x")
        heard = asyncio.create_task(reader.read(1))
        assert not heard.done()
        await parted
        assert await heard == b"x"
        writer.close()
        await gone.wait()
    server.close()


async def test_what_cannot_be_done_is_said(tmp_path: Path) -> None:
    """A name that nobody has, a process that is down, one without lines, a cluster that does not run."""
    trial = Trial(tmp_path, first_port=1, say=print)
    trial.all = {"nats1": Supervised("nats1", WAITS, tmp_path), "desk1": Supervised("desk1", WAITS, tmp_path)}
    with pytest.raises(InputError, match="expected one of nats1, desk1, got 'desk9'"):
        await trial.do("kill", "desk9", 1.0)
    with pytest.raises(InputError, match="desk1 is down"):
        await trial.do("kill", "desk1", 1.0)
    trial.all["nats1"].state = "running"
    with pytest.raises(InputError, match="nats1 has no lines of its own"):
        await trial.do("partition", "nats1", 1.0)
    with pytest.raises(InputError, match="no cluster runs in"):
        await ask(tmp_path, do="status")
