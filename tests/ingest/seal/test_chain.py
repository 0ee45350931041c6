"""The chain of a table's events, and what breaks it."""

import hashlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from ingest.log import LogCorrupt, LogRecord
from ingest.seal.chain import events, verified
from schemas import avro, codec
from schemas import events as e
from tests.ingest.test_log import bodies
from tests.support.readings import NOON, house, reading

Damage = Callable[[list[bytes]], list[bytes]]


def records(stored: list[bytes], schema: str = avro.FINGERPRINT) -> list[LogRecord]:
    return [LogRecord(n, body, schema) for n, body in enumerate(stored)]


def test_a_reading_becomes_an_event_with_its_place(tmp_path: Path) -> None:
    log, gateway = house(tmp_path)
    with log:
        gateway.take([reading(0), reading(1, received_at=NOON + 7)], "shoe-3")

    (first, first_hash), (second, _) = events(log, "T12")

    assert (first.event_id, second.event_id) == ("T12/shoe-3/0", "T12/shoe-3/1")
    assert (first.seq, second.seq) == (0, 1)
    assert first.prev_hash == codec.NO_HASH
    assert second.prev_hash.hex() == first_hash
    assert first_hash == hashlib.sha256(codec.encode_event(first)).hexdigest()
    assert (first.ingested_at, second.ingested_at) == (NOON, NOON + 7)
    assert first.schema == avro.FINGERPRINT
    assert second.payload == reading(1).payload
    assert second.round_id == "T12-R1"


def test_reading_from_the_middle_checks_the_link_before_it(tmp_path: Path) -> None:
    log, gateway = house(tmp_path)
    with log:
        gateway.take([reading(n) for n in range(5)], "shoe-3")

    assert [event.seq for event, _ in events(log, "T12", 3)] == [3, 4]
    assert [event.seq for event, _ in events(log, "T12", 5)] == []


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda b: b[:2] + b[3:], "offset 2: sequence 2 expected, 3 found"),
        (lambda b: [b[0], b[2], b[1], b[3]], "offset 1: sequence 1 expected, 2 found"),
        (lambda b: b[1:], "offset 0: sequence 0 expected, 1 found"),
        (lambda b: [*b[:2], edited(b[2]), b[3]], "offset 3: previous hash [0-9a-f]{4}… expected, "),
        (lambda b: [b[0], b[1][:20], *b[2:]], "offset 1: an event expected"),
        (lambda b: [b[0].replace(b"T12", b"T13"), *b[1:]], "offset 0: table T12 expected, T13"),
    ],
    ids=["removed", "swapped", "first gone", "edited", "cut", "of another table"],
)
def test_whatever_is_changed_is_named(damage: Damage, told: str) -> None:
    with pytest.raises(LogCorrupt, match=f"table T12 {told}"):
        list(verified(records(damage(bodies(4, table="T12"))), "T12"))


def test_a_hash_that_differs_only_where_it_is_not_shown_is_found() -> None:
    stored = bodies(2, table="T12")
    last = hashlib.sha256(stored[0]).digest()
    stored[1] = stored[1].replace(last, last[:-1] + bytes([last[-1] ^ 1]))

    with pytest.raises(LogCorrupt, match="table T12 offset 1: previous hash"):
        list(verified(records(stored), "T12"))


def test_a_schema_nobody_knows_is_corruption() -> None:
    with pytest.raises(LogCorrupt, match="offset 0: an event expected, UnknownWriter"):
        list(verified(records(bodies(1, table="T12"), "0123456789abcdef"), "T12"))


def test_an_untouched_chain_is_read_whole() -> None:
    found = list(verified(records(bodies(4, table="T12")), "T12"))

    assert [codec.encode_event(event) for event, _ in found] == bodies(4, table="T12")


def edited(body: bytes) -> bytes:
    event = codec.decode_event(BytesIO(body))
    changes = {name: getattr(event, name) for name in codec.HEAD_FIELDS}
    changes |= {"payload": e.CardDrawn(3, "player", "KS"), "round_id": event.round_id}
    return codec.encode_event(e.Event(**changes))
