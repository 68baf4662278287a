"""What an earlier commit had, to run it beside the code of now."""

import io
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.server.processes import REPOSITORY


@contextmanager
def source_of(commit: str, *folders: str) -> Iterator[Path]:
    """The package as a commit had it, and more folders of its; the pages are of now: they are built."""
    with tempfile.TemporaryDirectory(prefix="taisai-source-") as folder:
        packed = subprocess.run(
            ["git", "archive", commit, "src", *folders], cwd=REPOSITORY, check=True, capture_output=True
        )
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
            archive.extractall(folder, filter="data")
        static = Path("src/taisai/server/static")
        shutil.copytree(REPOSITORY / static, Path(folder) / static, dirs_exist_ok=True)
        yield Path(folder)
