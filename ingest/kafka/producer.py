"""Writing topics: all replicas have acknowledged every message when `send` returns.

kafka-python buffers any number of messages, so we hand it one window at a time. After an error that
leaves open whether a message arrived, a new producer sends the same window again; readers drop the
twins.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from ingest.kafka.client import Kafka, KafkaDenied, close_now, producer, translated
from ingest.log import LogUnwritable

WINDOW_BYTES = 8 * 1024 * 1024
WINDOW_MESSAGES = 10_000


class OutgoingMessage(NamedTuple):
    """A message to send; its key decides its partition."""

    topic: str
    key: bytes
    value: bytes


class TopicProducer(AbstractContextManager["TopicProducer"]):
    """A producer that opens at its first use, and again after an unclear error."""

    def __init__(self, kafka: Kafka, opened: Callable[[Kafka], Any] = producer) -> None:
        self._kafka, self._opened = kafka, opened
        self._producer: Any = None

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the producer; between two calls of `send` nothing is in flight."""
        if self._producer is not None:
            close_now(self._producer)
            self._producer = None

    def send(self, messages: Iterable[OutgoingMessage]) -> None:
        """Send messages, in order for each topic and key; durable when this returns."""
        for window in _windows(messages):
            try:
                self._deliver(window)
            except KafkaDenied:
                raise
            except LogUnwritable:
                self._deliver(window)  # with a new producer: `_deliver` closed the old one

    def _deliver(self, window: list[OutgoingMessage]) -> None:
        topics = ", ".join(sorted({message.topic for message in window}))
        if self._producer is None:
            self._producer = self._opened(self._kafka)
        try:
            with translated(f"write to topic {topics}", self._kafka):
                sent = [self._producer.send(m.topic, key=m.key, value=m.value) for m in window]
                for each in sent:
                    each.get(timeout=2 * self._kafka.delivery_s)
        except BaseException:
            self.close()
            raise


def _windows(messages: Iterable[OutgoingMessage]) -> Iterator[list[OutgoingMessage]]:
    window, size = list[OutgoingMessage](), 0
    for message in messages:
        if window and (size + len(message.value) > WINDOW_BYTES or len(window) >= WINDOW_MESSAGES):
            yield window
            window, size = [], 0
        window.append(message)
        size += len(message.value)
    if window:
        yield window
