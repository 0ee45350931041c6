"""The log in Kafka: answers that never come, messages of others, and how little is remembered."""

import hashlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from kafka import TopicPartition

from ingest.kafka import producer as kafka_producer
from ingest.kafka import topics
from ingest.kafka.client import Kafka, KafkaAway, admin, partition_of, producer
from ingest.kafka.consumer import TopicConsumer
from ingest.kafka.event_sorter import StrayMessage
from ingest.kafka.log import MARK_EVERY, KafkaLog
from ingest.kafka.producer import OutgoingMessage, TopicProducer
from ingest.log import EVENTS
from ingest.parse import framing
from ingest.seal.chain import ChainPosition, events
from schemas import avro
from schemas import events as e
from tests.ingest.kafka.test_event_sorter import chain
from tests.ingest.test_log import bodies
from tests.support.kafka_writer import WritableKafkaLog
from tests.support.socks_proxy import Socks, proxy

QUICK_S = 1.0  # what a producer waits for an answer


def stored(kafka: Kafka, table: str = "T1") -> list[bytes]:
    with KafkaLog(kafka) as log:
        return [record.body for record in log.read(EVENTS, table)]


def messages(kafka: Kafka, stream: str = EVENTS) -> list[bytes | None]:
    """Everything that lies in a topic, twins and strays with it."""
    found: list[bytes | None] = []
    with TopicConsumer(kafka, (stream,)) as tail:
        count = sum(tail.ends().values())
        while len(found) < count:
            found += [message.value for message in tail.poll()]
    return found


def put(kafka: Kafka, *values: bytes | None, key: bytes | None = b"T1") -> None:
    """Messages as any other program might write them, beside those of the table."""
    there = partition_of("T1", len(numbers(kafka)))
    with closing(producer(kafka)) as made:
        for value in values:
            made.send(kafka.topic(EVENTS), key=key, value=value, partition=there)
        made.flush()


def numbers(kafka: Kafka) -> set[int]:
    with TopicConsumer(kafka, (EVENTS,)) as tail:
        return {part.partition for part in tail.assigned}


def through(network: Socks, opened: list[Any]) -> Callable[[Kafka], Any]:
    """Producers that go through a network; it is whole again when the second one is opened."""

    def again(kafka: Kafka) -> Any:
        network.losing = False
        opened.append(producer(kafka, proxy_url=network.url))
        return opened[-1]

    return again


def test_what_was_acknowledged_into_the_void_is_sent_again_and_collapses(kafka: Kafka) -> None:
    opened: list[Any] = []
    with proxy() as network:
        quick = replace(kafka, delivery_s=QUICK_S)
        sending = TopicProducer(quick, through(network, opened))
        with WritableKafkaLog(kafka, (EVENTS,), sends=sending) as log:
            log.append(EVENTS, "T1", bodies(3))
            network.losing = True
            log.append(EVENTS, "T1", bodies(3, 3))

    assert network.lost > 0
    assert len(opened) == 2
    framed = [framing.frame(body, avro.FINGERPRINT) for body in bodies(6)]
    assert set(messages(kafka)) == set(framed)
    assert len(messages(kafka)) > len(framed)  # how many twins there are depends on the batches
    assert stored(kafka) == bodies(6)


def test_an_answer_that_never_comes_is_told_in_time_and_nothing_doubles(kafka: Kafka) -> None:
    with proxy() as network:
        quick = replace(kafka, delivery_s=QUICK_S)
        sending = TopicProducer(quick, lambda k: producer(k, proxy_url=network.url))
        with WritableKafkaLog(kafka, (EVENTS,), sends=sending) as log:
            log.append(EVENTS, "T1", bodies(2))
            network.losing = True
            with pytest.raises(KafkaAway, match=r"cannot (write to topic|reach Kafka)"):
                log.append(EVENTS, "T1", bodies(2, 2))
            network.losing = False
            log.append(EVENTS, "T1", bodies(2, 2))

    assert len(messages(kafka)) > 4
    assert stored(kafka) == bodies(4)


def test_no_broker_is_told_with_its_address() -> None:
    nowhere = Kafka("127.0.0.1:1", delivery_s=0.3)

    with (
        WritableKafkaLog(nowhere, (EVENTS,)) as log,
        pytest.raises(KafkaAway, match=r"cannot reach Kafka at 127\.0\.0\.1:1"),
    ):
        log.append(EVENTS, "T1", bodies(1))


def test_a_topic_that_is_not_there_is_told_with_what_makes_it(kafka: Kafka) -> None:
    elsewhere = replace(kafka, prefix="nowhere.")

    with KafkaLog(elsewhere) as log, pytest.raises(KafkaAway, match="roundproof kafka init"):
        log.end(EVENTS, "T1")


