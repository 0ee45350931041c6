"""The DuckDB file, opened for the commands that read it."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from audit.cli import screen
from audit.cli.errors import Code, Stopped, explained, next_step
from replay.batch import failures
from replay.tables import proven_file
from replay.tables.duckdb_file import FILE

REBUILD = "run roundproof replay --fresh: it builds the file again, with the findings"
REPLAY_FIRST = "run roundproof replay first, or name another folder with --home"


def located(home: Path) -> Path:
    """The path of the DuckDB file; raise Stopped if there is none yet."""
    path = home / FILE
    if not path.is_file():
        raise Stopped(f"{path}: nothing was derived here yet", REPLAY_FIRST, Code.NOT_FOUND)
    return path


def say_missing(home: Path) -> None:
    """Name on stderr every table-day that failed in the last replay: no answer has its rows."""
    for each in failures.load(home):
        step = next_step(each.kinds)
        screen.hint(f"missing from the answer, the last replay failed: {each.said}; next: {step}")


@contextmanager
def opened(home: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The DuckDB file, proven and open for reading, or an error that says why it cannot be read."""
    path = located(home)
    try:
        connection = proven_file.connected(path)
    except (duckdb.Error, PermissionError) as error:
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
    """Why DuckDB could not open the file, as a command's error.

    DuckDB's message changes between releases, so this looks at the file itself.
    """
    try:
        with path.open("rb") as file:
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except PermissionError:
        what = f"{path}: no permission to open it"
        return Stopped(what, "ask for access", Code.NOT_ALLOWED)
    except BlockingIOError:
        what = f"{path}: another program has it open for writing"
        return Stopped(what, "close that program, or wait until it ends", Code.UNREACHABLE)
    except OSError as unread:
        return explained(unread)
    what = f"{path}: a DuckDB file expected, {_first_line(error)}"
    return Stopped(what, REBUILD, Code.UNVERIFIED)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
