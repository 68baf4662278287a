"""Receipts of a round that was played, for the tests of those who make and those who check them."""

from typing import Any

from taisai.dice import Roll
from taisai.floor.table.messages import BuyIn
from taisai.game import commands as cmd
from tests.floor.houses import DEALER, SmallHouse, act, ask, bet, cluster, live, seat, settle, start_round

SLIP = {"big": 500, "small": 1_000}


async def played_receipt(house: SmallHouse | None = None, player: str = "A.1") -> bytes:
    """The receipt of one of three sessions in an automatic round."""
    house = house or SmallHouse(cluster(automatic=True), proofs=True)
    async with house.open() as open_house:
        for name in "ABC":
            session = await seat(open_house, "C1", name, 100_000)
            await bet(open_house, "C1", session, SLIP)
        await house.pass_time(45)
        assert open_house.receipts is not None
        return await open_house.receipts.receipt(open_house.table("C1").state, 1, player)


async def receipt_at_once() -> bytes:
    """The receipt of a live round whose closing and result were signed by one checkpoint."""
    house = SmallHouse(live(), proofs=True)
    async with house.open() as open_house:
        await start_round(open_house, "T1")
        await live_round(open_house)
        await house.pass_time(2)
        assert open_house.receipts is not None
        return await open_house.receipts.receipt(open_house.table("T1").state, 1, "ann")


async def live_round(house: Any) -> None:
    """One round at a live table, from the bets to the settlement, without time passing."""
    await ask(house, "T1", BuyIn(by=DEALER, at=house.now(), player="ann", amount=10_000))
    await act(
        house, "T1", cmd.PlaceBets(by=DEALER, at=house.now(), player="ann", slip={"small": 1_000}, version=1)
    )
    await settle(house, "T1", Roll(1, 2, 4))
