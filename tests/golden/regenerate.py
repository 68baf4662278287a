"""Files that are made by code, committed, and reviewed as a diff: `python -m tests.golden.regenerate`.

A module of this package that has a mapping `GOLDEN`, from a path to the function that writes its text, takes
part; nothing else needs to be told. `test_golden.py` fails when a committed file is not what its function
writes, or when no function writes it any more.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

HERE = Path(__file__).parent
ROOT = HERE.parent.parent

# Files of these kinds in this folder must all have a function that writes them.
SUFFIXES = (".census", ".digests", ".playthrough")


def golden() -> dict[Path, Callable[[], str]]:
    """Every golden file and how it is made, in the order of their paths."""
    found: dict[Path, Callable[[], str]] = {}
    for module in iter_modules([str(HERE)]):
        if not module.name.startswith(("test_", "regenerate")):
            entries = getattr(import_module(f"tests.golden.{module.name}"), "GOLDEN", {})
            twice = found.keys() & entries.keys()
            assert not twice, f"two functions write {twice}"
            found |= entries
    return dict(sorted(found.items()))


def orphans() -> list[Path]:
    """Golden files that nothing writes any more."""
    kept = golden()
    return sorted(path for path in HERE.rglob("*") if path.suffix in SUFFIXES and path not in kept)


def main() -> None:
    """Write what has changed and remove what is no longer made."""
    changed = 0
    for path, write in golden().items():
        text = write()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")
            changed += 1
    for path in orphans():
        path.unlink()
        print(f"removed {path.relative_to(ROOT)}")
        changed += 1
    print(f"{changed} changed", file=sys.stderr)


if __name__ == "__main__":
    main()
