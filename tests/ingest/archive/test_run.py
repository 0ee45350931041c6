"""From a real Kafka into the archive: whole, once, and again after any stop."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from ingest.archive.index import OFFSETS
from ingest.archive.run import ArchiveCounts, Archiver
from ingest.archive.store import ArchiveLog, ArchiveWriter
from ingest.kafka.bury_strays import DeadLetterSender
from ingest.kafka.client import Kafka
from ingest.kafka.consumer import PartitionId, TopicConsumer
from ingest.kafka.event_sorter import Message, StrayMessage, UnknownEvent
from ingest.kafka.log import KafkaLog
from ingest.kafka.producer import OutgoingMessage, TopicProducer
from ingest.local.log import LocalLog
from ingest.log import EVENTS, LogCorrupt
from ingest.parse import framing
from schemas import avro
from tests.support.houses import simulated

JUNK = b"\xc3\x01" + bytes(20)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated(tmp_path_factory.mktemp("house"), rounds=2)


def sent(kafka: Kafka, house: Path) -> LocalLog:
    """Everything of a house's log in Kafka, with a stray before and a twin after each table."""
    log, topic = LocalLog(house / "log"), kafka.topic(EVENTS)
    with TopicProducer(kafka) as outbox:
        for table in log.partitions(EVENTS):
            bodies = [record.body for record in log.read(EVENTS, table)]
            framed = [framing.frame(body, avro.FINGERPRINT) for body in bodies]
            values = [JUNK, *framed, framed[-1]]
            outbox.send(OutgoingMessage(topic, table.encode(), value) for value in values)
    return log


@contextmanager
def archiver(
    kafka: Kafka, root: Path, *, unframe: framing.Unframe = framing.unframe, again: bool = False
) -> Iterator[tuple[Archiver, list[StrayMessage]]]:
    strays: list[StrayMessage] = []

    def bury(found: Sequence[StrayMessage]) -> None:
        strays.extend(found)
        with TopicProducer(kafka) as outbox:
            DeadLetterSender(kafka, outbox, "archive", lambda: 1).send(found)

    with TopicConsumer(kafka, (EVENTS,)) as topic, ArchiveWriter(root) as keeper:
        yield Archiver(root, keeper, topic, bury, unframe, again=again), strays


def held(root: Path) -> dict[str, list[bytes]]:
    log = ArchiveLog(root)
    tables = log.partitions(EVENTS)
    return {table: [record.body for record in log.read(EVENTS, table)] for table in tables}


def test_the_archive_has_every_event_once_and_strays_are_buried(
    kafka: Kafka, house: Path, tmp_path: Path
) -> None:
    log = sent(kafka, house)
    events = {
        table: [record.body for record in log.read(EVENTS, table)]
        for table in log.partitions(EVENTS)
    }

    with archiver(kafka, tmp_path) as (moving, strays):
        counts = moving.until_end()
        behind = moving.behind()

    total = sum(map(len, events.values()))
    assert counts == ArchiveCounts(total, twins=3, strays=3, sealed=3)
    assert held(tmp_path) == events
    assert behind == 0
    with KafkaLog(kafka) as letters:
        assert sum(letters.end("dlq", name) for name in letters.partitions("dlq")) == len(strays)


@pytest.mark.parametrize("forgets", [False, True], ids=["goes on", "reads all again"])
def test_a_stopped_archive_loses_and_doubles_nothing(
    kafka: Kafka, house: Path, tmp_path: Path, forgets: bool
) -> None:
    sent(kafka, house)
    with archiver(kafka, tmp_path / "whole") as (moving, _):
        moving.until_end()
    with archiver(kafka, tmp_path / "halved") as (moving, _):
        while not any(moving.batch(0.5)):
            pass
    if forgets:
        (tmp_path / "halved" / OFFSETS).unlink()

    with archiver(kafka, tmp_path / "halved") as (moving, _):
        moving.until_end()

    assert held(tmp_path / "halved") == held(tmp_path / "whole")


NUMBER = b"\0\0\0\0\x07"  # what a registry gave our schema


def of_registry(value: bytes) -> tuple[str, bytes]:
    """How a reader takes off the framing that is set to use the registry."""
    if value.startswith(NUMBER):
        return avro.FINGERPRINT, value[len(NUMBER) :]
    return framing.unframe(value)


