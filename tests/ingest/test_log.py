"""The contract of a log, the same for every implementation."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ingest.kafka.client import Kafka
from ingest.local.log import LocalLog
from ingest.log import EVENTS, LogWriter
from ingest.seal.chain import ChainPosition, seal
from schemas import avro, codec, lock
from tests.support.kafka_writer import WritableKafkaLog
from tests.support.readings import reading

Open = Callable[[], LogWriter]


@pytest.fixture(params=["local", "kafka"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens the log for writing, closing it first where it was open."""
    opened: list[LocalLog | WritableKafkaLog] = []
    kafka: Kafka | None = None
    if request.param == "kafka":
        kafka = request.getfixturevalue("kafka")

    def again() -> LogWriter:
        while opened:
            opened.pop().close()
        streams = (EVENTS, "dlq")
        opened.append(
            WritableKafkaLog(kafka, streams) if kafka else LocalLog(tmp_path / "log", streams)
        )
        return opened[0]

    yield again
    while opened:
        opened.pop().close()


def bodies(count: int, start: int = 0, table: str = "T1") -> list[bytes]:
    made, place = [], ChainPosition()
    for n in range(start + count):
        value = reading(n, table_id=table)
        body, place = seal(value, codec.encode_said(value.payload, value.round_id), place, n)
        made.append(body)
    return made[start:]


def test_a_log_starts_empty(reopen: Open) -> None:
    log = reopen()

    assert log.partitions(EVENTS) == ()
    assert log.end(EVENTS, "T1") == 0
    assert list(log.read(EVENTS, "T1")) == []


def test_what_was_appended_is_read_in_its_order(reopen: Open) -> None:
    log = reopen()

    first, second = log.append(EVENTS, "T1", bodies(3)), log.append(EVENTS, "T1", bodies(2, 3))

    assert (first, second, log.end(EVENTS, "T1")) == (0, 3, 5)
    assert [record.body for record in log.read(EVENTS, "T1")] == bodies(5)
    assert [record.offset for record in log.read(EVENTS, "T1")] == [0, 1, 2, 3, 4]


def test_reading_starts_where_it_is_told(reopen: Open) -> None:
    log = reopen()
    log.append(EVENTS, "T1", bodies(5))

    assert [record.offset for record in log.read(EVENTS, "T1", 3)] == [3, 4]
    assert list(log.read(EVENTS, "T1", 5)) == []
    assert list(log.read(EVENTS, "T1", 99)) == []


def test_partitions_and_streams_do_not_touch_each_other(reopen: Open) -> None:
    log = reopen()
    log.append(EVENTS, "T2", bodies(2, table="T2"))
    log.append(EVENTS, "T1", bodies(1))

    assert log.partitions(EVENTS) == ("T1", "T2")
    assert log.partitions("dlq") == ()
    assert [log.end(EVENTS, table) for table in ("T1", "T2")] == [1, 2]


def test_a_log_goes_on_where_it_ended(reopen: Open) -> None:
    reopen().append(EVENTS, "T1", bodies(2))

    log = reopen()

    assert log.end(EVENTS, "T1") == 2
    assert log.append(EVENTS, "T1", bodies(1, 2)) == 2
    assert [record.body for record in log.read(EVENTS, "T1")] == bodies(3)


def test_an_empty_batch_adds_nothing(reopen: Open) -> None:
    log = reopen()

    assert log.append(EVENTS, "T1", []) == 0
    assert log.end(EVENTS, "T1") == 0


@pytest.mark.parametrize("name", ["", ".", "..", "../T1", "T/1", "/etc", "T1\0", "-T1", "T" * 65])
def test_a_partition_is_an_id_and_never_a_path(reopen: Open, name: str) -> None:
    log = reopen()

    with pytest.raises(ValueError, match="is not an id"):
        log.append(EVENTS, name, bodies(1))
    with pytest.raises(ValueError, match="is not an id"):
        list(log.read(EVENTS, name))


@pytest.mark.parametrize("body", [b"", bytes(5 * 1024 * 1024)], ids=["empty", "too long"])
def test_a_record_has_a_size_that_can_be_checked(reopen: Open, body: bytes) -> None:
    log = reopen()

    with pytest.raises(ValueError, match="bytes a record"):
        log.append(EVENTS, "T1", [*bodies(1), body])

    assert log.end(EVENTS, "T1") == 0


def test_a_record_keeps_the_schema_it_was_written_with(reopen: Open) -> None:
    older = lock.installed().versions[0].event
    first = bodies(1)[0].replace(avro.FINGERPRINT.encode(), older.encode())  # as it was said then
    value = reading(1, table_id="T1")
    said = codec.encode_said(value.payload, value.round_id)
    second, _ = seal(value, said, ChainPosition(1, hashlib.sha256(first).digest()), 1)
    log = reopen()

    log.append(EVENTS, "T1", [first], written_with=older)
    log.append(EVENTS, "T1", [second])

    found = [(record.body, record.schema) for record in log.read(EVENTS, "T1")]
    assert found == [(first, older), (second, avro.FINGERPRINT)]
