"""Device keys: one secret for each device, bound to what the device may send, kept as hashes.

A key belongs to one device of one kind at certain tables. A stolen key of a shoe can neither enter
wagers nor send readings of another table.
"""

import hashlib
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ingest.log import checked_id
from schemas.events import Reading

SHORTEST = 16  # characters
ENVIRONMENT = "ROUNDPROOF_DEVICE_KEYS"
ANY = "*"  # every kind, or every table
FIELDS = frozenset(("key", "kind", "tables"))
WANTED = 'shoe-3 = {key = "KEY", kind = "shoe", tables = ["T12"]}'


class Grant(NamedTuple):
    """What a device may send: in its own name, as one kind of device, at certain tables."""

    device: str
    kind: str
    tables: frozenset[str]

    @property
    def one_table(self) -> bool:
        """Whether the device may send readings of one table only."""
        return len(self.tables) == 1 and ANY not in self.tables

    def objection(self, reading: Reading) -> "Objection | None":
        """Why the device may not send this reading; None where it may."""
        if reading.device_id != self.device:
            return Objection("device", self.device, reading.device_id)
        if self.kind not in (ANY, reading.device_kind):
            return Objection("kind", self.kind, reading.device_kind)
        if ANY not in self.tables and reading.table_id not in self.tables:
            return Objection("table", ", ".join(sorted(self.tables)), reading.table_id)
        return None


class Objection(NamedTuple):
    """A field of a reading that exceeds the device's rights: device, kind or table."""

    what: str
    granted: str
    claimed: str


Keys = Mapping[bytes, Grant]  # by SHA-256 of the key


class BadKeys(ValueError):
    """The keys cannot be used; the message says what to change."""


class _Entry(NamedTuple):
    """A device's entry as written; omitted values are None."""

    key: str | None
    kind: str | None
    tables: tuple[str, ...] | None


def load(path: Path | None, environment: Mapping[str, str]) -> Keys:
    """The keys of a TOML file and of the environment, each with its grant."""
    found = _entries(path, environment)
    if not found:
        raise BadKeys(f"no device has a key: name a file with --keys, or set {ENVIRONMENT}")
    made: dict[bytes, Grant] = {}
    for device, entry in sorted(found.items()):
        grant = _grant(device, entry)
        if len(entry.key or "") < SHORTEST:
            raise BadKeys(f"device {device}: a key of at least {SHORTEST} characters expected")
        other = made.setdefault(_hash(entry.key or ""), grant)
        if other.device != device:
            raise BadKeys(f"devices {other.device} and {device} share a key: give each its own")
    return made


def grants(path: Path) -> dict[str, Grant]:
    """The grants of a file, by device; keys may be omitted."""
    found = {device: _grant(device, entry) for device, entry in sorted(_from_file(path).items())}
    if not found:
        raise BadKeys(f"{path}: no device is named; lines such as {WANTED} expected")
    return found


def own(device: str, path: Path | None, environment: Mapping[str, str]) -> str:
    """The key of one device, for the device's own side; BadKeys where it has none."""
    entry = _entries(path, environment).get(device)
    if entry is None or entry.key is None:
        raise BadKeys(f"device {device} has no key: name a file that has one, or set {ENVIRONMENT}")
    return entry.key


def grant_of(keys: Keys, header: str | None) -> Grant | None:
    """The grant of a request's Authorization header; None where the key is unknown."""
    scheme, _, key = (header or "").partition(" ")
    return keys.get(_hash(key)) if scheme.lower() == "bearer" else None


def _grant(device: str, entry: _Entry) -> Grant:
    checked_id(device)
    for name, value in (("kind", entry.kind), ("tables", entry.tables)):
        if not value:
            step = f'name the device\'s own, or "{ANY}" for all: {WANTED}'
            raise BadKeys(f"device {device}: its {name} expected, nothing found; {step}")
    assert entry.kind is not None
    assert entry.tables is not None
    for table in entry.tables:
        if table != ANY:
            checked_id(table)
    return Grant(device, entry.kind, frozenset(entry.tables))


def _entries(path: Path | None, environment: Mapping[str, str]) -> dict[str, _Entry]:
    found = dict(_from_environment(environment.get(ENVIRONMENT, "")))
    return (_from_file(path) if path is not None else {}) | found


def _from_file(path: Path) -> dict[str, _Entry]:
    if path.stat().st_mode & 0o007:
        raise BadKeys(f"{path}: everyone can read it; chmod o= {path} and start again")
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadKeys(f"{path}: lines such as {WANTED} expected; {error}") from error
    return {device: _entry(path, device, value) for device, value in found.items()}


def _entry(path: Path, device: str, value: Any) -> _Entry:
    if not isinstance(value, dict):
        return _Entry(str(value), None, None)  # the device's own side needs only a key
    tables = value.get("tables")
    whole = FIELDS.issuperset(value) and all(
        isinstance(value.get(name, ""), str) for name in ("key", "kind")
    )
    if not whole or not _texts(tables):
        raise BadKeys(f"{path}: device {device}: {WANTED} expected")
    return _Entry(value.get("key"), value.get("kind"), None if tables is None else tuple(tables))


def _texts(value: Any) -> bool:
    return value is None or (
        isinstance(value, list) and all(isinstance(each, str) for each in value)
    )


def _from_environment(text: str) -> Iterator[tuple[str, _Entry]]:
    """`device/kind/table+table=key`, separated by commas; `device=key` on the device's own side."""
    for pair in filter(None, _parts(text.split(","))):
        said, _, key = pair.partition("=")
        device, kind, tables = (*said.split("/"), "", "")[:3]
        yield device, _Entry(key, kind or None, tuple(filter(None, tables.split("+"))) or None)


def _parts(pieces: Iterable[str]) -> Iterator[str]:
    return (piece.strip() for piece in pieces)


def _hash(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
