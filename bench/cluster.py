"""Many processes against one: slips by the bus, broadcasts, a standby, and what a change of hands takes.

All ratios are of one run. Where the processor is what counts, its time is measured; what is waiting is told
by the wall, beside how busy the machine was.
"""

import os

from bench import _bus_desk, _outages, _replica, _roles


def main() -> None:
    for part in (_bus_desk, _roles, _replica, _outages):
        print(f"  load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
        part.main()
