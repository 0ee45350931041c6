"""The Kafka door: readings from the topic `rp.readings` go through the same gateway.

A message is one reading: an Avro single object, Confluent's wire format or JSON; its key is the
table. Where devices have topics of their own, Kafka's rights say who writes each; a reading that
exceeds the device's grant becomes a dead letter. Offsets are committed after the gateway has synced
the readings; after a crash some are read again and count as twins.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, astuple
from itertools import groupby

from ingest.doors.device_keys import Grant
from ingest.gateway import Counts, Gateway
from ingest.kafka import confluent_framing
from ingest.kafka.client import Kafka, KafkaAway
from ingest.kafka.consumer import PartitionId, Rebalanced, TopicConsumer
from ingest.kafka.event_sorter import Message
from ingest.parse import framing
from ingest.parse import reading as parse_reading
from ingest.parse.batch import Arrival, Unread
from ingest.parse.framing import Unframe
from ingest.parse.reading import MAX_MESSAGE
from ingest.service_log import log
from schemas.events import Reading
from schemas.shape import Refused

STREAM = "readings"
GROUP = "gateway"
BATCH = 1_000  # messages that one sync writes
POLL_S = 0.5
CHECKED_EVERY_S = 5.0  # whether a topic was deleted or created anew

Grants = Mapping[str, Grant]  # by topic; a topic without a grant is shared by all devices


class ReadingsConsumer:
    """Stores the messages of a consumer group, and commits their offsets."""

    def __init__(
        self,
        consumer: TopicConsumer,
        gateway: Gateway,
        unframe: Unframe | None,
        grants: Grants | None = None,
    ) -> None:
        self._consumer, self._gateway, self._unframe = consumer, gateway, unframe
        self._grants = grants or {}

    def step(self, timeout_s: float = POLL_S) -> Counts:
        """Store the next messages and commit them; zero counts after the timeout."""
        counts = Counts()
        messages = self._consumer.poll(BATCH, timeout_s)
        for part, group in groupby(
            messages, key=lambda each: PartitionId(each.topic, each.partition)
        ):
            found = list(group)
            arrived = arrivals(found, self._unframe, self._grants)
            counts.add(self._gateway.take(arrived, source(part)))
            self._commit(part, found[-1].offset + 1)
        return counts

    def run(self, stopped: Callable[[], bool], *, once: bool = False) -> Iterator[Counts]:
        """Store messages until stopped; with `once`, until no more wait. NoTopic if one is gone."""
        checked = time.monotonic()
        while not stopped():
            if time.monotonic() - checked >= CHECKED_EVERY_S:
                self._check_topics()
                checked = time.monotonic()
            counts = self.step()
            if any(astuple(counts)):
                log.info("messages_taken", **asdict(counts))
                yield counts
            elif once and self._at_end():
                return

    def _check_topics(self) -> None:
        """Start again at the first message of a topic that was created anew."""
        remade = self._consumer.remade()
        if not remade:
            return
        log.warning("topic_created_anew", topics=sorted(remade))
        starts = {part: n for part, n in self._consumer.starts().items() if part.topic in remade}
        self._consumer.seek(starts)
        for part, offset in starts.items():
            self._commit(part, offset)

    def _commit(self, part: PartitionId, offset: int) -> None:
        try:
            self._consumer.commit({part: offset})
        except (KafkaAway, Rebalanced) as error:  # the messages come again and count as twins
            log.warning("offset_not_committed", part=source(part), reason=str(error))

    def _at_end(self) -> bool:
        return bool(self._consumer.assigned) and self._consumer.positions == self._consumer.ends()


def confluent(kafka: Kafka) -> Unframe | None:
    """The function that reads Confluent's wire format; None where no registry is set."""
    if not kafka.registry:
        return None
    return confluent_framing.Registry(kafka.registry, kafka.topic(STREAM), kafka.delivery_s).unframe


def source(part: PartitionId) -> str:
    """The source that a dead letter names: topic and partition."""
    return f"{part.topic}/{part.partition}"


def arrivals(
    messages: Iterable[Message], unframe: Unframe | None = None, grants: Grants | None = None
) -> list[Arrival]:
    """The reading of each message, or its bytes with the reason of the refusal."""
    return [_arrival(message, unframe, (grants or {}).get(message.topic)) for message in messages]


def _arrival(message: Message, unframe: Unframe | None, grant: Grant | None) -> Arrival:
    value = message.value or b""
    try:
        if message.value is None:
            raise Refused("tombstone", "message", "a reading", "a message without value")
        return _allowed(grant, _of_table(message.key, _reading(value, unframe)))
    except Refused as why:
        return Unread(why, message.offset, len(value), value[:MAX_MESSAGE])


def _reading(value: bytes, unframe: Unframe | None) -> Reading:
    if len(value) > MAX_MESSAGE:
        raise Refused("too_large", "message", f"at most {MAX_MESSAGE} bytes", str(len(value)))
    if value[:1] == framing.CONFLUENT_MARKER:
        value = reframed(value, unframe)
    if value[:1] == framing.MARKER[:1]:
        return parse_reading.single_object(value)
    return parse_reading.json_reading(value)


def reframed(value: bytes, unframe: Unframe | None) -> bytes:
    """A message in Confluent's format, framed as a single object."""
    if unframe is None:
        raise Refused("unknown_schema", "message", "a registry (kafka_registry)", "none set")
    fingerprint, body = unframe(value)
    return framing.frame(body, fingerprint)


def _of_table(key: bytes | None, reading: Reading) -> Reading:
    if key != reading.table_id.encode():
        found = "nothing" if key is None else repr(key[:60])
        raise Refused("wrong_key", "key", repr(reading.table_id), found)
    return reading


def _allowed(grant: Grant | None, reading: Reading) -> Reading:
    objection = grant.objection(reading) if grant else None
    if objection:
        what, granted, claimed = objection
        raise Refused("not_allowed", what, granted, claimed)
    return reading
