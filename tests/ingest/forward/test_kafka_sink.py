"""Forwarding into a real broker."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ingest.forward.forwarder import Forwarder
from ingest.forward.kafka_sink import KafkaSink
from ingest.kafka.client import Kafka, KafkaAway, admin
from ingest.kafka.consumer import TopicConsumer
from ingest.kafka.log import KafkaLog
from ingest.local.spool import Spool
from ingest.log import DEAD_LETTERS, EVENTS, GATEWAY_STREAMS, LogUnwritable
from ingest.order import GATEWAY
from ingest.parse import batch as parse_batch
from tests.ingest.forward.test_forwarder import House, drained, held
from tests.support.readings import reading, talk


def messages(kafka: Kafka, stream: str) -> int:
    with TopicConsumer(kafka, (stream,)) as tail:
        return sum(tail.ends().values())


def in_kafka(kafka: Kafka) -> dict[str, list[bytes]]:
    with KafkaLog(kafka) as log:
        return {
            table: [record.body for record in log.read(EVENTS, table)]
            for table in log.partitions(EVENTS)
        }


def local(house: House) -> dict[str, list[bytes]]:
    return {
        table: [record.body for record in house.log.read(EVENTS, table)]
        for table in held(house.log)
    }


def test_what_the_log_holds_is_in_kafka_and_a_restart_adds_nothing(
    kafka: Kafka, tmp_path: Path
) -> None:
    house = House(tmp_path)
    with house.log, KafkaSink(kafka) as sink:
        house.gateway.take([*talk(1_500), *parse_batch.batch(b"oops\n{}\n")], "file")
        drained(Forwarder(house.spool, sink))
        house.gateway.take(talk(1_800), "file")
        drained(Forwarder(Spool(house.log, GATEWAY_STREAMS), sink))

    assert in_kafka(kafka) == local(house)
    assert (messages(kafka, EVENTS), messages(kafka, DEAD_LETTERS)) == (1_800, 2)
    with KafkaLog(kafka) as log:
        assert list(log.read(DEAD_LETTERS, GATEWAY)) == list(house.log.read(DEAD_LETTERS, GATEWAY))


def test_a_broker_that_is_not_there_is_away_and_the_spool_keeps_it(tmp_path: Path) -> None:
    house = House(tmp_path)
    nobody = Kafka("127.0.0.1:1", delivery_s=0.5)
    with house.log, KafkaSink(nobody) as sink:
        house.gateway.take(talk(30), "file")
        forwarder = Forwarder(house.spool, sink)
        with pytest.raises(KafkaAway, match=r"127\.0\.0\.1:1"):
            forwarder.step()


def test_a_topic_that_is_not_there_is_told(kafka: Kafka, tmp_path: Path) -> None:
    house = House(tmp_path)
    elsewhere = replace(kafka, prefix="nowhere.", delivery_s=1.0)
    with house.log, KafkaSink(elsewhere) as sink:
        house.gateway.take(talk(30), "file")
        with pytest.raises(
            LogUnwritable, match=r"nowhere\.events.*no such topic; roundproof kafka init"
        ):
            Forwarder(house.spool, sink).step()


def test_gateways_that_share_partitions_go_on_and_one_that_shares_a_table_is_stopped(
    kafka: Kafka, tmp_path: Path
) -> None:
    """Both write in turns to the same partitions; only T-both is a table of two."""
    names = ("a", "b")
    houses = [House(tmp_path / name) for name in names]
    sinks = [KafkaSink(kafka) for _ in names]
    pairs = list(zip(houses, sinks, strict=True))
    running = [Forwarder(house.spool, sink) for house, sink in pairs]
    for turn in range(3):
        for name, house, forwarder in zip(names, houses, running, strict=True):
            tables = [f"T{n}-{name}" for n in range(8)]
            house.gateway.take([reading(turn, table_id=table) for table in tables], "file")
            if turn:
                both = [reading(turn - 1, table_id="T-both", device_id=f"shoe-{name}")]
                house.gateway.take(both, "file")
            drained(forwarder)
    for forwarder in running:
        forwarder.check_forks()
        forwarder.measure_lag()
    for house, sink in pairs:
        house.log.close()
        sink.close()

    stopped = [[each.lane[1] for each in one.lags if each.wrong] for one in running]
    assert stopped == [[], ["T-both"]]
    found = in_kafka(kafka)
    assert len(found.pop("T-both")) == 2
    assert {len(events) for events in found.values()} == {3}
    assert len(found) == 16


def test_a_topic_that_is_made_anew_with_another_count_is_filled_again_in_its_places(
    kafka: Kafka, tmp_path: Path
) -> None:
    tables = [f"T{n}" for n in range(8)]
    house = House(tmp_path)
    with house.log, KafkaSink(kafka) as sink:
        for n in range(30):
            house.gateway.take([reading(n, table_id=table) for table in tables], "file")
        forwarder = Forwarder(house.spool, sink)
        drained(forwarder)
        remade(kafka, 5)
        house.gateway.take([reading(30, table_id=table) for table in tables], "file")
        drained(forwarder)

        forwarder.check_forks()

    assert in_kafka(kafka) == local(house)
    assert messages(kafka, EVENTS) <= 2 * 31 * len(tables)
    assert not forwarder.kafka_error or "another number" in forwarder.kafka_error


def remade(kafka: Kafka, partitions: int) -> None:
    """The events' topic gone, and made again when the broker is done with it."""
    with closing(admin(kafka)) as client:
        client.delete_topics([kafka.topic(EVENTS)])
        while kafka.topic(EVENTS) in client.list_topics():
            pass
        made = {"num_partitions": partitions, "replication_factor": 1}
        client.create_topics({kafka.topic(EVENTS): made})
        client.wait_for_topics([kafka.topic(EVENTS)])