def test_an_event_it_cannot_read_stops_the_archive_and_it_goes_on_when_mended(
    kafka: Kafka, house: Path, tmp_path: Path
) -> None:
    """A reader with the wrong framing set, from the twentieth event of a table on."""
    log = LocalLog(house / "log")
    table = log.partitions(EVENTS)[0]
    bodies = [record.body for record in log.read(EVENTS, table)]
    values = [framing.frame(body, avro.FINGERPRINT) for body in bodies[:20]]
    values += [NUMBER + body for body in bodies[20:]]
    with TopicProducer(kafka) as outbox:
        outbox.send(OutgoingMessage(kafka.topic(EVENTS), table.encode(), value) for value in values)

    for _ in range(2):
        with (
            archiver(kafka, tmp_path) as (moving, strays),
            pytest.raises(UnknownEvent, match=f"event 20 of table {table}"),
        ):
            moving.until_end()
        assert (held(tmp_path)[table], strays) == (bodies[:20], [])
    with archiver(kafka, tmp_path, unframe=of_registry) as (moving, _):
        counts = moving.until_end()

    assert (counts.events, counts.strays) == (len(bodies) - 20, 0)
    assert held(tmp_path)[table] == bodies


def test_what_an_older_reader_passed_over_is_read_again(
    kafka: Kafka, house: Path, tmp_path: Path
) -> None:
    """It had made strays of events, and its offsets stand behind them."""
    log = sent(kafka, house)
    deaf = log.partitions(EVENTS)[0].encode()

    def passes_over(value: bytes) -> tuple[str, bytes]:
        if deaf in value[:60]:
            framing.refuse("bad_value", "what it knew then", "something newer")
        return framing.unframe(value)

    with archiver(kafka, tmp_path, unframe=passes_over) as (moving, strays):
        moving.until_end()
    with archiver(kafka, tmp_path) as (moving, _):
        nothing = moving.until_end()
    with archiver(kafka, tmp_path, again=True) as (moving, _):
        counts = moving.until_end()

    missed = log.end(EVENTS, deaf.decode())
    assert len(strays) > missed
    assert nothing == ArchiveCounts()
    assert counts.events == missed
    assert held(tmp_path) == {
        table: [record.body for record in log.read(EVENTS, table)]
        for table in log.partitions(EVENTS)
    }


def test_what_kafka_forgot_before_it_was_kept_is_told(
    kafka: Kafka, house: Path, tmp_path: Path
) -> None:
    sent(kafka, house)

    class Later(TopicConsumer):
        def starts(self) -> dict[PartitionId, int]:
            return dict.fromkeys(super().starts(), 7)

    with (
        Later(kafka, (EVENTS,)) as topic,
        ArchiveWriter(tmp_path) as keeper,
        pytest.raises(LogCorrupt, match="offset 0 expected, it begins at 7: what lay between"),
    ):
        Archiver(tmp_path, keeper, topic, lambda _: None)


def test_offsets_that_are_none_are_told(kafka: Kafka, tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path):
        (tmp_path / OFFSETS).write_text("[1]")

    with (
        pytest.raises(LogCorrupt, match="offsets of topics expected"),
        archiver(kafka, tmp_path),
    ):
        pass


class Short:
    """A topic with so many messages in each of two partitions, none of which comes."""

    def __init__(self, *ends: int) -> None:
        self.positions = {PartitionId("rp.events", n): 0 for n, _ in enumerate(ends)}
        self._ends = dict(zip(self.positions, ends, strict=True))

    @property
    def assigned(self) -> tuple[PartitionId, ...]:
        return tuple(self.positions)

    def seek(self, offsets: Mapping[PartitionId, int]) -> None:
        self.positions |= offsets

    def poll(self, max_records: int = 500, timeout_s: float = 0.5) -> list[Message]:
        del max_records, timeout_s
        return []

    def starts(self) -> dict[PartitionId, int]:
        return dict.fromkeys(self._ends, 0)

    def ends(self) -> dict[PartitionId, int]:
        return self._ends

    def require_all_partitions(self) -> None:
        """It is."""


def test_a_topic_that_was_made_anew_is_read_from_its_start(tmp_path: Path) -> None:
    """Its offsets are other ones, also where they are higher than those that were saved."""
    with ArchiveWriter(tmp_path) as keeper:
        (tmp_path / OFFSETS).write_text('{"rp.events": {"0": 2000, "1": 5}}')

        moving = Archiver(tmp_path, keeper, Short(26, 30), lambda _: None)

    assert moving.behind() == 56
