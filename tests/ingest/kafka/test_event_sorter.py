"""The sorter: one verdict for every message, whoever wrote it and however often."""

import random
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from typing import Any

import fastavro
import pytest

from ingest import dead_letter
from ingest.kafka import event_sorter
from ingest.kafka.event_sorter import (
    REMEMBERED,
    Message,
    SortedEvent,
    Sorter,
    StrayMessage,
    UnknownEvent,
)
from ingest.log import MAX_BODY
from ingest.parse import event as parse_event
from ingest.parse import framing
from ingest.parse.reading import MAX_MESSAGE
from ingest.seal.chain import ChainPosition, seal
from schemas import avro, codec, contract
from schemas import events as e
from tests.schemas import test_history
from tests.support.message_mutants import mutants
from tests.support.readings import NOON, reading

TABLE = "T12"
START = ChainPosition()
V1 = test_history.V1.event


def chain(
    count: int, table_id: str = TABLE, place: ChainPosition = START, **changes: Any
) -> list[bytes]:
    """The bodies of a table's events, from a place on."""
    made = []
    for n in range(place.seq, place.seq + count):
        value = reading(n, table_id=table_id, **changes)
        said = codec.encode_said(value.payload, value.round_id)
        body, place = seal(value, said, place, NOON + n)
        made.append(body)
    return made


def message(body: bytes | None, offset: int = 0, key: bytes | None = TABLE.encode()) -> Message:
    """A body as it stands in the topic; None is a tombstone."""
    value = None if body is None else framing.frame(body, avro.FINGERPRINT)
    return Message("rp.events", 3, offset, key, value, NOON)


def verdict(found: SortedEvent | StrayMessage | None) -> str:
    """A verdict in a word."""
    if found is None:
        return "twin"
    return "good" if isinstance(found, SortedEvent) else found.why.code


def changed(body: bytes, **changes: Any) -> bytes:
    """An event's body with other values in it, however impossible; the payload by its fields."""
    raw = codec.read(BytesIO(body), avro.EVENT)
    name, payload = raw["payload"]
    payload |= {key: value for key, value in changes.items() if key in payload}
    raw |= {key: value for key, value in changes.items() if key in raw}
    raw["payload"] = (name, payload)
    stream = BytesIO()
    fastavro.schemaless_writer(stream, avro.EVENT, raw)
    return stream.getvalue()


EVENTS = chain(6)
OTHER = chain(6, payload=e.CardDrawn(1, "banker", "2C"))  # another gateway's story of the table


def test_events_come_out_with_their_place_and_hash() -> None:
    good = Sorter().sort(message(EVENTS[0]))

    assert isinstance(good, SortedEvent)
    assert codec.encode_event(good.event) == EVENTS[0]
    assert good.record == (0, EVENTS[0], avro.FINGERPRINT)
    assert good.sha256 == codec.decode_event(BytesIO(EVENTS[1])).prev_hash.hex()
    assert good.message.offset == 0


WAGER = chain(1, payload=e.WagerPlaced("W1", "P-77", "banker", 500_000))[0]
LONG = chain(1, payload=e.TwinConflicted("T12/shoe-3/0", bytes(MAX_MESSAGE)))[0]
TOO_LONG = chain(1, payload=e.TwinConflicted("T12/shoe-3/0", bytes(MAX_BODY)))[0]
FRAMED = message(EVENTS[0]).value or b""


@pytest.mark.parametrize(
    ("value", "code"),
    [
        pytest.param(None, "tombstone", id="no value"),
        pytest.param(b"", "empty", id="nothing"),
        pytest.param(b"\xc3\x01\x00", "truncated", id="a header cut short"),
        pytest.param(FRAMED[:10], "truncated", id="no body"),
        pytest.param(FRAMED[:-1], "truncated", id="a body cut short"),
        pytest.param(FRAMED + b"\x00", "trailing_bytes", id="a byte too many"),
        pytest.param(FRAMED[10:], "not_framed", id="no framing"),
        pytest.param(b'{"seq": 0}', "not_framed", id="JSON"),
        pytest.param(
            framing.frame(EVENTS[0], "ab" * 8), "unknown_schema", id="unknown fingerprint"
        ),
        pytest.param(
            framing.frame(EVENTS[0].replace(b"T12", b"\xff12", 1), avro.FINGERPRINT),
            "not_avro",
            id="text that is none",
        ),
        pytest.param(
            framing.frame(codec.encode_reading(reading(0)), contract.fingerprint(avro.READING)),
            "unknown_schema",
            id="a reading",
        ),
        pytest.param(framing.frame(LONG, avro.FINGERPRINT), "good", id="more than a mebibyte"),
        pytest.param(
            framing.frame(TOO_LONG, avro.FINGERPRINT), "too_large", id="beyond every body"
        ),
    ],
)
def test_bytes_that_are_no_event_are_strays(value: bytes | None, code: str) -> None:
    found = Sorter().sort(message(EVENTS[0])._replace(value=value))

    assert verdict(found) == code


