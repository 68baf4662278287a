"""The two trees of a round: over the slips as registered at the closing, and over what each of them brought.

Every leaf begins with what the round is, so that a proof of one round is of no use in another, and has a salt
of its own, so that it tells nothing about its neighbours. Salts follow from a key of the house and never from
the dice's secret, which is published.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, count
from struct import Struct
from typing import Any, Final

import msgspec

from taisai.proof.merkle import Tree
from taisai.record.journal import digest

SALT_BYTES: Final = 16
SLIPS: Final = 0  # the number of the tree of slips; that of results is the attempt
_HMAC_BLOCK: Final = 64
_PLACE: Final = Struct(">IQ")  # a tree and a leaf's place in it

# A player, the slip's version, what came back in all, and by box in the order of their names: what counted,
# what came back, and by which clauses.
ResultRow = tuple[str, int, int, Sequence[int], Sequence[int], Sequence[str]]

_encode = msgspec.json.Encoder(order="deterministic").encode


class RoundName(msgspec.Struct, frozen=True, kw_only=True):
    """What a round is, for all its proofs: whose, where, when, by which rules, with which commitment."""

    origin: str
    table: str
    number: int
    opened_at: int
    rulebook_digest: str
    pay_table_digest: str
    commitment: bytes = b""

    def context(self) -> bytes:
        """What every leaf of the round's trees begins with."""
        return digest(
            b"taisai round 1",
            self.origin.encode(),
            self.table.encode(),
            b"%d" % self.number,
            b"%d" % self.opened_at,
            self.rulebook_digest.encode(),
            self.pay_table_digest.encode(),
            self.commitment,
        )


def results_context(context: bytes, slip_root: bytes, attempt: int, outcome: str) -> bytes:
    """What every leaf of results begins with. The outcome is dice such as 3-5-6, `ruled` or `void`."""
    return digest(b"taisai results 1", context, slip_root, b"%d" % attempt, outcome.encode())


def slip_body(player: str, version: int, stakes: dict[str, int]) -> bytes:
    """A slip as its leaf holds it."""
    return _encode((player, version, stakes))


def result_body(row: ResultRow, corrected: dict[str, int] | None = None) -> bytes:
    """What a slip brought as its leaf holds it; a slip that was corrected is named at the end."""
    return _encode(row) if corrected is None else _encode((*row, corrected))


def result_bodies(rows: Iterable[ResultRow]) -> Iterator[bytes]:
    """The same of many slips, none of them corrected."""
    return map(_encode, rows)


class Salts:
    """The salts of a round. Whoever has the house's key can make them again; nobody else can guess one."""

    def __init__(self, key: bytes, name: RoundName, opening_digest: bytes) -> None:
        seed = digest(
            b"taisai salts 1", name.origin.encode(), name.table.encode(), b"%d" % name.number, opening_digest
        )
        inner, outer = _hmac_states(key)
        inner.update(seed)
        outer.update(inner.digest())
        # HMAC by two states that are copied: half the time of hmac.digest, and there may be a million.
        self._inner, self._outer = _hmac_states(outer.digest())
        self._second: list[bytes] = []

    def many(self, tree: int) -> Iterator[bytes]:
        """The salts of one tree, however many are asked for."""
        if tree == SLIPS:
            self._second = []
            return self._of_slips(self._second)
        kept = self._second if tree == 1 else []
        return chain(kept, map(self.of(tree), count(len(kept))))

    def _of_slips(self, second: list[bytes]) -> Iterator[bytes]:
        """The salts of slips; the other half of each block is kept for the first results, which come next."""
        copy_inner, copy_outer, keep, pack = self._inner.copy, self._outer.copy, second.append, _PLACE.pack
        for place in count():
            inner, outer = copy_inner(), copy_outer()
            inner.update(pack(SLIPS, place))
            outer.update(inner.digest())
            block: bytes = outer.digest()
            keep(block[SALT_BYTES:])
            yield block[:SALT_BYTES]

    def of(self, tree: int) -> Callable[[int], bytes]:
        """The salts of one tree, by the place of the leaf."""
        quotient, half = divmod(tree, 2)
        copy_inner, copy_outer, start = self._inner.copy, self._outer.copy, half * SALT_BYTES

        def salt(place: int) -> bytes:
            inner, outer = copy_inner(), copy_outer()
            inner.update(_PLACE.pack(quotient, place))
            outer.update(inner.digest())
            block: bytes = outer.digest()
            return block[start : start + SALT_BYTES]

        return salt


def _hmac_states(key: bytes) -> tuple[Any, Any]:
    """The states of HMAC-SHA-256 before the message, inside and outside."""
    padded = (key if len(key) <= _HMAC_BLOCK else sha256(key).digest()).ljust(_HMAC_BLOCK, b"\0")
    return sha256(bytes(byte ^ 0x36 for byte in padded)), sha256(bytes(byte ^ 0x5C for byte in padded))


class Growing:
    """A tree of one round in the making: bodies come in parts, so that a very large round stops nobody."""

    def __init__(self, context: bytes, salts: Salts, number: int) -> None:
        self.tree = Tree()
        self._prefix, self._salts = b"\x00" + context, salts.many(number)

    def add(self, bodies: Iterable[bytes]) -> None:
        """The bodies that come next."""
        sha, prefix = sha256, self._prefix
        # Bodies come first: the last of them takes no salt with it.
        salted = zip(bodies, self._salts, strict=False)
        self.tree.extend([sha(prefix + salt + body).digest() for body, salt in salted])


def leaf_of(context: bytes, salt: bytes, body: bytes) -> bytes:
    """The hash of one leaf of either tree."""
    return sha256(b"\x00" + context + salt + body).digest()
