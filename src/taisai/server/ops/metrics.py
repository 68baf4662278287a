"""Figures for Prometheus. No label ever names a player, a terminal, a round or a ticket."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_SLIPS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)


class Amounts(Collector):
    """A histogram for what happens to every slip: observed on the loop alone, so that it needs no lock."""

    def __init__(
        self,
        name: str,
        documentation: str,
        *,
        registry: CollectorRegistry,
        bounds: tuple[float, ...] = _SECONDS,
    ) -> None:
        self._name, self._documentation, self._bounds = name, documentation, bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0
        registry.register(self)

    def observe(self, amount: float) -> None:
        self._counts[bisect_left(self._bounds, amount)] += 1
        self._sum += amount

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """What Prometheus asks for: how many took at most so much."""
        ends = [*map(str, self._bounds), "+Inf"]
        buckets = list(zip(ends, accumulate(map(float, self._counts)), strict=True))
        yield HistogramMetricFamily(self._name, self._documentation, buckets=buckets, sum_value=self._sum)


class Metrics:
    """All figures of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.rounds = Counter("taisai_rounds", "Rounds that ended", ["table", "how"], registry=self.registry)
        self.slips = Counter("taisai_slips", "Slips registered", ["table"], registry=self.registry)
        self.refusals = Counter("taisai_refusals", "Acts refused", ["code"], registry=self.registry)
        self.errors = Counter("taisai_errors", "Commands that failed", ["kind"], registry=self.registry)
        self.incidents = Counter(
            "taisai_incidents",
            "Bugs that a desk went on from",
            ["desk", "act"],
            registry=self.registry,
        )
        self.ack = Amounts(
            "taisai_bet_ack_seconds",
            "From a slip's arrival to its durable answer",
            registry=self.registry,
        )
        self.commit_slips = Amounts(
            "taisai_commit_slips",
            "Slips that one commit of a table made durable",
            registry=self.registry,
            bounds=_SLIPS,
        )
        self.requests = Histogram(
            "taisai_http_request_seconds",
            "HTTP requests",
            ["method", "status"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.connections = Gauge("taisai_connections", "Open connections", ["kind"], registry=self.registry)
        self.strangers = Gauge(
            "taisai_strangers", "Connections that nobody vouches for", registry=self.registry
        )
        self.let_go = Gauge(
            "taisai_strangers_let_go", "Connections closed to make room", registry=self.registry
        )
        self.dropped = Counter("taisai_clients_dropped", "Clients that did not read", registry=self.registry)
        self.handle = Counter(
            "taisai_handle_minor_units", "Stakes settled", ["table"], registry=self.registry
        )
        self.logins = Counter("taisai_logins", "Logins", ["outcome"], registry=self.registry)
        self.leases = Counter(
            "taisai_leases",
            "Leases not renewed, taken, of unknown units or slots, with clocks apart",
            ["what"],
            registry=self.registry,
        )
        self.witness = Counter(
            "taisai_witness", "Times that the witness was to be told", ["outcome"], registry=self.registry
        )

        self.units = Gauge("taisai_units", "Units of the house that this process has", registry=self.registry)
        self.lease_age = Gauge(
            "taisai_lease_age_seconds", "Since the leases were last renewed", registry=self.registry
        )
        self.clock_apart = Gauge(
            "taisai_clock_apart_seconds",
            "By how much this machine's clock is ahead of the database's",
            registry=self.registry,
        )
        self.standbys = Gauge(
            "taisai_standbys", "Standbys that follow the record", ["sync"], registry=self.registry
        )
        self.standby_lag = Gauge(
            "taisai_standby_lag_seconds",
            "How far a standby is behind the record",
            ["standby"],
            registry=self.registry,
        )
        self.standby_lag_bytes = Gauge(
            "taisai_standby_lag_bytes",
            "What a standby has not replayed yet",
            ["standby"],
            registry=self.registry,
        )
        self.release = Gauge(
            "taisai_release", "One, by the release that this process is", ["release"], registry=self.registry
        )
        self.bus_up = Gauge("taisai_bus_up", "Whether the bus is reached", registry=self.registry)
        self.bus_messages = Gauge(
            "taisai_bus_messages",
            "Messages on the bus since this process began",
            ["way"],
            registry=self.registry,
        )
        self.bus = Counter(
            "taisai_bus_events",
            "What went otherwise on the bus between processes",
            ["what"],
            registry=self.registry,
        )

    def registered(self, table: str, slips: int) -> None:
        """One commit of a table made so many slips durable."""
        self.slips.labels(table).inc(slips)
        self.commit_slips.observe(slips)

    def refused(self, code: str) -> None:
        self.refusals.labels(str(code)).inc()

    def failed(self, error: Exception) -> None:
        self.errors.labels(type(error).__name__).inc()

    def text(self) -> bytes:
        return generate_latest(self.registry)


METRICS = Metrics()
