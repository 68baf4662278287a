"""A terminal's conditions: doors, printers, people who shut it, large tickets, a full cluster."""

from typing import Any

import pytest
from msgspec.structs import replace

from taisai.floor.cluster.messages import (
    CashOutToTicket,
    CreditIn,
    EnrolTerminal,
    HandPay,
    NewTicket,
    ServiceState,
    SetService,
)
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.house import House
from taisai.floor.table.messages import Accepted
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from tests.floor.houses import DEALER, START, SUPERVISOR, SmallHouse, ask, bet, cluster, seat, start_round

TERMINAL = Actor("C1-1", Role.PLAYER)


async def service(house: House, by: Actor, state: ServiceState, second: Actor | None = None) -> str:
    command = SetService(by=by, at=house.now(), terminal="C1-1", service=state, second=second)
    await ask(house, "C1", command)
    return str(house.table("C1").state.terminals["C1-1"].service)


async def cash_out(house: House) -> Any:
    ticket = NewTicket(name="a" * 64, last_four="1234", expires_at=START)
    return await ask(
        house, "C1", CashOutToTicket(by=TERMINAL, at=house.now(), terminal="C1-1", ticket=ticket)
    )


@pytest.mark.parametrize("state", ["door-open", "printer-fault"])
async def test_what_prints_no_ticket_is_paid_by_hand(state: ServiceState) -> None:
    """Standards 61: the fault prevents the ticket and is named; the money can still be had."""
    async with SmallHouse(cluster()).open() as house:
        await seat(house, "C1", "C1-1", 5_000)
        await service(house, TERMINAL, state)
        refused = await cash_out(house)
        assert isinstance(refused, Refusal)
        assert (refused.code, refused.facts) == (RefusalCode.TERMINAL_OUT_OF_SERVICE, {"service": state})
        paid = await ask(
            house,
            "C1",
            HandPay(by=DEALER, at=house.now(), terminal="C1-1", second=SUPERVISOR, reason="no printer"),
        )
        assert paid.amount == 5_000


async def test_a_terminal_that_people_shut_still_pays_its_credits_out() -> None:
    """Standards 26: no bets, no money in; what is on it can be taken."""
    async with SmallHouse(cluster()).open() as house:
        session = await seat(house, "C1", "C1-1", 5_000)
        await start_round(house, "C1")
        await service(house, DEALER, "out-of-service")
        for answer in (
            await bet(house, "C1", session, {"big": 100}),
            await ask(
                house,
                "C1",
                CreditIn(by=TERMINAL, at=house.now(), terminal="C1-1", source="cash", amount=1),
            ),
        ):
            assert isinstance(answer, Refusal)
            assert answer.code is RefusalCode.TERMINAL_OUT_OF_SERVICE
        assert (await cash_out(house)).amount == 5_000


async def test_only_people_put_back_what_people_have_shut() -> None:
    """Not the terminal's own word, not a door that was opened and closed, not a restart."""
    small = SmallHouse(cluster())
    async with small.open() as house:
        await seat(house, "C1", "C1-1", 5_000)
        assert await service(house, DEALER, "out-of-service") == "out-of-service"
        assert await service(house, TERMINAL, "in-service") == "out-of-service"
        assert await service(house, TERMINAL, "door-open") == "door-open"
        assert await service(house, TERMINAL, "in-service") == "out-of-service"
    async with small.open() as house:
        assert await service(house, TERMINAL, "in-service") == "out-of-service"
        assert await service(house, DEALER, "in-service") == "out-of-service"
        assert await service(house, DEALER, "in-service", second=SUPERVISOR) == "in-service"


async def test_what_a_terminal_found_itself_outlives_a_restart_and_ends_by_its_own_word() -> None:
    """Standards 16: the condition stands until it is cleared or found to be gone."""
    small = SmallHouse(cluster())
    async with small.open() as house:
        await seat(house, "C1", "C1-1", 5_000)
        await service(house, TERMINAL, "door-open")
    async with small.open() as house:
        assert house.table("C1").state.terminals["C1-1"].service == "door-open"
        assert await service(house, TERMINAL, "in-service") == "in-service"


async def test_a_ticket_that_would_be_too_large_is_a_hand_pay() -> None:
    """Standards 62: the limit itself still prints."""
    small = SmallHouse(cluster())
    small.plan = replace(small.plan, ticket_max_minor=4_999)
    async with small.open() as house:
        await seat(house, "C1", "C1-1", 5_000)
        refused = await cash_out(house)
        assert isinstance(refused, Refusal)
        assert (refused.code, refused.facts) == (
            RefusalCode.TICKET_TOO_LARGE,
            {"amount": 5_000, "limit": 4_999},
        )
    small.plan = replace(small.plan, ticket_max_minor=5_000)
    async with small.open() as house:
        assert isinstance(await cash_out(house), Accepted)


async def test_a_cluster_has_up_to_a_thousand_terminals() -> None:
    """The next one is refused; one that is enrolled already gets a new key all the same."""
    async with SmallHouse(cluster()).open() as house:

        async def enrol(name: str) -> Any:
            command = EnrolTerminal(by=SYSTEM, at=house.now(), terminal=name, key_digest="k")
            return await ask(house, "C1", command)

        for number in range(1_000):
            assert isinstance(await enrol(f"C1-{number}"), Accepted)
        full = await enrol("C1-1000")
        assert isinstance(full, Refusal)
        assert (full.code, full.facts) == (RefusalCode.TERMINALS_FULL, {"terminals": 1_000})
        assert isinstance(await enrol("C1-7"), Accepted)
        assert len(house.table("C1").state.terminals) == 1_000
