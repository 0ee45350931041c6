"""The mirrors are held to the contract: names, order, types, defaults, meaning."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from types import GenericAlias
from typing import Any, get_args, get_type_hints

import pytest

from schemas import avro, events

PLAIN: dict[str, Any] = {
    "string": str,
    "boolean": bool,
    "int": int,
    "long": int,
    "double": float,
    "bytes": bytes,
}
FROZEN: dict[str, Any] = {"array": (), "map": {}}
ENVELOPES = {"Event", "Reading"}
UNIONS: dict[str, Any] = {"payload": events.Payload, "step": events.CaseStep}


def mirrored(kind: Any) -> Any:
    """The annotation that mirrors an Avro type."""
    if isinstance(kind, list):
        null, value = kind
        assert null == "null"
        return mirrored(value) | None
    if isinstance(kind, str):
        return PLAIN.get(kind) or getattr(events, kind.removeprefix(avro.NAMESPACE))
    if kind["type"] == "array":
        return GenericAlias(tuple, (mirrored(kind["items"]), ...))
    if kind["type"] == "map":
        return GenericAlias(Mapping, (str, mirrored(kind["values"])))
    assert kind["type"] == "fixed"
    return bytes


def default(field: Field[Any]) -> Any:
    """The default a new mirror gets, or MISSING."""
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


def test_every_record_has_a_mirror_and_every_mirror_a_record() -> None:
    mirrors = {name for name, value in vars(events).items() if is_dataclass(value)}

    assert mirrors == set(avro.RECORDS)


def test_both_envelopes_and_the_payload_type_name_the_same_payloads_in_order() -> None:
    unions = [
        field["type"]
        for name in sorted(ENVELOPES)
        for field in avro.RECORDS[name]["fields"]
        if field["name"] == "payload"
    ]

    assert unions[0] == unions[1]
    assert tuple(cls.__name__ for cls in get_args(events.Payload)) == avro.PAYLOADS


def test_a_case_event_and_the_type_of_its_step_name_the_same_steps_in_order() -> None:
    (union,) = (f["type"] for f in avro.RECORDS["CaseEvent"]["fields"] if f["name"] == "step")

    assert [name.removeprefix(avro.NAMESPACE) for name in union] == [
        cls.__name__ for cls in get_args(events.CaseStep)
    ]


@pytest.mark.parametrize("name", avro.RECORDS)
def test_a_mirror_says_what_its_record_says(name: str) -> None:
    record, mirror = avro.RECORDS[name], getattr(events, name)

    assert record["namespace"] + "." == avro.NAMESPACE
    assert mirror.__doc__ == record["doc"]
    # A field without default cannot follow one with a default, so the envelopes put those last.
    ordered = sorted(record["fields"], key=lambda field: "default" in field)
    assert [field.name for field in fields(mirror)] == [field["name"] for field in ordered]


@pytest.mark.parametrize("name", avro.RECORDS)
def test_a_mirror_has_the_types_of_its_record(name: str) -> None:
    hints = get_type_hints(getattr(events, name))
    wanted = {
        field["name"]: UNIONS.get(field["name"]) or mirrored(field["type"])
        for field in avro.RECORDS[name]["fields"]
    }

    assert hints == wanted


@pytest.mark.parametrize("name", avro.RECORDS)
def test_a_mirror_has_the_defaults_of_its_record(name: str) -> None:
    mirrors = {field.name: default(field) for field in fields(getattr(events, name))}

    for field in avro.RECORDS[name]["fields"]:
        kind = field["type"]["type"] if isinstance(field["type"], dict) else ""
        wanted = FROZEN.get(kind, field["default"]) if "default" in field else MISSING
        assert mirrors[field["name"]] == wanted, field["name"]


@pytest.mark.parametrize("name", avro.RECORDS)
def test_every_field_says_what_it_means(name: str) -> None:
    for field in avro.RECORDS[name]["fields"]:
        assert field["doc"].endswith("."), f"{name}.{field['name']} needs a sentence"


@pytest.mark.parametrize("name", avro.RECORDS)
def test_every_amount_and_duration_says_its_unit(name: str) -> None:
    units = {
        "_ms": "milliseconds",
        "_s": "econds",
        "_at": "UTC microseconds",
        "stake": "minor units",
        "paid": "minor units",
        "commission": "minor units",
        "collected": "minor units",
        "returned": "minor units",
        "amount": "minor units",
        "reserve_taken": "minor units",
    }
    for field in avro.RECORDS[name]["fields"]:
        for ending, unit in units.items():
            if field["name"].endswith(ending) and field["type"] not in ("boolean", "string"):
                assert unit in field["doc"], f"{name}.{field['name']} needs its unit"
