"""Bent messages on the topics: good ones keep flowing, each bad one has the reason it must have."""

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from ingest import dead_letter
from ingest.doors import kafka_topic
from ingest.doors.kafka_topic import ReadingsConsumer
from ingest.gateway import Gateway
from ingest.kafka.client import Kafka, producer
from ingest.kafka.consumer import TopicConsumer
from ingest.kafka.event_sorter import Message, SortedEvent, Sorter, StrayMessage
from ingest.kafka.log import KafkaLog
from ingest.local.log import LocalLog
from ingest.log import DEAD_LETTERS, EVENTS, GATEWAY_STREAMS
from ingest.order import GATEWAY
from ingest.parse import framing
from ingest.parse import reading as parse_reading
from ingest.parse.batch import Unread
from ingest.seal.chain import events
from tests.ingest.doors.test_mutants import REASONS
from tests.support.message_mutants import mutants
from tests.support.readings import NOON, house, talk

pytestmark = pytest.mark.slow

IN_MEMORY = 50_000  # of each kind, through the same code as from the broker
ON_TOPIC = int(os.environ.get("ROUNDPROOF_MUTANTS", "4000"))
STRAYS = REASONS | {"not_framed", "fork", "gap", "broken_chain"}
UNKNOWN = bytes(range(8))


class Bent(NamedTuple):
    """A message, and the reason it must get; None where the change does not say."""

    key: bytes | None
    value: bytes | None
    reason: str | None


# How a good message is bent so that one knows, without decoding it, what is wrong with it.
SURE: dict[str, tuple[Callable[[bytes], bytes | None], str]] = {
    "nothing in it": (lambda _: b"", "empty"),
    "no value": (lambda _: None, "tombstone"),
    "header cut": (lambda good: good[:9], "truncated"),
    "schema nobody knows": (lambda good: good[:2] + UNKNOWN + good[10:], "unknown_schema"),
    "bytes behind it": (lambda good: good + b"\0", "trailing_bytes"),
}


@pytest.fixture
def seed() -> int:
    """A new one each run; a failure prints it."""
    chosen = random.SystemRandom().randrange(2**32)
    print(f"seed {chosen}")  # noqa: T201
    return chosen


def bent(good: list[tuple[bytes, bytes]], count: int, seed: int) -> Iterator[Bent]:
    """Half of them bent so that the reason is known, half in any way."""
    rng = random.Random(seed)
    wild = mutants([value for _, value in good], count, seed)
    for body in wild:
        key, value = rng.choice(good)
        if rng.random() < 0.5:
            change, reason = SURE[rng.choice(sorted(SURE))]
            yield Bent(key, change(value), reason)
        elif rng.random() < 0.2:
            yield Bent(rng.choice((None, b"", key + b"?")), value, "wrong_key")
        else:
            yield Bent(key, body, None)


def framed_readings() -> list[tuple[bytes, bytes]]:
    """Good readings to bend."""
    return [(each.table_id.encode(), parse_reading.frame_reading(each)) for each in talk(60)]


def as_messages(found: Iterator[Bent]) -> Iterator[tuple[Bent, Message]]:
    for offset, each in enumerate(found):
        yield each, Message("rp.x", 0, offset, each.key, each.value, 0)


def test_bent_readings_have_their_reason(seed: int) -> None:
    seen = Counter[str]()
    for each, message in as_messages(bent(framed_readings(), IN_MEMORY, seed)):
        (found,) = kafka_topic.arrivals([message])
        code = found.why.code if isinstance(found, Unread) else "read"
        assert code == (each.reason or code), (seed, message)
        seen[code] += 1

    assert set(seen) <= REASONS | {"read"}, seed
    assert len(seen) > 8


class Topic(NamedTuple):
    """Events as they lie in a topic: whole tables, and some of tables that never begin.

    Bent are only the latter: an event that goes on where its table ends is good, whoever wrote it.
    """

    whole: list[tuple[bytes, bytes]]
    headless: list[tuple[bytes, bytes]]


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Topic:
    log, gateway = house(tmp_path_factory.mktemp("chain"))
    with log:
        gateway.take(talk(1_200, tables=6), "file")

    def lying(tables: tuple[str, ...], start: int) -> list[tuple[bytes, bytes]]:
        return [
            (table.encode(), framing.frame(record.body, record.schema))
            for table in tables
            for record in log.read(EVENTS, table, start)
        ]

    return Topic(lying(("T0", "T1", "T2"), 0), lying(("T3", "T4", "T5"), 1))


