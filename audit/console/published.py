"""Findings that `watch` publishes in Kafka, for the queue: the last word on each, as it comes.

A thread reads the topic of findings from its start and tells the feed of whatever is new. While
Kafka is away the queue shows what the file has; the thread tries again until it is stopped.
"""

import threading
from collections.abc import Callable, Iterable

from audit.checks.run import CheckFinding
from audit.watch.published import RAISED
from audit.watch.publisher_loop import SHARED
from ingest.kafka import confluent_framing
from ingest.kafka.client import Kafka
from ingest.kafka.consumer import TopicConsumer
from ingest.log import LogUnwritable
from ingest.service_log import log
from schemas import published
from schemas.codec import UNREADABLE
from schemas.events import Finding
from schemas.shape import Refused

STREAM = "findings"
POLL_S, AGAIN_S = 0.1, 2.0


class LiveFindings:
    """The findings that stand by what the live service published."""

    def __init__(self, kafka: Kafka, say: Callable[[], None]) -> None:
        self._kafka, self._say = kafka, say
        self._lock, self._stopped = threading.Lock(), threading.Event()
        self._last: dict[str, Finding] = {}
        self._thread = threading.Thread(target=self._run, name="live-findings", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """Stop reading, and wait for the end of it."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(10)

    def standing(self) -> list[CheckFinding]:
        """The findings that were raised and not withdrawn."""
        with self._lock:
            told = [each for each in self._last.values() if each.state == RAISED]
        return [CheckFinding(**{name: getattr(each, name) for name in SHARED}) for each in told]

    def learn(self, told: Iterable[Finding]) -> None:
        """Take the last word on each finding, and tell the feed where there is any."""
        new = {each.finding_id: each for each in told}
        if new:
            with self._lock:
                self._last |= new
            self._say()

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._read()
            except LogUnwritable as error:  # Kafka is away, or denies us
                log.warning("live_findings_away", why=str(error))
                self._stopped.wait(AGAIN_S)

    def _read(self) -> None:
        unframe = confluent_framing.framing_of(self._kafka, STREAM).unframe
        with TopicConsumer(self._kafka, (STREAM,)) as tail:
            while not self._stopped.is_set():
                found = []
                for message in tail.poll(timeout_s=POLL_S):
                    try:
                        found.append(published.decode_finding(unframe(message.value or b"")[1]))
                    except (Refused, *UNREADABLE) as error:
                        log.warning("finding_unread", offset=message.offset, why=str(error))
                self.learn(found)
