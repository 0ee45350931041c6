"""Events a second through the gateway into Kafka, beside two producers on the same messages.

python bench/ingest_rate.py [EVENTS]     by default 40,000, over 30 tables

All in one run on one broker (ROUNDPROOF_KAFKA, or one of our own), everything acknowledged by all
replicas, idempotent, lz4. kafka-python's rate is the one to be measured by: our forwarder uses it.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, Self

import confluent_kafka

from ingest.forward.forwarder import Forwarder
from ingest.forward.kafka_sink import KafkaSink
from ingest.forward.run import drain, forward_in_background
from ingest.gateway import Gateway
from ingest.kafka import topics
from ingest.kafka.client import Kafka, producer
from ingest.kafka.topics import TopicSettings
from ingest.local.log import LocalLog
from ingest.local.spool import Spool
from ingest.log import EVENTS, GATEWAY_STREAMS
from ingest.parse import framing
from ingest.parse.batch import batch
from tests.broker.borrowed import broker
from tests.support.readings import NOON, json_line, talk

TABLES = 30
BATCH = 500  # readings of one request
PARTITIONS = 12
GOAL = 0.8  # of kafka-python's own rate
ANSWER_S = 120.0

WHY = """
Below 80 % of kafka-python's own rate. One process does more for an event than send it: it reads the
JSON, orders and seals it, forces it to disk in its table's own file (those of a request together,
which share the file system's writing), reads it back and only then sends it. The threads share one
interpreter, so the processor times above add up: even with a disk that costs nothing it could reach
{bound:.0%} of that rate. More gateways, each with its own tables, go beyond it."""

Messages = list[tuple[bytes, bytes]]


def main() -> None:
    count = int(sys.argv[1]) if sys.argv[1:] else 40_000
    lines = [json_line(each) for each in talk(count, TABLES)]
    requests = [b"".join(lines[at : at + BATCH]) for at in range(0, count, BATCH)]
    with broker() as bootstrap, tempfile.TemporaryDirectory() as folder:
        kafka = Kafka(bootstrap, prefix=f"bench{os.getpid()}.", delivery_s=60)
        topics.init(kafka, TopicSettings(PARTITIONS, replication=1))
        spent, messages = stages(kafka, Path(folder) / "stages", requests)
        ours = timed(lambda: whole(kafka, Path(folder) / "whole", requests))
        kafka_python = timed(lambda: by_kafka_python(kafka, messages))
        confluent = timed(lambda: by_confluent(kafka, messages))
    size = sum(len(value) for _, value in messages) / len(messages)
    print(f"{len(messages):,} events of {size:.0f} bytes, {TABLES} tables, {BATCH} a request\n")
    rows = {
        "JSON to gateway to disk to Kafka": ours,
        "forwarder alone, from disk to Kafka": spent["forward"],
        "kafka-python alone, from memory to Kafka": kafka_python,
        "confluent-kafka alone, from memory to Kafka": confluent,
    }
    print(f"{'':<44}{'events/s':>10}{'of kafka-python':>17}{'processor, µs an event':>24}")
    for what, took in rows.items():
        rate, each = len(messages) / took.wall, took.processor / len(messages) * 1e6
        print(f"{what:<44}{rate:>10,.0f}{kafka_python.wall / took.wall:>17.0%}{each:>24.1f}")
    print("\nwhere the time of one event goes, each step alone:")
    total = sum(took.wall for took in spent.values())
    for stage, took in spent.items():
        wall, processor = (each / len(messages) * 1e6 for each in took)
        print(f"{stage:<10}{took.wall / total:>5.0%}{wall:>9.1f} µs, processor {processor:.1f} µs")
    bound = kafka_python.processor / sum(took.processor for took in spent.values())
    print(WHY.format(bound=bound) if kafka_python.wall / ours.wall < GOAL else "")


def stages(kafka: Kafka, root: Path, requests: list[bytes]) -> tuple[dict[str, "Took"], Messages]:
    """Each step alone: reading the requests, ordering and sealing, the disk, and forwarding."""
    decode, gate, disk = Clock(), Clock(), Weighed(root)
    with disk.log, KafkaSink(kafka) as sink:
        spool = Spool(disk.log, GATEWAY_STREAMS)
        gateway = Gateway(spool, lambda: NOON, trusts_received_at=True)
        for body in requests:
            with decode:
                found = list(batch(body))
            with gate:
                gateway.take(found, "bench")
        forwarder = Forwarder(spool, sink)
        forwarder.step()  # connected, and it knows where the tables stand
        done = forwarder.forwarded
        with Clock() as forward:
            drain(forwarder, lambda _: None, ANSWER_S)
        share = forwarder.forwarded / (forwarder.forwarded - done)
        messages = [
            (table.encode(), framing.frame(record.body, record.schema))
            for table in disk.log.partitions(EVENTS)
            for record in disk.log.read(EVENTS, table)
        ]
    spent = {
        "decode": decode.took,
        "gateway": Took(*(a - b for a, b in zip(gate.took, disk.clock.took, strict=True))),
        "disk": disk.clock.took,
        "forward": Took(*(each * share for each in forward.took)),
    }
    # In the order in which they come in: the tables in turn.
    each = len(messages) // TABLES
    return spent, [messages[table * each + n] for n in range(each) for table in range(TABLES)]


class Took(NamedTuple):
    """How long something took, in seconds: by the wall's clock, and of all our threads."""

    wall: float
    processor: float


