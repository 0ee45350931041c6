"""The code and the rules that derive rows, as one hash.

A replay keeps a table-day only where the same code and rules derived it. The hash therefore covers
every source file of `schemas` and `replay`, except those that change no row of a table-day: they
plan, explain, compare, simulate, check the rulebooks, or copy rows elsewhere. A new file counts
until somebody leaves it out here. A test proves that no file that counts imports one left out.
"""

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import pyarrow as pa

ROOMS = ("schemas", "replay")
SOURCES = (".py", ".toml", ".sql", ".avsc", ".lock", ".po")
LEFT_OUT = frozenset(
    {
        "replay/batch/derived_memory.py",
        "replay/batch/digest.py",
        "replay/batch/failures.py",
        "replay/batch/first_digest.py",
        "replay/batch/log_memory.py",
        "replay/batch/plan.py",
        "replay/batch/pool.py",
        "replay/batch/reaudit.py",
        "replay/bulk",
        "replay/disputes/payment_fit.py",
        "replay/explain.py",
        "replay/lint",
        "replay/live",
        "replay/locate.py",
        "replay/reaudit.py",
        "replay/relied_readings.py",
        "replay/sheets",
        "replay/simulate",
        "replay/tables/duckdb_contents.py",
        "replay/tables/duckdb_file.py",
        "replay/tables/file_stamps.py",
        "replay/tables/name_index.py",
        "replay/tables/proven_file.py",
        "replay/tables/sql_rows.py",
        "replay/theory",
        "replay/whatif.py",
        "replay/whatif_changes.py",
        "replay/words",
    }
)
# What fills the DuckDB file beside the rows of table-days.
OF_DATABASE = (
    "replay/tables/duckdb_contents.py",
    "replay/tables/duckdb_file.py",
    "replay/tables/sql_rows.py",
    "replay/theory/returns.csv",
)
WORDS = "replay/words"  # which SQL has beside the sentences


@cache
def of_rows() -> str:
    """The hash of everything that a table-day's rows depend on besides its events."""
    return _hash(pa.__version__, sources())


@cache
def of_database() -> str:
    """The hash of everything that the DuckDB file depends on besides the rows of table-days."""
    named = {path: _file(path).read_bytes() for path in OF_DATABASE}
    return _hash(of_rows(), named | dict(_sources(_file(WORDS), WORDS)))


def sources() -> dict[str, bytes]:
    """The files that derive rows: path to content."""
    return {path: text for room in ROOMS for path, text in _sources(files(room), room)}


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for part in sorted(folder.iterdir(), key=lambda part: part.name):
        name = f"{path}/{part.name}"
        if name in LEFT_OUT:
            continue
        if part.is_dir():
            yield from _sources(part, name)
        elif part.name.endswith(SOURCES):
            yield name, part.read_bytes()


def _file(path: str) -> Traversable:
    room, _, rest = path.partition("/")
    return files(room).joinpath(rest)


def _hash(first: str, texts: Mapping[str, bytes]) -> str:
    whole = hashlib.sha256(first.encode())
    for path, text in texts.items():
        whole.update(f"{path}\0{hashlib.sha256(text).hexdigest()}\n".encode())
    return whole.hexdigest()
