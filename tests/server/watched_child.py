"""`tests.server.child`, which writes down each module that is imported on its loop once the server is up.

What the tests' own modules import is there before and not seen: clients of the house, and nothing of its own.
"""

import sys
from pathlib import Path
from threading import get_ident

from taisai.game import settling
from taisai.server import running
from tests.server.child import main

IMPORTS = "imports.txt"


def watch(folder: Path) -> None:
    """From the moment at which the server says that it has started."""
    loop, told = get_ident(), (folder / IMPORTS).open("w", encoding="utf-8", buffering=1)

    def heard(event: str, arguments: tuple[object, ...]) -> None:
        if event == "import" and get_ident() == loop:
            told.write(f"{arguments[0]}\n")

    sys.addaudithook(heard)


if __name__ == "__main__":
    tune = running.tune

    def tuned() -> None:
        tune()
        watch(Path(sys.argv[1]))

    running.tune = tuned
    settling._COLUMNS_FROM = 1
    main(Path(sys.argv[1]))
