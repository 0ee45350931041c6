"""Readings from a topic: the same gateway, and a bad message stops nobody."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import confluent_kafka
import pytest

from audit.cli.errors import Code
from ingest import dead_letter
from ingest.doors import kafka_topic
from ingest.doors.device_keys import Grant
from ingest.doors.kafka_topic import ReadingsConsumer
from ingest.gateway import Counts, Gateway
from ingest.kafka.client import Kafka
from ingest.kafka.consumer import TopicConsumer
from ingest.kafka.event_sorter import Message
from ingest.kafka.producer import OutgoingMessage, TopicProducer
from ingest.local.log import LocalLog
from ingest.log import DEAD_LETTERS
from ingest.order import GATEWAY
from ingest.parse import reading as parse_reading
from ingest.parse.batch import Unread
from ingest.seal.chain import events
from schemas import avro, codec
from schemas import events as e
from schemas.shape import Refused
from tests.support.command_line import called
from tests.support.readings import house, json_line, reading, talk

GOOD = reading(0)
FRAMED = parse_reading.frame_reading(GOOD)


def message(value: bytes | None, key: bytes | None = b"T12", offset: int = 0) -> Message:
    return Message("rp.readings", 3, offset, key, value, 0)


def numbered(value: bytes) -> tuple[str, bytes]:
    """A registry that knows one number."""
    if value[1:5] != b"\0\0\0\7":
        raise Refused("unknown_schema", "message", "7", "another")
    return parse_reading.CURRENT, value[5:]


@pytest.mark.parametrize(
    "value",
    [FRAMED, json_line(GOOD), b"\0\0\0\0\7" + codec.encode_reading(GOOD)],
    ids=["single object", "JSON", "Confluent"],
)
def test_every_framing_gives_the_same_reading(value: bytes) -> None:
    assert kafka_topic.arrivals([message(value)], numbered) == [GOOD]


@pytest.mark.parametrize(
    ("value", "key", "reason"),
    [
        (None, b"T12", "tombstone"),
        (b"", b"T12", "empty"),
        (FRAMED, b"T13", "wrong_key"),
        (FRAMED, None, "wrong_key"),
        (FRAMED[:-1], b"T12", "not_avro"),
        (FRAMED[:5], b"T12", "truncated"),
        (FRAMED + b"?", b"T12", "trailing_bytes"),
        (b"\xc3\x01" + bytes(8) + FRAMED[10:], b"T12", "unknown_schema"),
        (b"\xc3\x01" + bytes.fromhex(avro.FINGERPRINT) + b"?", b"T12", "unknown_schema"),
        (b"\0\0\0\0\x08" + FRAMED[10:], b"T12", "unknown_schema"),
        (b"{" * 40, b"T12", "too_deep"),
        (b'{"a": 1}', b"T12", "wrong_type"),
        (b"x" * (parse_reading.MAX_MESSAGE + 1), b"T12", "too_large"),
        (json_line(reading(0, device_id=GATEWAY)), b"T12", "reserved"),
    ],
)
def test_what_cannot_be_read_has_its_reason_and_its_place(
    value: bytes | None, key: bytes | None, reason: str
) -> None:
    (found,) = kafka_topic.arrivals([message(value, key, 4711)], numbered)

    assert isinstance(found, Unread)
    assert (found.why.code, found.position) == (reason, 4711)
    assert found.body == (value or b"")[: parse_reading.MAX_MESSAGE]


def test_without_a_registry_confluents_format_is_told_so() -> None:
    (found,) = kafka_topic.arrivals([message(b"\0\0\0\0\7" + FRAMED[10:])])

    assert isinstance(found, Unread)
    assert (found.why.code, found.why.expected) == ("unknown_schema", "a registry (kafka_registry)")


@contextmanager
def inbox_of(kafka: Kafka, gateway: Gateway) -> Iterator[ReadingsConsumer]:
    with TopicConsumer(
        kafka, (kafka_topic.STREAM,), group=kafka.prefix + kafka_topic.GROUP
    ) as tail:
        yield ReadingsConsumer(tail, gateway, None)


def taken(box: ReadingsConsumer, wanted: int) -> Counts:
    """Step until so many messages were met."""
    counts = Counts()
    for _ in range(200):
        counts.add(box.step(0.2))
        if counts.accepted + counts.twins + counts.dead_lettered >= wanted:
            return counts
    pytest.fail(f"{wanted} messages expected, {counts} came")


def produced(kafka: Kafka, messages: list[tuple[str, bytes]]) -> None:
    """Messages written by a client that nobody here wrote."""
    producer = confluent_kafka.Producer({"bootstrap.servers": kafka.bootstrap})
    for key, value in messages:
        producer.produce(kafka.topic(kafka_topic.STREAM), value, key)
        producer.poll(0)
    assert producer.flush(30) == 0


def test_readings_of_a_foreign_producer_come_in_and_bad_ones_stop_nobody(
    kafka: Kafka, tmp_path: Path
) -> None:
    sent = [(each.table_id, parse_reading.frame_reading(each)) for each in talk(90)]
    bad = [("T0", b"poison"), ("T1", parse_reading.frame_reading(reading(0)))]
    produced(kafka, [*sent[:30], *bad, *sent[30:60]])
    log, gateway = house(tmp_path)
    with log, inbox_of(kafka, gateway) as box:
        counts = taken(box, 62)

    assert (counts.accepted, counts.dead_lettered, counts.gaps) == (60, 2, 0)
    dead = [dead_letter.decode(record.body) for record in log.read(DEAD_LETTERS, GATEWAY)]
    assert sorted(letter.reason for letter in dead) == ["not_json", "wrong_key"]
    assert {letter.source.rsplit("/", 1)[0] for letter in dead} == {kafka.topic("readings")}
    assert {letter.body for letter in dead} == {value for _, value in bad}
    ids = [event.event_id for table in ("T0", "T1", "T2") for event, _ in events(log, table)]
    assert len(set(ids)) == len(ids) == 60


def test_a_restart_goes_on_where_the_disk_was_sure(kafka: Kafka, tmp_path: Path) -> None:
    sent = [(each.table_id, parse_reading.frame_reading(each)) for each in talk(60)]
    produced(kafka, sent[:30])
    log, gateway = house(tmp_path)
    with log, inbox_of(kafka, gateway) as box:
        taken(box, 30)
    produced(kafka, sent[30:])
    log, gateway = house(tmp_path)
    with log, inbox_of(kafka, gateway) as box:
        counts = taken(box, 30)

    assert counts == Counts(accepted=30)


class Lost(Exception):
    """The process dies here."""


class DyingGateway(Gateway):
    """A gateway that dies after the disk has it, before anybody hears of that."""

    def take(self, arrivals: object, source: str, *, holds: bool = False) -> Counts:
        super().take(arrivals, source, holds=holds)  # type: ignore[arg-type]  # as it was given
        raise Lost


def test_what_was_not_committed_comes_again_and_is_known(kafka: Kafka, tmp_path: Path) -> None:
    produced(kafka, [("T0", parse_reading.frame_reading(each)) for each in talk(30, tables=1)])
    with (
        LocalLog(tmp_path, ("events", "dlq")) as log,
        pytest.raises(Lost),
        inbox_of(kafka, DyingGateway(log, lambda: 0)) as box,
    ):
        taken(box, 1)
    log, gateway = house(tmp_path)
    with log, inbox_of(kafka, gateway) as box:
        counts = taken(box, 30)

    assert (counts.accepted, counts.twins) == (0, 30)


def test_json_as_anyone_would_write_it_is_a_reading() -> None:
    plain = json.dumps(json.loads(json_line(GOOD)), indent=2).encode()

    assert kafka_topic.arrivals([message(plain)]) == [GOOD]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({}, None),
        ({"device_id": "cam-1"}, ("device", "shoe-3", "cam-1")),
        ({"device_kind": "console"}, ("kind", "shoe", "console")),
        ({"table_id": "T13"}, ("table", "T12", "T13")),
    ],
)
def test_a_device_says_in_its_own_topic_what_it_may(
    said: dict[str, str], told: tuple[str, str, str] | None
) -> None:
    sent = reading(0, payload=e.DeviceBeat(30), **said)
    grants = {"rp.readings.shoe-3": Grant("shoe-3", "shoe", frozenset(["T12"]))}
    came = Message(
        "rp.readings.shoe-3", 3, 0, sent.table_id.encode(), parse_reading.frame_reading(sent), 0
    )

    (found,) = kafka_topic.arrivals([came], None, grants)

    if told is None:
        assert found == sent
    else:
        assert isinstance(found, Unread)
        assert found.why.code == "not_allowed"
        assert (found.why.where, found.why.expected, found.why.found) == told


def test_a_topic_of_a_device_is_read_and_the_shared_one_is_not(
    kafka: Kafka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "keys.toml"
    file.write_text('shoe-3 = {kind = "shoe", tables = ["T12"]}\n')
    file.chmod(0o600)
    monkeypatch.setenv("ROUNDPROOF_KAFKA", kafka.bootstrap)
    monkeypatch.setenv("ROUNDPROOF_KAFKA_PREFIX", kafka.prefix)
    words = ("--devices", str(file), "--home", str(tmp_path / "var"))
    assert called("kafka", "init", "--replication", "1", *words) == Code.OK
    forged = reading(1, device_id="cam-1", device_kind="shoe")
    own, shared = kafka.topic("readings.shoe-3"), kafka.topic("readings")
    with TopicProducer(kafka) as outbox:
        outbox.send(
            [
                OutgoingMessage(own, b"T12", json_line(reading(0))),
                OutgoingMessage(own, b"T12", json_line(forged)),
                OutgoingMessage(shared, b"T12", json_line(reading(2))),
            ]
        )

    assert called("ingest", "kafka", "--once", *words) == Code.FINDINGS  # the forged reading

    log = LocalLog(tmp_path / "var" / "log")
    assert [event.device_seq for event, _ in events(log, "T12")] == [0]
    (letter,) = [dead_letter.decode(record.body) for record in log.read(DEAD_LETTERS, GATEWAY)]
    assert (letter.reason, letter.found) == ("not_allowed", "cam-1")
