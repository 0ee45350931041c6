"""A gateway sees a table's place in Kafka before it sends: another history stops that table."""

import shutil
from functools import partial
from pathlib import Path

import pytest

from ingest.doors import file as file_door
from ingest.forward import forwarder as forward
from ingest.forward import kafka_position, trim
from ingest.forward.forwarder import Forwarder
from ingest.gateway import Gateway
from ingest.local import trim_note
from ingest.local.log import LocalLog
from ingest.local.spool import Spool
from ingest.log import EVENTS, GATEWAY_STREAMS, LogUnwritable
from schemas import events as e
from tests.ingest.forward.test_forwarder import House, drained, held, read
from tests.support.kafka_in_memory import FakeKafka
from tests.support.readings import NOON, reading

BURIED = 2 * kafka_position.FIRST_LOOK


def forwarded(root: Path, kafka: FakeKafka, numbers: range, **changes: str) -> Forwarder:
    """A house of its own, whose readings of one table and a few of another were sent."""
    house = House(root)
    with house.log:
        house.gateway.take([reading(n, **changes) for n in numbers], "file")
        house.gateway.take([reading(n, table_id=f"T-{root.name}") for n in range(5)], "file")
        forwarder = Forwarder(house.spool, kafka)
        drained(forwarder)
        forwarder.measure_lag()
    return forwarder


def buried(kafka: FakeKafka, table: str = "T12") -> None:
    """So many messages of others that a first look does not reach the table's own."""
    topic = kafka.topics[EVENTS, kafka.partition_of(EVENTS, table)]
    first = topic[0]
    for _ in range(BURIED):
        topic.append(first._replace(offset=len(topic), key=b"T77", value=b"?"))


def wrong(forwarder: Forwarder) -> dict[str, str]:
    return {each.lane[1]: each.wrong for each in forwarder.lags if each.wrong}


def test_an_empty_spool_on_a_table_that_kafka_holds_stops_that_table(tmp_path: Path) -> None:
    """However far back its events lie, and however few the new house has."""
    kafka = FakeKafka()
    forwarded(tmp_path / "lost", kafka, range(20))
    buried(kafka)
    there = read(kafka)["T12"]

    fresh = forwarded(tmp_path / "fresh", kafka, range(50, 53))

    assert list(wrong(fresh)) == ["T12"]
    assert "another gateway" in wrong(fresh)["T12"]
    assert fresh.when_forwarded({(EVENTS, "T12"): 3}).result(0) is False
    assert read(kafka)["T12"] == there
    assert len(read(kafka)["T-fresh"]) == 5
    assert held(LocalLog(tmp_path / "fresh"))["T12"]


def test_a_house_whose_forks_lie_in_kafka_already_is_stopped_too(tmp_path: Path) -> None:
    kafka = FakeKafka()
    forwarded(tmp_path / "first", kafka, range(20))
    apart = FakeKafka()
    forwarded(tmp_path / "forked", apart, range(50, 900))
    for messages in apart.topics.values():
        for message in messages:
            kafka.put(message.topic, (message.key or b"").decode(), message.value or b"")

    again = forwarded(tmp_path / "forked", kafka, range(900, 901))

    assert list(wrong(again)) == ["T12"]
    assert len(read(kafka)["T12"]) == 20


def test_a_spool_that_was_put_back_to_an_older_state_is_stopped(tmp_path: Path) -> None:
    kafka = FakeKafka()
    forwarded(tmp_path / "whole", kafka, range(900))

    older = forwarded(tmp_path / "older", kafka, range(600), table_id="T12")

    assert wrong(older) == {
        "T12": "T12: Kafka holds another event 600 than this house: another gateway writes the "
        "table, or this is not the spool that did"
    }


def test_a_trimmed_spool_does_not_begin_in_the_middle_of_an_empty_topic(tmp_path: Path) -> None:
    log = LocalLog(tmp_path, GATEWAY_STREAMS, segment_bytes=500)
    gateway = Gateway(log, lambda: NOON, trimmed=partial(trim_note.load, log))
    with log:
        for day in range(3):
            opened = e.TableOpened(f"2026-03-0{day + 1}")
            gateway.take([reading(day, device_id="pit-1", payload=opened)], "file")
            for n in range(10):
                gateway.take([reading(10 * day + n)], "file")
        made = trim.plan(log, "T12", 1, 10**9)
        assert made is not None
        trim.apply(log, made)
        kafka = FakeKafka()
        forwarder = Forwarder(Spool(log, GATEWAY_STREAMS), kafka)
        drained(forwarder)
        forwarder.measure_lag()

    assert wrong(forwarder) == {
        "T12": f"T12: Kafka holds it up to event 0, and this house begins at {made.base}: what "
        "lies between was trimmed"
    }
    assert not sum(map(len, kafka.topics.values()))


