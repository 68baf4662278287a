"""Receipts of a round that was played, for the tests of those who make and those who check them."""

from tests.floor.houses import SmallHouse, bet, cluster, seat

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
