"""How many times as much is made up for the server as in an ordinary run: `make fuzz TIMES=90`."""

import os
from typing import Final

TIMES: Final = int(os.environ.get("FUZZ_TIMES", "1"))