def test_bent_events_are_strays_with_their_reason_and_the_chain_goes_on(
    chain: Topic, seed: int
) -> None:
    """Between each two good events lie bent ones; the sorter gives the good ones, all of them."""
    sorter, good, seen = Sorter(), 0, Counter[str]()
    found = as_messages(bent(chain.headless, IN_MEMORY, seed))
    for key, value in chain.whole:
        sorted_ = sorter.sort(Message("rp.events", 0, 0, key, value, 0))
        good += isinstance(sorted_, SortedEvent)
        for each, message in (next(found) for _ in range(IN_MEMORY // len(chain.whole))):
            judged = sorter.sort(message)
            assert isinstance(judged, StrayMessage), (seed, message)
            assert judged.why.code == (each.reason or judged.why.code), (seed, message)
            seen[judged.why.code] += 1

    assert good == len(chain.whole), seed
    assert set(seen) <= STRAYS, seed
    assert len(seen) > 8


def test_bent_readings_on_the_topic_stop_nobody(kafka: Kafka, tmp_path: Path, seed: int) -> None:
    """Good readings of their own tables lie between bent ones; all come in, in their order."""
    good = [(f"G{each.table_id}", each) for each in talk(300)]
    reasons = dict[tuple[str, int], str]()
    with closing(producer(kafka)) as sender:
        topic, sent = kafka.topic(kafka_topic.STREAM), []
        wild = bent(framed_readings(), ON_TOPIC, seed)
        for n, each in enumerate(wild):
            sent.append((each, sender.send(topic, key=each.key, value=each.value)))
            if n % (ON_TOPIC // 300) == 0 and good:
                table, value = good.pop(0)
                own = parse_reading.frame_reading(replace(value, table_id=table))
                sender.send(topic, key=table.encode(), value=own)
        sender.flush()
        for each, future in sent:
            if each.reason:
                at = future.get()
                reasons[f"{topic}/{at.partition}", at.offset] = each.reason
    log = LocalLog(tmp_path, GATEWAY_STREAMS)
    with (
        log,
        TopicConsumer(kafka, (kafka_topic.STREAM,), group=kafka.prefix + kafka_topic.GROUP) as tail,
    ):
        box = ReadingsConsumer(tail, Gateway(log, lambda: NOON), None)
        counts = sum(each.accepted for each in box.run(lambda: False, once=True))

    assert counts >= 300
    for table in ("GT0", "GT1", "GT2"):
        devices = Counter(event.device_id for event, _ in events(log, table))
        assert (devices.total(), devices[GATEWAY]) == (100, 0), seed
    dead = [dead_letter.decode(record.body) for record in log.read(DEAD_LETTERS, GATEWAY)]
    found = {(letter.source, letter.position): letter.reason for letter in dead}
    assert {place: found.get(place) for place in reasons} == reasons, seed
    assert len(reasons) > ON_TOPIC // 3


def test_bent_events_on_the_topic_are_passed_over(kafka: Kafka, chain: Topic, seed: int) -> None:
    strays: list[StrayMessage] = []
    expected = Counter[str]()
    wild = bent(chain.headless, ON_TOPIC, seed)
    with closing(producer(kafka)) as sender:
        for key, value in chain.whole:
            sender.send(kafka.topic(EVENTS), key=key, value=value)
            for each in (next(wild) for _ in range(ON_TOPIC // len(chain.whole))):
                sender.send(kafka.topic(EVENTS), key=each.key, value=each.value)
                expected.update([each.reason] if each.reason else [])
        sender.flush()
    with KafkaLog(kafka, stray=strays.append) as log:
        stored = [
            (table.encode(), framing.frame(record.body, record.schema))
            for table in log.partitions(EVENTS)
            for record in log.read(EVENTS, table)
        ]

    assert stored == chain.whole, seed
    found = Counter(stray.why.code for stray in strays)
    assert found.total() == ON_TOPIC // len(chain.whole) * len(chain.whole), seed
    assert all(found[reason] >= count for reason, count in expected.items()), (seed, found)
    assert set(found) <= STRAYS, seed
