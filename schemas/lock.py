"""The frozen contract: every version of every record, so that old bytes stay readable.

`schemas.lock` is JSON lines. A version line holds the fingerprints of both envelopes; a record
line holds the record as it stood from that version on.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import fastavro
from fastavro.schema import SchemaParseException as _NoSchema

from schemas.contract import Record, Records, fingerprint, whole

ENVELOPES = ("Event", "Reading")


class Version(NamedTuple):
    """One version of the contract: the CRC-64-AVRO fingerprints of its two envelopes."""

    number: int
    event: str
    reading: str


class Frozen(NamedTuple):
    """One record as it stood from a version on, until the next entry of its name."""

    name: str
    version: int
    crc64: str
    sha256: str
    schema: Record


class Lock(NamedTuple):
    """Every version of the contract and of its records."""

    versions: tuple[Version, ...]
    frozen: tuple[Frozen, ...]

    def records(self, number: int) -> dict[str, Record]:
        """Every record as it stood at a version."""
        return {entry.name: entry.schema for entry in self.frozen if entry.version <= number}

    @property
    def newest(self) -> int:
        """The number of the last version; 0 where nothing is locked yet."""
        return self.versions[-1].number if self.versions else 0


def known(written_with: str) -> Any | None:
    """The parsed schema of an Event or Reading with this fingerprint; None where unknown."""
    return _schemas().get(written_with)


def writer(schema_text: bytes) -> str | None:
    """The fingerprint of the schema in a container's header; None where it is no schema."""
    try:
        return fingerprint(json.loads(schema_text))
    # fastavro raises any of these on text that is no schema.
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, _NoSchema):
        return None


def version_of(written_with: str) -> int | None:
    """The first version of the contract in which an envelope had this fingerprint."""
    return next((v.number for v in installed().versions if written_with in v[1:]), None)


def records_of(written_with: str) -> Mapping[str, Record]:
    """Every record of the first version in which one of them had this fingerprint."""
    found = (entry.version for entry in installed().frozen if entry.crc64 == written_with)
    version = min(found, default=None)
    if version is None:
        raise LookupError(f"schema {written_with}: one of schemas.lock expected")
    return installed().records(version)


@cache
def installed() -> Lock:
    """The lock of this house."""
    return read((files("schemas") / "schemas.lock").read_text("utf-8"))


def read(text: str) -> Lock:
    """Parse the text of a lock."""
    rows = [json.loads(line) for line in text.splitlines()]
    return Lock(
        versions=tuple(Version(**row) for row in rows if "name" not in row),
        frozen=tuple(Frozen(**row) for row in rows if "name" in row),
    )


def dump(lock: Lock) -> str:
    """The text of a lock: versions first, then records by name, each in its order."""
    rows: Iterable[Version | Frozen] = (*lock.versions, *_sorted(lock.frozen))
    lines = (json.dumps(row._asdict(), separators=(",", ":"), ensure_ascii=False) for row in rows)
    return "".join(f"{line}\n" for line in lines)


def grown(lock: Lock, records: Records) -> Lock:
    """The lock with these records, as a new version where a known record would have other bytes.

    A changed doc line does not change the fingerprint: the newest version gets the new text.
    """
    event, reading = (fingerprint(whole(name, records)) for name in ENVELOPES)
    before = {entry.name: entry for entry in lock.frozen}
    same = bool(lock.versions) and not any(
        name in before and before[name].crc64 != fingerprint(whole(name, records))
        for name in records
    )
    number = lock.newest if same else lock.newest + 1
    working = {name: frozen(name, number, records) for name in sorted(records)}
    changed = {name for name, now in working.items() if _differs(before.get(name), now)}
    kept = [f for f in lock.frozen if not (f.version == number and f.name in changed)]
    versions = lock.versions if same else (*lock.versions, Version(number, event, reading))
    return Lock(versions, _sorted([*kept, *(working[name] for name in changed)]))


def frozen(name: str, version: int, records: Records) -> Frozen:
    """A record with its fingerprints, as it stands from a version on."""
    schema = whole(name, records)
    return Frozen(name, version, fingerprint(schema), fingerprint(schema, "sha256"), records[name])


def _differs(before: Frozen | None, now: Frozen) -> bool:
    # Compare the fingerprint too: it changes with the records that this one contains.
    return before is None or (before.sha256, before.schema) != (now.sha256, now.schema)


def _sorted(frozen: Iterable[Frozen]) -> tuple[Frozen, ...]:
    return tuple(sorted(frozen, key=lambda entry: (entry.name, entry.version)))


@cache
def _schemas() -> dict[str, Any]:
    lock = installed()
    found = {}
    for version in lock.versions:
        records = lock.records(version.number)
        for name, written in zip(ENVELOPES, version[1:], strict=True):
            found[written] = fastavro.parse_schema(whole(name, records))
    return found
