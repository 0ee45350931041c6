"""A query's values as text: the SQL expression for each column, chosen by its type alone.

DuckDB makes the text itself, because it knows values that Python does not: infinite times, years
beyond 9999, nanoseconds. The format of a column never depends on the values in it.

    type                               text                           in JSON
    boolean                            true, false                    true, false
    integers of any size               all digits                     number
    float, double                      shortest that reads back       number; null for nan and inf
    decimal                            all places                     string
    timestamp                          2026-03-01T20:00:00.000000     string, without a zone
    timestamp with time zone           2026-03-01T20:00:00.000000Z    string, in UTC
    blob                               hex digits                     string
    list, struct, map, union, json     JSON; decimals are strings     as it is
    anything else                      as DuckDB writes it            string
"""

import re
from collections.abc import Iterable, Iterator

SECONDS = "%Y-%m-%dT%H:%M:%S"
NUMBERS = frozenset(
    ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER",
     "UBIGINT", "UHUGEINT", "BIGNUM", "FLOAT", "DOUBLE")
)  # fmt: skip
_NESTED = re.compile(r"\]$|^(STRUCT|MAP|UNION)\(|^VARIANT$")
_DECIMAL = re.compile(r"DECIMAL\(\d+,\s*\d+\)")
_TIMES = {
    "TIMESTAMP": f"strftime({{0}}, '{SECONDS}.%f')",
    "TIMESTAMP_S": f"strftime({{0}}, '{SECONDS}')",
    "TIMESTAMP_MS": f"strftime({{0}}, '{SECONDS}.%g')",
    "TIMESTAMP_NS": f"strftime({{0}}, '{SECONDS}.%n')",
    # an infinite time is no instant of any zone
    "TIMESTAMP WITH TIME ZONE": (
        f"case when isfinite({{0}}) then strftime({{0}}, '{SECONDS}.%fZ') else {{0}}::varchar end"
    ),
}


def as_text(column: str, kind: str) -> str:
    """The SQL expression that turns a column of a type into text."""
    if kind in _TIMES:
        return _TIMES[kind].format(column)
    if kind == "BLOB":
        return f"lower(hex({column}))"
    if kind == "VARIANT":
        return f"to_json({column})::varchar"
    if is_nested(kind):
        return f"to_json({column}::{_DECIMAL.sub('VARCHAR', kind)})::varchar"
    return f"{column}::varchar"


def is_nested(kind: str) -> bool:
    """Whether values of a type contain other values, so that their text is JSON."""
    return kind == "JSON" or bool(_NESTED.search(kind))


def unique(names: Iterable[str]) -> Iterator[str]:
    """Column names made unique: a second `a` becomes `a_2`, or the next free number."""
    names = list(names)
    taken = set(names)
    seen = set[str]()
    for name in names:
        free, n = name, 1
        while free in seen or (n > 1 and free in taken):
            n += 1
            free = f"{name}_{n}"
        seen.add(free)
        yield free
