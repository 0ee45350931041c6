"""Any word the contract allows, drawn from the .avsc files themselves."""

from typing import Any

from hypothesis import strategies as st

from schemas import avro, events
from schemas.cards import DECK
from schemas.money import ROUNDINGS
from schemas.ranks import LADDER, OFFICES

# A few good values for each format; tests/schemas/test_shape.py holds the formats themselves.
FITTING: dict[str, tuple[str, ...]] = {
    "anchor": ("TB:4.15", "SA-SB:8.4", "SA-FPC:5.5"),
    "basis": ("8.4.2", "8.4.6", "8.4.8"),
    "bet": ("banker", "split:17-20", "double:1+4", "number:2"),
    "card": tuple(map(str, DECK)),
    "code": ("TB", "RO", "SA-SB", "SA-FPC"),
    "currency": ("VND", "USD", "ZAR"),
    "day": ("2026-03-01", "2024-02-29"),
    "direction": ("clockwise", "anticlockwise"),
    "id": ("T1", "W-17", "shoe.3~a_b", "9"),
    "office": (*LADDER, *OFFICES),
    "party": ("player", "house", "witness"),
    "phase": ("spinning", "landed", "paying", "after_paid"),
    "rank": LADDER,
    "retention": ("video", "events", "case", "access"),
    "rounding": ROUNDINGS,
    "sha256": ("0" * 64, "9f" * 32),
    "signature": ("signed", "refused", "recorded"),
    "verdict": ("upheld", "partly", "rejected"),
    "word": ("shoe", "đen", "not_flat", "3"),
}
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def record(name: str) -> st.SearchStrategy[Any]:
    """Any mirror of a record."""
    mirror = getattr(events, name)
    return st.builds(
        mirror,
        **{field["name"]: _any_of_field(field) for field in avro.RECORDS[name]["fields"]},
    )


def _any_of_field(field: dict[str, Any]) -> st.SearchStrategy[Any]:
    if field["name"] == "payload":
        return payloads()
    if field["name"] == "step":
        names = [name.removeprefix(avro.NAMESPACE) for name in field["type"]]
        return st.sampled_from(names).flatmap(record)
    return _any(field["type"], field)


def payloads() -> st.SearchStrategy[events.Payload]:
    """Any payload."""
    return st.sampled_from(avro.PAYLOADS).flatmap(record)


def _any(kind: Any, field: dict[str, Any]) -> st.SearchStrategy[Any]:
    if isinstance(kind, list):
        return st.none() | _any(kind[1], field)
    if isinstance(kind, str) and kind.startswith(avro.NAMESPACE):
        return record(kind.removeprefix(avro.NAMESPACE))
    if kind in ("int", "long"):
        bits = 31 if kind == "int" else 63
        return st.integers(field.get("minimum", -(2**bits)), field.get("maximum", 2**bits - 1))
    if kind == "double":
        return st.floats(
            field.get("minimum"), field.get("maximum"), allow_nan=False, allow_infinity=False
        )
    if kind == "string":
        return st.sampled_from(FITTING[field["format"]]) if "format" in field else TEXT
    if kind == "boolean":
        return st.booleans()
    if kind == "bytes":
        return st.binary(max_size=40)
    if kind["type"] == "array":
        return st.lists(_any(kind["items"], field), max_size=4).map(tuple)
    if kind["type"] == "map":
        return st.dictionaries(TEXT, _any(kind["values"], field), max_size=3)
    return st.binary(min_size=kind["size"], max_size=kind["size"])
