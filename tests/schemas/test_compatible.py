"""What may change in the contract and what may not, each shown on an event that was written before.

An allowed change reads the old event to the same values. A refused one either cannot read it, or
reads something that was never said, or breaks a promise that Avro itself does not make.
"""

from collections.abc import Callable
from copy import deepcopy
from io import BytesIO
from typing import Any

import fastavro
import pytest
from fastavro.read import SchemaResolutionError
from fastavro.schema import SchemaParseException, UnknownType

from schemas import compatible, contract, lock, upcasts

Records = dict[str, Any]
Edit = Callable[[Records], object]

OLD: Records = {
    "Dice": {
        "type": "record",
        "namespace": "roundproof",
        "name": "Dice",
        "fields": [
            {"name": "faces", "type": {"type": "array", "items": "int"}},
            {"name": "tumbles", "type": "int", "minimum": 0, "maximum": 99},
            {"name": "flat", "type": "boolean", "default": True},
            {"name": "speed", "type": "float", "default": 0.0},
            {"name": "seat", "type": ["null", "string"], "default": None},
            {"name": "who", "type": "string", "default": "dealer", "format": "word"},
            {"name": "votes", "type": {"type": "map", "values": "int"}, "default": {}},
            {"name": "cup", "type": {"type": "enum", "name": "Cup", "symbols": ["glass", "tin"]}},
            {"name": "mark", "type": {"type": "fixed", "name": "Mark", "size": 2}},
            {"name": "chips", "type": "roundproof.Stack"},
            {"name": "result", "type": "string", "aliases": ["total"]},
        ],
    },
    "Stack": {
        "type": "record",
        "namespace": "roundproof",
        "name": "Stack",
        "fields": [{"name": "value", "type": "int"}],
    },
    "Wheel": {
        "type": "record",
        "namespace": "roundproof",
        "name": "Wheel",
        "fields": [{"name": "pocket", "type": "int"}],
    },
    **{
        name: {
            "type": "record",
            "namespace": "roundproof",
            "name": name,
            "fields": [
                {"name": "seq", "type": "long"},
                {"name": "payload", "type": ["roundproof.Dice", "roundproof.Wheel"]},
            ],
        }
        for name in lock.ENVELOPES
    },
}
SAID = {
    "faces": [4, 1, 2],
    "tumbles": 3,
    "flat": False,
    "speed": 0.5,
    "seat": "S1",
    "who": "dealer",
    "votes": {"a": 1},
    "cup": "tin",
    "mark": b"ok",
    "chips": {"value": 5},
    "result": "7",
}


def field(records: Records, name: str, record: str = "Dice") -> Records:
    found: Records = next(f for f in records[record]["fields"] if f["name"] == name)
    return found


def add(name: str, kind: Any, **more: Any) -> Edit:
    return lambda records: records["Dice"]["fields"].append({"name": name, "type": kind, **more})


def put(at: str, record: str = "Dice", **more: Any) -> Edit:
    return lambda records: field(records, at, record).update(more)


def drop(name: str, key: str) -> Edit:
    return lambda records: field(records, name).pop(key)


def remove(name: str) -> Edit:
    return lambda records: records["Dice"]["fields"].remove(field(records, name))


def union(*branches: str) -> Edit:
    def edit(records: Records) -> None:
        for envelope in lock.ENVELOPES:
            kinds = [contract.NAMESPACE + branch for branch in branches]
            field(records, "payload", envelope)["type"] = kinds
        records["Bell"] = records["Wheel"] | {"name": "Bell"}

    return edit


def cup(**more: Any) -> Edit:
    return lambda records: field(records, "cup")["type"].update(more)


def delete(name: str) -> Edit:
    return lambda records: records.pop(name)


def changed(edit: Edit) -> Records:
    records = deepcopy(OLD)
    edit(records)
    return records


