"""Tiles: which files there are, and proofs from them like those of a tree in memory."""

from hypothesis import given, settings
from hypothesis import strategies as st

from taisai.proof.merkle import Tree, consistency, inclusion, leaf_hash, root_of
from taisai.proof.tiles import Edge, TileReader, entry_tile, grown, hash_tile, tile_number


def test_the_names_of_tiles() -> None:
    """As C2SP spells them."""
    assert tile_number(1_234_067) == "x001/x234/067"
    assert tile_number(7) == "007"
    assert hash_tile(1, 0, 17) == "tile/1/000.p/17"
    assert entry_tile(273, 112) == "tile/entries/273.p/112"


def files_of(parts: list[int]) -> tuple[dict[str, bytes], list[bytes]]:
    files: dict[str, bytes] = {}
    entries: list[bytes] = []
    for part in parts:
        more = [b"entry %d" % (len(entries) + at) for at in range(part)]
        files.update(grown(len(entries), more, files.get))
        entries += more
    return files, entries


def test_a_log_of_seventy_thousand_has_the_tiles_of_the_specification() -> None:
    """273 full ones and one of 112; one full and one of 17; one of 1."""
    files, _ = files_of([70_000])
    names = [name for name in files if name.startswith("tile/0/")]
    assert len([name for name in names if ".p/" not in name]) == 273
    assert "tile/0/273.p/112" in files
    assert "tile/1/000" in files
    assert "tile/1/001.p/17" in files
    assert "tile/2/000.p/1" in files


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 400), min_size=1, max_size=4), st.data())
def test_proofs_from_tiles_are_those_of_the_tree(parts: list[int], data: st.DataObject) -> None:
    """However the log grew, at every smaller size too."""
    files, entries = files_of(parts)
    size = len(entries)
    tree, edge = Tree.of(leaf_hash(entry) for entry in entries), Edge()
    for entry in entries:
        edge.add(entry)
    assert edge.root() == tree.root()
    if not size:
        return
    reader = TileReader(size, files.get)
    small = data.draw(st.integers(1, size))
    index = data.draw(st.integers(0, small - 1))
    assert root_of(reader.node, small) == root_of(tree.node, small)
    assert inclusion(reader.node, index, small) == inclusion(tree.node, index, small)
    assert consistency(reader.node, small, size) == consistency(tree.node, small, size)
    assert reader.entry(index) == entries[index]
