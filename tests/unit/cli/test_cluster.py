"""A cluster to try out: what is started, what is asked of it, and what is refused."""

import asyncio
import json
import os
import signal
import socket
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from taisai.cli.serving import PLAY_MONEY
from taisai.cli.trial import engines
from taisai.cli.trial.lines import Cable, laid_to_port, reach_port
from taisai.cli.trial.ports import Ports
from taisai.cli.trial.processes import Supervised
from taisai.cli.trial.running import Trial, ask, run
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


def test_everything_listens_where_it_did_before(tmp_path: Path) -> None:
    """Unless somebody else has the port by then; a folder is known as a cluster's by it."""
    assert not Ports.are_in(tmp_path)
    first = Ports(tmp_path)
    at = {name: first.of(name) for name in ("pg1", "nats1", "desk1")}
    assert len(set(at.values())) == 3
    assert Ports.are_in(tmp_path)
    again = Ports(tmp_path)
    assert {name: again.of(name) for name in at} == at
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", at["pg1"]))
        taken.listen()
        third = Ports(tmp_path)
        assert third.of("pg1") not in at.values()
        assert third.of("nats1") == at["nats1"]


async def test_a_folder_with_other_files_is_not_begun_in(tmp_path: Path) -> None:
    """What is in it is somebody's; one in which a cluster runs is left to that one."""
    (tmp_path / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(InputError, match="expected an empty folder, or a cluster's"):
        await run(tmp_path, first_port=1, say=print)
    own = tmp_path / "own"
    own.mkdir()
    Ports(own).of("pg1")
    trial = Trial(own, first_port=1, say=print)
    control = await asyncio.start_unix_server(trial._answer, own / "control.sock")
    with pytest.raises(InputError, match="a cluster runs in"):
        await run(own, first_port=1, say=print)
    control.close()
    await control.wait_closed()


async def test_a_cluster_ends_while_it_still_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever presses Ctrl-C waits for nothing that is not there yet."""
    said: list[str] = []
    ended: list[bool] = []

    async def starting(self: Trial, stack: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.Event().wait()

    async def end(self: Trial) -> None:
        ended.append(True)

    monkeypatch.setattr(Trial, "_start_engines", starting)
    monkeypatch.setattr(Trial, "_end", end)
    async with asyncio.timeout(30):
        await run(tmp_path, first_port=1, say=said.append)
    assert said == ["ending"]
    assert ended == [True]


async def test_a_server_that_is_cut_off_is_reached_by_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lines are those of all who use it."""
    monkeypatch.setattr(Supervised, "start", lambda self: None)
    trial = Trial(tmp_path, first_port=1, say=print)
    async with AsyncExitStack() as stack:
        await trial._start_engines(stack)
        for name, verb in (("desk1", "desk"), ("gateway1", "gateway")):
            await trial._start_house(stack, name, verb)
        nats, servers = trial.all["nats1"], trial.all["pg1"]
        assert len(nats.lines) == 2
        assert len(servers.lines) == 2 + 2  # from its Patroni to etcd, and from the others to it
        assert set(nats.lines) < {*trial.all["desk1"].lines, *trial.all["gateway1"].lines}
