"""The audit page and the command tell one story: the same checks, and the same first fault."""

import asyncio
import json
from pathlib import Path
from typing import NoReturn

import pytest

from taisai.client import Refused
from taisai.errors import StoreUnavailable
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


async def test_a_store_that_is_away_is_no_verdict_on_the_record(tmp_path: Path) -> None:
    """Seed 50221 of the evenings: the page said that the record was not sound."""
    async with serving(settings(tmp_path, CLUSTER)) as house:
        auditor = await house.person("auditor")

        async def gone() -> NoReturn:
            raise StoreUnavailable("the store is gone")

        vars(house.parts)["audit"] = gone
        with pytest.raises(Refused) as refused:
            await auditor.post("/audit/verify")
        assert refused.value.code == "store_unavailable"


def _verify(database: str, folder: Path, form: str, *more: str) -> str:
    key = next(folder.rglob("*.pub"))
    result = run("audit", "verify", database, "--key", str(key), "--format", form, *more)
    assert result.exit_code == 1, result.stderr
    return result.stdout
