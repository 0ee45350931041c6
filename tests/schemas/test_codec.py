"""Every word survives the way to bytes and back, as Avro and as JSON."""

import json
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas import avro, codec, events, shape
from tests.support import any_word

FEW = settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])

READING = events.Reading(
    table_id="T1",
    device_kind="shaker",
    device_id="shaker-1",
    device_seq=7,
    occurred_at=1_772_380_800_000_000,
    payload=events.ShakerStopped(tumbles=4),
)


@pytest.mark.parametrize("name", avro.PAYLOADS)
@FEW
@given(data=st.data())
def test_an_event_comes_back_from_avro_as_it_was(name: str, data: st.DataObject) -> None:
    payload = data.draw(any_word.record(name))
    event = replace(data.draw(ENVELOPE), payload=payload)

    body = codec.encode_event(event)

    assert codec.decode_event(BytesIO(body)) == event
    # The two parts of an event are written apart; together they are what any Avro reader expects.
    assert codec.trusted_event(codec.read(BytesIO(body), avro.EVENT)) == event


@pytest.mark.parametrize("name", avro.PAYLOADS)
@FEW
@given(data=st.data())
def test_a_reading_comes_back_from_avro_as_it_was(name: str, data: st.DataObject) -> None:
    reading = replace(READING, payload=data.draw(any_word.record(name)))

    assert codec.decode_reading(codec.encode_reading(reading)) == reading


# TwinConflicted holds bytes: the gateway writes it, and no device says it in JSON.
@pytest.mark.parametrize("name", sorted(set(avro.PAYLOADS) - {"TwinConflicted"}))
@FEW
@given(data=st.data())
def test_a_reading_comes_back_from_json_as_it_was(name: str, data: st.DataObject) -> None:
    reading = replace(READING, payload=data.draw(any_word.record(name)))

    line = codec.dump_line(reading)

    assert "\n" not in line
    assert shape.reading(json.loads(line)) == reading


@given(any_word.record("Reading"))
def test_the_same_reading_gives_the_same_bytes(reading: events.Reading) -> None:
    again = codec.decode_reading(codec.encode_reading(reading))

    assert codec.encode_reading(again) == codec.encode_reading(reading)
    assert codec.dump_line(again) == codec.dump_line(reading)


def test_the_order_of_a_map_does_not_show_in_the_bytes() -> None:
    one, other = (
        events.TermsPosted("SA-XD", "VND", readings=dict(readings))
        for readings in ([("b", "2"), ("a", "1")], [("a", "1"), ("b", "2")])
    )

    assert codec.encode_event(_event(one)) == codec.encode_event(_event(other))


def test_events_of_one_stream_follow_one_another() -> None:
    first = _event(events.ShakerStopped(tumbles=4))
    second = _event(events.ShakerOpened(faces=("4", "1", "2")))
    stream = BytesIO(codec.encode_event(first) + codec.encode_event(second))

    assert [codec.decode_event(stream), codec.decode_event(stream)] == [first, second]


def test_json_names_the_payload_and_writes_bytes_as_hex() -> None:
    event = _event(events.TwinConflicted(twin_of="T1/a/1", kept=b"\x00\xff"))

    said = codec.to_json(event)

    assert said["payload"] == {"type": "TwinConflicted", "twin_of": "T1/a/1", "kept": "00ff"}
    assert said["prev_hash"] == "00" * 32


def test_bytes_after_a_reading_are_refused() -> None:
    with pytest.raises(shape.Refused) as refused:
        codec.decode_reading(codec.encode_reading(READING) + b"\x00")

    assert refused.value.code == "trailing_bytes"


@pytest.mark.parametrize("body", [b"", b"\x00", b"\xff" * 64, codec.encode_reading(READING)[:-1]])
def test_bytes_that_are_no_reading_are_refused(body: bytes) -> None:
    with pytest.raises(shape.Refused) as refused:
        codec.decode_reading(body)

    assert refused.value.code == "not_avro"


def test_a_reading_in_avro_is_checked_like_one_in_json() -> None:
    wrong = replace(READING, payload=events.ShakerStopped(tumbles=-1))

    with pytest.raises(shape.Refused) as refused:
        codec.decode_reading(codec.encode_reading(wrong))

    assert refused.value.code == "bad_value"
    assert refused.value.where == "ShakerStopped.tumbles"


def _event(payload: Any) -> events.Event:
    return events.Event(
        event_id="T1/shaker-1/7",
        table_id="T1",
        seq=7,
        device_kind="shaker",
        device_id="shaker-1",
        device_seq=7,
        occurred_at=1_772_380_800_000_000,
        err_ms=5,
        ingested_at=1_772_380_800_020_000,
        schema=avro.FINGERPRINT,
        prev_hash=codec.NO_HASH,
        payload=payload,
    )


ENVELOPE = st.builds(
    replace,
    st.just(_event(events.TableClosed())),
    seq=st.integers(0, 2**63 - 1),
    occurred_at=st.integers(-(2**63), 2**63 - 1),
    prev_hash=st.binary(min_size=32, max_size=32),
    round_id=st.none() | any_word.TEXT,
)
