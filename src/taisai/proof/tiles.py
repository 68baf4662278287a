"""The tiles of a log (C2SP tlog-tiles): which files there are, and proofs made from them."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from taisai.errors import InvariantBroken
from taisai.proof.merkle import EMPTY_ROOT, HASH_BYTES, leaf_hash, node_hash

TILE: Final = 256
_HEIGHT: Final = 8
ENTRY_BYTES_MAX: Final = 65_535

# The bytes of a file of the log, or none.
Read = Callable[[str], bytes | None]


def tile_number(number: int) -> str:
    """A tile's number as a path: 1234067 is `x001/x234/067`."""
    parts = [f"{number % 1000:03}"]
    while number >= 1000:
        number //= 1000
        parts.append(f"x{number % 1000:03}")
    return "/".join(reversed(parts))


def hash_tile(level: int, number: int, width: int = TILE) -> str:
    """The path of a tile of hashes; one that is not full yet has its width in its name."""
    part = "" if width == TILE else f".p/{width}"
    return f"tile/{level}/{tile_number(number)}{part}"


def entry_tile(number: int, width: int = TILE) -> str:
    """The path of a bundle of entries."""
    part = "" if width == TILE else f".p/{width}"
    return f"tile/entries/{tile_number(number)}{part}"


def bundled(entries: Iterable[bytes]) -> bytes:
    """Entries as a bundle holds them: each after its length in two bytes."""
    return b"".join(len(entry).to_bytes(2, "big") + entry for entry in entries)


def unbundled(raw: bytes) -> list[bytes]:
    """The entries of a bundle."""
    entries, place = [], 0
    while place < len(raw):
        end = place + 2 + int.from_bytes(raw[place : place + 2], "big")
        if end > len(raw):
            raise InvariantBroken("a bundle of the log's entries was cut short")
        entries.append(raw[place + 2 : end])
        place = end
    return entries


class Edge:
    """The right edge of a log: enough to add entries and to know its root, however long it is."""

    def __init__(self, size: int = 0, hashes: Iterable[bytes] = ()) -> None:
        self.size = size
        self.hashes = list(hashes)  # of the complete subtrees, the largest first

    def add(self, entry: bytes) -> None:
        """One more entry."""
        node, size = leaf_hash(entry), self.size
        while size & 1:
            node, size = node_hash(self.hashes.pop(), node), size >> 1
        self.hashes.append(node)
        self.size += 1

    def root(self) -> bytes:
        """The root of all entries."""
        if not self.hashes:
            return EMPTY_ROOT
        root = self.hashes[-1]
        for node in reversed(self.hashes[:-1]):
            root = node_hash(node, root)
        return root


class TileFile(NamedTuple):
    """A file of the log and what is in it."""

    path: str
    body: bytes


def grown(before: int, entries: list[bytes], read: Read) -> Iterator[TileFile]:
    """The tiles that change when entries join a log of `before` entries, partial ones included."""
    first = before // TILE
    kept = unbundled(_part(read, entry_tile(first, before % TILE))) if before % TILE else []
    yield from _entry_tiles(first, [*kept, *entries])
    hashes, level, start = [leaf_hash(entry) for entry in entries], 0, before
    while hashes:
        number, width = divmod(start, TILE)
        raw = _part(read, hash_tile(level, number, width)) if width else b""
        raw += b"".join(hashes)
        size = start + len(hashes)
        for place in range(0, len(raw), TILE * HASH_BYTES):
            part = raw[place : place + TILE * HASH_BYTES]
            yield TileFile(hash_tile(level, number, len(part) // HASH_BYTES), part)
            number += 1
        whole = range(start // TILE, size // TILE)
        hashes = [_folded(raw[at * TILE * HASH_BYTES :][: TILE * HASH_BYTES]) for at in range(len(whole))]
        start, level = start // TILE, level + 1


def _entry_tiles(first: int, entries: list[bytes]) -> Iterator[TileFile]:
    for place in range(0, len(entries), TILE):
        part = entries[place : place + TILE]
        yield TileFile(entry_tile(first + place // TILE, len(part)), bundled(part))


def _part(read: Read, path: str) -> bytes:
    raw = read(path)
    if raw is None:
        raise InvariantBroken(f"the log's file {path} is not there")
    return raw


def _folded(raw: bytes) -> bytes:
    """The root over hashes that are a power of two in number."""
    hashes = [raw[at : at + HASH_BYTES] for at in range(0, len(raw), HASH_BYTES)]
    while len(hashes) > 1:
        hashes = [node_hash(hashes[at], hashes[at + 1]) for at in range(0, len(hashes), 2)]
    return hashes[0]


class TileReader:
    """Complete subtrees of a log of some size, from its tiles."""

    def __init__(self, size: int, read: Read) -> None:
        self._size, self._read = size, read

    def node(self, level: int, index: int) -> bytes:
        """The hash of a complete subtree."""
        tile_level, below = divmod(level, _HEIGHT)
        first = index << below
        number, place = divmod(first, TILE)
        width = min(TILE, (self._size >> (_HEIGHT * tile_level)) - number * TILE)
        raw = _part(self._read, hash_tile(tile_level, number, width))
        return _folded(raw[place * HASH_BYTES : (place + (1 << below)) * HASH_BYTES])

    def entry(self, index: int) -> bytes:
        """One entry."""
        number, place = divmod(index, TILE)
        return unbundled(_part(self._read, entry_tile(number, min(TILE, self._size - number * TILE))))[place]
