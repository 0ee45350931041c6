"""Metrics for Prometheus: what arrived, where it was stored when answered, and what waits."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from ingest.doors.http_acks import Acks
from ingest.forward.lag import LaneLag
from ingest.log import Lane

Now = Callable[[], float]
LABELS = ("stream", "partition")


class GatewayMetrics:
    """The counters of the HTTP door and the lag of the spool."""

    def __init__(
        self,
        acks: Acks | None,
        counts: Counter[str],
        refused: Counter[str],
        dropped: Counter[str],
        *,
        damaged: Callable[[], Mapping[Lane, str]] = dict,
        now: Now = time.time,
    ) -> None:
        self._acks, self._damaged, self._now = acks, damaged, now
        self._counters = (
            ("roundproof_readings", "Arrivals.", "fate", counts),
            ("roundproof_refused", "Readings and requests turned away.", "why", refused),
            ("roundproof_connections_dropped", "Connections ended by us.", "why", dropped),
        )
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def page(self) -> bytes:
        """The metrics in Prometheus' text format."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """The present metrics."""
        for name, about, label, counts in self._counters:
            family = CounterMetricFamily(name, about, labels=(label,))
            for value, count in sorted(counts.items()):
                family.add_metric((value,), count)
            yield family
        yield _damage(self._damaged())
        if self._acks is not None:
            yield from _forwarding(self._acks, self._now())


def _damage(damaged: Mapping[Lane, str]) -> Metric:
    gauge = GaugeMetricFamily("roundproof_log_damaged", "It must be restored.", labels=LABELS)
    for lane in sorted(damaged):
        gauge.add_metric(lane, 1)
    return gauge


def _forwarding(acks: Acks, now: float) -> Iterator[Metric]:
    given = CounterMetricFamily("roundproof_acks", "Answers by where it was.", labels=("stored",))
    for stored in ("kafka", "spool"):
        given.add_metric((stored,), acks.given[stored])
    yield given
    state = acks.health()["state"]
    if state != "unknown":
        up = int(state == "ok")
        yield GaugeMetricFamily("roundproof_kafka_up", "Whether Kafka takes records.", up)
    found = acks.lags()
    yield _gauge("lag_records", "Records that wait for Kafka.", found, lambda each: each.lag)
    yield _gauge("spool_bytes", "Bytes that wait.", found, lambda each: each.bytes_waiting)
    yield _gauge("oldest_waiting_seconds", "Age of the first.", found, lambda each: _age(each, now))
    yield _gauge("lane_stopped", "It needs a person.", found, lambda each: int(bool(each.wrong)))


def _gauge(
    name: str, about: str, found: Iterable[LaneLag], value: Callable[[LaneLag], float]
) -> Metric:
    gauge = GaugeMetricFamily("roundproof_" + name, about, labels=LABELS)
    for each in found:
        gauge.add_metric(each.lane, value(each))
    return gauge


def _age(each: LaneLag, now: float) -> float:
    return 0.0 if each.oldest_at is None else max(0.0, now - each.oldest_at / 1_000_000)