@pytest.mark.parametrize(
    ("body", "changes", "where"),
    [
        pytest.param(WAGER, {"stake": -1}, "WagerPlaced.stake", id="a negative stake"),
        pytest.param(EVENTS[0], {"card": "1H"}, "CardDrawn.card", id="a card of no deck"),
        pytest.param(
            EVENTS[0], {"position": 0}, "CardDrawn.position", id="a place before the first"
        ),
        pytest.param(EVENTS[0], {"device_seq": -1}, "reading.device_seq", id="a negative sequence"),
        pytest.param(EVENTS[0], {"table_id": "../T1"}, "reading.table_id", id="a path for a table"),
        pytest.param(EVENTS[0], {"err_ms": -5}, "reading.err_ms", id="a negative error"),
        pytest.param(EVENTS[0], {"seq": -1}, "event.seq", id="a place before the first of all"),
        pytest.param(EVENTS[0], {"event_id": "T9/x/1"}, "event.event_id", id="another's id"),
        pytest.param(EVENTS[0], {"schema": "00" * 8}, "event.schema", id="another schema within"),
    ],
)
def test_impossible_values_are_strays(body: bytes, changes: dict[str, Any], where: str) -> None:
    found = Sorter().sort(message(changed(body, **changes)))

    assert isinstance(found, StrayMessage)
    assert (found.why.code, found.why.where) == ("bad_value", where)


@pytest.mark.parametrize("key", [None, b"", b"T1", b"T12 ", "T12".encode("utf-16"), bytes(100)])
def test_a_key_that_is_not_the_table_is_a_stray(key: bytes | None) -> None:
    found = Sorter().sort(message(EVENTS[0], key=key))

    assert verdict(found) == "wrong_key"


@pytest.mark.parametrize(
    ("order", "verdicts"),
    [
        pytest.param([*EVENTS], "good good good good good good", id="in order"),
        pytest.param([EVENTS[0], EVENTS[0]], "good twin", id="sent again"),
        pytest.param(
            [*EVENTS[:3], *EVENTS[:4]], "good good good twin twin twin good", id="a batch again"
        ),
        pytest.param([EVENTS[0], OTHER[0]], "good fork", id="another story of the same event"),
        pytest.param(
            [EVENTS[0], *OTHER[1:3], EVENTS[1]],
            "good broken_chain gap good",
            id="another story goes on, and the table too",
        ),
        pytest.param([EVENTS[0], EVENTS[2], EVENTS[1]], "good gap good", id="one is missing"),
        pytest.param([EVENTS[1]], "gap", id="not from the start"),
        pytest.param(
            [OTHER[0], *EVENTS[:2], OTHER[1]],
            "good fork broken_chain good",
            id="the first to come is the table's",
        ),
    ],
)
def test_a_table_goes_on_where_it_ends(order: list[bytes], verdicts: str) -> None:
    table = Sorter()

    found = [verdict(table.sort(message(body, n))) for n, body in enumerate(order)]

    assert found == verdicts.split()


def test_tables_do_not_touch_each_other() -> None:
    both, others = Sorter(), chain(3, "T7")
    mixed = [pair for pairs in zip(EVENTS, others, strict=False) for pair in pairs]
    keys = [b"T12", b"T7"] * 3

    found = [verdict(both.sort(message(b, key=k))) for b, k in zip(mixed, keys, strict=True)]

    assert found == ["good"] * 6
    assert {table: place.seq for table, place in both.positions.items()} == {"T12": 3, "T7": 3}


def test_a_reader_goes_on_from_the_places_it_kept() -> None:
    before = Sorter()
    for body in EVENTS[:3]:
        before.sort(message(body))

    after = Sorter(known=before.positions)

    # Of the last event the place knows the hash; those before it cannot be told apart any more.
    order = (EVENTS[0], OTHER[0], EVENTS[2], OTHER[2], EVENTS[3], EVENTS[3])
    found = [verdict(after.sort(message(body))) for body in order]
    assert found == ["twin", "twin", "twin", "fork", "good", "twin"]


def test_a_table_may_be_taken_up_at_its_opening() -> None:
    place = ChainPosition(40, b"\x07" * 32)
    opened = chain(1, place=place, payload=e.TableOpened("2026-03-01"))
    card = chain(1, place=place)

    assert verdict(Sorter(anywhere=True).sort(message(opened[0]))) == "good"
    assert verdict(Sorter(anywhere=True).sort(message(card[0]))) == "gap"
    assert verdict(Sorter().sort(message(opened[0]))) == "gap"
    known = Sorter(known={TABLE: ChainPosition(39)}, anywhere=True)
    assert verdict(known.sort(message(opened[0]))) == "gap"


