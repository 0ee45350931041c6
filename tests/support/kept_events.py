"""What is in Kafka after a fault, beside what was acknowledged and what the gateway holds."""

import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from ingest.kafka.client import Kafka
from ingest.kafka.consumer import TopicConsumer
from ingest.kafka.event_sorter import SortedEvent, Sorter, StrayMessage
from ingest.local.log import LocalLog
from ingest.log import EVENTS, LogUnwritable
from ingest.seal.chain import events

DRAINED_S = 90.0


class Kept:
    """The events of a topic as every reader finds them: twins dropped, strays set apart."""

    def __init__(self) -> None:
        self._sorter = Sorter()
        self.good: list[SortedEvent] = []
        self.strays: list[StrayMessage] = []
        self.messages = 0
        self.appended: dict[int, list[int]] = defaultdict(list)  # by partition, microseconds

    def read_until(self, kafka: Kafka, wanted: Sequence[str]) -> float:
        """Read until all these events are there; the seconds that took."""
        began, missing = time.monotonic(), set(wanted)
        with TopicConsumer(kafka, [EVENTS]) as tail:
            while missing:
                took = time.monotonic() - began
                assert took < DRAINED_S, f"{len(missing)} acknowledged events are missing"
                with suppress(LogUnwritable):
                    self._read(tail, missing)
            with suppress(LogUnwritable):
                while self._read(tail, missing):
                    pass
        return time.monotonic() - began

    def must_hold(self, home: Path, acknowledged: Sequence[str]) -> None:
        """All that was acknowledged, once, in the order and with the bytes of the gateway's log."""
        log = LocalLog(home / "log")
        assert not self.strays
        assert {each.event.event_id for each in self.good} >= set(acknowledged)
        assert set(Counter(each.event.event_id for each in self.good).values()) <= {1}
        ours = {table: [sha for _, sha in events(log, table)] for table in log.partitions(EVENTS)}
        theirs: dict[str, list[str]] = defaultdict(list)
        for each in self.good:
            theirs[each.event.table_id].append(each.sha256)
        assert theirs == ours

    def stall_s(self, partition: int | None = None) -> float:
        """The longest time in which nothing was appended, to a partition or to any."""
        if partition is None:
            times = sorted(at for each in self.appended.values() for at in each)
        else:
            times = self.appended[partition]
        return max(b - a for a, b in pairwise(times)) / 1_000_000

    def _read(self, tail: TopicConsumer, missing: set[str]) -> int:
        found = tail.poll(1_000, 0.5)
        for message in found:
            self.messages += 1
            self.appended[message.partition].append(message.appended_at)
            sorted_ = self._sorter.sort(message)
            if isinstance(sorted_, SortedEvent):
                self.good.append(sorted_)
                missing.discard(sorted_.event.event_id)
            elif sorted_ is not None:
                self.strays.append(sorted_)
        return len(found)


def said(home: Path) -> list[str]:
    """The ids of all events in a gateway's log."""
    log = LocalLog(home / "log")
    return [each.event_id for table in log.partitions(EVENTS) for each, _ in events(log, table)]


def tell(text: str) -> None:
    """Say a figure; `make faults` shows it."""
    print(text)  # noqa: T201
