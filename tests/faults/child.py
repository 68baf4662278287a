"""The server that the fault run starts: the real one, with a clock that can be set while it runs."""

import sys
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic

from taisai.adapters.clock import SystemClock, wall_time
from tests.server.child import main

_LOOK_SECONDS = 0.05


class SetClock:
    """The machine's clock, moved by as many seconds as a file says."""

    def __init__(self, path: Path) -> None:
        self._path, self._looked, self._off = path, -1.0, timedelta()

    def __call__(self) -> datetime:
        if monotonic() - self._looked > _LOOK_SECONDS:
            self._looked = monotonic()
            if self._path.exists():
                self._off = timedelta(seconds=float(self._path.read_text(encoding="ascii") or 0))
        return wall_time() + self._off


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    main(folder, SystemClock(SetClock(folder / "clock")))
