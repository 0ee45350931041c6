"""The digest of a round and of a table-day, second version: SHA-256 over packed values.

A value is a tag of one byte and what the tag says (docs/formats.md has the layout and examples):

    00  nothing             03  whole number, 8 bytes        06  double, 8 bytes
    01  false               04  text, length and UTF-8       07  sentence: key, values by name
    02  true                05  list, count and values

Numbers are big-endian. A round packs, table by table, how many rows it has and each of their
columns. No words are among them, and no steps: the steps say how the same events came to the same
flags and dues. Rewording changes no digest, and an engine that writes no steps computes the same.
"""

import hashlib
import json
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from replay.tables import dictionary
from replay.tables.rows import Row, Rows, day_of

VERSION = 2
ROUND, DAY, HOUSE = (
    f"roundproof {what} {VERSION}\n".encode() for what in ("round", "day", "house")
)
# The tables under the digest of a round, in its order.
TABLES = (
    *("rounds", "wagers", "dues", "unruled_dues", "flags", "cards", "doubts", "results"),
    *("spins", "shakes"),
)
# Columns that say again what the round says, or follow from others.
NOT_PACKED = ("round_id", "table_id", "gaming_day", "game", "digest", "differing")
SENTENCES = {"key": "params", "unknown_key": "unknown_params"}  # packed as one value
LARGEST = 1 << 63  # whole numbers from here on are packed as text
NOTHING = b"\x00"

Pack = Callable[[Any], bytes]


def of_round(rows: Rows) -> str:
    """The digest of one round, from its rows; a digest among them is not looked at."""
    whole = [ROUND]
    for table in TABLES:
        part = rows.get(table, ())
        columns = _columns(table)
        whole.append(_count(part))
        whole.extend(pack(row) for row in part for pack in columns)
    return hashlib.sha256(b"".join(whole)).hexdigest()


def of_day(table_id: str, day: str, events: int, last_hash: str, digests: Sequence[str]) -> str:
    """The digest of a table-day: its part of the log, and its rounds in the order they opened."""
    values = (table_id, day, events, last_hash, digests)
    return hashlib.sha256(DAY + b"".join(map(packed, values))).hexdigest()


def of_house(days: Iterable[tuple[str, str, str]]) -> str:
    """The digest over table-days: table, gaming day and digest of each."""
    values = (value for day in days for value in day)
    return hashlib.sha256(HOUSE + b"".join(map(packed, values))).hexdigest()


def packed(value: Any) -> bytes:
    """One value as bytes."""
    match value:
        case str():  # most values are texts
            return _text(value)
        case None:
            return NOTHING
        case bool():
            return b"\x02" if value else b"\x01"
        case int():
            return _number(value)
        case float():
            return b"\x06" + struct.pack(">d", value)
        case {"key": key, "params": params}:
            return _sentence(key, params)
    return b"\x05" + _count(value) + b"".join(map(packed, value))


def _number(value: int) -> bytes:
    if -LARGEST <= value < LARGEST:
        return b"\x03" + value.to_bytes(8, "big", signed=True)
    return _text(str(value))


def _text(value: str) -> bytes:
    body = value.encode()
    return b"\x04" + len(body).to_bytes(4, "big") + body


def _sentence(key: str, params: Mapping[str, Any]) -> bytes:
    """A sentence with its values by name, in the order of the names' bytes."""
    named = sorted((_text(name), packed(value)) for name, value in params.items())
    return b"\x07" + _text(key) + _count(named) + b"".join(part for pair in named for part in pair)


def _count(values: Sequence[Any]) -> bytes:
    return len(values).to_bytes(4, "big")


@cache
def _columns(table: str) -> tuple[Pack, ...]:
    """How each packed column of a row is packed."""
    stored = dictionary.dictionary()[table].stored
    places = {column.name: n for n, column in enumerate(stored)}
    own = ("round_id", "table_id", "gaming_day", "game") if table == "rounds" else ()
    found = []
    for name, place in places.items():
        if name in SENTENCES:
            found.append(_of_sentence(place, places[SENTENCES[name]]))
        elif name in own or (name not in NOT_PACKED and name not in SENTENCES.values()):
            found.append(_of_day(place) if name == "gaming_day" else _of_column(place))
    return tuple(found)


def _of_column(place: int) -> Pack:
    return lambda row: packed(row[place])


def _of_day(place: int) -> Pack:
    """A gaming day as its date; nothing where no date is known."""
    return lambda row: packed(str(day) if (day := day_of(row[place])) else None)


def _of_sentence(key: int, params: int) -> Pack:
    def pack(row: Row) -> bytes:
        return _sentence(row[key], json.loads(row[params])) if row[key] else NOTHING

    return pack
