"""A log that an older house wrote is read in today's words.

`frozen/events-v1.avro` holds seven events, written with version 1 of the contract by fastavro. In
that version a die was `not_flat`, a heartbeat had no state, and no clock had ever stepped.
"""

import hashlib
from io import BytesIO
from pathlib import Path
from typing import Any

import fastavro
import pytest
from hypothesis import given

from schemas import avro, codec, events, history, lock, shape, upcasts
from tests.support import any_word

FROZEN = Path(__file__).parent / "frozen" / "events-v1.avro"
SHA256 = "bd65cf69bbc2642b2384549983aca1bb43e4d7b6a4694995acf47a18727fea62"
V1, *_ = lock.installed().versions

TODAY = [
    events.TableOpened("2026-03-01"),
    events.TermsPosted(
        game="SA-SB",
        currency="VND",
        paytable="fit",
        limits=(events.Limit("small", 100, 5000),),
        rounding="half up",
        readings={"four_number": "literal"},
    ),
    events.DeviceBeat(interval_s=5, offset_ms=-12, state="ok"),
    events.WagerPlaced("W1", "P1", "total:7", 100, chips=events.Chips("T1", "red", 20, 5)),
    events.ShakerStopped(tumbles=4),
    events.ShakerOpened(faces=("4", "1", "2"), flat=False),
    events.DiceObserved(
        guesses=(events.Guess("4-1-2", 0.96875), events.Guess("4-1-3", 0.03125)),
        flat=True,
        overlap=True,
        frame=118203,
    ),
]


def test_the_frozen_file_is_the_one_that_was_written() -> None:
    assert hashlib.sha256(FROZEN.read_bytes()).hexdigest() == SHA256


def test_its_header_names_a_writer_we_know() -> None:
    with FROZEN.open("rb") as file:
        text = fastavro.reader(file).metadata["avro.schema"]

    assert lock.writer(text.encode()) == V1.event != avro.FINGERPRINT


def test_an_old_log_reads_as_todays_events() -> None:
    found = [history.decode_event_as(V1.event, BytesIO(body)) for body in _bodies()]

    assert [event.payload for event in found] == TODAY
    assert [event.seq for event in found] == list(range(len(TODAY)))
    assert {event.schema for event in found} == {V1.event}


def test_several_old_events_follow_one_another_in_one_stream() -> None:
    stream = BytesIO(b"".join(_bodies()))

    found = [history.decode_event_as(V1.event, stream).payload for _ in TODAY]

    assert found == TODAY
    assert stream.read() == b""


def test_plain_avro_could_not_have_read_the_turned_field() -> None:
    """Resolution by default says every die was flat, where the log says one was not."""
    with FROZEN.open("rb") as file:
        *_, opened, _ = fastavro.reader(file, avro.EVENT)

    assert isinstance(opened, dict)
    assert opened["payload"] == {"faces": ["4", "1", "2"], "flat": True, "overlap": False}


@pytest.mark.parametrize(("not_flat", "flat"), [(True, False), (False, True)])
def test_a_lift_gives_the_next_shape_and_leaves_the_old_one_alone(
    not_flat: bool, flat: bool
) -> None:
    old = {"faces": ["1"], "not_flat": not_flat, "overlap": False}

    assert upcasts.lift("ShakerOpened", 1, 2, old) == {
        "faces": ["1"],
        "flat": flat,
        "overlap": False,
    }
    assert old["not_flat"] is not_flat


def test_nothing_is_lifted_that_is_new_enough_or_never_changed() -> None:
    body = {"tumbles": 4}

    assert upcasts.lift("ShakerOpened", 2, 9, body) is body
    assert upcasts.lift("ShakerStopped", 1, 9, body) is body


def test_an_old_reading_is_lifted_and_then_checked() -> None:
    raw: dict[str, Any] = {
        "table_id": "T1",
        "device_kind": "shaker",
        "device_id": "old",
        "device_seq": 1,
        "occurred_at": 0,
        "payload": ("roundproof.ShakerOpened", {"faces": ["6"], "not_flat": True}),
    }

    lifted = history.reading_as(V1.reading, raw)

    assert lifted.payload == events.ShakerOpened(faces=("6",), flat=False)
    with pytest.raises(shape.Refused, match="device_seq"):
        history.reading_as(V1.reading, raw | {"device_seq": -1})


def test_a_writer_nobody_knows_is_named() -> None:
    with pytest.raises(history.UnknownWriter, match=rf"schema feed: one of {V1.event}, .* expect"):
        history.decode_event_as("feed", BytesIO())


@given(any_word.record("Event"))
def test_todays_events_pass_through_unchanged(event: events.Event) -> None:
    body = codec.encode_event(event)

    assert history.decode_event_as(avro.FINGERPRINT, BytesIO(body)) == event


def _bodies() -> list[bytes]:
    """The bytes of each event in the file, as a segment of the log holds them."""
    bodies, schema = [], lock.known(V1.event)
    assert schema is not None
    with FROZEN.open("rb") as file:
        reader = fastavro.reader(file, return_record_name=True, return_record_name_override=True)
        for record in reader:
            stream = BytesIO()
            fastavro.schemaless_writer(stream, schema, record)
            bodies.append(stream.getvalue())
    return bodies
