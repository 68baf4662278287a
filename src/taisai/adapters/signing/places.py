"""A place for one signing key and its successor. A key is named, shown, and signs; no more.

The address of a place is empty (files in the folder of keys) or a PKCS#11 address as RFC 7512 writes it:
`pkcs11:token=LABEL?module-path=FILE&pin-source=FILE`.
"""

from pathlib import Path
from typing import Protocol

from taisai.errors import InputError
from taisai.record.ports import Signer

SIGNING = "signing"
_PKCS11 = "pkcs11:"


class KeyPlace(Protocol):
    """Where one key is kept under a name. A successor waits beside it until it is promoted."""

    @property
    def where(self) -> str:
        """The place in words."""
        ...

    def current(self) -> Signer | None:
        """The key in use; none where none was made yet."""
        ...

    def make(self) -> Signer:
        """The first key; refused where there is one."""
        ...

    def successor(self) -> Signer | None:
        """The key that waits; none where none does."""
        ...

    def make_successor(self) -> Signer:
        """A key that is to take over, or the one that waits already."""
        ...

    def promote(self) -> Signer:
        """Let the successor take over. The key before it can sign no more; its public half stays."""
        ...


def key_place(address: str, keys: Path, name: str = SIGNING) -> KeyPlace:
    """The place of a key by its address; public halves are shown in the folder `keys` either way."""
    if not address:
        from taisai.adapters.signing.key_files import KeyFiles

        return KeyFiles(keys, name)
    if not address.startswith(_PKCS11):
        raise InputError(f"expected an address such as pkcs11:token=LABEL?module-path=FILE, got {address!r}")
    from taisai.adapters.signing.modules import ModuleKeys

    return ModuleKeys(address, keys, name)


def open_signer(address: str, keys: Path, name: str = SIGNING) -> Signer:
    """The key of that name, made on first use."""
    place = key_place(address, keys, name)
    return place.current() or place.make()


def retired_public(keys: Path, name: str, key_id: str) -> Path:
    """Where the public half of a key stays after another took over."""
    return keys / f"{name}-{key_id[:16]}.pub"
