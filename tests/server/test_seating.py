"""Whoever deals at a live table's console is its dealer, from the first act on."""

from pathlib import Path

from tests.server.houses import CLUSTER, LIVE, Serving, serving, settings


def dealer_at(house: Serving, table: str = "T1") -> str | None:
    return house.hub.house.read.at_pit(table).dealer


async def test_the_first_act_at_a_live_tables_console_seats_its_dealer(tmp_path: Path) -> None:
    """Before it nobody dealt; the round that it opens is already theirs, and the console says so."""
    async with serving(settings(tmp_path, LIVE)) as house:
        console = await house.console("T1")
        assert dealer_at(house) is None
        await console.act("StartRound")
        assert dealer_at(house) == "dealer"
        await console.wait_until(lambda: console.view is not None and console.view.dealer == "dealer")
        seated = house.parts.house.pit.state.hand_overs[-1]
        opened = house.hub.house.read.table("T1").window
        assert opened is not None
        assert seated.at <= opened.opens_at
        await console.act("CloseBetting")
        assert len(house.parts.house.pit.state.hand_overs) == 1


async def test_a_supervisor_takes_no_dealers_place(tmp_path: Path) -> None:
    """Where nobody deals an act of the course seats anyone; a supervisor who helps out is not the dealer."""
    async with serving(settings(tmp_path, LIVE)) as house:
        boss = await house.console("T1", "supervisor")
        await boss.act("CloseTable")
        await boss.act("ReopenTable")
        assert dealer_at(house) is None
        dealer = await house.console("T1")
        await dealer.act("StartRound")
        await boss.act("CloseBetting")
        assert dealer_at(house) == "dealer"


async def test_another_dealer_who_deals_is_the_dealer_from_then_on(tmp_path: Path) -> None:
    """A hand-over that nobody entered: the record follows who deals."""
    async with serving(settings(tmp_path, LIVE)) as house:
        person = await house.person("dealer")
        await person.post("/tables/T1/dealer", {"name": "somebody"}, key="seat")
        console = await house.console("T1")
        await console.act("BuyIn", player="ann", amount=1_000)
        assert dealer_at(house) == "somebody"
        await console.act("StartRound")
        assert dealer_at(house) == "dealer"


async def test_terminals_have_no_dealer_by_a_press(tmp_path: Path) -> None:
    """At a cluster the machines pay; who runs it is entered."""
    async with serving(settings(tmp_path, CLUSTER)) as house:
        await (await house.console("C1")).act("StartRound")
        assert dealer_at(house, "C1") is None
