"""Trees against RFC 9162's naive definition and the vectors of transparency-dev/merkle."""

import json
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taisai.proof.merkle import (
    EMPTY_ROOT,
    Tree,
    consistency,
    extends,
    includes,
    joined,
    leaf_hash,
    parted,
    root_of,
)

VECTORS = Path(__file__).parents[2] / "fixtures/proof/merkle-vectors.json"
LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOT_OF_7 = "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"
ROOT_OF_8 = "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


def naive_root(leaves: list[bytes]) -> bytes:
    """Section 2.1.1, word by word."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha256(b"\x01" + naive_root(leaves[:split]) + naive_root(leaves[split:])).digest()


def made(size: int) -> list[bytes]:
    return [leaf_hash(b"%d" % place) for place in range(size)]


def test_the_roots_of_seven_and_eight_known_leaves() -> None:
    """The leaves that every implementation is tried with."""
    hashes = [leaf_hash(bytes.fromhex(leaf)) for leaf in LEAVES]
    assert Tree.of(hashes[:7]).root().hex() == ROOT_OF_7
    assert Tree.of(hashes).root().hex() == ROOT_OF_8
    assert Tree().root() == EMPTY_ROOT


def _bytes(raw: str | None) -> bytes:
    return b64decode(raw) if raw else b""


def _accepts(name: str, case: dict[str, Any]) -> bool:
    proof = [_bytes(each) for each in case["proof"] or []]
    if name.startswith("consistency"):
        roots = _bytes(case["root1"]), _bytes(case["root2"])
        return extends(case["size1"], case["size2"], *roots, proof)
    leaf, root = _bytes(case["leafHash"]), _bytes(case["root"])
    return includes(leaf, case["leafIdx"], case["treeSize"], proof, root)


def test_the_cases_of_transparency_dev() -> None:
    """196 proofs of which 184 must be refused."""
    cases = json.loads(VECTORS.read_bytes())
    wrong = [name for name, case in cases.items() if _accepts(name, case) is case["wantErr"]]
    assert not wrong
    assert len(cases) == 196
    assert sum(case["wantErr"] for case in cases.values()) == 184


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1000), st.data())
def test_every_proof_leads_to_the_naive_root(size: int, data: st.DataObject) -> None:
    """Roots and inclusion, also where the tree grew in parts."""
    leaves = made(size)
    cut = data.draw(st.integers(0, size))
    tree = Tree.of(leaves[:cut])
    tree.extend(leaves[cut:])
    root = naive_root(leaves)
    assert tree.root() == root
    if not size:
        return
    index = data.draw(st.integers(0, size - 1))
    proof = tree.inclusion(index)
    assert includes(leaves[index], index, size, proof, root)
    other = data.draw(st.integers(0, size - 1).filter(lambda place: place != index or size == 1))
    assert includes(leaves[index], other, size, proof, root) is (other == index)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 1000), st.data())
def test_a_tree_that_grew_shows_that_it_did(second: int, data: st.DataObject) -> None:
    """Consistency between any two sizes, and with no other root."""
    first = data.draw(st.integers(1, second))
    leaves = made(second)
    tree = Tree.of(leaves)
    roots = naive_root(leaves[:first]), naive_root(leaves)
    assert root_of(tree.node, first) == roots[0]
    proof = consistency(tree.node, first, second)
    assert extends(first, second, *roots, proof)
    assert not extends(first, second, leaf_hash(b"fork"), roots[1], proof)


def test_a_tree_says_what_it_does_not_have() -> None:
    """No proof for a leaf or a size that never was."""
    tree = Tree.of(made(3))
    with pytest.raises(ValueError, match="none at 3"):
        tree.inclusion(3)
    with pytest.raises(ValueError, match="never one of 4"):
        consistency(tree.node, 4, 3)


def test_a_proof_as_bytes_comes_back_or_is_none() -> None:
    """Bytes that are no hashes, or too many of them, are no proof."""
    hashes = made(3)
    assert parted(joined(hashes)) == hashes
    assert parted(b"") == []
    assert parted(b"x" * 33) is None
    assert parted(b"x" * 32 * 64) is None
