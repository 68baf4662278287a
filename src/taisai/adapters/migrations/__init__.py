"""Numbered SQL, forward only. Each store runs a file and notes its number in one transaction.

So a crash leaves a schema that is either before or after a file, never between, and no lock to be broken by
hand.
"""

from importlib.resources import files

from taisai.errors import StoreUnavailable


def scripts(store: str) -> list[str]:
    """The migrations of a store in order; the first is number 1."""
    folder = files(__package__) / store
    named = sorted((entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".sql"))
    for expected, (name, _) in enumerate(named, 1):
        if not name.startswith(f"{expected:04d}_"):
            raise AssertionError(f"expected migration {expected:04d}, found {name}")
    return [entry.read_text(encoding="utf-8") for _, entry in named]


def pending(store: str, version: int, where: str) -> list[tuple[int, str]]:
    """What has yet to run on a store at this version; a store from a newer release is refused."""
    known = scripts(store)
    if version > len(known):
        raise StoreUnavailable(
            f"{where} has schema version {version}; this release knows versions up to {len(known)}"
        )
    return list(enumerate(known[version:], version + 1))