def test_a_long_search_for_one_table_does_not_hold_up_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka_position, "PAGE", 20)
    monkeypatch.setattr(forward, "SEARCHED_PAGES", 2)
    kafka, house = FakeKafka(), House(tmp_path)
    with house.log:
        house.gateway.take([reading(n, table_id="T0") for n in range(600)], "file")
        forwarder = Forwarder(house.spool, kafka)
        drained(forwarder)
        buried(kafka, "T0")
        new = next(
            name
            for name in map("N{}".format, range(20))
            if kafka.partition_of(EVENTS, name) == kafka.partition_of(EVENTS, "T0")
        )
        house.gateway.take([reading(n, table_id=new) for n in range(3)], "file")
        house.gateway.take([reading(n, table_id="T0") for n in range(600, 603)], "file")

        moved = forwarder.step()
        busy = forwarder.searching
        early = set(read(kafka))
        drained(forwarder, most=1_000)

    assert (moved, busy) == (3, True)
    assert new not in early
    assert len(read(kafka)[new]) == 3


def test_two_gateways_that_begin_a_table_at_once_do_not_both_have_it(tmp_path: Path) -> None:
    """Both saw that Kafka has nothing of it; the second record at a place is a fork."""
    kafka, houses = FakeKafka(), [House(tmp_path / name) for name in ("a", "b")]
    running = [Forwarder(house.spool, kafka) for house in houses]
    for number, (house, forwarder) in enumerate(zip(houses, running, strict=True)):
        house.gateway.take([reading(0, table_id=f"T-{number}")], "file")
        drained(forwarder)
    for number, house in enumerate(houses):
        house.gateway.take([reading(n) for n in range(50 * number, 50 * number + 5)], "file")
    for forwarder in running:
        forwarder._find_places(forwarder._spool.ends())

    for forwarder in running:
        drained(forwarder)
        forwarder.measure_lag()
    for house in houses:
        house.log.close()

    assert [list(wrong(forwarder)) for forwarder in running] == [[], ["T12"]]
    assert [each.when_forwarded({(EVENTS, "T12"): 5}).result(0) for each in running] == [
        True,
        False,
    ]
    assert len(read(kafka)["T12"]) == 5


def test_a_running_gateway_notices_that_another_goes_on_with_its_table(tmp_path: Path) -> None:
    """A copy of the spool on another machine: its next event is in the place of ours."""
    kafka, house = FakeKafka(), House(tmp_path / "own")
    house.gateway.take([reading(n) for n in range(5)], "file")
    forwarder = Forwarder(house.spool, kafka)
    drained(forwarder)
    copy = House(tmp_path / "copy")
    copy.gateway.take([reading(n) for n in range(5)], "file")
    copy.gateway.take([reading(77)], "file")
    drained(Forwarder(copy.spool, kafka))

    forwarder.check_forks()
    forwarder.measure_lag()
    house.gateway.take([reading(5)], "file")
    moved = forwarder.step()
    for each in (house, copy):
        each.log.close()

    assert list(wrong(forwarder)) == ["T12"]
    assert moved == 0
    assert forwarder.when_forwarded({(EVENTS, "T12"): 6}).result(0) is False


def test_a_forged_event_out_of_place_stops_nobody(tmp_path: Path) -> None:
    kafka, house = FakeKafka(), House(tmp_path / "own")
    house.gateway.take([reading(n) for n in range(5)], "file")
    forwarder = Forwarder(house.spool, kafka)
    drained(forwarder)
    forger = FakeKafka()
    forwarded(tmp_path / "forger", forger, range(50, 70))
    for message in forger.topics[EVENTS, kafka.partition_of(EVENTS, "T12")]:
        kafka.put(EVENTS, "T12", message.value or b"")

    forwarder.check_forks()
    house.gateway.take([reading(5)], "file")
    drained(forwarder)
    forwarder.measure_lag()
    house.log.close()

    assert wrong(forwarder) == {}
    assert read(kafka) == held(house.log)


def test_events_that_kafka_lost_are_sent_again(tmp_path: Path) -> None:
    """A topic that is shorter than it was: an unclean election, or it was made anew."""
    kafka, house = FakeKafka(), House(tmp_path)
    house.gateway.take([reading(n) for n in range(20)], "file")
    forwarder = Forwarder(house.spool, kafka)
    drained(forwarder)
    del kafka.topics[EVENTS, kafka.partition_of(EVENTS, "T12")][8:]

    with pytest.raises(LogUnwritable, match="offset 20 expected, 8 found"):
        forwarder.check_forks()
    drained(forwarder)
    house.log.close()

    assert read(kafka) == held(house.log)


def test_a_stopped_table_goes_on_with_the_right_spool_and_loses_nothing(tmp_path: Path) -> None:
    """The archive's segments of the table are put back, and those of the other spool brought in."""
    kafka = FakeKafka()
    forwarded(tmp_path / "lost", kafka, range(20))
    forwarded(tmp_path / "fresh", kafka, range(50, 60))
    stopped = tmp_path / "fresh" / EVENTS / "T12"
    aside = stopped.rename(tmp_path / "aside")
    shutil.copytree(tmp_path / "lost" / EVENTS / "T12", stopped)

    house = House(tmp_path / "fresh")
    with house.log:
        counts = file_door.bring_in(aside / "00000000.avro", house.gateway, lambda _: None)
        drained(Forwarder(house.spool, kafka))

    assert (counts.accepted, counts.gaps, counts.dead_lettered) == (10, 1, 0)
    assert read(kafka)["T12"] == held(house.log)["T12"]
    assert len(read(kafka)["T12"]) == 20 + 1 + 10
