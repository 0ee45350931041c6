"""Forwarding to a Kafka that fails in every way: what a reader finds is what the log holds."""

import random
import threading
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest
import structlog.testing

from ingest import dead_letter
from ingest.forward import forwarder as forward
from ingest.forward import kafka_position
from ingest.forward.forwarder import Forwarder, RecordBatch, SendResult
from ingest.forward.run import forward_in_background
from ingest.gateway import Gateway
from ingest.kafka.client import TopicRemade
from ingest.kafka.event_sorter import SortedEvent, Sorter
from ingest.local.log import LocalLog
from ingest.local.spool import Spool
from ingest.log import DEAD_LETTERS, EVENTS, GATEWAY_STREAMS, LogUnwritable
from ingest.order import GATEWAY
from ingest.parse import batch as parse_batch
from ingest.parse import framing
from ingest.seal.chain import events
from tests.support.kafka_in_memory import FakeKafka
from tests.support.readings import NOON, reading, talk

TABLES = ("T0", "T1", "T2")


class House:
    """A spool with a gateway before it."""

    def __init__(self, root: Path) -> None:
        self.log = LocalLog(root, GATEWAY_STREAMS)
        self.spool = Spool(self.log, GATEWAY_STREAMS)
        self.gateway = Gateway(self.spool, lambda: NOON, trusts_received_at=True)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    with made.log:
        yield made


def drained(forwarder: Forwarder, most: int = 200) -> None:
    """Step until nothing waits, over every failure."""
    for _ in range(most):
        try:
            if not forwarder.step() and not forwarder.searching:
                return
        except LogUnwritable as error:
            forwarder.kafka_failed(error)
    pytest.fail("it never came to an end")


def read(kafka: FakeKafka) -> dict[str, list[str]]:
    """What any reader of the topic finds: the hash of each event, by table."""
    found: dict[str, list[str]] = {}
    for (stream, _), messages in sorted(kafka.topics.items()):
        sorter = Sorter()
        sorted_ = map(sorter.sort, messages) if stream == EVENTS else ()
        for good in sorted_:
            if isinstance(good, SortedEvent):
                found.setdefault(good.event.table_id, []).append(good.sha256)
    return found


def held(log: LocalLog) -> dict[str, list[str]]:
    return {table: [sha for _, sha in events(log, table)] for table in log.partitions(EVENTS)}


def test_what_the_log_holds_is_in_kafka_once_and_in_order(house: House) -> None:
    house.gateway.take([*talk(2_000), *parse_batch.batch(b"oops\n{}\n")], "file")
    kafka = FakeKafka()

    drained(Forwarder(house.spool, kafka))

    assert read(kafka) == held(house.log)
    assert sum(len(kafka.topics[EVENTS, n]) for n in range(2)) == 2_000
    (dead,) = (
        found for (stream, _), found in kafka.topics.items() if stream == DEAD_LETTERS and found
    )
    reasons = [dead_letter.decode(framing.unframe(each.value or b"")[1]).reason for each in dead]
    assert reasons == ["not_json", "wrong_type"]
    assert {each.key for each in dead} == {GATEWAY.encode()}


def test_a_second_forwarder_sends_nothing_again(house: House) -> None:
    house.gateway.take([*talk(2_000), *parse_batch.batch(b"oops")], "file")
    kafka = FakeKafka()
    drained(Forwarder(house.spool, kafka))
    before = {part: list(messages) for part, messages in kafka.topics.items()}

    drained(Forwarder(Spool(house.log, GATEWAY_STREAMS), kafka))

    assert {part: list(messages) for part, messages in kafka.topics.items()} == before


