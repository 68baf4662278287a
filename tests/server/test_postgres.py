"""The same house on PostgreSQL: rounds, tickets that everyone wants at once, a restart, a clean audit."""

import asyncio
from pathlib import Path

import pytest

from taisai.client import Refused, fresh_id
from taisai.ledger.accounts import TICKETS
from tests.postgres_fixtures import postgres_server, postgres_url
from tests.server.houses import CLUSTER, LIVE, dealt, serving, settings

__all__ = ["postgres_server", "postgres_url"]

pytestmark = pytest.mark.slow


async def test_a_house_on_postgresql_pays_each_ticket_once_and_goes_on_after_a_restart(
    tmp_path: Path, postgres_url: str
) -> None:
    """Two cashiers and four terminals race for every ticket; then the server starts anew in mid-round."""
    config = settings(tmp_path, CLUSTER, LIVE, server={"database": postgres_url})
    async with serving(config) as house:
        logins = house.logins
        cashiers = [await house.person("cashier"), await house.person("supervisor")]
        for cashier in cashiers:
            await cashier.post("/drawers", {"float": 0}, key=fresh_id())
        terminals = [await house.terminal() for _ in range(4)]
        for _ in range(10):
            number = (await cashiers[0].post("/tickets", {"amount": 700}, key=fresh_id()))["number"]
            outcomes = await asyncio.gather(
                *(
                    cashier.post("/tickets/redeem", {"number": number}, key=fresh_id())
                    for cashier in cashiers
                ),
                *(terminal.ticket_in(number) for terminal in terminals),
                return_exceptions=True,
            )
            lost = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
            assert len(lost) == len(outcomes) - 1
            assert {each.code for each in lost} == {"ticket_redeemed"}
        liability = 0
        async for transfer in house.parts.house.store.transfers(TICKETS):
            liability += transfer.amount_minor if transfer.credit == TICKETS else -transfer.amount_minor
        assert liability == 0
        console, player = await house.console("C1"), await house.terminal(credit=5_000)
        await console.act("StartRound")
        await player.place((await player.betting()).number, {"small": 1_000})
        key = player.key
    async with serving(config) as house:
        house.logins.update(logins)
        console = await house.console("C1")
        player = type(player)(house.address, key)
        await house.stack.enter_async_context(player)
        await console.act("ResumeRound")
        await dealt(console, [1, 2, 3])
        assert (await player.result(1)).returned == 2_000
        report = await (await house.person("auditor")).post("/audit/verify")
        assert report["sound"], report
