"""The DuckDB file of a house, opened for the commands that read it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from audit.errors import Code, Stopped
from replay.project import FILE

REPLAY_FIRST = "run roundproof replay first, or name another house with --home"

# A word in DuckDB's message, what it means, what to do, the exit code.
REASONS = (
    ("lock", "in use by another process", "wait until it is done", Code.UNREACHABLE),
    ("permission denied", "no permission to open it", "ask for access to it", Code.NOT_ALLOWED),
)


def located(home: Path) -> Path:
    """The house's file; Stopped where there is none yet."""
    path = home / FILE
    if not path.is_file():
        raise Stopped(f"{path}: nothing was derived here yet", REPLAY_FIRST, Code.NOT_FOUND)
    return path


@contextmanager
def opened(home: Path, *, write: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
    """The house's file, and a clear word where it cannot be read."""
    path = located(home)
    try:
        connection = duckdb.connect(str(path), read_only=not write)
    except duckdb.Error as error:
        raise unreadable(path, error) from error
    try:
        connection.execute("set timezone = 'UTC'")
        yield connection
    except (duckdb.CatalogException, duckdb.BinderException) as error:
        what = f"{path}: the tables of this version expected, {_first_line(error)}"
        step = "run roundproof replay to derive them again"
        raise Stopped(what, step, Code.UNVERIFIED) from error
    finally:
        connection.close()


def unreadable(path: Path, error: Exception) -> Stopped:
    """Why DuckDB could not open the file, for people."""
    for word, why, step, code in REASONS:
        if word in str(error).lower():
            return Stopped(f"{path}: {why}", step, code)
    what = f"{path}: a DuckDB file expected, {_first_line(error)}"
    return Stopped(what, "delete it and run roundproof replay again", Code.UNVERIFIED)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