@pytest.mark.parametrize("holes", [False, True], ids=["cut short", "with holes"])
@pytest.mark.parametrize("seed", range(15))
def test_after_any_failure_and_restart_readers_find_everything_once(
    tmp_path: Path, seed: int, holes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round may arrive whole, in part or not at all, and be told so or not; then all dies."""
    small = {"MAX_IN_FLIGHT": 20, "FIRST_LOOK": 40, "PAGE": 15}
    for name, value in small.items():
        monkeypatch.setattr(kafka_position, name, value)
    monkeypatch.setattr(forward, "LANE_RECORDS", small["MAX_IN_FLIGHT"])
    rng = random.Random(seed)
    kafka, sent = FakeKafka(holes=holes), talk(300)
    for _ in range(12):
        house = House(tmp_path)
        with house.log:
            house.gateway.take(list(islice(sent, 25)), "file")
            forwarder = Forwarder(house.spool, kafka)
            for _ in range(rng.randrange(4)):
                arrive = rng.randrange(60)
                kafka.failures = [(arrive, rng.randrange(arrive + 1))]
                try:
                    forwarder.step()
                except LogUnwritable as error:
                    forwarder.kafka_failed(error)
    kafka.failures = []
    house = House(tmp_path)
    with house.log:
        drained(Forwarder(house.spool, kafka))

    assert read(kafka) == held(house.log)


class Remaking(FakeKafka):
    """A Kafka whose topics are made anew, with another count of partitions."""

    remade = False

    def remake(self) -> None:
        self.topics.clear()
        self.remade = True

    def send(self, parcels: Sequence[RecordBatch]) -> SendResult:
        if not self.remade:
            return super().send(parcels)
        self.remade = False
        none = [0] * len(parcels), [()] * len(parcels)
        return SendResult(*none, TopicRemade("topic rp.events had 2 partitions"))


def test_a_topic_that_was_made_anew_is_filled_from_the_start(house: House) -> None:
    house.gateway.take(list(talk(300)), "file")
    kafka = Remaking()
    forwarder = Forwarder(house.spool, kafka)
    drained(forwarder)
    kafka.remake()
    house.gateway.take(list(talk(330)), "file")

    with structlog.testing.capture_logs() as told:
        drained(forwarder)

    assert [each["event"] for each in told] == ["kafka_lost", "topic_remade"]
    assert read(kafka) == held(house.log)
    assert sum(len(kafka.topics[EVENTS, n]) for n in range(2)) == 330


def test_a_round_is_bounded_whatever_waits(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forward, "ROUND_RECORDS", 100)
    house.gateway.take(list(talk(3_000)), "file")
    kafka = FakeKafka()

    drained(Forwarder(house.spool, kafka))

    assert kafka.most <= 100
    assert read(kafka) == held(house.log)


def test_a_busy_table_does_not_hold_up_the_others(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forward, "ROUND_RECORDS", 250)
    house.gateway.take([reading(n, table_id="T0") for n in range(2_000)], "file")
    house.gateway.take([reading(n, table_id="T9") for n in range(3)], "file")
    kafka = FakeKafka()
    forwarder = Forwarder(house.spool, kafka)

    forwarder.step()
    forwarder.step()

    assert len(read(kafka)["T9"]) == 3


def test_to_learn_where_it_stands_it_looks_back_no_further_than_it_must(house: House) -> None:
    house.gateway.take(list(talk(6_000, tables=1)), "file")
    kafka = FakeKafka()
    drained(Forwarder(house.spool, kafka))
    kafka.looked = 0

    drained(Forwarder(Spool(house.log, GATEWAY_STREAMS), kafka))

    assert 0 < kafka.looked <= kafka_position.FIRST_LOOK
    assert len(kafka.topics[EVENTS, kafka.partition_of(EVENTS, "T0")]) == 6_000


def test_a_table_that_was_quiet_for_long_is_found_further_back(house: House) -> None:
    house.gateway.take([reading(n, table_id="T0") for n in range(3_000)], "file")
    kafka = FakeKafka()
    drained(Forwarder(house.spool, kafka))
    topic = kafka.topics[EVENTS, kafka.partition_of(EVENTS, "T0")]
    topic += [topic[0]._replace(offset=3_000 + n, key=b"T77", value=b"?") for n in range(2_500)]

    drained(Forwarder(Spool(house.log, GATEWAY_STREAMS), kafka))

    assert len(topic) == 5_500


def test_strays_on_the_topic_change_nothing(house: House) -> None:
    house.gateway.take(list(talk(60)), "file")
    kafka = FakeKafka()
    drained(Forwarder(house.spool, kafka))
    good = next(m for (s, _), found in kafka.topics.items() if s == EVENTS for m in found)
    for value in (b"", b"?", (good.value or b"")[:-1], (good.value or b"") + b"?", None):
        topic = kafka.topics[EVENTS, good.partition]
        topic.append(good._replace(offset=len(topic), value=value))
    house.gateway.take(list(talk(90)), "file")

    forwarder = Forwarder(Spool(house.log, GATEWAY_STREAMS), kafka)
    drained(forwarder)

    assert read(kafka) == held(house.log)


def test_another_history_in_kafka_is_told_and_not_mixed(tmp_path: Path) -> None:
    """A house that lost its disk begins anew; Kafka still holds the table as it was."""
    kafka = FakeKafka()
    for name, start in (("lost", 0), ("new", 50)):
        house = House(tmp_path / name)
        with house.log:
            house.gateway.take([reading(n) for n in range(start, start + 20)], "file")
            house.gateway.take([reading(n, table_id="T13") for n in range(5)], "file")
            forwarder = Forwarder(house.spool, kafka)
            drained(forwarder)
    forwarder.measure_lag()

    wrong = {each.lane: each.wrong for each in forwarder.lags if each.wrong}
    assert list(wrong) == [(EVENTS, "T12")]
    assert wrong[EVENTS, "T12"].startswith("T12: Kafka holds another event 0 than this house")
    assert len(read(kafka)["T12"]) == 20
    assert forwarder.when_forwarded({(EVENTS, "T12"): 20}).result(0) is False


def test_a_lane_that_cannot_be_read_stops_alone(house: House, tmp_path: Path) -> None:
    house.gateway.take(list(talk(60)), "file")
    path = tmp_path / EVENTS / "T1" / "00000000.avro"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    kafka = FakeKafka()
    forwarder = Forwarder(house.spool, kafka)

    drained(forwarder)
    forwarder.measure_lag()

    assert set(read(kafka)) == {"T0", "T2"}
    assert [each.lane for each in forwarder.lags if "one record" in each.wrong] == [(EVENTS, "T1")]


def test_a_promise_is_kept_when_it_is_there_and_broken_when_kafka_is_away(house: House) -> None:
    house.gateway.take(list(talk(6)), "file")
    kafka = FakeKafka()
    forwarder = Forwarder(house.spool, kafka)
    before = forwarder.when_forwarded({(EVENTS, "T0"): 2})
    assert not before.done()

    drained(forwarder)
    house.gateway.take(list(talk(12)), "file")
    kafka.away = True
    waiting = forwarder.when_forwarded({(EVENTS, "T0"): 4})
    with pytest.raises(LogUnwritable) as lost:
        forwarder.step()
    forwarder.kafka_failed(lost.value)

    assert before.result(0) is True
    assert waiting.result(0) is False
    assert forwarder.when_forwarded({(EVENTS, "T0"): 4}).result(0) is False
    assert forwarder.when_forwarded({(EVENTS, "T0"): 2}).result(0) is True


def test_a_promise_of_what_was_there_before_a_restart_is_kept(house: House) -> None:
    house.gateway.take(list(talk(6)), "file")
    kafka = FakeKafka()
    drained(Forwarder(house.spool, kafka))
    restarted = Forwarder(Spool(house.log, GATEWAY_STREAMS), kafka)
    early = restarted.when_forwarded({(EVENTS, "T0"): 2})

    assert restarted.step() == 0

    assert early.result(0) is True


def test_figures_say_what_waits_and_since_when(house: House) -> None:
    kafka = FakeKafka()
    forwarder = Forwarder(house.spool, kafka)
    house.gateway.take(list(talk(30)), "file")
    drained(forwarder)
    house.gateway.take([*talk(60), *parse_batch.batch(b"oops")], "file")

    forwarder.measure_lag()

    table = {each.lane: each for each in forwarder.lags}[EVENTS, "T1"]
    assert (table.records, table.forwarded, table.lag) == (20, 10, 10)
    assert table.bytes_waiting > 10 * 100
    assert table.oldest_at == NOON + 10 * 1_000_000 + 4_000
    dead = {each.lane: each for each in forwarder.lags}[DEAD_LETTERS, GATEWAY]
    assert (dead.lag, dead.oldest_at) == (1, NOON)


def test_while_kafka_is_away_figures_come_from_memory(house: House) -> None:
    kafka = FakeKafka()
    forwarder = Forwarder(house.spool, kafka)
    house.gateway.take(list(talk(30)), "file")
    drained(forwarder)
    forwarder.measure_lag()
    house.gateway.take(list(talk(60)), "file")

    blind = Forwarder(Spool(house.log, GATEWAY_STREAMS), kafka)
    blind.measure_lag()

    assert [each.lag for each in blind.lags] == [10, 10, 10]


def test_a_running_forwarder_follows_comes_back_and_stops(house: House) -> None:
    kafka, stop = FakeKafka(), threading.Event()
    kafka.away = True
    forwarder = Forwarder(house.spool, kafka)
    thread = threading.Thread(target=forwarder.run, args=(stop,))
    thread.start()
    try:
        house.gateway.take(list(talk(30)), "file")
        while not kafka.resets:
            stop.wait(0.01)
        kafka.away = False
        house.gateway.take(list(talk(60)), "file")
        marks = {(EVENTS, table): 20 for table in TABLES}
        while not forwarder.when_forwarded(marks).result(30):
            pass
    finally:
        stop.set()
        house.spool.wake()
        thread.join(30)

    assert not thread.is_alive()
    assert kafka.resets > 0
    assert read(kafka) == held(house.log)


class SurprisingKafka(FakeKafka):
    """Raises once what nobody has thought of."""

    surprised = False

    def send(self, parcels: Sequence[RecordBatch]) -> SendResult:
        if not self.surprised:
            self.surprised = True
            raise RuntimeError("what is this")
        return super().send(parcels)


def test_an_error_nobody_thought_of_ends_no_forwarding(house: House) -> None:
    kafka = SurprisingKafka()
    forwarder = Forwarder(house.spool, kafka)
    with structlog.testing.capture_logs() as logged, forward_in_background(house.spool, forwarder):
        house.gateway.take(list(talk(30)), "file")
        while not forwarder.when_forwarded({(EVENTS, table): 10 for table in TABLES}).result(30):
            pass

    assert [line["event"] for line in logged][:2] == ["forwarding_failed", "kafka_lost"]
    assert read(kafka) == held(house.log)


def test_a_damaged_table_that_is_met_after_a_restart_stops_alone(
    house: House, tmp_path: Path
) -> None:
    house.gateway.take(list(talk(60)), "file")
    kafka = FakeKafka()
    drained(Forwarder(house.spool, kafka))
    house.gateway.take(list(talk(90)), "file")
    spool = Spool(house.log, GATEWAY_STREAMS)
    path = tmp_path / EVENTS / "T1" / "00000000.avro"
    whole = path.read_bytes()
    path.write_bytes(whole[:-2_000] + bytes([whole[-2_000] ^ 0xFF]) + whole[-1_999:])

    drained(Forwarder(spool, kafka))

    assert len(read(kafka)["T0"]) == len(read(kafka)["T2"]) == 30
