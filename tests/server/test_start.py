"""A start: passwords are told before anybody is let in, and what goes wrong is one line and an exit code."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from taisai.cli.output import Exit
from taisai.cli.serving import EVERYONE
from tests.server.processes import hold_port
from tests.unit.command import clean_environment, process, run

pytestmark = pytest.mark.slow

TABLE = """
[[table]]
name = "T1"
kind = "live"
pay_table = "tai-sai-v6/2"
unit = 100
minimum = 100
maximum = 1000
"""
HOUSE = '[house]\nname = "A house"\nplay_money = true\n'
COMMAND = (sys.executable, "-m", "taisai", "serve")


class Begun:
    """A house that was opened once, and the folder with its record and its keys."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._held = folder, hold_port()
        self.port = int(self._held.getsockname()[1])
        (folder / "house.toml").write_text(HOUSE + TABLE, encoding="utf-8")
        self.said = folder / "said.txt"

    def arguments(self, folder: Path, *more: str) -> list[str]:
        given = {
            "config": str(self.folder / "house.toml"),
            "database": str(folder / "house.db"),
            "keys": str(folder / "keys"),
            "port": str(self.port),
        }
        return [*(part for name, value in given.items() for part in (f"--{name}", value)), *more]

    def open(self) -> "subprocess.Popen[str]":
        """Start it, and come back when it says that it is ready."""
        with self.said.open("w", encoding="utf-8") as said:
            serving = subprocess.Popen(
                [*COMMAND, *self.arguments(self.folder)], stderr=said, text=True, env=clean_environment()
            )
        with httpx.Client() as client:
            while serving.poll() is None:
                try:
                    if client.get(f"http://127.0.0.1:{self.port}/readyz").status_code == 200:
                        return serving
                except httpx.TransportError:
                    continue
        raise AssertionError(self.said.read_text(encoding="utf-8"))

    def copy(self, folder: Path) -> Path:
        """The same record and keys elsewhere, to be damaged."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        return folder


def fails(arguments: list[str]) -> tuple[int, str]:
    """The exit code of a start that fails, and the one line that it says."""
    ended = process([*COMMAND, *arguments])
    lines = ended.stderr.splitlines()
    assert ended.stdout == ""
    assert len(lines) == 1, ended.stderr
    assert lines[0].startswith("error: ")
    return ended.returncode, lines[0]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Begun]:
    house = Begun(tmp_path_factory.mktemp("begun"))
    serving = house.open()
    told = house.said.read_text(encoding="utf-8")
    (house.folder / "told.txt").write_text(told, encoding="utf-8")
    in_use = process([*COMMAND, *house.arguments(house.folder, "--port", "0")])
    (house.folder / "in_use.txt").write_text(f"{in_use.returncode} {in_use.stderr}", encoding="utf-8")
    serving.send_signal(signal.SIGTERM)
    assert serving.wait() == 0
    yield house
    house._held.close()


def test_one_time_passwords_are_told_before_the_house_says_that_it_is_ready(begun: Begun) -> None:
    """Whoever waits for it and logs in at once has somewhere to read the password."""
    told = (begun.folder / "told.txt").read_text(encoding="utf-8")
    after = told.partition("logins, shown this once:")[2].split()
    assert after[::2] == list(EVERYONE)


def test_a_record_in_use_is_left_alone(begun: Begun) -> None:
    """The second process says so, while the first goes on."""
    code, _, said = (begun.folder / "in_use.txt").read_text(encoding="utf-8").partition(" ")
    assert int(code) == Exit.STORE
    assert said.startswith("error: ")
    assert "already being written" in said
    assert len(said.splitlines()) == 1


def test_a_port_that_is_taken_is_said_before_anything_is_made(tmp_path: Path) -> None:
    """No record, no keys."""
    with hold_port() as taken:
        taken.listen()
        port = str(taken.getsockname()[1])
        ended = run(
            "serve", "--port", port, "--database", str(tmp_path / "h.db"), "--keys", str(tmp_path / "k")
        )
    assert (ended.exit_code, ended.stdout) == (Exit.BAD_INPUT, "")
    assert ended.stderr == f"error: cannot listen at 127.0.0.1:{port}: Address already in use\n"
    assert list(tmp_path.iterdir()) == []


WRONG_SETTINGS = {
    "a misspelt group": (
        f"{HOUSE}{TABLE}[table.groups.bigg]\nminimum = 100\n",
        "line 12: table[0].groups.bigg: no such group on tai-sai-v6/2",
    ),
    "an unknown pay table": (
        HOUSE + TABLE.replace("v6", "v9"),
        "line 8: table[0].pay_table: unknown rulebook 'tai-sai-v9': did you mean 'tai-sai-v6'?",
    ),
    "no TOML": ("[house\n", "Expected ']' at the end of a table declaration (at line 1, column 7)"),
}


@pytest.mark.parametrize("fault", WRONG_SETTINGS)
def test_settings_that_make_no_sense_are_refused_with_their_line(tmp_path: Path, fault: str) -> None:
    """Before anything is made."""
    text, expected = WRONG_SETTINGS[fault]
    settings = tmp_path / "house.toml"
    settings.write_text(text, encoding="utf-8")
    where = ("--database", str(tmp_path / "h.db"), "--keys", str(tmp_path / "k"))
    ended = run("serve", "--config", str(settings), *where)
    assert (ended.exit_code, ended.stdout) == (Exit.BAD_INPUT, "")
    assert expected in ended.stderr
    assert "Traceback" not in ended.stderr
    assert list(tmp_path.iterdir()) == [settings]


def test_settings_that_are_not_there_are_named() -> None:
    """The file as it was given."""
    ended = run("serve", "--config", "no-such-house.toml")
    assert ended.exit_code == Exit.BAD_INPUT
    assert ended.stderr == "error: cannot read no-such-house.toml: No such file or directory\n"


def test_a_key_that_is_gone_is_not_made_again(begun: Begun, tmp_path: Path) -> None:
    """A record that has begun is of no use with another."""
    folder = begun.copy(tmp_path)
    (folder / "keys" / "tickets.key").unlink()
    code, said = fails(begun.arguments(folder))
    assert code == Exit.BAD_INPUT
    assert "tickets.key is not there, and the record was made with it" in said


def test_a_damaged_record_is_not_opened(begun: Begun, tmp_path: Path) -> None:
    """Pages that are overwritten, or a file that is no record at all."""
    folder = begun.copy(tmp_path)
    record = folder / "house.db"
    pages = bytearray(record.read_bytes())
    for place in range(8_192, len(pages), 4_096):
        pages[place : place + 300] = bytes(300)
    record.write_bytes(pages)
    assert fails(begun.arguments(folder)) == (
        Exit.STORE,
        f"error: {record}: database disk image is malformed",
    )
    record.write_bytes(os.urandom(20_000))
    assert fails(begun.arguments(folder)) == (Exit.STORE, f"error: {record}: file is not a database")


def test_a_file_where_the_folder_of_keys_should_be_is_named(begun: Begun, tmp_path: Path) -> None:
    """It used to end with a traceback."""
    (tmp_path / "keys").write_text("mine", encoding="utf-8")
    code, said = fails(begun.arguments(tmp_path))
    assert (code, said) == (
        Exit.BAD_INPUT,
        f"error: expected a folder for the keys at {tmp_path / 'keys'}, got a file",
    )


def test_a_certificate_that_is_not_there_is_named(begun: Begun, tmp_path: Path) -> None:
    """It used to end with a traceback."""
    settings = tmp_path / "tls.toml"
    tls = '[server]\ncertificate = "c.pem"\ncertificate_key = "c.key"\n'
    settings.write_text(HOUSE + tls + TABLE, encoding="utf-8")
    code, said = fails(begun.arguments(tmp_path, "--config", str(settings)))
    assert (code, said) == (
        Exit.BAD_INPUT,
        "error: the certificate c.pem with c.key: No such file or directory",
    )


def test_a_store_that_does_not_answer_is_tried_again_and_then_said(begun: Begun, tmp_path: Path) -> None:
    """Each try is in the log; the last line says what is wrong, without the password."""
    with hold_port() as closed:
        url = f"postgresql://house:secret@127.0.0.1:{closed.getsockname()[1]}/house"
        ended = process([*COMMAND, *begun.arguments(tmp_path, "--database", url)])
    *tries, last = ended.stderr.splitlines()
    assert ended.returncode == Exit.STORE
    assert len(tries) > 3
    assert all("it is tried again" in line for line in tries)
    assert last.startswith("error: postgresql://house@127.0.0.1:")
    assert "secret" not in ended.stderr
