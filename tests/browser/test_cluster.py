"""A whole round on the pages of a house whose gateways and desks are processes of their own."""

from contextlib import AsyncExitStack
from pathlib import Path

from playwright.async_api import Browser, expect

from tests.browser.floor import Floor, Watch, cluster
from tests.browser.seats import TerminalPage
from tests.browser.tables import PLAIN
from tests.browser.words import brings, money
from tests.cluster.balanced import balanced_house


async def test_a_round_is_played_whichever_gateway_each_connection_goes_to(
    browser: Browser, tmp_path: Path
) -> None:
    """Two gateways, two desks, no stickiness: a terminal's page bets, and is paid what the dice bring."""
    slip, dice = {"big": 5_00, "sum-9": 25_00}, (2, 2, 5)
    async with balanced_house(tmp_path, cluster("C1", PLAIN)) as house, AsyncExitStack() as stack:
        floor = Floor(house, browser, stack, {}, Watch(house.address))
        dealer = await floor.dealer("C1")
        terminal = await TerminalPage.at(floor, "C1", credit=100_00)
        await dealer.open()
        await terminal.is_open()
        await terminal.bet(slip)
        for box, stake in slip.items():
            await terminal.lies(box, stake)
        await dealer.deal(*dice)
        gain = brings(PLAIN, dice, slip)
        await expect(terminal.meter("credit")).to_have_text(money(100_00 + gain))
        for person in floor.staff.values():
            await person.http.aclose()
        assert floor.watch.found() == []