def read_again(new: Records) -> dict[str, Any]:
    """The old event, written with the old schema and read with the new one."""
    stream = BytesIO()
    old = fastavro.parse_schema(contract.whole("Event", OLD))
    fastavro.schemaless_writer(stream, old, {"seq": 1, "payload": ("roundproof.Dice", SAID)})
    stream.seek(0)
    whole = fastavro.parse_schema(contract.whole("Event", new))
    event: Any = fastavro.schemaless_reader(stream, old, whole)
    payload: dict[str, Any] = event["payload"]
    return payload


ALLOWED: list[tuple[str, Edit, dict[str, Any]]] = [
    ("nothing changed", lambda _: None, {}),
    ("a field added with a default", add("lid", "boolean", default=True), {"lid": True}),
    ("a nullable field added", add("lid", ["null", "int"], default=None), {"lid": None}),
    ("a list added", add("odds", {"type": "array", "items": "int"}, default=[]), {"odds": []}),
    ("a doc line", put("tumbles", doc="How often the dice tumbled."), {}),
    ("int widened to long", put("tumbles", type="long"), {}),
    ("float widened to double", put("speed", type="double"), {}),
    ("the items of a list widened", put("faces", type={"type": "array", "items": "long"}), {}),
    ("the values of a map widened", put("votes", type={"type": "map", "values": "long"}), {}),
    ("a nested record's field widened", put("value", "Stack", type="long"), {}),
    ("a field made nullable", put("tumbles", type=["null", "int"]), {}),
    ("a union grown at its end", put("seat", type=["null", "string", "long"]), {}),
    ("a payload added at the end", union("Dice", "Wheel", "Bell"), {}),
    ("a default given to a field that had none", put("tumbles", default=3), {}),
    ("a limit loosened", put("tumbles", minimum=-1, maximum=100), {}),
    ("a format dropped", drop("who", "format"), {}),
    ("fields in another order", lambda r: r["Dice"]["fields"].reverse(), {}),
    (
        "a field renamed with an alias",
        put("tumbles", name="turns", aliases=["tumbles"]),
        {"tumbles": ..., "turns": 3},
    ),
    (
        "an enum grown at its end, with a default",
        cup(symbols=["glass", "tin", "jade"], default="glass"),
        {},
    ),
    ("a record beside the others", lambda r: r.update(Bell=r["Wheel"] | {"name": "Bell"}), {}),
]


@pytest.mark.parametrize(
    ("edit", "instead"), [pytest.param(edit, more, id=name) for name, edit, more in ALLOWED]
)
def test_an_allowed_change_reads_the_old_event_as_it_was(
    edit: Edit, instead: dict[str, Any]
) -> None:
    new = changed(edit)
    wanted = {name: value for name, value in (SAID | instead).items() if value is not ...}

    assert list(compatible.breaches(OLD, new)) == []
    assert read_again(new) == wanted


CANNOT, OTHER, PROMISE = "cannot be read", "says something else", "breaks a promise"

