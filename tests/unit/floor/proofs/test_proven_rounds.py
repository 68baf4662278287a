"""Whoever has the record and the key of the salts makes the trees of a round again."""

from taisai.floor.followed import FollowedHouse
from taisai.floor.proofs.proven_rounds import ProvenRounds
from taisai.floor.proofs.receipts import slip_proof
from tests.floor.houses import SmallHouse, cluster
from tests.floor.receipts import played_receipt


async def test_a_copy_of_a_table_proves_the_same_slips_as_the_house() -> None:
    """In another process, which never saw the round being played."""
    small = SmallHouse(cluster(automatic=True), proofs=True)
    await played_receipt(small)
    async with small.open(dealing=False) as house:
        assert house.receipts is not None
        assert small.notarising is not None
        followed = FollowedHouse(small.plan, house.store, small.clock, notarising=small.notarising)
        await followed.start()
        copied = await ProvenRounds(house.store, small.notarising, followed.tables).closed("C1", 1)
        owned = await house.receipts.closed("C1", 1)
        assert [slip_proof(copied, name) for name in owned.slips] == [
            slip_proof(owned, name) for name in owned.slips
        ]
        await followed.stop()
