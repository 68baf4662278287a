"""The front page's code for a phone: the address at which this house can be reached from another machine."""

import socket
from ipaddress import ip_address
from typing import Final

from taisai.server.config import Config

_EVERYWHERE: Final = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not listened at
# Nothing is sent there: a socket that is pointed at it knows which of our addresses it would use.
_SOMEWHERE: Final = ("192.0.2.1", 9)


def phone_address(config: Config, asked_host: str, scheme: str) -> str:
    """Where a phone finds the front page; empty where no other machine can reach it.

    Whoever came by a name or an address of the network came by one that works; from this machine itself the
    answer is its address in the network, if the server listens there at all.
    """
    name, port = _split(asked_host)
    if name and not _is_loopback(name):
        return f"{scheme}://{asked_host}/"
    listens = config.server.host
    own = _own_address() if listens in _EVERYWHERE else "" if _is_loopback(listens) else listens
    if not own:
        return ""
    shown = f"[{own}]" if ":" in own else own
    return f"{scheme}://{shown}{f':{port}' if port else ''}/"


def _split(host: str) -> tuple[str, str]:
    """Name and port of a Host header."""
    if host.startswith("["):
        name, _, rest = host[1:].partition("]")
        return name, rest.removeprefix(":")
    name, _, port = host.partition(":")
    return name, port


def _is_loopback(name: str) -> bool:
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def _own_address() -> str:
    """This machine's address in its network, or nothing where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEWHERE)
            found = str(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if _is_loopback(found) or found in _EVERYWHERE else found
