"""A number beyond its bound is a dead letter at every door, and an old log opens all the same."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import fastavro
import pytest

from ingest.doors import kafka_topic
from ingest.gateway import Gateway
from ingest.kafka.event_sorter import Message
from ingest.local.log import LocalLog
from ingest.log import GATEWAY_STREAMS
from ingest.parse import batch as parse_batch
from ingest.parse import reading as parse_reading
from ingest.parse.batch import Arrival, Unread
from replay.sheets import sheet as sheets
from schemas import avro, codec
from schemas import events as e
from schemas.shape import Refused
from tests.support.readings import NOON, json_line, reading

ABSURD = reading(payload=e.WagerPlaced("W1", "P1", "banker", 10**16))


def container(value: e.Reading) -> bytes:
    stream = BytesIO()
    body = {"payload": (avro.NAMESPACE + "WagerPlaced", codec.to_json(value.payload))}
    body["payload"][1].pop("type")
    whole = codec.to_json(value) | body
    fastavro.writer(stream, avro.READING, [whole])
    return stream.getvalue()


def from_kafka(body: bytes) -> Arrival:
    (found,) = kafka_topic.arrivals([Message("rp.readings", 0, 0, b"T12", body, 0)])
    return found


def posted(body: bytes) -> Arrival:
    (found,) = parse_batch.batch(body)
    return found


@pytest.mark.parametrize(
    ("door", "body"),
    [
        pytest.param(posted, json_line(ABSURD), id="a line of JSON"),
        pytest.param(posted, b"[" + json_line(ABSURD) + b"]", id="an array of JSON"),
        pytest.param(posted, parse_reading.frame_reading(ABSURD), id="an Avro single object"),
        pytest.param(posted, container(ABSURD), id="an Avro container"),
        pytest.param(from_kafka, json_line(ABSURD), id="JSON in Kafka"),
        pytest.param(from_kafka, parse_reading.frame_reading(ABSURD), id="Avro in Kafka"),
    ],
)
def test_a_stake_beyond_the_bound_is_refused(door: Callable[[bytes], Arrival], body: bytes) -> None:
    found = door(body)

    assert isinstance(found, Unread)
    assert (found.why.code, found.why.where) == ("bad_value", "WagerPlaced.stake")


def test_a_round_sheet_knows_the_same_bound() -> None:
    placed = {"type": "WagerPlaced", "wager_id": "W1", "player_id": "P1", "bet": "red"}
    sheet = {
        "round": "R1",
        "terms": {"game": "RO", "currency": "VND"},
        "events": [placed | {"stake": 10**16}],
    }

    with pytest.raises(Refused, match=r"stake: 1 to 1,000,000,000,000,000 expected, 1"):
        sheets.read(sheet)


def test_a_log_that_holds_such_a_number_in_a_conflict_still_opens(tmp_path: Path) -> None:
    """It was kept before there was a bound; the next reading of the table is taken."""
    usual = reading(payload=e.WagerPlaced("W1", "P1", "banker", 5))
    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        door = Gateway(log, lambda: NOON)
        door.take([usual, ABSURD], "a test")  # past the doors, as an older house let it in
    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        counts = Gateway(log, lambda: NOON).take([reading(1)], "a test")

    assert (counts.accepted, counts.conflicts) == (1, 0)
