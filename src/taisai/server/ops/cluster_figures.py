"""What the figures of a process on a cluster are taken from: its leases, its standbys, its bus."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Final, Protocol

from taisai import __version__
from taisai.server.ops.metrics import METRICS

_SECOND: Final = timedelta(seconds=1)


class Leased(Protocol):
    """A process's hold of units."""

    apart: timedelta

    @property
    def owned(self) -> frozenset[str]: ...

    def age(self) -> float: ...


class StandbySeen(Protocol):
    """A standby as the primary sees it."""

    @property
    def name(self) -> str: ...

    @property
    def sync(self) -> str: ...

    @property
    def behind_bytes(self) -> int: ...

    @property
    def behind_seconds(self) -> float: ...


class OnBus(Protocol):
    """A connection to the bus."""

    @property
    def is_up(self) -> bool: ...

    @property
    def traffic(self) -> Mapping[str, int]: ...


def count_leases(lease: Leased) -> None:
    """From now on the figures are this lease's, each time that somebody asks for them."""
    METRICS.units.set_function(lambda: len(lease.owned))
    METRICS.lease_age.set_function(lease.age)
    METRICS.clock_apart.set_function(lambda: lease.apart / _SECOND)  # it is another one each time


def count_bus(link: OnBus) -> None:
    """The same for the bus, on which processes of two releases may meet."""
    METRICS.release.labels(__version__).set(1)
    METRICS.bus_up.set_function(lambda: float(link.is_up))
    METRICS.bus_messages.labels("in").set_function(lambda: float(link.traffic["in"]))
    METRICS.bus_messages.labels("out").set_function(lambda: float(link.traffic["out"]))


def count_standbys(standbys: Iterable[StandbySeen]) -> None:
    """One that is gone has no figures any more."""
    for gauge in (METRICS.standbys, METRICS.standby_lag, METRICS.standby_lag_bytes):
        gauge.clear()
    for each in standbys:
        METRICS.standbys.labels(each.sync or "unknown").inc()
        METRICS.standby_lag.labels(each.name).set(each.behind_seconds)
        METRICS.standby_lag_bytes.labels(each.name).set(each.behind_bytes)
