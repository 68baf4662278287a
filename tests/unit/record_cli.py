"""A recorded evening for the commands, and how their outcomes are told."""

import asyncio
import csv
import io
from pathlib import Path

import apsw
import pytest

from taisai.adapters.clock import ManualClock
from taisai.adapters.signing.keys import SigningKey, generate_key
from taisai.adapters.sqlite.store import SqliteStore
from taisai.floor.views.house_views import VIEWS
from taisai.record.ports import Store
from taisai.record.views import catch_up
from tests.evening import Floor, evening
from tests.record import START
from tests.unit.command import run


async def play(store: Store, rounds: int = 2) -> None:
    """An evening, with its read models made."""
    floor = Floor(store, ManualClock(START))
    await floor.start()
    await floor.play(evening(rounds))
    await floor.stop()
    for view in VIEWS:
        await catch_up(store, view)
    await store.close()


async def record(path: Path, key: SigningKey, rounds: int = 2) -> None:
    clock = ManualClock(START)
    await play(await SqliteStore.open(path, writer="main", signer=key, clock=clock), rounds)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded evening, with its key beside it."""
    path = tmp_path_factory.mktemp("kept") / "house.db"
    asyncio.run(record(path, generate_key(path.with_name("house.db.key"))))
    return path


@pytest.fixture
def store(kept: Path, tmp_path: Path) -> str:
    """A copy of it that a test may spoil."""
    for name in ("house.db", "house.db.key", "house.db.key.pub"):
        (tmp_path / name).write_bytes((kept.parent / name).read_bytes())
    (tmp_path / "house.db.key").chmod(0o600)
    return str(tmp_path / "house.db")


def ok(*arguments: str) -> str:
    """The standard output of a command that succeeds."""
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def fails(code: int, said: str, *arguments: str) -> str:
    """A command that ends with this exit code and says this, in one line and without a traceback."""
    result = run(*arguments)
    assert result.exit_code == code, (result.exit_code, result.stdout, result.stderr)
    assert said in result.stderr, result.stderr
    assert "Traceback" not in result.stderr
    return result.stdout


def spoil(store: str, *statements: str) -> None:
    """What somebody with a SQL prompt does."""
    db = apsw.Connection(store)
    for name in [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")]:
        db.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        db.execute(statement)
    db.close()


def rows_of(form: str, text: str) -> list[dict[str, str]]:
    """CSV or Markdown as rows."""
    if form == "csv":
        return list(csv.DictReader(io.StringIO(text)))
    header, _, *lines = [
        [cell.strip() for cell in line.strip("|\n").split("|")] for line in text.splitlines()
    ]
    return [dict(zip(header, line, strict=True)) for line in lines]
