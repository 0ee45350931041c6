"""From a real Kafka into the archive: whole, once, and again after any stop."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from ingest import wire
from ingest.archive import ArchiveLog, Keeper
from ingest.archiving import OFFSETS, Archiver, Counts
from ingest.burial import Burial
from ingest.kafka_client import Kafka
from ingest.log import LogCorrupt
from ingest.log_kafka import KafkaLog
from ingest.log_local import LocalLog
from ingest.outbox import Outbox, Outgoing
from ingest.seal import STREAM
from ingest.sorter import Stray
from ingest.tail import Part, Tail
from schemas import avro
from tests.houses import simulated

JUNK = b"\xc3\x01" + bytes(20)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated(tmp_path_factory.mktemp("house"), rounds=2)


def sent(kafka: Kafka, house: Path) -> LocalLog:
    """Everything of a house's log in Kafka, with a stray before and a twin after each table."""
    log, topic = LocalLog(house / "log"), kafka.topic(STREAM)
    with Outbox(kafka) as outbox:
        for table in log.partitions(STREAM):
            bodies = [record.body for record in log.read(STREAM, table)]
            framed = [wire.frame(body, avro.FINGERPRINT) for body in bodies]
            values = [JUNK, *framed, framed[-1]]
            outbox.send(Outgoing(topic, table.encode(), value) for value in values)
    return log


@contextmanager
def archiver(kafka: Kafka, root: Path) -> Iterator[tuple[Archiver, list[Stray]]]:
    strays: list[Stray] = []

    def bury(found: Sequence[Stray]) -> None:
        strays.extend(found)
        with Outbox(kafka) as outbox:
            Burial(kafka, outbox, "archive", lambda: 1).bury(found)

    with Tail(kafka, (STREAM,)) as topic, Keeper(root) as keeper:
        yield Archiver(root, keeper, topic, bury), strays


def held(root: Path) -> dict[str, list[bytes]]:
    log = ArchiveLog(root)
    tables = log.partitions(STREAM)
    return {table: [record.body for record in log.read(STREAM, table)] for table in tables}


def test_the_archive_has_every_event_once_and_strays_are_buried(
    kafka: Kafka, house: Path, tmp_path: Path
) -> None:
    log = sent(kafka, house)
    events = {
        table: [record.body for record in log.read(STREAM, table)]
        for table in log.partitions(STREAM)
    }

    with archiver(kafka, tmp_path) as (moving, strays):
        counts = moving.until_end()
        behind = moving.behind()

    total = sum(map(len, events.values()))
    assert counts == Counts(total, twins=3, strays=3, sealed=3)
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


def test_what_kafka_forgot_before_it_was_kept_is_told(
    kafka: Kafka, house: Path, tmp_path: Path
) -> None:
    sent(kafka, house)

    class Later(Tail):
        def starts(self) -> dict[Part, int]:
            return dict.fromkeys(super().starts(), 7)

    with (
        Later(kafka, (STREAM,)) as topic,
        Keeper(tmp_path) as keeper,
        pytest.raises(LogCorrupt, match="offset 0 expected, it begins at 7: what lay between"),
    ):
        Archiver(tmp_path, keeper, topic, lambda _: None)


def test_offsets_that_are_none_are_told(kafka: Kafka, tmp_path: Path) -> None:
    (tmp_path / OFFSETS).write_text("[1]")

    with (
        pytest.raises(LogCorrupt, match="offsets of topics expected"),
        archiver(kafka, tmp_path),
    ):
        pass
