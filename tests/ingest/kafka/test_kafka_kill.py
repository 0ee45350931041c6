"""kill -9 of a gateway that forwards to a real broker: acknowledged is in Kafka, once, in order."""

import json
import os
import random
import re
import signal
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import IO

import httpx
import pytest

from ingest.doors import device_keys
from ingest.forward.forwarder import Forwarder
from ingest.forward.kafka_sink import KafkaSink
from ingest.kafka.client import Kafka
from ingest.kafka.log import KafkaLog
from ingest.local.log import LocalLog
from ingest.log import EVENTS
from ingest.seal.chain import event_id, events
from schemas.events import Reading
from tests.ingest.forward.test_forwarder import House, drained
from tests.support.killed_kafka_ingester import READINGS, readings
from tests.support.readings import json_line, reading

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("ROUNDPROOF_KILLS", "12"))
CALLS = 400_000  # a gateway that lives to the end makes somewhat more
KEY = "shoe-key-0123456789"


@pytest.fixture
def seed() -> int:
    """A new one each run; a failure prints it."""
    chosen = random.SystemRandom().randrange(2**32)
    print(f"seed {chosen}")  # noqa: T201
    return chosen


def bodies(log: KafkaLog | LocalLog, tables: set[str]) -> dict[str, list[bytes]]:
    return {table: [each.body for each in log.read(EVENTS, table)] for table in sorted(tables)}


def ids(log: KafkaLog | LocalLog, tables: set[str]) -> Counter[str]:
    """Every event, its table's chain checked."""
    return Counter(event.event_id for table in tables for event, _ in events(log, table))


def test_killed_at_any_point_what_was_acknowledged_is_in_kafka_once_and_in_order(
    kafka: Kafka, tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    answered: dict[str, int] = {}
    killed = in_kafka = 0
    command = [
        sys.executable,
        "-m",
        "tests.support.killed_kafka_ingester",
        kafka.bootstrap,
        kafka.prefix,
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as nursery:
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        for point in range(KILLS):
            suffix = str(point // 3)  # three in a row share a house: a restart is shot at too
            shot = int(CALLS * rng.random() ** 1.5) + 1
            nursery.stdin.write(f"{tmp_path / suffix} {suffix} {shot}\n")
            nursery.stdin.flush()
            last, where, by = nursery.stdout.readline().split()
            killed += int(by) == signal.SIGKILL
            in_kafka += where == "kafka"
            answered[suffix] = max(answered.get(suffix, 0), int(last))
            sure = {event_id(each) for each in islice(readings(suffix), int(last))}
            tables = {each.table_id for each in readings(suffix)}
            assert sure <= set(ids(LocalLog(tmp_path / suffix), tables)), (seed, point)
            if where == "kafka":
                with KafkaLog(kafka) as log:
                    assert sure <= set(ids(log, tables)), (seed, point)
    assert nursery.returncode == 0
    assert killed >= KILLS // 3
    assert in_kafka > 0

    for suffix in sorted(answered):
        everything = list(readings(suffix))
        check_recovery(kafka, tmp_path / suffix, everything, seed)


def check_recovery(kafka: Kafka, root: Path, sent: list[Reading], seed: int) -> None:
    """After a restart that sends all of it again, Kafka holds what the house does."""
    tables = {each.table_id for each in sent}
    house = House(root)
    with house.log, KafkaSink(kafka) as sink, KafkaLog(kafka) as log:
        counts = house.gateway.take(sent, "file")
        drained(Forwarder(house.spool, sink))
        stored, local = bodies(log, tables), bodies(house.log, tables)
        found = ids(log, tables)
    assert counts.conflicts + counts.gaps + counts.late + counts.clock_steps == 0, seed
    assert stored == local, seed
    assert found == Counter(event_id(each) for each in sent), seed
    assert len(sent) == READINGS


class Server:
    """`roundproof ingest serve` in a process of its own."""

    def __init__(self, kafka: Kafka, home: Path) -> None:
        script = "from audit.cli.main import main; main()"
        words = ["ingest", "serve", "--port", "0", "--home", str(home)]
        environment = os.environ | {
            device_keys.ENVIRONMENT: f"shoe-3/*/*={KEY}",
            "ROUNDPROOF_KAFKA": kafka.bootstrap,
            "ROUNDPROOF_KAFKA_PREFIX": kafka.prefix,
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", script, *words],
            env=environment, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stderr is not None
        self.client = httpx.Client(base_url=_address(self.process.stderr), timeout=30)

    def post(self, *sent: Reading) -> str:
        body = b"".join(map(json_line, sent))
        answer = self.client.post("/readings", content=body, headers={"authorization": AUTH})
        assert answer.status_code == 200
        return str(answer.json()["stored"])

    def health(self) -> dict[str, object]:
        found: dict[str, object] = self.client.get("/health").json()["kafka"]
        return found

    def ended(self, by: signal.Signals) -> list[dict[str, object]]:
        """End it; what it told the operator."""
        self.process.send_signal(by)
        assert self.process.stderr is not None
        said = self.process.stderr.read()
        self.process.stderr.close()
        self.process.wait(30)
        self.client.close()
        return [json.loads(line) for line in said.splitlines() if line.startswith("{")]


AUTH = f"Bearer {KEY}"


def _address(said: IO[str]) -> str:
    listening = re.search(r"listening on 127\.0\.0\.1:(\d+)", said.readline())
    assert listening is not None
    return f"http://127.0.0.1:{listening[1]}"


def test_a_real_server_that_is_killed_twice_loses_and_doubles_nothing(
    kafka: Kafka, tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    sent, where = 0, Counter[str]()
    for by in (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM):
        server = Server(kafka, tmp_path)
        for _ in range(rng.randrange(5, 12)):
            size = rng.randrange(1, 30)
            where[server.post(*(reading(n) for n in range(sent, sent + size)))] += 1
            sent += size
        if by is signal.SIGTERM:
            while server.health()["lag"]:
                server.post(reading(sent - 1))  # a twin, whose answer waits for Kafka
        server.ended(by)

    with KafkaLog(kafka) as log:
        found = [event.device_seq for event, _ in events(log, "T12")]
        stored = bodies(log, {"T12"})
    assert found == list(range(sent)), seed
    assert stored == bodies(LocalLog(tmp_path / "log"), {"T12"})
    assert where["kafka"] > 0
