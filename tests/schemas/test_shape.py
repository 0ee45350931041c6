"""The edge: what becomes a word, and what is refused with which reason."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import avro, events, shape
from schemas.events import Chips, Limit
from tests.support import any_word
from tests.support.tables import cases

WAGER = {"type": "WagerPlaced", "wager_id": "W1", "player_id": "P1", "bet": "small", "stake": 100}
TERMS = {"type": "TermsPosted", "game": "SA-SB", "currency": "VND"}
READING = {
    "table_id": "T1",
    "device_kind": "console",
    "device_id": "console-1",
    "device_seq": 1,
    "occurred_at": 0,
    "payload": WAGER,
}
CODES = {"wrong_type", "unknown_type", "unknown_field", "missing_field", "bad_value", "too_large"}
CHIPS = {"table_id": "T1", "colour": "red", "count": 3, "value": 5}


def test_what_is_left_out_takes_its_default() -> None:
    assert shape.payload(WAGER) == events.WagerPlaced("W1", "P1", "small", 100)


def test_what_lies_inside_becomes_typed_too() -> None:
    limits = [{"bet": "small", "minimum": 1, "maximum": 9}]

    wager = shape.payload(WAGER | {"chips": CHIPS})
    terms = shape.payload(TERMS | {"limits": limits, "readings": {"b": "2", "a": "1"}})

    assert isinstance(wager, events.WagerPlaced)
    assert isinstance(terms, events.TermsPosted)
    assert wager.chips == Chips("T1", "red", 3, 5)
    assert terms.limits == (Limit("small", 1, 9),)
    assert list(terms.readings) == ["a", "b"]


@pytest.mark.parametrize(
    ("change", "code", "where"),
    cases("""
        {"type": "Wager"}              | unknown_type  | payload.type | no such word
        {"type": null}                 | unknown_type  | payload.type | no word at all
        {"type": ["WagerPlaced"]}      | unknown_type  | payload.type | a list is no word
        {"type": "Guess"}              | unknown_type  | payload.type | a part is no payload
        {"colour": "red"}              | unknown_field | colour       | not its field
        {"stake": "100"}               | wrong_type    | stake        | text for a number
        {"stake": 1.0}                 | wrong_type    | stake        | a fraction for a number
        {"stake": true}                | wrong_type    | stake        | a truth for a number
        {"stake": null}                | wrong_type    | stake        | nothing for a number
        {"stake": 0}                   | bad_value     | stake        | below the minimum
        {"stake": 9223372036854775808} | bad_value     | stake        | more than a long
        {"stack": 2147483648}          | bad_value     | stack        | more than an int
        {"called": 1}                  | wrong_type    | called       | a number for a truth
        {"bet": 7}                     | wrong_type    | bet          | a number for text
        {"bet": "big bet"}             | bad_value     | bet          | a blank in a bet
        {"wager_id": ""}               | bad_value     | wager_id     | an empty id
        {"wager_id": "../W1"}          | bad_value     | wager_id     | a path for an id
        {"chips": []}                  | wrong_type    | chips        | a list for an object
        {"chips": {"table_id": "T1"}}  | missing_field | chips.colour | half an object
    """),
)
def test_a_wager_that_is_none(change: str, code: str, where: str) -> None:
    with pytest.raises(shape.Refused) as refused:
        shape.payload(WAGER | json.loads(change))

    assert refused.value.code == code
    assert refused.value.where.removeprefix("WagerPlaced.") == where


def test_a_field_that_must_be_there() -> None:
    wager = {name: value for name, value in WAGER.items() if name != "stake"}

    with pytest.raises(shape.Refused, match=r"WagerPlaced\.stake: a value expected, nothing"):
        shape.payload(wager)


@pytest.mark.parametrize("value", [None, [], "WagerPlaced", 7, [WAGER]])
def test_what_is_no_object_is_no_payload_and_no_reading(value: Any) -> None:
    for edge in (shape.payload, shape.reading):
        with pytest.raises(shape.Refused) as refused:
            edge(value)
        assert refused.value.code == "wrong_type"


@pytest.mark.parametrize(
    ("payload", "where"),
    [
        (TERMS | {"limits": [{}] * 1025}, "TermsPosted.limits"),
        (TERMS | {"readings": {str(n): "a" for n in range(1025)}}, "TermsPosted.readings"),
        ({"type": "TableClosed", "note": "x" * 4097}, "TableClosed.note"),
    ],
)
def test_what_is_too_large_is_not_looked_into(payload: dict[str, Any], where: str) -> None:
    with pytest.raises(shape.Refused) as refused:
        shape.payload(payload)

    assert (refused.value.code, refused.value.where) == ("too_large", where)


@pytest.mark.parametrize("probability", [-0.1, 1.1, float("nan"), float("inf"), "0.5", True])
def test_a_probability_lies_between_nothing_and_one(probability: Any) -> None:
    guess = {"seen": "1-2-3", "probability": probability}

    with pytest.raises(shape.Refused) as refused:
        shape.payload({"type": "DiceObserved", "guesses": [guess]})

    assert refused.value.where == "DiceObserved.guesses[0].probability"


def test_a_whole_number_is_a_probability_too() -> None:
    guess = {"seen": "1-2-3", "probability": 1}

    dice = shape.payload({"type": "DiceObserved", "guesses": [guess]})

    assert dice == events.DiceObserved((events.Guess("1-2-3", 1.0),))


def test_bytes_are_not_said_in_json() -> None:
    with pytest.raises(shape.Refused, match="bytes expected"):
        shape.payload({"type": "TwinConflicted", "twin_of": "T1/a/1", "kept": "00ff"})


def test_a_reading_names_the_place_inside_its_payload() -> None:
    with pytest.raises(shape.Refused) as refused:
        shape.reading(READING | {"payload": {"type": "Nothing"}})

    assert refused.value.where == "reading.payload.type"
    assert shape.reading(READING).payload == shape.payload(WAGER)


def test_a_long_value_is_shortened_in_the_message() -> None:
    with pytest.raises(shape.Refused) as refused:
        shape.payload(WAGER | {"bet": "x" * 4000})

    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("form", "good", "bad"),
    cases("""
        anchor    | TB:4.15 SA-SB:8.4 SA-FPC:5.5.1 | TB 4.15 tb:4.15 TB: TB:4_15       | clauses
        bet       | small total:7 split:17-20 a+b  | a/b ü a'b                         | bets
        card      | AS TD 9H                       | 10S AX as A                       | cards
        code      | TB SA-SB SA-FPC                | T tb SA_SB SA-SBXX                | rulebooks
        currency  | VND USD                        | vnd VN VNDX                       | currencies
        day       | 2026-03-01 2024-02-29          | 2026-02-29 2026-3-1 20260301 today | days
        direction | clockwise anticlockwise        | left                              | directions
        id        | T1 a.b_c~d-e 9                 | -a .a a/b é                       | ids
        phase     | spinning landed after_paid     | falling                           | phases
        rank      | dealer director                | Dealer chef                       | ranks
        rounding  | down up                        | bankers half                      | roundings
        word      | đen not_flat 3-2               | \x07                              | words
    """),
)
def test_formats(form: str, good: str, bad: str) -> None:
    fits, _ = shape.FORMATS[form]

    assert [text for text in good.split() if not fits(text)] == []
    assert [text for text in [*bad.split(), "", "a" * 70] if fits(text)] == []


def test_every_format_of_the_contract_is_known_and_every_known_one_is_tested() -> None:
    used = {f["format"] for r in avro.RECORDS.values() for f in r["fields"] if "format" in f}

    assert used <= set(shape.FORMATS) == set(any_word.FITTING)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@given(st.sampled_from(avro.PAYLOADS), st.data())
def test_any_json_is_a_word_or_refused_and_nothing_else(name: str, data: st.DataObject) -> None:
    fields = [field["name"] for field in avro.RECORDS[name]["fields"]]
    body = data.draw(st.dictionaries(st.sampled_from(fields) | st.text(max_size=4), JSON))

    assert _edge({**body, "type": name}) in {name, *CODES}


def _edge(value: Any) -> str:
    try:
        return type(shape.payload(value)).__name__
    except shape.Refused as refused:
        return refused.code
