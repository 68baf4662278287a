"""Desks and gateways as real processes on a real bus: whoever uses a house finds it at every gateway."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from taisai.client import Staff, Terminal, TerminalKey, Visitor
from tests.cluster.roles import Role, RolesHouse, roles_house
from tests.nats import NatsServer, nats_server
from tests.postgres import own_server
from tests.server.houses import CLUSTER, LIVE, dealt

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]


async def moved(house: RolesHouse, person: Staff, gateway: int) -> Staff:
    """The same browser, sent to another gateway by a load balancer."""
    other = Staff(house.gateways[gateway].address)
    other.http.cookies, other.http.headers = person.http.cookies, person.http.headers
    return await house.stack.enter_async_context(other)


async def at_terminal(house: RolesHouse, key: TerminalKey, gateway: int) -> Terminal:
    return await house.stack.enter_async_context(Terminal(house.gateways[gateway].address, key))


@pytest.fixture(scope="module")
def bus() -> Iterator[NatsServer]:
    with nats_server() as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory, bus: NatsServer) -> AsyncIterator[RolesHouse]:
    """Two gateways and two desks, which a test may end one of; no two tests use the same tables."""
    tables = [{**CLUSTER, "name": name} for name in ("C1", "C2", "C3", "C4", "C5")]
    folder = tmp_path_factory.mktemp("roles")
    with own_server() as record:
        async with roles_house(folder, record.url(), [bus.url], *tables, LIVE, desks=2) as made:
            yield made


async def test_a_session_begun_at_one_gateway_goes_on_at_another(house: RolesHouse) -> None:
    """Login, page token, enrolment, credit, slip and result: each at the gateway that comes next."""
    first = await house.person("supervisor", 0)
    second = await moved(house, first, 1)
    offered = await second.post("/terminals", {"table": "C4", "label": "by the door"})
    key = await (await house.visitor(0)).enrol(offered["code"])
    terminal = await at_terminal(house, key, 1)
    assert await terminal.cash_in(10_000) == 10_000
    await first.act("C4", "StartRound")
    opened = await terminal.betting()
    registered = await terminal.place(opened.number, {"big": 1_000, "small": 500})
    assert (registered.credit, registered.staked) == (8_500, 1_500)
    again = await at_terminal(house, key, 0)
    await again.wait_until(lambda: again.session is not None)
    assert again.session.credit == 8_500
    async with second.console("C4") as console:
        await dealt(console, [6, 5, 4])
    played = await again.result(opened.number)
    assert played.returned == 2_000
    seats = await second.get("/tables/C4/terminals")
    assert [(seat["connected"], seat["credit"]) for seat in seats] == [(True, 10_500)]
    await first.log_out()
    with pytest.raises(Exception, match="session"):
        await second.get("/me")


async def test_two_desks_divide_a_house_and_one_goes_without_a_round_being_suspended(
    house: RolesHouse,
) -> None:
    """Each runs some units; what the one that ends had goes on at the other, in the round where it was."""
    dealer = await house.person("dealer", 0)
    visitor = await house.visitor(0)
    terminals = {}
    for name in ("C1", "C2", "C3"):
        key = await visitor.demo_terminal(name)
        terminals[name] = await at_terminal(house, key, 0)
        await terminals[name].cash_in(10_000)
        await dealer.act(name, "StartRound")
        opened = await terminals[name].betting()
        await terminals[name].place(opened.number, {"big": 1_000})
    assert await house.desks[0].stop() == 0
    for name, terminal in terminals.items():
        registered = await terminal.place(opened.number, {"big": 2_000})
        assert (registered.credit, registered.staked) == (8_000, 2_000)
        async with dealer.console(name) as console:
            await dealt(console, [6, 5, 4])
        assert (await terminal.result(opened.number)).returned == 4_000


async def test_a_gateway_waits_for_a_bus_that_is_away_and_says_so(house: RolesHouse, bus: NatsServer) -> None:
    """It ends with nobody's help but the bus's; those who were there name in `/readyz` what they miss."""
    late = Role(house.folder, "gateway", "late")
    bus.stop()
    try:
        await late.begin()
        await late.until_said(f"the bus at 127.0.0.1:{bus.port} is away, waiting for it")
        assert any("the bus" in fault for fault in await house.gateways[0].faults())
        bus.start()
        await late.until_said("is there again")
        for each in (late, *house.gateways):
            await each.until_ready()
        async with Visitor(late.address) as visitor:
            assert await visitor.demo_terminal("C5")
    finally:
        await late.close()
