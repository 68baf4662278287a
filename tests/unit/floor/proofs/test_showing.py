"""What the house shows of its log is what its receipts are made of."""

from base64 import b64decode

from taisai.proof.receipt import read_receipt
from tests.floor.houses import SmallHouse, cluster
from tests.floor.receipts import played_receipt
from tests.unit.floor.proofs_house import LOG_KEY


async def test_keys_files_and_receipts_are_shown_as_the_house_has_them() -> None:
    """The checkpoint is the one that receipts end with, and a file that is not there is none."""
    small = SmallHouse(cluster(automatic=True), proofs=True)
    receipt = read_receipt(await played_receipt(small))
    async with small.open(dealing=False) as house:
        proofs = house.proofs
        assert proofs is not None
        assert await proofs.keys() == [str(LOG_KEY)]
        checkpoint = await proofs.file("checkpoint")
        assert checkpoint is not None
        assert checkpoint.startswith(LOG_KEY.name.encode())
        assert await proofs.file("tile/0/999") is None
        place, salt = receipt.slip.index, receipt.slip.salt
        shown = await proofs.receipt("C1", 1, place, b64decode(salt).hex())
        assert read_receipt(shown).slip == receipt.slip
        assert (await proofs.closed("C1", 1)).slip_root
