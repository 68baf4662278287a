"""A key for each name, in a file of its own: whoever has the names without it has nothing readable.

The file belongs into no backup. Erasing a name destroys its key, and with it every copy of the name, on a
standby or in a backup that nobody finds again.
"""

import os
from pathlib import Path

import apsw

from taisai.adapters.sealing import KEY_LEN, Sealer
from taisai.adapters.sqlite.file import immediate, make_private, translated
from taisai.errors import InputError, StoreUnavailable

APPLICATION_ID = 0x54534E4B  # "TSNK", in the file's header
SEALED_PREFIX = "sealed1:"
_TABLE = "CREATE TABLE IF NOT EXISTS name_keys (pseudonym text PRIMARY KEY, key blob NOT NULL)"
_PUT = "INSERT INTO name_keys (pseudonym, key) VALUES ($1, $2) ON CONFLICT (pseudonym) DO NOTHING"
_GET = "SELECT key FROM name_keys WHERE pseudonym = $1"
_DESTROY = "DELETE FROM name_keys WHERE pseudonym = $1"


class NameKeys:
    """Keys in one file. What is destroyed is zeroed, and the file's journal is deleted at each commit."""

    def __init__(self, path: Path) -> None:
        self._path = path
        make_private(path)
        with translated(path):
            self._db = apsw.Connection(str(path))
            try:
                self._prepare()
            except BaseException:
                self._db.close(True)
                raise

    def _prepare(self) -> None:
        ours = self._db.pragma("application_id") == APPLICATION_ID
        if not ours and self._db.execute("SELECT count(*) FROM sqlite_schema").get:
            raise StoreUnavailable(f"{self._path} is an SQLite file, but not one of the keys of names")
        self._db.set_busy_timeout(5_000)
        self._db.pragma("journal_mode", "delete")
        self._db.pragma("synchronous", "full")
        self._db.pragma("secure_delete", True)
        with immediate(self._db):
            self._db.execute(_TABLE)
            self._db.pragma("application_id", APPLICATION_ID)

    def seal(self, pseudonym: str, name: str) -> str:
        """A name as the store keeps it; the first time a key is made for it."""
        with translated(self._path):
            self._db.execute(_PUT, (pseudonym, os.urandom(KEY_LEN)))
            key = self._db.execute(_GET, (pseudonym,)).get
        return sealed(key, pseudonym, name)

    def open(self, pseudonym: str, kept: str) -> str | None:
        """The name, or none where its key was destroyed. What an older version kept was not sealed."""
        if not is_sealed(kept):
            return kept
        with translated(self._path):
            key = self._db.execute(_GET, (pseudonym,)).get
        return opened(key, pseudonym, kept)

    def destroy(self, pseudonym: str) -> bool:
        """Make every copy of a name unreadable; False when there was no key."""
        with translated(self._path), immediate(self._db):
            self._db.execute(_DESTROY, (pseudonym,))
            return self._db.changes() > 0

    def close(self) -> None:
        self._db.close(True)


def sealed(key: bytes, pseudonym: str, name: str) -> str:
    """A name as a store keeps it."""
    return Sealer(key).seal(name, about=_about(pseudonym))


def opened(key: bytes | None, pseudonym: str, kept: str) -> str | None:
    """The name, or none without the key that it was sealed with: that was destroyed since."""
    if key is None:
        return None
    try:
        return Sealer(key).open(kept, about=_about(pseudonym))
    except InputError:
        return None


def is_sealed(kept: str) -> bool:
    """Whether a name in the store is sealed."""
    return kept.startswith(SEALED_PREFIX)


def _about(pseudonym: str) -> str:
    return f"name of {pseudonym}"
