"""Figures for Prometheus. No label ever names a player, a terminal, a round or a ticket."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Durations(Collector):
    """A histogram for what happens to every slip: observed on the loop alone, so that it needs no lock."""

    def __init__(self, name: str, documentation: str, *, registry: CollectorRegistry) -> None:
        self._name, self._documentation = name, documentation
        self._counts = [0] * (len(_SECONDS) + 1)
        self._sum = 0.0
        registry.register(self)

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(_SECONDS, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """What Prometheus asks for: how many took at most so long."""
        ends = [*map(str, _SECONDS), "+Inf"]
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
        self.ack = Durations(
            "taisai_bet_ack_seconds",
            "From a slip's arrival to its durable answer",
            registry=self.registry,
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
        self.witness = Counter(
            "taisai_witness", "Times that the witness was to be told", ["outcome"], registry=self.registry
        )

    def refused(self, code: str) -> None:
        self.refusals.labels(str(code)).inc()

    def failed(self, error: Exception) -> None:
        self.errors.labels(type(error).__name__).inc()

    def text(self) -> bytes:
        return generate_latest(self.registry)


METRICS = Metrics()
