"""The audit page and the command tell one story: the same checks, and the same first fault."""

import asyncio
import json
import shutil
from pathlib import Path

from taisai.floor.desks.desk import new_event
from taisai.floor.streams import ticket_stream
from taisai.floor.tickets import TicketIssued
from taisai.record.journal import Batch, StreamEvents, micros
from tests.evening import CASHIER
from tests.server.houses import CLUSTER, serving, settings
from tests.unit.command import run


async def test_a_ticket_without_its_money_is_found_by_page_and_command_alike(tmp_path: Path) -> None:
    """A ticket that no transfer pays for is on a record that is chained and signed."""
    config = settings(tmp_path, CLUSTER)
    async with serving(config) as house:
        at = house.parts.house.now()
        issued = TicketIssued(
            by=CASHIER, at=at, amount=500, where="cage", sequence=1, expires_at=at, last_four="0000"
        )
        forged = StreamEvents(ticket_stream("forged"), 0, (new_event(issued, micros(at)),))
        await house.parts.house.store.append(Batch((forged,)))
        told = await (await house.person("auditor")).post("/audit/verify")
    assert told["sound"] is False
    assert "the books of tickets move by 0" in told["fault"]
    said = json.loads(await asyncio.to_thread(_verify, config.server.database, tmp_path, "json"))
    assert (said["where"], said["fault"]) == (told["where"], told["fault"])


async def test_an_older_copy_of_the_record_is_found_by_whoever_asks_the_witness(tmp_path: Path) -> None:
    """The page asks the house's witness without being told to, and says what the command says."""
    witness = tmp_path / "witness.jsonl"
    config = settings(tmp_path, CLUSTER, server={"witness": str(witness)})
    path = Path(config.server.database.removeprefix("sqlite:///"))
    async with serving(config) as house:
        logins = house.logins
    shutil.copy(path, tmp_path / "older.db")
    async with serving(config) as house:
        house.logins.update(logins)
        terminal = await house.terminal(credit=5_000)
        assert terminal is not None
        assert (await (await house.person("auditor")).post("/audit/verify"))["sound"] is True
    shutil.copy(tmp_path / "older.db", path)
    async with serving(config) as house:
        house.logins.update(logins)
        told = await (await house.person("auditor")).post("/audit/verify")
    assert told["sound"] is False
    said = json.loads(
        await asyncio.to_thread(_verify, config.server.database, tmp_path, "json", "--witness", str(witness))
    )
    assert (said["where"], said["fault"]) == (told["where"], told["fault"])


def _verify(database: str, folder: Path, form: str, *more: str) -> str:
    key = next(folder.rglob("*.pub"))
    result = run("audit", "verify", database, "--key", str(key), "--format", form, *more)
    assert result.exit_code == 1, result.stderr
    return result.stdout