def test_messages_of_others_are_told_and_passed_over(kafka: Kafka) -> None:
    strays: list[StrayMessage] = []
    forged = chain(3, "T1", payload=e.CardDrawn(1, "banker", "2C"))
    with WritableKafkaLog(kafka, (EVENTS,), stray=strays.append) as log:
        log.append(EVENTS, "T1", bodies(2))
        put(kafka, b"hello", None, framing.frame(forged[0], avro.FINGERPRINT))
        put(kafka, framing.frame(bodies(3)[2], avro.FINGERPRINT), key=b"T9")
        put(kafka, framing.frame(forged[2], avro.FINGERPRINT))
        log.append(EVENTS, "T1", bodies(2, 2))

        assert log.partitions(EVENTS) == ("T1",)
        assert [record.body for record in log.read(EVENTS, "T1")] == bodies(4)
        assert list(log.read(EVENTS, "T9")) == []

    codes = [stray.why.code for stray in strays]
    assert codes == ["not_framed", "tombstone", "fork", "wrong_key", "broken_chain"]


def test_an_event_goes_to_its_own_table(kafka: Kafka) -> None:
    with WritableKafkaLog(kafka, (EVENTS,)) as log:
        with pytest.raises(Exception, match="its event expected, one of T2 found"):
            log.append(EVENTS, "T1", bodies(1, table="T2"))
        with pytest.raises(ValueError, match="not opened for writing"):
            log.append("dlq", "gateway", [b"x"])

    assert messages(kafka) == []


def test_reading_starts_near_its_place_and_keeps_no_records(kafka: Kafka) -> None:
    count = 2 * MARK_EVERY + 10
    made = bodies(count)
    with WritableKafkaLog(kafka, (EVENTS,)) as log:
        log.append(EVENTS, "T1", made)
        log.append(EVENTS, "T2", bodies(5, table="T2"))

        late = [record.offset for record in log.read(EVENTS, "T1", count - 5)]
        whole = [event.seq for event, _ in events(log, "T1")]

        marks = [mark.seq for lane in log._lanes.values() for mark in lane.marks.get("T1", ())]
    assert late == list(range(count - 5, count))
    assert whole == list(range(count))
    assert marks == [0, MARK_EVERY, 2 * MARK_EVERY]


def test_several_readers_may_take_turns(kafka: Kafka) -> None:
    with WritableKafkaLog(kafka, (EVENTS,)) as log:
        for table in ("T1", "T2", "T5"):
            log.append(EVENTS, table, bodies(3, table=table))

        turns = list(zip(*(log.read(EVENTS, table) for table in ("T1", "T2", "T5")), strict=True))

    assert [[record.offset for record in turn] for turn in turns] == [[n] * 3 for n in range(3)]


def test_what_retention_took_leaves_whole_table_days(kafka: Kafka) -> None:
    before = chain(3, "T1")
    opened = chain(1, "T1", after(before), payload=e.TableOpened("2026-03-02"))
    day = [*opened, *chain(3, "T1", after([*before, *opened]))]
    with WritableKafkaLog(kafka, (EVENTS,)) as log:
        log.append(EVENTS, "T1", [*before, *day])
    there = partition_of("T1", len(numbers(kafka)))
    with closing(admin(kafka)) as client:
        client.delete_records({TopicPartition(kafka.topic(EVENTS), there): 2})

    with KafkaLog(kafka) as log:
        found = list(log.read(EVENTS, "T1"))

    assert [(record.offset, record.body) for record in found] == list(enumerate(day, 3))


def after(made: list[bytes]) -> ChainPosition:
    """The place after some bodies."""
    place = ChainPosition()
    for body in made:
        place = ChainPosition(place.seq + 1, hashlib.sha256(body).digest())
    return place


def test_no_more_than_a_window_is_under_way() -> None:
    body = bytes(kafka_producer.WINDOW_BYTES // 4)
    many = [OutgoingMessage("t", b"k", body)] * 9 + [OutgoingMessage("t", b"k", b"x")] * (
        kafka_producer.WINDOW_MESSAGES + 5
    )

    windows = list(kafka_producer._windows(many))

    assert [message for window in windows for message in window] == many
    assert all(len(window) <= kafka_producer.WINDOW_MESSAGES for window in windows)
    assert all(
        sum(len(m.value) for m in window) <= kafka_producer.WINDOW_BYTES for window in windows
    )
    assert len(windows) == 4


def test_a_table_has_one_number_in_every_topic(kafka: Kafka) -> None:
    with closing(producer(kafka)) as made:
        for stream in ("events", "findings"):
            for table in ("T1", "T2", "B-7"):
                sent = made.send(kafka.topic(stream), key=table.encode(), value=b"x").get(10)
                assert sent.partition == partition_of(table, 4)
    assert topics.group(kafka, "watch") == f"{kafka.prefix}watch"
