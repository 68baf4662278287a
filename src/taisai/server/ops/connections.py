"""Who is connected, bounded: strangers make room for newcomers, and those who showed who they are stay.

Everybody begins as a stranger. When there are too many of them, from one place or in all, the one who came
first is let go, so that a newcomer always has the time to show a session or a terminal's key; the places of
those who did are not touched by it.
"""

from collections.abc import Callable, Container
from ipaddress import ip_address
from typing import Final

# The share of all connections that strangers may hold together.
_STRANGERS_SHARE: Final = 0.75


def place_of(address: str) -> str:
    """Where somebody comes from: an address, or the network of 64 bits that one home has with IPv6."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return f"{parsed.exploded[:19]}::/64"


class Lease:
    """One connection's place among all."""

    def __init__(self, held: "Connections", place: str, close: Callable[[], None]) -> None:
        self._held, self.place, self.close = held, place, close

    def known(self) -> None:
        """Whoever is connected has shown who they are."""
        self._held._forget(self)

    def end(self) -> None:
        """The connection is over."""
        self._held._forget(self)


class Connections:
    """All connections of one server that nobody vouches for yet."""

    def __init__(self, *, most: int, per_place: int, proxies: Container[str] = ()) -> None:
        self._most = max(1, int(most * _STRANGERS_SHARE))
        self._per_place, self._proxies = per_place, proxies
        self._strangers: dict[Lease, None] = {}
        self._by_place: dict[str, dict[Lease, None]] = {}
        self.let_go = 0

    def __len__(self) -> int:
        return len(self._strangers)

    def join(self, address: str, close: Callable[[], None]) -> Lease:
        """A newcomer; whoever has to go for them is closed."""
        lease = Lease(self, place_of(address), close)
        here = self._by_place.setdefault(lease.place, {})
        if len(here) >= self._per_place and address not in self._proxies:
            self._let_go(next(iter(here)))
        elif len(self._strangers) >= self._most:
            self._let_go(next(iter(self._strangers)))
        self._strangers[lease] = None
        self._by_place.setdefault(lease.place, {})[lease] = None
        return lease

    def _let_go(self, lease: Lease) -> None:
        self.let_go += 1
        self._forget(lease)
        lease.close()

    def _forget(self, lease: Lease) -> None:
        self._strangers.pop(lease, None)
        here = self._by_place.get(lease.place)
        if here is not None:
            here.pop(lease, None)
            if not here:
                del self._by_place[lease.place]
