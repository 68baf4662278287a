"""A round's trees and dice against the values of the design."""

from base64 import b64encode

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from taisai.dice import Roll
from taisai.proof.dice import commitment, committed_dice, drawn_digest, share_text
from taisai.proof.rounds import (
    SLIPS,
    Growing,
    RoundName,
    Salts,
    leaf_of,
    result_body,
    results_context,
    slip_body,
)

SECRET = bytes(range(32))
KEY = bytes(range(0x20, 0x40))
NAME = RoundName(
    origin="house.example/taisai",
    table="T1",
    number=7,
    opened_at=1_767_225_600_000_000,
    rulebook_digest="1" * 64,
    pay_table_digest="2" * 64,
    commitment=commitment("house.example/taisai", "T1", 7, SECRET),
)
OPENING = b"\x33" * 32
BODIES = [
    slip_body("p1", 1, {"pair-113": 50, "big": 100}),
    slip_body("p2", 4, {}),
    slip_body("p3", 2, {"small": 5}),
]


def slips() -> Growing:
    growing = Growing(NAME.context(), Salts(KEY, NAME, OPENING), SLIPS)
    growing.add(BODIES[:1])
    growing.add(BODIES[1:])
    return growing


def test_the_round_of_the_design() -> None:
    """Commitment, context, leaf and root, byte for byte."""
    assert NAME.commitment.hex() == "f46ef0102ff5008b90fcde6a767d13d8bf0b336852d70c0e75f355f68304bd2c"
    assert NAME.context().hex() == "e2e30d0e8c4c9158fee1c0e4fa29a6d8e4117a97ab37e2b424282b79cf5485d7"
    tree = slips().tree
    assert tree.leaf(0).hex() == "aef530716b67513bbe2675d2f6a0ddc85e42a7d8a4dc323c42145fe3b1e14b13"
    assert tree.root().hex() == "263b1ae3bb9acfb92e7891aa04819687eefb301e3c5358d0a55da6401d050d54"


def test_the_dice_of_the_design() -> None:
    """With the house's secret alone, and with a second party's share."""
    root = slips().tree.root()
    assert committed_dice(SECRET, NAME.context(), root) == Roll(3, 5, 6)
    assert drawn_digest(SECRET, Roll(3, 5, 6)) != drawn_digest(SECRET, Roll(3, 6, 5))


def test_a_share_changes_the_dice() -> None:
    """The signature of seed 02 over the closing's root gives 2-6-4."""
    root = slips().tree.root()
    text = share_text(NAME.origin, "T1", 7, b64encode(NAME.commitment).decode(), b64encode(root).decode())
    share = Ed25519PrivateKey.from_private_bytes(b"\x02" * 32).sign(text)
    assert committed_dice(SECRET, NAME.context(), root, share) == Roll(2, 6, 4)


def test_the_result_of_the_design() -> None:
    """The leaf of what a slip brought, in the order of its boxes."""
    body = result_body(("p1", 1, 200, [100, 50], [200, 0], ["4.1.2", "4.1.2"]))
    assert body == b'["p1",1,200,[100,50],[200,0],["4.1.2","4.1.2"]]'
    context = results_context(NAME.context(), slips().tree.root(), 1, "3-5-6")
    salt = Salts(KEY, NAME, OPENING).of(1)(0)
    assert leaf_of(context, salt, body).hex() == (
        "f91c6af8e8a7a416ef0db97de66e9590438ad73f09679c937005957511d51ce2"
    )


def test_a_corrected_slip_is_a_seventh_member() -> None:
    """So the receipt says what the slip was when it was closed, and what it was corrected to."""
    body = result_body(("p1", 1, 10, [5], [10], ["4.1.2"]), {"small": 5})
    assert msgspec.json.decode(body)[6] == {"small": 5}


def test_no_salt_is_another_tree_s() -> None:
    """Each tree and each place has its own."""
    salts = Salts(KEY, NAME, OPENING)
    made = {salts.of(tree)(place) for tree in range(6) for place in range(50)}
    assert len(made) == 300
    assert all(len(salt) == 16 for salt in made)
