"""The log's files in a folder: whole, and the last checkpoint is the one that was published last."""

import asyncio
from pathlib import Path

from taisai.adapters.witnesses.log_folder import LAST_CHECKPOINT, FolderLog


async def test_checkpoints_that_are_published_at_once_follow_each_other(tmp_path: Path) -> None:
    """As a house and its witnesses publish them: none fails, and none takes the place of a later one."""
    log = FolderLog(tmp_path / "log", tmp_path / "keys")
    for first in range(0, 100, 5):
        texts = [b"%d\n" % number * (100 - number) for number in range(first, first + 5)]
        await asyncio.gather(*map(log.publish, texts))
        assert log.last_signed().encode() == texts[-1]
        assert log.read("checkpoint") == texts[-1]
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [
        "checkpoint",
        LAST_CHECKPOINT,
    ]