class Clock:
    """Adds up what its blocks take."""

    def __init__(self) -> None:
        self.took, self._begun = Took(0.0, 0.0), Took(0.0, 0.0)

    def __enter__(self) -> Self:
        self._begun = Took(time.perf_counter(), time.process_time())
        return self

    def __exit__(self, *_: object) -> None:
        now, begun, before = (time.perf_counter(), time.process_time()), self._begun, self.took
        self.took = Took(before[0] + now[0] - begun[0], before[1] + now[1] - begun[1])


class Weighed:
    """A log whose appends are timed."""

    def __init__(self, root: Path) -> None:
        self.clock, self.log = Clock(), LocalLog(root, GATEWAY_STREAMS)
        append = self.log.append_each

        def timed_append(*words: object) -> dict[str, int]:
            with self.clock:
                return append(*words)  # type: ignore[arg-type]  # as it was given

        self.log.append_each = timed_append  # type: ignore[assignment]  # the same but for the clock


def whole(kafka: Kafka, root: Path, requests: list[bytes]) -> None:
    """Everything as `ingest serve` does it, up to Kafka's last acknowledgement."""
    fresh = Kafka(kafka.bootstrap, prefix=kafka.prefix + "whole.", delivery_s=kafka.delivery_s)
    topics.init(fresh, TopicSettings(PARTITIONS, replication=1))
    with LocalLog(root, GATEWAY_STREAMS) as log, KafkaSink(fresh) as sink:
        spool = Spool(log, GATEWAY_STREAMS)
        gateway, forwarder = Gateway(spool, lambda: NOON), Forwarder(spool, sink)
        with forward_in_background(spool, forwarder):
            for body in requests:
                gateway.take(batch(body), "bench")
            assert forwarder.when_forwarded(spool.ends()).result(ANSWER_S)


def by_kafka_python(kafka: Kafka, messages: Messages) -> None:
    with closing(producer(kafka)) as sender:
        topic = kafka.topic(EVENTS)
        sent = [sender.send(topic, key=key, value=value) for key, value in messages]
        sender.flush(ANSWER_S)
        assert all(each.succeeded() for each in sent)


def by_confluent(kafka: Kafka, messages: Messages) -> None:
    sender = confluent_kafka.Producer(
        {
            "bootstrap.servers": kafka.bootstrap,
            "acks": "all",
            "enable.idempotence": True,
            "compression.type": "lz4",
            "queue.buffering.max.messages": len(messages) + 1,
        }
    )
    for key, value in messages:
        sender.produce(kafka.topic(EVENTS), value, key)
    assert sender.flush(ANSWER_S) == 0


def timed(run: Callable[[], None]) -> Took:
    with Clock() as clock:
        run()
    return clock.took


if __name__ == "__main__":
    main()