REFUSED: list[tuple[str, Edit, str, str, str]] = [
    ("a field without default", add("lid", "int"), "lid", "a new field has a default", CANNOT),
    ("a field removed", remove("flat"), "flat", "never removed", OTHER),
    ("a field renamed without alias", put("flat", name="even"), "flat", "without alias", OTHER),
    ("long narrowed to int", put("seq", "Event", type="int"), "seq", "never narrows", CANNOT),
    ("a number made text", put("tumbles", type="string"), "tumbles", "never narrows", CANNOT),
    ("a number made a fraction", put("tumbles", type="double"), "tumbles", "narrows", PROMISE),
    ("text made bytes", put("who", type="bytes", default=""), "who", "never narrows", OTHER),
    ("a nullable field made a must", put("seat", type="string"), "seat", "narrows", CANNOT),
    (
        "the items of a list narrowed",
        put("faces", type={"type": "array", "items": "string"}),
        "faces",
        "never narrows",
        CANNOT,
    ),
    ("a nested field narrowed", put("value", "Stack", type="boolean"), "value", "", CANNOT),
    ("a payload removed", union("Wheel"), "payload", "a union grows only at its end", CANNOT),
    ("payloads in another order", union("Wheel", "Dice"), "payload", "at its end", PROMISE),
    ("a payload in between", union("Dice", "Bell", "Wheel"), "payload", "at its end", PROMISE),
    ("a record deleted", delete("Wheel"), "payload", "every named type has its file", CANNOT),
    ("a default changed", put("flat", default=False), "flat", "never changes", PROMISE),
    ("a default dropped", drop("flat", "default"), "flat", "never changes", PROMISE),
    ("a default of another type", put("who", default=7), "who", "a default fits", CANNOT),
    ("an alias dropped", drop("result", "aliases"), "result", "an alias is never", PROMISE),
    ("a minimum raised", put("tumbles", minimum=1), "tumbles", "never tightens", PROMISE),
    ("a maximum lowered", put("tumbles", maximum=9), "tumbles", "never tightens", PROMISE),
    ("a format where none was", put("result", format="id"), "result", "tightens", PROMISE),
    ("an enum's symbol removed", cup(symbols=["glass"]), "cup", "an enum grows", CANNOT),
    (
        "an enum's symbol removed for a default",
        cup(symbols=["glass"], default="glass"),
        "cup",
        "an enum grows only at its end",
        OTHER,
    ),
    ("an enum in another order", cup(symbols=["tin", "glass"]), "cup", "at its end", PROMISE),
    (
        "an enum grown without default",
        cup(symbols=["glass", "tin", "jade"]),
        "cup",
        "has a default",
        PROMISE,
    ),
    (
        "a fixed of another size",
        put("mark", type={"type": "fixed", "name": "Mark", "size": 3}),
        "mark",
        "a fixed keeps",
        CANNOT,
    ),
    (
        "a namespace changed",
        lambda r: r["Dice"].update(namespace="other"),
        "payload",
        "a namespace never changes",
        PROMISE,
    ),
    ("a type nobody knows", put("who", type="strng"), "who", "every named type", CANNOT),
    ("a name given twice", put("tumbles", name="faces"), "tumbles", "", CANNOT),
]


@pytest.mark.parametrize(
    ("edit", "where", "rule", "effect"),
    [pytest.param(*row[1:], id=row[0]) for row in REFUSED],
)
def test_a_refused_change_would_have_done_harm(
    edit: Edit, where: str, rule: str, effect: str
) -> None:
    new = changed(edit)

    found = list(compatible.breaches(OLD, new))

    assert any(rule in breach.rule and breach.field in (where, "") for breach in found), found
    assert all(breach.next_step for breach in found)
    assert _effect(new) == effect


def test_a_file_holds_the_record_it_is_named_for() -> None:
    new = changed(lambda records: records["Wheel"].update(name="Rad"))

    (breach, *_) = compatible.breaches(OLD, new)

    assert str(breach) == (
        "roundproof.Wheel.avsc: a file holds the record it is named for; record 'Rad' found"
    )


def test_a_shape_with_a_lift_may_change_its_fields_but_not_its_name() -> None:
    renamed = changed(put("flat", name="even"))
    moved = changed(lambda records: records["Dice"].update(namespace="other"))

    assert list(compatible.breaches(OLD, renamed, {"Dice"})) == []
    assert [b.rule for b in compatible.breaches(OLD, moved, {"Dice"})] != []


def test_the_house_kept_its_own_rules_from_version_to_version() -> None:
    locked = lock.installed()
    for older, newer in zip(locked.versions, locked.versions[1:], strict=False):
        old, new = locked.records(older.number), locked.records(newer.number)

        assert list(compatible.breaches(old, new, upcasts.lifted_from(older.number))) == []


def _effect(new: Records) -> str:
    try:
        found = read_again(new)
    except (SchemaParseException, SchemaResolutionError, UnknownType, ValueError):
        return CANNOT
    return PROMISE if found == SAID else OTHER
