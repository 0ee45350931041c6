"""Which changes of the contract keep every old event readable, with the same meaning."""

from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

import fastavro
from fastavro.schema import SchemaParseException, UnknownType
from fastavro.validation import validate

from schemas.contract import NAMESPACE, Record, Records, whole
from schemas.lock import ENVELOPES

WIDER = {("int", "long"), ("float", "double")}  # the only types that keep every value as it was
EMPTY: dict[str, Any] = {"array": [], "map": {}}
PRIMITIVE = ("null", "boolean", "int", "long", "float", "double", "bytes", "string")


class Breach(NamedTuple):
    """A change that breaks old events: where, which rule, what was found, what to do."""

    record: str
    field: str
    rule: str
    found: str
    next_step: str

    def __str__(self) -> str:
        where = f"{NAMESPACE}{self.record}.avsc" + (f", field {self.field}" if self.field else "")
        return f"{where}: {self.rule}; {self.found}"


def breaches(old: Records, new: Records, lifted: Collection[str] = ()) -> Iterator[Breach]:
    """Every change that breaks old events; a record with a lift may change its fields."""
    broken = tuple(_unreadable(new))
    yield from broken or (*_bad_defaults(new), *_not_avro(new))
    for name in sorted(old):
        if name not in new:
            yield Breach(name, "", "a record is never removed", "it is gone", "put the file back")
        elif not any(breach.record == name for breach in broken):
            yield from _record(name, old[name], new[name], lifted=name in lifted)


def spoken(kind: Any) -> str:
    """A type as text."""
    if isinstance(kind, list):
        return "[" + ", ".join(map(spoken, kind)) + "]"
    if isinstance(kind, dict) and kind["type"] in EMPTY:
        return f"{kind['type']} of {spoken(kind.get('items', kind.get('values')))}"
    return str(kind["type"] if isinstance(kind, dict) else kind).removeprefix(NAMESPACE)


def _unreadable(records: Records) -> Iterator[Breach]:
    """Files that are no Avro, or envelopes that name a record which is not there."""
    for name, record in sorted(records.items()):
        if record.get("type") != "record" or "fields" not in record or record.get("name") != name:
            rule = "a file holds the record it is named for"
            found = f"{record.get('type')} {record.get('name')!r} found"
            yield Breach(name, "", rule, found, f"write a record named {name}, or put it back")
            continue
        for field in record["fields"]:
            for missing in sorted(_names(field["type"]) - set(records)):
                rule = "every named type has its file"
                found = f"{NAMESPACE}{missing}.avsc is not there"
                yield Breach(
                    name, field["name"], rule, found, f"put {NAMESPACE}{missing}.avsc back"
                )


def _bad_defaults(records: Records) -> Iterator[Breach]:
    for name, record in sorted(records.items()):
        for field in record["fields"]:
            kind = field["type"][0] if isinstance(field["type"], list) else field["type"]
            if "default" in field and not _fits(field["default"], kind):
                found = f"{field['default']!r} is no {spoken(kind)}"
                rule, step = "a default fits its type", "correct the default"
                yield Breach(name, field["name"], rule, found, step)


def _not_avro(records: Records) -> Iterator[Breach]:
    for name in ENVELOPES:
        try:
            fastavro.parse_schema(whole(name, records))
        except (SchemaParseException, UnknownType) as error:
            yield Breach(name, "", "the contract is valid Avro", str(error), "correct the file")


def _record(name: str, old: Record, new: Record, *, lifted: bool) -> Iterator[Breach]:
    if old.get("namespace") != new.get("namespace"):
        found = f"{new.get('namespace')!r} where {old.get('namespace')!r} stood"
        yield Breach(name, "", "a namespace never changes", found, "put the namespace back")
    if lifted:
        return
    fields = {field["name"]: field for field in new["fields"]}
    renamed = {alias: field for field in new["fields"] for alias in field.get("aliases", ())}
    for before in old["fields"]:
        field = before["name"]
        now = fields.get(field) or renamed.get(field)
        if now is None:
            yield _gone(name, field)
        else:
            yield from _field(name, before, now)
    known = {field["name"] for field in old["fields"]}
    for now in new["fields"]:
        added = now["name"] not in known and not known & set(now.get("aliases", ()))
        if added and "default" not in now:
            found = "it has none"
            step = "give it a default that says what an old event meant"
            yield Breach(name, now["name"], "a new field has a default", found, step)


def _gone(name: str, field: str) -> Breach:
    step = (
        f"put it back; for a rename add aliases [{field!r}] to the new field, for a new shape "
        "write a lift in schemas/upcasts.py"
    )
    return Breach(name, field, "a field is never removed or renamed without alias", "gone", step)


def _field(name: str, old: Record, new: Record) -> Iterator[Breach]:
    for rule in RULES:
        found = rule(old, new)
        if found:
            yield Breach(name, new["name"], *found)


