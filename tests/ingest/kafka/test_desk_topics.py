"""Cases and access records in Kafka: another house reads back what this one wrote."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from audit.access import access_log
from audit.access.access_log import AccessRequest, Viewer
from audit.cases import case_log
from ingest.kafka import desk_topics
from ingest.kafka.client import Kafka
from ingest.kafka.desk_topics import ACCESS, CASES, DeskTopics
from ingest.kafka.event_sorter import Message
from ingest.kafka.producer import OutgoingMessage, TopicProducer
from ingest.local.log import LocalLog
from ingest.log import HOUSE
from ingest.parse import framing
from schemas import case_codec
from schemas.events import CaseEvent
from tests.audit.cases.test_case_log import told
from tests.broker.environment import leading_to
from tests.support.disputes import NOON, SETTLED
from tests.support.small_house import Roundproof, roundproof

__all__ = ["roundproof"]

FINGERPRINT = case_codec.fingerprint(CaseEvent)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A house with a case at each of two tables, and access records."""
    made = tmp_path / "house"
    told(made, "open, say")
    told(made, SETTLED, table="T2")
    for name in ("V1", "V2"):
        request = AccessRequest("view", "case show", "case", (name,))
        access_log.record(made, Viewer(name, "", "desk"), request, lambda: NOON)
    return made


def forwarded(kafka: Kafka, home: Path) -> int:
    return desk_topics.forward(kafka, LocalLog(home / "log"), home / "log")


def bodies(log: LocalLog | DeskTopics) -> dict[tuple[str, str], list[bytes]]:
    return {
        (stream, name): [record.body for record in log.read(stream, name)]
        for stream in desk_topics.STREAMS
        for name in log.partitions(stream)
    }


def framed(body: bytes) -> bytes:
    return framing.frame(body, FINGERPRINT)


def test_the_topics_hold_the_same_bytes(kafka: Kafka, home: Path) -> None:
    sent = forwarded(kafka, home)

    found = DeskTopics(kafka)

    own = bodies(LocalLog(home / "log"))
    assert set(own) == {(CASES, "T1"), (CASES, "T2"), (ACCESS, HOUSE)}
    assert bodies(found) == own
    assert sent == sum(map(len, own.values()))
    assert case_log.load_from(found) == case_log.load(home)
    assert list(access_log.records_from(found)) == list(access_log.records(home))


def test_what_kafka_has_is_not_sent_again_and_twins_collapse(kafka: Kafka, home: Path) -> None:
    forwarded(kafka, home)

    assert forwarded(kafka, home) == 0
    told(home, "open", table="T3")
    assert forwarded(kafka, home) == 1
    (home / "log" / desk_topics.FORWARDED).unlink()
    assert forwarded(kafka, home) > 1
    assert bodies(DeskTopics(kafka)) == bodies(LocalLog(home / "log"))


def test_what_others_write_is_passed_over(kafka: Kafka, home: Path) -> None:
    (first, *_) = (record.body for record in LocalLog(home / "log").read(CASES, "T1"))
    event = case_codec.decode_case(first)
    forged = case_codec.encode(replace(event, person_id="X9", prev_hash=bytes([7] * 32)))
    with TopicProducer(kafka) as producer:
        producer.send(
            OutgoingMessage(kafka.topic(CASES), b"T1", value)
            for value in (b"hello", framed(b"no record"), framed(forged))
        )
        producer.send([OutgoingMessage(kafka.topic(CASES), b"T2", framed(first))])

    forwarded(kafka, home)

    assert bodies(DeskTopics(kafka)) == bodies(LocalLog(home / "log"))


def test_a_record_that_is_missing_ends_its_table(home: Path) -> None:
    own = [record.body for record in LocalLog(home / "log").read(CASES, "T2")]
    found = [
        Message("rp.cases", 0, offset, b"T2", framed(body), 0) for offset, body in enumerate(own)
    ]

    del found[2]

    sorted_records = desk_topics.sorted_records(CASES, found, framing.unframe)
    assert [record.body for record in sorted_records["T2"]] == own[:2]


def test_another_house_lists_the_cases(
    kafka: Kafka,
    home: Path,
    tmp_path: Path,
    roundproof: Roundproof,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in leading_to(kafka).items():
        monkeypatch.setenv(name, value)
    sent = roundproof("--home", home, "ingest", "forward", "--json")
    other = tmp_path / "other"

    listed = roundproof("--home", other, "case", "list", "--from", "kafka", "--json")
    shown = roundproof("--home", other, "case", "show", "T1-R7-D1", "--from", "kafka")
    access = roundproof("--home", other, "access", "list", "--from", "kafka", "--json")

    assert json.loads(sent.out)["cases_and_access"] > 10
    assert json.loads(listed.out)["total"] == 2
    assert "T1-R7-D1" in shown.out
    people = {record["person_id"] for record in json.loads(access.out)["records"]}
    assert people >= {"V1", "V2"}
    wrong = roundproof("--home", other, "case", "list", "--from", "archive")
    assert (wrong.code, "local or kafka expected" in wrong.err) == (2, True)
