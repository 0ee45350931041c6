"""Burial: strays of a topic become dead letters in Kafka, each with its reason and its bytes."""

from collections.abc import Callable, Sequence

from ingest import dead_letter
from ingest.kafka import confluent_framing, event_sorter
from ingest.kafka.client import Kafka
from ingest.kafka.event_sorter import Stray
from ingest.kafka.producer import Outbox, Outgoing
from ingest.log import DEAD_LETTERS


class Burial:
    """Buries what a reader found; two readers of one stray write twins, and readers drop those."""

    def __init__(self, kafka: Kafka, outbox: Outbox, reader: str, clock: Callable[[], int]) -> None:
        """`reader` names who found the strays; it is the key of the letters."""
        self._topic, self._key = kafka.topic(DEAD_LETTERS), reader.encode()
        self._frame = confluent_framing.framing_of(kafka, DEAD_LETTERS).frame
        self._outbox, self._clock = outbox, clock

    def bury(self, strays: Sequence[Stray]) -> None:
        """Send a letter for each; durable when this returns."""
        now = self._clock()
        bodies = (dead_letter.encode(event_sorter.letter(stray, now)) for stray in strays)
        self._outbox.send(
            Outgoing(self._topic, self._key, self._frame(body, dead_letter.FINGERPRINT))
            for body in bodies
        )