def test_a_table_that_was_handed_over_is_not_known_any_more() -> None:
    table = Sorter()
    table.sort(message(EVENTS[0]))

    table.forget(TABLE)

    assert table.positions == {}
    assert verdict(table.sort(message(EVENTS[0]))) == "good"


def test_strays_leave_nothing_behind() -> None:
    table = Sorter()

    for n in range(100):
        table.sort(message(chain(2, f"T{n}")[1], key=f"T{n}".encode()))

    assert table.positions == {}


def test_memory_is_bounded_and_old_events_are_let_go() -> None:
    table, bodies = Sorter(), chain(REMEMBERED + 2)
    for body in bodies:
        assert verdict(table.sort(message(body))) == "good"
    others = chain(4, payload=e.CardDrawn(1, "banker", "2C"))

    kept = table._chains[TABLE]._ring
    assert kept.itemsize * len(kept) == 8 * REMEMBERED
    assert [verdict(table.sort(message(body))) for body in others] == [
        "twin",
        "twin",
        "fork",
        "fork",
    ]
    assert verdict(table.sort(message(bodies[2]))) == "twin"


def test_what_an_older_contract_wrote_is_read_in_todays_words() -> None:
    table = Sorter()
    bodies = test_history._bodies()

    first = table.sort(message(None, key=b"T1")._replace(value=framing.frame(bodies[0], V1)))

    assert isinstance(first, SortedEvent)
    assert first.record == (0, bodies[0], V1)
    assert [parse_event.decode(body, V1).payload for body in bodies] == test_history.TODAY


def test_a_stray_becomes_a_dead_letter_that_finds_its_message_again() -> None:
    stray = Sorter().sort(message(EVENTS[1], 77))
    assert isinstance(stray, StrayMessage)

    found = dead_letter.decode(dead_letter.encode(event_sorter.letter(stray, NOON)))

    assert (found.reason, found.source, found.position) == ("gap", "rp.events/3", 77)
    assert (found.expected, found.found) == ("sequence 0", "1")
    assert found.body == framing.frame(EVENTS[1], avro.FINGERPRINT)
    assert found.size == len(found.body)


def test_mutants_never_stop_the_good_ones() -> None:
    """Bent copies of what lies in the topic; whoever is first at a place has it, and none is."""
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")  # noqa: T201
    good = [framing.frame(body, avro.FINGERPRINT) for body in chain(200)]
    table, found = Sorter(), Counter[str]()
    for n, value in enumerate(good):
        assert verdict(table.sort(message(None, n)._replace(value=value))) == "good", seed
        for bent in mutants(good[: n + 1], 25, seed + n):
            found[verdict(table.sort(message(None, n)._replace(value=bent)))] += 1

    assert found.total() == 5_000
    assert found["good"] == 0, seed
    assert {"not_framed", "unknown_schema", "truncated", "bad_value", "fork"} <= set(found), seed


def test_the_same_fields_are_checked_as_at_the_door() -> None:
    envelope = {field["name"] for field in avro.RECORDS["Event"]["fields"]}
    own = {"event_id", "seq", "ingested_at", "schema", "prev_hash"}

    assert set(parse_event.READING_FIELDS) == envelope - own


NEWER = "ab" * 8  # the fingerprint of a contract that only gateways know yet


def newer(body: bytes) -> Message:
    """An event as a gateway would write it that was upgraded before this reader."""
    said = changed(body, schema=NEWER)
    return message(body)._replace(value=framing.frame(said, NEWER))


def confluent(body: bytes) -> Message:
    """An event behind the number that a registry gave its schema."""
    return message(body)._replace(value=b"\0\0\0\0\x07" + body)


@pytest.mark.parametrize("there", [newer, confluent])
def test_the_next_event_of_a_table_in_words_not_known_here_stops_the_reader(
    there: Callable[[bytes], Message],
) -> None:
    table = Sorter()
    table.sort(message(EVENTS[0]))

    with pytest.raises(UnknownEvent, match=r"rp\.events/3/0: event 1 of table T12"):
        table.sort(there(EVENTS[1]))

    assert table.positions[TABLE].seq == 1


def test_a_reader_that_begins_anywhere_is_stopped_by_the_first_it_cannot_read() -> None:
    with pytest.raises(UnknownEvent):
        Sorter(anywhere=True).sort(newer(EVENTS[3]))


@pytest.mark.parametrize("there", [newer, confluent])
def test_such_an_event_out_of_its_place_stops_nobody(there: Callable[[bytes], Message]) -> None:
    table = Sorter()
    table.sort(message(EVENTS[0]))
    forged = [there(EVENTS[0]), there(EVENTS[2]), there(OTHER[1]), there(chain(2, "T7")[1])]

    found = [verdict(table.sort(each)) for each in forged]

    assert set(found) <= {"unknown_schema", "not_framed"}
    assert verdict(table.sort(message(EVENTS[1]))) == "good"
