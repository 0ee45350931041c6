"""Poison: every kind of message that is no reading, with the reason code it must get."""

import json
from io import BytesIO
from typing import Any

import fastavro
import pytest

from ingest.parse import batch as parse_batch
from ingest.parse import framing
from ingest.parse import reading as parse_reading
from ingest.parse.batch import Unread
from ingest.parse.reading import MAX_MESSAGE
from schemas import avro, codec
from schemas import events as e
from schemas.shape import Refused
from tests.support.readings import container, reading, talk

GOOD = codec.to_json(reading(0))
WAGER = codec.to_json(e.WagerPlaced("W1", "P-77", "banker", 500_000))
SINGLE = parse_reading.frame_reading(reading(0))
NULLS = {"type": "array", "items": "null"}
LISTS = {
    "type": "record",
    "name": "Node",
    "fields": [{"name": "next", "type": ["null", "Node"]}],
}


def with_payload(**changes: Any) -> bytes:
    return dumped({**GOOD, "payload": WAGER | changes})


def with_field(**changes: Any) -> bytes:
    return dumped(GOOD | changes)


def dumped(value: Any) -> bytes:
    return json.dumps(value).encode()


def saying(kind: str, **fields: Any) -> bytes:
    return with_field(payload={"type": kind, **fields})


def foreign(schema: Any, raw: bytes = b"", records: int = 1) -> bytes:
    """A container of somebody else's schema, with one block of raw bytes."""
    stream = BytesIO()
    fastavro.writer(stream, schema, [], sync_marker=b"s" * 16)
    return stream.getvalue() + zigzag(records) + zigzag(len(raw)) + raw + b"s" * 16


def header(schema: bytes) -> bytes:
    entry = zigzag(11) + b"avro.schema" + zigzag(len(schema)) + schema
    return b"Obj\x01" + zigzag(1) + entry + zigzag(0) + b"s" * 16


def zigzag(value: int) -> bytes:
    stream = BytesIO()
    fastavro.schemaless_writer(stream, "long", value)
    return stream.getvalue()


def ours(raw: bytes, records: int) -> bytes:
    return foreign(avro.READING, raw, records)


SURE = saying("CardsObserved", zone="p", slot=1, guesses=[{"seen": "9H", "probability": 0.5}])
JSON_POISON = {
    "nothing": (b"", "empty"),
    "only blanks": (b" \t\r\n", "empty"),
    "no JSON": (b"hello", "not_json"),
    "half an object": (with_field()[:-9], "not_json"),
    "two objects": (with_field() * 2, "trailing_bytes"),
    "something after it": (with_field() + b" x", "trailing_bytes"),
    "a comma too many": (with_field()[:-1] + b",}", "not_json"),
    "a comment": (b"// hi\n" + with_field(), "not_json"),
    "UTF-16": (with_field().decode().encode("utf-16"), "not_utf8"),
    "a broken byte": (with_field().replace(b"shoe-3", b"sho\xff-3"), "not_utf8"),
    "a byte order mark": (b"\xef\xbb\xbf" + with_field(), "not_json"),
    "half a surrogate": (with_field(round_id="\ud800"), "not_utf8"),
    "over a mebibyte": (with_field(round_id="x" * MAX_MESSAGE), "too_large"),
    "a long text": (with_field(round_id="x" * 5_000), "too_large"),
    "a long list": (saying("FreeHandDeclared", cards=["9H"] * 2_000), "too_large"),
    "deep lists": (b"[" * 100_000, "too_deep"),
    "deep objects": (b'{"a":' * 20_000 + b"1" + b"}" * 20_000, "too_deep"),
    "brackets in text are not deep": (with_field(note="[" * 100), "unknown_field"),
    "a number": (b"7", "wrong_type"),
    "null": (b"null", "wrong_type"),
    "a list": (b"[]", "wrong_type"),
    "no payload": (dumped({k: v for k, v in GOOD.items() if k != "payload"}), "wrong_type"),
    "no type": (dumped({**GOOD, "payload": {}}), "unknown_type"),
    "an unknown type": (with_payload(type="WagerDreamt"), "unknown_type"),
    "a type that is no text": (with_payload(type=["WagerPlaced"]), "unknown_type"),
    "a record that is no payload": (with_payload(type="Chips"), "unknown_type"),
    "an unknown field": (with_payload(colour="red"), "unknown_field"),
    "an unknown envelope field": (with_field(event_id="T1/x/1"), "unknown_field"),
    "a missing field": (dumped({**GOOD, "payload": {"type": "WagerPlaced"}}), "missing_field"),
    "no table": (dumped({k: v for k, v in GOOD.items() if k != "table_id"}), "missing_field"),
    "a duplicated key": (b'{"table_id":"T1",' + with_field()[1:], "duplicate_key"),
    "a key twice inside": (with_payload().replace(b'"bet"', b'"stake"'), "duplicate_key"),
    "a negative bet": (with_payload(stake=-500), "bad_value"),
    "a bet of nothing": (with_payload(stake=0), "bad_value"),
    "half a chip": (with_payload(stake=0.5), "wrong_type"),
    "a bet in words": (with_payload(stake="500"), "wrong_type"),
    "true for a bet": (with_payload(stake=True), "wrong_type"),
    "a bet beyond 64 bits": (with_payload(stake=2**63), "bad_value"),
    "a number of 5000 digits": (with_payload().replace(b"500000", b"5" * 5_000), "bad_value"),
    "NaN": (with_payload(stake=float("nan")), "bad_value"),
    "infinity": (with_payload(stake=float("inf")), "bad_value"),
    "a probability of 1e999": (SURE.replace(b"0.5", b"1e999"), "bad_value"),
    "a card that is none": (saying("CardDrawn", position=1, hand="p", card="1X"), "bad_value"),
    "a 53rd card": (saying("CardDrawn", position=1, hand="p", card="9Z"), "bad_value"),
    "a card before the first": (saying("CardDrawn", position=0, hand="p"), "bad_value"),
    "pocket 38": (saying("BallLanded", pocket=38), "bad_value"),
    "a path for a table": (with_field(table_id="../../etc"), "bad_value"),
    "an empty device": (with_field(device_id=""), "bad_value"),
    "a negative sequence": (with_field(device_seq=-1), "bad_value"),
    "a negative error bound": (with_field(err_ms=-1), "bad_value"),
    "the gateway's name": (with_field(device_id="gateway"), "reserved"),
    "the gateway's kind": (with_field(device_kind="gateway"), "reserved"),
    "the gateway's words": (saying("GapFound", gap_device="x", expected=1, found=2), "reserved"),
}  # fmt: skip


