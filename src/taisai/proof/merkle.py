"""Merkle trees as RFC 9162 hashes them: leaves and nodes told apart, an odd node goes up as it is.

A proof is made from any source of complete subtrees, be it a tree in memory or the tiles of a log, and is
checked as section 2.1.3.2 and 2.1.4.2 say: the index before anything else, and every hash of it used.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Final

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = sha256(b"").digest()
# No honest tree is higher: sizes are below 2^63.
PROOF_HASHES_MAX: Final = 63
_KEPT_FROM: Final = 8  # nodes below this level are made again from the leaves
_BLOCK: Final = 1 << _KEPT_FROM
_BLOCKS_MADE: Final = 4  # whose lower nodes are kept: a proof takes those of its own block and of the last

# The hash of the complete subtree at a level, counted from the left.
Node = Callable[[int, int], bytes]


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


def _pairs_hashed(hashes: Sequence[bytes]) -> list[bytes]:
    """One level up; what has no neighbour is left out."""
    sha, evens = sha256, iter(hashes)
    return [sha(b"\x01" + left + right).digest() for left, right in zip(evens, evens, strict=False)]


class Tree:
    """A tree in memory: its leaves' hashes, and the nodes from level 8 up, from which any proof is quick."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []
        self._upper: list[list[bytes]] = []
        self.size = 0
        self._whole: list[bytes] = []
        self._above: tuple[tuple[int, int], list[bytes]] = ((-1, 0), [])  # of the block of the last proof
        self._made: dict[tuple[int, int], list[list[bytes]]] = {}  # by block and how far it reached

    @classmethod
    def of(cls, leaves: Iterable[bytes]) -> "Tree":
        """The tree over the hashes of these leaves."""
        tree = cls()
        tree.extend(leaves)
        return tree

    def extend(self, leaves: Iterable[bytes]) -> None:
        """Leaves' hashes that come next; each block of 256 is hashed once it is whole."""
        self._waiting += leaves
        blocks = len(self._waiting) // _BLOCK
        for place in range(blocks):
            block = self._waiting[place * _BLOCK : (place + 1) * _BLOCK]
            self._whole.append(b"".join(block))
            while len(block) > 1:
                block = _pairs_hashed(block)
            self._rise(block[0])
        self.size = len(self._whole) * _BLOCK + len(self._waiting) - blocks * _BLOCK
        del self._waiting[: blocks * _BLOCK]

    def _rise(self, node: bytes) -> None:
        """Put a whole block's hash on top, and join it with its left neighbours."""
        for level in self._upper:
            level.append(node)
            if len(level) % 2:
                return
            node = node_hash(level[-2], level[-1])
        self._upper.append([node])

    def node(self, level: int, index: int) -> bytes:
        """The hash of a complete subtree."""
        if level >= _KEPT_FROM:
            return self._upper[level - _KEPT_FROM][index]
        block, first = divmod(index << level, _BLOCK)
        return self._levels(block)[level][first >> level]

    def _levels(self, block: int) -> list[list[bytes]]:
        """A block from its leaves up; the last ones are kept, since proofs of neighbours come next."""
        first, last = block * _BLOCK, min(self.size, block * _BLOCK + _BLOCK)
        levels = self._made.get((block, last))
        if levels is None:
            levels = [[self.leaf(place) for place in range(first, last)]]
            while len(levels[-1]) > 1:
                levels.append(_pairs_hashed(levels[-1]))
            while len(self._made) >= _BLOCKS_MADE:
                del self._made[next(iter(self._made))]
            self._made[block, last] = levels
        return levels

    def leaf(self, index: int) -> bytes:
        """The hash of a leaf."""
        block, place = divmod(index, _BLOCK)
        if block < len(self._whole):
            return self._whole[block][place * HASH_BYTES : (place + 1) * HASH_BYTES]
        return self._waiting[index - len(self._whole) * _BLOCK]

    def root(self) -> bytes:
        """The hash over all leaves."""
        return root_of(self.node, self.size)

    def inclusion(self, index: int) -> list[bytes]:
        """The proof that a leaf is in the tree. Leaves of one whole block share all but its first eight."""
        block, place = divmod(index, _BLOCK)
        if not 0 <= block < len(self._whole):
            return inclusion(self.node, index, self.size)
        if self._above[0] != (block, self.size):
            self._above = (block, self.size), inclusion(self.node, block * _BLOCK, self.size)[_KEPT_FROM:]
        levels = self._levels(block)
        return [levels[level][place >> level ^ 1] for level in range(_KEPT_FROM)] + self._above[1]


