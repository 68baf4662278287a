"""Evidence of incidents: sealed with the house's key, and beside it while the record cannot be written."""

import hmac
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from taisai.adapters.sealing import Sealer

INCIDENTS_FOLDER: Final = "incidents"
_SUFFIX: Final = ".incident"
_SIGNS: Final = 10


class FolderSafe:
    """Seals evidence; what cannot be put on the record is kept in a folder that only its owner can read."""

    def __init__(self, folder: Path | None, secret: bytes) -> None:
        self._folder = folder
        self._sealer = Sealer(secret)
        self._names = hmac.digest(secret, b"names in evidence", "sha256")

    def pseudonym(self, name: str) -> str:
        """What stands for a name; who has the key can find out whether it is a certain person's."""
        return "person-" + hmac.digest(self._names, name.casefold().encode(), "sha256").hex()[:_SIGNS]

    def seal(self, text: str, *, about: str) -> str:
        return self._sealer.seal(text, about=about)

    def open(self, sealed: str, *, about: str) -> str:
        """What was sealed."""
        return self._sealer.open(sealed, about=about)

    def put(self, number: str, text: str) -> None:
        """Keep a text, synced, under its number."""
        if self._folder is None:
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self._folder / (number + _SUFFIX), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())

    def texts(self) -> Iterator[str]:
        """Everything that was kept, by number."""
        if self._folder is None or not self._folder.is_dir():
            return
        for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
            yield path.read_text(encoding="utf-8")


def numbers_in(folder: Path) -> set[str]:
    """The incidents that are kept in a folder."""
    return {path.stem for path in folder.glob(f"*{_SUFFIX}")} if folder.is_dir() else set()