@pytest.mark.parametrize("kind", JSON_POISON)
def test_poison_in_json_gets_its_reason(kind: str) -> None:
    message, reason = JSON_POISON[kind]

    with pytest.raises(Refused) as refused:
        parse_reading.json_reading(message)

    assert refused.value.code == reason


SINGLE_POISON = {
    "nothing": (b"", "empty"),
    "another marker": (b"\xc3\x02" + SINGLE[2:], "not_avro"),
    "only a marker": (framing.MARKER, "truncated"),
    "an unknown fingerprint": (framing.MARKER + bytes(8) + SINGLE[10:], "unknown_schema"),
    "an event": (framing.MARKER + bytes.fromhex(avro.FINGERPRINT) + SINGLE[10:], "unknown_schema"),
    "no body": (SINGLE[:10], "not_avro"),
    "truncated": (SINGLE[:-8], "not_avro"),
    "trailing bytes": (SINGLE + b"\0", "trailing_bytes"),
    "over a mebibyte": (SINGLE + bytes(MAX_MESSAGE), "too_large"),
    "a text of 2^62 bytes": (SINGLE[:10] + zigzag(2**62), "not_avro"),
    "a text of -1 bytes": (SINGLE[:10] + zigzag(-1) + SINGLE[11:], "not_avro"),
    "a negative bet": (
        parse_reading.frame_reading(reading(0, payload=e.WagerPlaced("W1", "P-77", "banker", -5))),
        "bad_value",
    ),
    "a 53rd card": (
        parse_reading.frame_reading(reading(0, payload=e.CardDrawn(1, "p", "XX"))),
        "bad_value",
    ),
    "the gateway's words": (
        parse_reading.frame_reading(reading(0, payload=e.ClockStepped("shoe-3", 5))),
        "reserved",
    ),
}


@pytest.mark.parametrize("kind", SINGLE_POISON)
def test_poison_in_avro_gets_its_reason(kind: str) -> None:
    message, reason = SINGLE_POISON[kind]

    with pytest.raises(Refused) as refused:
        parse_reading.single_object(message)

    assert refused.value.code == reason


UNKNOWN = "unknown_schema"
WHOLE = container(list(talk(20)), sync_interval=200)
CONTAINER_POISON = {
    "a 5-byte array of nulls": (foreign(NULLS, zigzag(2**31) + b"\0"), UNKNOWN),
    "a recursive schema": (foreign(LISTS, b"\x02" * 60_000), UNKNOWN),
    "a type named twice": (container([]).replace(b"proof.Guess", b"proof.Limit"), UNKNOWN),
    "events": (foreign(avro.EVENT), UNKNOWN),
    "a deep schema": (header(b"[" * 60_000), "too_deep"),
    "a long schema": (header(b'"' + b"x" * 300_000 + b'"'), "too_large"),
    "a schema that is no JSON": (header(b"{{{"), UNKNOWN),
    "a schema that is a number": (header(b"7"), UNKNOWN),
    "no schema": (b"Obj\x01\0" + b"s" * 16, "not_avro"),
    "endless metadata": (b"Obj\x01" + zigzag(2**40), "too_large"),
    "a cut header": (WHOLE[:60], "truncated"),
    "another codec": (container([reading(0)], codec="deflate"), "unknown_codec"),
    "a cut block": (WHOLE[:-20], "truncated"),
    "more records than bytes": (ours(SINGLE[10:], 2**40), "bad_block"),
    "a record too many": (ours(SINGLE[10:], 2), "not_avro"),
    "a record too few": (ours(SINGLE[10:] * 2, 1), "trailing_bytes"),
    "a negative count": (ours(SINGLE[10:], -1), "bad_block"),
    "a block of 2^40 bytes": (container([]) + zigzag(1) + zigzag(2**40), "too_large"),
    "a number without end": (container([]) + b"\xff" * 40, "bad_block"),
    "a marker of another file": (foreign(avro.READING, SINGLE[10:])[:-1] + b"x", "bad_sync"),
}  # fmt: skip


@pytest.mark.parametrize("kind", CONTAINER_POISON)
def test_poison_in_a_container_gets_its_reason(kind: str) -> None:
    body, reason = CONTAINER_POISON[kind]

    found = [each.why.code for each in parse_batch.batch(body) if isinstance(each, Unread)]

    assert found == [reason]
