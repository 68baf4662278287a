"""Signing keys in files that only their owner can read."""

import os
from pathlib import Path

from taisai.adapters.signing.keys import SigningKey, generate_key, load_key, public_path, public_pem
from taisai.adapters.signing.places import SIGNING, retired_public
from taisai.errors import InputError


class KeyFiles:
    """`NAME.pem` is the key in use, `NAME.next.pem` its successor; `.pub` beside each is its public half."""

    def __init__(self, keys: Path, name: str = SIGNING) -> None:
        self._keys, self._name = keys, name
        self._path = keys / f"{name}.pem"
        self._next = keys / f"{name}.next.pem"

    @property
    def where(self) -> str:
        return str(self._path)

    def current(self) -> SigningKey | None:
        self._show_promoted()
        return load_key(self._path) if self._path.exists() else None

    def make(self) -> SigningKey:
        return generate_key(self._path)

    def successor(self) -> SigningKey | None:
        return load_key(self._next) if self._next.exists() else None

    def make_successor(self) -> SigningKey:
        waiting = self.successor()
        if waiting is not None:
            return waiting
        public_path(self._next).unlink(missing_ok=True)
        return generate_key(self._next)

    def promote(self) -> SigningKey:
        before, after = self.current(), self.successor()
        if before is None or after is None:
            raise InputError(f"no key waits to take over from {self._path}")
        retired_public(self._keys, self._name, before.key_id).write_bytes(public_pem(before.public))
        self._next.replace(self._path)  # in one step: there is always exactly one key in use
        self._show_promoted()
        return after

    def _show_promoted(self) -> None:
        """A process that died between the two halves of a promotion left the public one behind."""
        waiting = public_path(self._next)
        if waiting.exists() and not self._next.exists():
            waiting.replace(public_path(self._path))
            _sync(self._keys)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