def root_of(node: Node, size: int) -> bytes:
    """The root of the first leaves of a tree."""
    return _subtree(node, 0, size) if size else EMPTY_ROOT


def inclusion(node: Node, index: int, size: int) -> list[bytes]:
    """The hashes that lead from a leaf to the root of the first `size` leaves."""
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has none at {index}")
    path: list[bytes] = []
    low, high = 0, size
    while high - low > 1:
        middle = low + _split(high - low)
        if index < middle:
            path.append(_subtree(node, middle, high))
            high = middle
        else:
            path.append(_subtree(node, low, middle))
            low = middle
    return path[::-1]


def consistency(node: Node, first: int, second: int) -> list[bytes]:
    """The hashes that show that the first leaves of a tree are those that it had when it was smaller."""
    if not 0 <= first <= second:
        raise ValueError(f"a tree of {second} leaves was never one of {first}")
    path: list[bytes] = []
    if first in (0, second):
        return path
    low, high, whole = 0, second, True
    while first != high - low:
        middle = low + _split(high - low)
        if first <= middle - low:
            path.append(_subtree(node, middle, high))
            high = middle
        else:
            path.append(_subtree(node, low, middle))
            first, low, whole = first - (middle - low), middle, False
    if not whole:
        path.append(_subtree(node, low, high))
    return path[::-1]


def _split(size: int) -> int:
    """The largest power of two below a size."""
    return 1 << (size - 1).bit_length() - 1


def _subtree(node: Node, low: int, high: int) -> bytes:
    size = high - low
    if size & (size - 1) == 0:
        level = size.bit_length() - 1
        return node(level, low >> level)
    middle = low + _split(size)
    return node_hash(_subtree(node, low, middle), _subtree(node, middle, high))


def includes(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether a proof leads from a leaf's hash to the root (2.1.3.2)."""
    if not 0 <= index < size or len(proof) > PROOF_HASHES_MAX or len(leaf) != HASH_BYTES:
        return False
    place, last, found = index, size - 1, leaf
    for each in proof:
        if len(each) != HASH_BYTES or last == 0:
            return False
        if place & 1 or place == last:
            found = node_hash(each, found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = node_hash(found, each)
        place, last = place >> 1, last >> 1
    return last == 0 and found == root


def extends(first: int, second: int, first_root: bytes, second_root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that the larger tree begins with the smaller one (2.1.4.2)."""
    if not 0 < first <= second or len(proof) > PROOF_HASHES_MAX:
        return False
    if first == second:
        return not proof and first_root == second_root
    if not proof or any(len(each) != HASH_BYTES for each in proof):
        return False
    rest = iter(proof if first & (first - 1) else [first_root, *proof])
    place, last = first - 1, second - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    small = large = next(rest)
    for each in rest:
        if last == 0:
            return False
        if place & 1 or place == last:
            small, large = node_hash(each, small), node_hash(each, large)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            large = node_hash(large, each)
        place, last = place >> 1, last >> 1
    return last == 0 and small == first_root and large == second_root


def joined(proof: Iterable[bytes]) -> bytes:
    """A proof as one run of bytes."""
    return b"".join(proof)


def parted(raw: bytes) -> list[bytes] | None:
    """The hashes of a proof, or none where the bytes are no proof."""
    if len(raw) % HASH_BYTES or len(raw) > PROOF_HASHES_MAX * HASH_BYTES:
        return None
    return [raw[place : place + HASH_BYTES] for place in range(0, len(raw), HASH_BYTES)]
