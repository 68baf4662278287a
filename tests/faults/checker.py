"""What the clients were told against what is on the record."""

import asyncio
from typing import Any

from taisai.adapters.signing.keys import public_keys_in
from taisai.adapters.stores import read_store
from taisai.client import Staff
from taisai.record.order import in_order
from taisai.record.verify import verify
from tests.faults.house import FaultyHouse
from tests.faults.people import Asked, Bettor
from tests.record import told


async def check(house: FaultyHouse, bettors: list[Bettor]) -> None:
    """Every promise is kept, nothing refused was done, nobody's money differs, and the record is sound."""
    server = house.server
    async with Staff(server.address, seconds=60) as pit, Staff(server.address, seconds=60) as auditor:
        await pit.log_in("supervisor", server.password("supervisor"))
        rows = {row["terminal"]: row for row in await _at_rest(pit, bettors)}
        for bettor in bettors:
            assert rows[bettor.terminal.key.terminal]["credit"] == bettor.terminal.credit
        await auditor.log_in("auditor", server.password("auditor"))
        report = await auditor.post("/audit/verify")
        assert report["sound"], report
    database = house.postgres.url() if house.postgres else f"sqlite:///{house.folder / 'house.db'}"
    async with read_store(database) as snapshot:
        await verify(snapshot, public_keys_in(house.folder / "keys"))
        answers: dict[tuple[str, str], Any] = {}
        async for commit in in_order(snapshot):
            for answer in commit.answers:
                key = (answer.sender, answer.id)
                assert key not in answers, f"{key} was done twice"
                answers[key] = told(commit, answer)
    for bettor in bettors:
        sender = f"terminal:{bettor.terminal.key.terminal}"
        for asked in bettor.log:
            check_promise(asked, answers.get((sender, asked.id)))


def check_promise(asked: Asked, recorded: dict[str, Any] | None) -> None:
    """One slip as its terminal knows it, and as the record has it."""
    match asked.outcome:
        case "registered":
            assert recorded is not None, f"{asked.id} was acknowledged and is not on the record"
            assert recorded["type"] == "Accepted", recorded
            assert recorded["slip"] == asked.slip
        case "refused":
            assert recorded is None or recorded["type"] != "Accepted", f"{asked.id} was refused and done"
        case "unknown":
            raise AssertionError(f"{asked.id} was never answered")


async def _at_rest(pit: Staff, bettors: list[Bettor]) -> list[dict[str, Any]]:
    """The terminals' rows once the last rounds with bets are settled, and everyone was told."""
    last = max(asked.round for bettor in bettors for asked in bettor.log)
    async with asyncio.timeout(60):
        while True:
            for bettor in bettors:
                if not bettor.terminal.connected:
                    await bettor.terminal.open()
            rows: list[dict[str, Any]] = await pit.get("/tables/C1/terminals")
            rounds = [bettor.terminal.round for bettor in bettors]
            told = all(each is not None and each.number > last for each in rounds)
            if told:
                return rows
            await asyncio.sleep(0.1)
