"""Under which names a house answers: a page of another site cannot make a browser ask us under its own."""

import socket
from collections.abc import Iterable
from ipaddress import ip_address

_LOCAL = ("localhost",)


def allowed_hosts(named: Iterable[str], listening: str) -> frozenset[str]:
    """The names of the settings, or else those of this computer. Addresses need no name to be ours."""
    if names := frozenset(name.casefold() for name in named):
        return names
    here = socket.gethostname().casefold()
    return frozenset({*_LOCAL, listening.casefold(), here, f"{here.partition('.')[0]}.local"})


def is_allowed(header: str, names: frozenset[str]) -> bool:
    """Whether a Host header names this house: `NAME`, `NAME:PORT`, or an address."""
    host = header.rpartition("]")[0].removeprefix("[") if header.startswith("[") else header.partition(":")[0]
    name = host.casefold().removesuffix(".")
    return name in names or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
