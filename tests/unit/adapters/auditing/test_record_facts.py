"""A record on a real PostgreSQL, looked at without touching it."""

import asyncio
import json
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from taisai.adapters.auditing.record_facts import record_facts
from taisai.adapters.clock import ManualClock
from taisai.adapters.migrations import scripts
from taisai.adapters.postgres.store import PostgresStore
from taisai.adapters.signing.keys import generate_key
from taisai.cli.output import Exit
from taisai.errors import StoreUnavailable
from taisai.rulebooks.catalogue import pay_table
from tests.record import START
from tests.unit.command import run
from tests.unit.record_cli import play


async def asked(url: str, text: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(text)
    finally:
        await connection.close()


@pytest.fixture
def played(postgres_url: str, tmp_path: Path) -> str:
    """A recorded evening."""
    key = generate_key(tmp_path / "signing.pem")

    async def evening() -> None:
        clock = ManualClock(START)
        await play(await PostgresStore.open(postgres_url, writer="main", signer=key, clock=clock))

    asyncio.run(evening())
    return postgres_url


def test_a_record_is_found_with_its_schema_its_end_and_its_rules(played: str) -> None:
    """All of it in one transaction that only reads."""
    facts = asyncio.run(record_facts(played))
    assert (facts.is_postgres, facts.schema) == (True, facts.known)
    assert facts.known == len(scripts("postgres"))
    assert facts.settings["synchronous_commit"] == "on"
    assert [tip.writer for tip in facts.tips] == ["main"]
    assert facts.played
    assert all(pay_table(row.pay_table).digest == row.pay_table_digest for row in facts.played)


def test_a_database_without_a_record_is_left_without_one(postgres_url: str) -> None:
    """Looking makes no table."""
    facts = asyncio.run(record_facts(postgres_url))
    assert (facts.schema, facts.tips) == (None, [])

    async def tables() -> int:
        connection = await asyncpg.connect(postgres_url)
        try:
            return int(
                await connection.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
            )
        finally:
            await connection.close()

    assert asyncio.run(tables()) == 0


def test_a_server_that_does_not_answer_is_said_without_its_password() -> None:
    """The message names the server."""
    with pytest.raises(StoreUnavailable) as error:
        asyncio.run(record_facts("postgresql://taisai:secret@127.0.0.1:1/house"))
    assert "secret" not in str(error.value)
    assert "127.0.0.1" in str(error.value)


def looked(folder: Path, url: str) -> dict[str, dict[str, str]]:
    (folder / "house.toml").write_text(
        f'[house]\nplay_money = true\n[server]\nport = 0\nkeys = "{folder / "keys"}"\ndatabase = "{url}"\n'
        '[[table]]\nname = "T1"\nkind = "live"\npay_table = "tai-sai-v6/2"\n',
        encoding="utf-8",
    )
    done = run("doctor", "--config", str(folder / "house.toml"), "--format", "json")
    assert done.exit_code in (Exit.OK, Exit.CHECK_FAILED), done.stderr
    return {finding["check"]: finding for finding in json.loads(done.stdout)["findings"]}


def test_the_doctor_finds_a_server_that_may_forget(played: str, tmp_path: Path) -> None:
    """And a schema from a newer release."""
    keys = tmp_path / "keys"
    keys.mkdir(mode=0o700)
    for name in ("signing.pem", "signing.pem.pub"):
        (tmp_path / name).rename(keys / name)
    found = looked(tmp_path, played)
    assert (
        found["database version"]["level"] == found["schema"]["level"] == found["rulebooks"]["level"] == "ok"
    )
    assert found["durability"]["level"] in ("ok", "warning")  # data checksums are the server's own choice
    assert "it fits the record" in found["signing key"]["found"]
    database = urlsplit(played).path.strip("/")
    asyncio.run(asked(played, f"ALTER DATABASE {database} SET synchronous_commit = off"))
    asyncio.run(asked(played, "INSERT INTO taisai_schema VALUES (7)"))
    found = looked(tmp_path, played)
    assert found["durability"]["level"] == found["schema"]["level"] == "failed"
    assert "synchronous_commit off" in found["durability"]["found"]
