"""Which keys somebody who verifies a record trusts, and where they came from."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from taisai.adapters.sealing import load_secret
from taisai.adapters.signing.keys import PublicKeys, load_public_keys, public_pem
from taisai.adapters.stores import is_postgres, sqlite_path
from taisai.errors import InputError
from taisai.record.ports import Signer

# The secrets of a house that have a check value on its record, by their names in the folder of keys.
SECRETS: Final = ("tickets", "sealing")
_KEY_ID: Final = re.compile(r"[0-9a-f]{32}")


class KeySource(msgspec.Struct, frozen=True, kw_only=True):
    """One trusted key, and the file that it was read from."""

    key: str
    where: str
    beside: bool = False  # whether it lay beside the record that it is to verify


@dataclass(frozen=True)
class Trust:
    """Keys to verify with, where they came from, and the house's secrets where they are at hand."""

    keys: PublicKeys
    sources: tuple[KeySource, ...] = ()
    secrets: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def is_beside(self) -> bool:
        """Whether nothing but the record's own neighbour vouches for it."""
        return bool(self.sources) and all(source.beside for source in self.sources)


def shown_beside(store: str) -> Path:
    """Where the public keys of a record in a file are shown, for whoever takes it away."""
    path = sqlite_path(store)
    return path.with_name(path.name + ".key.pub")


def show_beside(store: str, signer: Signer) -> None:
    """Public keys that verify a record in a file are put beside it, where `taisai audit` looks for them."""
    if is_postgres(store):
        return
    shown = shown_beside(store)
    if not shown.exists() or signer.key_id not in load_public_keys([shown]).raw:
        with shown.open("ab") as file:  # what was signed before stays verifiable
            file.write(public_pem(signer.public))


def trust_files(paths: Iterable[Path], *, beside: Path | None = None) -> Trust:
    """Trust the keys in these files."""
    keys: dict[str, bytes] = {}
    sources = []
    for path in paths:
        for key, raw in load_public_keys([path]).raw.items():
            if key not in keys:
                keys[key] = raw
                sources.append(KeySource(key=key, where=str(path), beside=path == beside))
    return Trust(PublicKeys(keys.values()), tuple(sources))


def trust_pinned(pinned: Sequence[str | Path], candidates: Iterable[Path]) -> Trust:
    """Trust the keys of these files, or of these ids: an id is a digest, so whatever file has it will do."""
    ids = [str(each) for each in pinned if _KEY_ID.fullmatch(str(each))]
    trusted = trust_files(Path(each) for each in pinned if str(each) not in ids)
    found = dict(trusted.keys.raw)
    sources = list(trusted.sources)
    offered = trust_files([path for path in candidates if path.exists()])
    for key in ids:
        raw = offered.keys.raw.get(key)
        if raw is None:
            raise InputError(f"no public key with the id {key} was found: give its file")
        found[key] = raw
        sources.append(KeySource(key=key, where="pinned by its id"))
    return Trust(PublicKeys(found.values()), tuple(sources))


def trust_house(
    keys: Path, pinned: Sequence[str] = (), database: str = "", *, signer: bytes | None = None
) -> Trust:
    """What a house itself trusts: the keys that its settings pin, else those of its own folder."""
    files = sorted(keys.glob("*.pub"))
    if pinned:
        beside = [] if not database or is_postgres(database) else [shown_beside(database)]
        trusted = trust_pinned(pinned, [*files, *beside])
    else:
        trusted = trust_files(files)
        if signer is not None:  # its public half may not be shown yet
            trusted = Trust(trusted.keys.extended(signer), trusted.sources)
    return Trust(trusted.keys, trusted.sources, _secrets(keys))


def _secrets(keys: Path) -> dict[str, bytes]:
    """The secrets that are there; what is missing is somebody else's to say."""
    paths = {name: keys / f"{name}.key" for name in SECRETS}
    return {name: load_secret(path) for name, path in paths.items() if path.exists()}


def trust_store(store: str, pinned: Sequence[str | Path] | None) -> Trust:
    """What somebody with nothing but a record trusts: the keys that they bring, else those beside it."""
    if is_postgres(store):
        if not pinned:
            raise InputError("which key signed this record? give its public half with --key FILE")
        return trust_pinned(pinned, [])
    beside = shown_beside(store)
    return trust_pinned(pinned, [beside]) if pinned else trust_files([beside], beside=beside)
