"""`python -m bench [NAME …]`: figures, each as a ratio to a baseline measured in the same run.

Every module of this package with a `main` takes part, in alphabetical order, or those that are named.
"""

import os
import platform
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules


def names() -> list[str]:
    """The modules that can be run."""
    found = sorted(module.name for module in iter_modules([str(Path(__file__).parent)]))
    return [
        name for name in found if not name.startswith("_") and hasattr(import_module(f"bench.{name}"), "main")
    ]


def main(wanted: list[str]) -> None:
    """Run what is wanted, or everything."""
    known = names()
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise SystemExit(f"no benchmark {', '.join(unknown)}; there are: {', '.join(known)}")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}")
    for name in wanted or known:
        module = import_module(f"bench.{name}")
        print(f"\n{name}: {(module.__doc__ or '').splitlines()[0]}", flush=True)
        module.main()


if __name__ == "__main__":
    main(sys.argv[1:])
