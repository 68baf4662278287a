"""The log's files in memory: what was written is read, and only what was published is signed."""

from taisai.floor.proofs.log_files import LogPosition, MemoryLog
from taisai.proof.tiles import TileFile


async def test_a_new_log_has_nothing_in_it() -> None:
    """No file, no position, and nothing that was ever signed."""
    log = MemoryLog()
    assert log.read("checkpoint") is None
    assert log.position() == LogPosition(0, 0)
    assert log.last_signed() == ""


async def test_files_are_kept_with_how_far_they_reach() -> None:
    """A later file takes the place of an earlier one of its name."""
    log = MemoryLog()
    await log.write([TileFile("tile/0/000", b"one"), TileFile("tile/1/000", b"x")], LogPosition(3, 4))
    await log.write(iter([TileFile("tile/0/000", b"two")]), LogPosition(5, 9))
    assert (log.read("tile/0/000"), log.read("tile/1/000")) == (b"two", b"x")
    assert log.position() == LogPosition(size=5, version=9)
    assert log.last_signed() == ""


async def test_a_checkpoint_is_shown_and_remembered_when_it_is_published() -> None:
    """The last one counts, and publishing moves no position."""
    log = MemoryLog()
    await log.publish(b"first")
    await log.publish("sécond".encode())
    assert log.read("checkpoint") == "sécond".encode()
    assert log.last_signed() == "sécond"
    assert log.position() == LogPosition()
