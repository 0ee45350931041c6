"""Stray messages of a topic become dead letters in Kafka, each with its reason and bytes."""

from collections.abc import Callable, Sequence

from ingest import dead_letter
from ingest.kafka import confluent_framing, event_sorter
from ingest.kafka.client import Kafka
from ingest.kafka.event_sorter import StrayMessage
from ingest.kafka.producer import OutgoingMessage, TopicProducer
from ingest.log import DEAD_LETTERS


class DeadLetterSender:
    """Sends a dead letter for each stray; where two readers send the same one, readers drop it."""

    def __init__(
        self, kafka: Kafka, producer: TopicProducer, reader: str, clock: Callable[[], int]
    ) -> None:
        """`reader` names the service that found the strays; it is the key of its letters."""
        self._topic, self._key = kafka.topic(DEAD_LETTERS), reader.encode()
        self._frame = confluent_framing.framing_of(kafka, DEAD_LETTERS).frame
        self._producer, self._clock = producer, clock

    def send(self, strays: Sequence[StrayMessage]) -> None:
        """Send a letter for each; durable when this returns."""
        now = self._clock()
        bodies = (dead_letter.encode(event_sorter.letter(stray, now)) for stray in strays)
        self._producer.send(
            OutgoingMessage(self._topic, self._key, self._frame(body, dead_letter.FINGERPRINT))
            for body in bodies
        )
