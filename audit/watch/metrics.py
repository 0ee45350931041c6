"""Metrics of the live service for Prometheus: how far behind, how quick, what it found."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    start_http_server,
)

from ingest.kafka.event_sorter import Message, StrayMessage
from schemas import events as e

PASS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.35, 0.5, 1, 2, 5)


class WatchMetrics:
    """Counted from the start of the process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        mine: dict[str, Any] = {"registry": self.registry, "namespace": "roundproof_watch"}
        self._messages = Counter("messages", "Messages taken in.", **mine)
        self._strays = Counter(
            "strays", "Messages that are no event, by reason.", ["reason"], **mine
        )
        self._rounds = Counter("rounds", "Versions of rounds published.", **mine)
        self._findings = Counter("findings", "Findings published.", ["severity", "state"], **mine)
        self._passes = Histogram("pass_seconds", "Time of a pass.", buckets=PASS_S, **mine)
        self._fresh = Counter("rounds_looked_at", "Rounds that the checks looked at.", **mine)
        self.lag = Gauge("lag_messages", "Messages that wait in the topic.", **mine)
        self.tables = Gauge("tables", "Table-days that are open here.", **mine)
        self.partitions = Gauge("partitions", "Partitions that are ours.", **mine)
        self.rebalances = Counter("rebalances", "Changes of the group that reached us.", **mine)
        self.failed = Counter("failed_days", "Table-days that could not be judged.", **mine)
        self.failed_checks = Counter("failed_checks", "Checks that could not be run.", **mine)
        self.passed = Gauge("events_passed", "Events of table-days that began before us.", **mine)

    def serve(self, port: int) -> int:
        """Offer the metrics over HTTP on this machine; the port that was taken."""
        server, _ = start_http_server(port, "127.0.0.1", registry=self.registry)
        return int(server.server_port)

    def took(self, messages: Sequence[Message], strays: Sequence[StrayMessage]) -> None:
        """Count what came in."""
        self._messages.inc(len(messages))
        for stray in strays:
            self._strays.labels(stray.why.code).inc()

    def published(self, rounds: Sequence[e.DerivedRound], findings: Sequence[e.Finding]) -> None:
        """Count what went out."""
        self._rounds.inc(len(rounds))
        for finding in findings:
            self._findings.labels(finding.severity, finding.state).inc()

    @contextmanager
    def passing(self, rounds: int) -> Iterator[None]:
        """Time a pass over some rounds."""
        begun = time.perf_counter()
        yield
        self._passes.observe(time.perf_counter() - begun)
        self._fresh.inc(rounds)