Found = tuple[str, str, str] | None  # the rule, what was found, the next step


def _type_kept(old: Record, new: Record) -> Found:
    narrowed = _narrowed(old["type"], new["type"])
    if not narrowed:
        return None
    rule, found = narrowed
    return rule, found, "put the type back and add a new field beside it, with a default"


def _default_kept(old: Record, new: Record) -> Found:
    if "default" not in old or ("default" in new and new["default"] == old["default"]):
        return None
    found = f"{new['default']!r}" if "default" in new else "none"
    rule = "a default never changes its meaning"
    return rule, f"{found} where {old['default']!r} stood", "put the default back"


def _aliases_kept(old: Record, new: Record) -> Found:
    lost = sorted(set(old.get("aliases", ())) - set(new.get("aliases", ())))
    if not lost:
        return None
    return "an alias is never removed", f"{', '.join(lost)} is gone", "put the alias back"


def _limits_kept(old: Record, new: Record) -> Found:
    """A value that was once allowed stays allowed: a correction sends old values in again."""
    tighter = [
        key
        for key, narrows in LIMITS.items()
        if key in new and (key not in old or narrows(old[key], new[key]))
    ]
    if not tighter:
        return None
    key = tighter[0]
    found = f"{key} {new[key]!r} where {old.get(key, 'none')!r} stood"
    return "a limit never tightens", found, f"put the {key} back, or add a new field"


LIMITS: dict[str, Callable[[Any, Any], bool]] = {
    "minimum": lambda old, new: new > old,
    "maximum": lambda old, new: new < old,
    "format": lambda old, new: new != old,
}
RULES = (_type_kept, _default_kept, _aliases_kept, _limits_kept)


def _narrowed(old: Any, new: Any) -> tuple[str, str] | None:
    """The rule that a change of type breaks, and how; None where old values stay the same."""
    if old == new or (spoken(old), spoken(new)) in WIDER:
        return None
    if isinstance(old, list) and isinstance(new, list):
        return _shuffled(old, new)
    if isinstance(new, list) and not isinstance(old, list):
        if any(not _narrowed(old, branch) for branch in new):
            return None
    elif isinstance(old, dict) and isinstance(new, dict) and old["type"] == new["type"]:
        return INNER[old["type"]](old, new)
    return "a type never narrows", f"{spoken(new)} where {spoken(old)} stood"


def _shuffled(old: list[Any], new: list[Any]) -> tuple[str, str] | None:
    """A branch is known by its place, so a union only grows at its end."""
    for place, branch in enumerate(old):
        if place >= len(new) or _narrowed(branch, new[place]):
            found = spoken(new[place]) if place < len(new) else "nothing"
            rule = "a union grows only at its end"
            return rule, f"branch {place} is {found} where {spoken(branch)} stood"
    return None


def _symbols(old: Record, new: Record) -> tuple[str, str] | None:
    before, now = old["symbols"], new["symbols"]
    if old["name"] != new["name"]:
        return "a named type keeps its name", f"{new['name']} where {old['name']} stood"
    if now[: len(before)] != before:
        return "an enum grows only at its end", f"{now} where {before} stood"
    if now != before and "default" not in new:
        return "an enum that grows has a default", "it has none"
    if "default" in old and new.get("default") != old["default"]:
        found = f"{new.get('default')!r} where {old['default']!r} stood"
        return "a default never changes its meaning", found
    return None


def _fixed(old: Record, new: Record) -> tuple[str, str] | None:
    if (old["name"], old["size"]) == (new["name"], new["size"]):
        return None
    found = f"{new['name']} of {new['size']} where {old['name']} of {old['size']} stood"
    return "a fixed keeps its name and size", found


def _parts(key: str) -> Callable[[Record, Record], tuple[str, str] | None]:
    return lambda old, new: _narrowed(old[key], new[key])


INNER: dict[str, Callable[[Record, Record], tuple[str, str] | None]] = {
    "array": _parts("items"),
    "map": _parts("values"),
    "enum": _symbols,
    "fixed": _fixed,
}


def _names(kind: Any) -> set[str]:
    """The named types a type points to."""
    if isinstance(kind, list):
        return {name for branch in kind for name in _names(branch)}
    if isinstance(kind, dict):
        return _names(kind.get("items", kind.get("values", "null")))
    return set() if kind in PRIMITIVE else {kind.removeprefix(NAMESPACE)}


def _fits(value: Any, kind: Any) -> bool:
    if isinstance(kind, dict) and kind["type"] in EMPTY:
        return bool(value == EMPTY[kind["type"]])  # events.py has no other default
    if kind == "bytes":
        return isinstance(value, str)  # JSON has no bytes: Avro writes such a default as text
    return bool(validate(value, kind, raise_errors=False))
