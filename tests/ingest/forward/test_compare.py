"""A log and Kafka are compared as of one moment, whatever a gateway writes to both meanwhile."""

from pathlib import Path

from ingest.forward.compare import compare
from ingest.forward.forwarder import Forwarder
from ingest.kafka.event_sorter import Message
from ingest.local.log import LocalLog
from ingest.log import EVENTS, GATEWAY_STREAMS
from tests.ingest.forward.test_forwarder import House, drained
from tests.support.kafka_in_memory import FakeKafka
from tests.support.readings import reading


class Busy(FakeKafka):
    """A Kafka that another process looks at while a gateway writes the log and forwards it."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self._house, self._forwarder, self._numbers = house, Forwarder(house.spool, self), 0
        self._inside = False

    def go_on(self) -> None:
        """The gateway takes some readings of each table and has them in Kafka."""
        if self._inside:
            return
        self._inside = True
        for _ in range(3):
            numbered = [reading(self._numbers, table_id=table) for table in ("R01", "R02")]
            self._house.gateway.take(numbered, "file")
            self._numbers += 1
        drained(self._forwarder)
        self._inside = False

    def bounds(self, stream: str, partition: int) -> tuple[int, int]:
        self.go_on()
        return super().bounds(stream, partition)

    def page(self, stream: str, partition: int, start: int, stop: int) -> list[Message]:
        self.go_on()
        return super().page(stream, partition, start, stop)


def test_no_table_is_stopped_because_its_gateway_is_at_work(tmp_path: Path) -> None:
    house = House(tmp_path)
    with house.log:
        kafka = Busy(house)
        kafka.go_on()

        found = compare(LocalLog(tmp_path), kafka, GATEWAY_STREAMS)

    assert {lane: stand.wrong for lane, stand in found.stands.items()} == {
        (EVENTS, "R01"): "",
        (EVENTS, "R02"): "",
    }
    assert all(0 < stand.next <= found.ends[lane] for lane, stand in found.stands.items())


def test_a_spool_that_is_older_than_kafka_is_stopped_all_the_same(tmp_path: Path) -> None:
    kafka = FakeKafka()
    whole, older = House(tmp_path / "whole"), House(tmp_path / "older")
    with whole.log, older.log:
        whole.gateway.take([reading(n) for n in range(9)], "file")
        older.gateway.take([reading(n) for n in range(6)], "file")
        drained(Forwarder(whole.spool, kafka))

        found = compare(LocalLog(tmp_path / "older"), kafka, GATEWAY_STREAMS)

    assert "another event 6" in found.stands[EVENTS, "T12"].wrong
