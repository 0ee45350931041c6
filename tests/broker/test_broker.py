"""The tests' broker is a real one, each test has its own part of it, and none is left behind."""

from ingest.kafka.client import Kafka, admin, consumer, producer


def test_what_is_sent_is_read(kafka: Kafka) -> None:
    sender = producer(kafka)
    sender.send(kafka.topic("events"), key=b"T1", value=b"\xc3\x01").get(10)
    sender.close()

    reader = consumer(kafka, consumer_timeout_ms=10_000)
    reader.subscribe([kafka.topic("events")])
    read = next(iter(reader))
    reader.close()

    assert (read.key, read.value) == (b"T1", b"\xc3\x01")


def test_each_test_has_its_own_topics(kafka: Kafka) -> None:
    with admin(kafka) as hand:
        mine = [name for name in hand.list_topics() if name.startswith(kafka.prefix)]

    assert len(mine) == 8
    assert kafka.prefix != "rp."
