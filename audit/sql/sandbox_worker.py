"""The process that runs one query: request on stdin, Arrow on stdout, a last word on stderr."""

import errno
import json
import resource
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

import duckdb
import pyarrow as pa

from audit.checks import views
from audit.sql.value_text import as_text, unique

BATCH_ROWS = 2_048
BATCH_BYTES = 4_000_000  # of what the reader takes in at once, unless a single row is larger
COUNTED = 1_000_000  # rows beyond the limit are counted so far and no further
HEADROOM = 1_000_000  # what the stream says beside its rows, bytes

# Statements that only ask. A query may still hide a DELETE: the file is open for reading only.
ASKING = (
    duckdb.StatementType.SELECT,
    duckdb.StatementType.EXPLAIN,
    duckdb.StatementType.MULTI,  # pivot
)


class NotAQuery(ValueError):
    """A statement that does more than ask."""


class NotOne(ValueError):
    """No statement, or several."""


class TooLarge(ValueError):
    """An answer of more bytes than were asked for."""


class Asked(NamedTuple):
    """A query, and how much of its answer is wanted."""

    sql: str
    raw: bool  # values as they are, not as text
    limit: int | None  # rows
    most: int  # bytes


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    asked = Asked(*(request[name] for name in Asked._fields))
    try:
        connection = _connect(request, asked.most)
    except duckdb.Error as error:
        _leave({"error": "opening", "message": str(error)})
    try:
        _leave(_answer(connection, asked))
    except NotAQuery as error:
        _leave({"error": "not a query", "message": str(error)})
    except NotOne as error:
        _leave({"error": "not one", "message": str(error)})
    except TooLarge:
        _leave({"error": "too large", "message": ""})
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise
        _leave({"error": "too large", "message": ""})
    except duckdb.Error as error:
        _leave({"error": type(error).__name__, "message": str(error)})
    except MemoryError:
        _leave({"error": "OutOfMemoryException", "message": "out of memory"})


def _connect(request: dict[str, Any], most: int) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(
        request["path"],
        read_only=True,
        config={
            "python_enable_replacements": "false",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            "memory_limit": request["memory"],
            "threads": str(request["threads"]),
            "temp_directory": "",
        },
    )
    views.lend(connection)
    connection.execute("set enable_external_access = false")
    connection.execute(f"set max_execution_time = {int(request['seconds'] * 1000)}")
    connection.execute("set lock_configuration = true")
    _shut_the_door(int(request["seconds"]), most)
    return connection


def _shut_the_door(seconds: int, most: int) -> None:
    """From here on this process opens nothing, and writes no more than its answer."""
    cpu = 4 * max(seconds, 1)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 * most + HEADROOM,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def _answer(connection: duckdb.DuckDBPyConnection, asked: Asked) -> dict[str, Any]:
    """Send the rows that are wanted, and count the others; what there is to say of them."""
    columns, reader = _reader(connection, asked)
    total = sent = 0
    whole = True
    with pa.ipc.new_stream(sys.stdout.buffer, reader.schema) as out:
        for batch in reader:
            room = batch.num_rows if asked.limit is None else max(0, asked.limit - total)
            total += batch.num_rows
            for part in _parts(batch.slice(0, room)):
                sent += part.nbytes
                if sent > asked.most:
                    raise TooLarge
                out.write_batch(part)
            counted = max(COUNTED, asked.limit or 0)
            if not room and total > counted:
                total, whole = counted, False
                break
    return {"total": total, "whole": whole, "columns": columns}


def _reader(
    connection: duckdb.DuckDBPyConnection, asked: Asked
) -> tuple[list[tuple[str, str]], Any]:
    """The columns of a query with their types, and a reader of its rows."""
    statements = connection.extract_statements(asked.sql)
    if len(statements) != 1:
        raise NotOne(f"one query at a time expected, {len(statements)} found")
    if statements[0].type not in ASKING:
        kind = statements[0].type.name.lower()
        raise NotAQuery(f"a query such as `select` expected, a statement of type {kind} found")
    found = connection.sql(asked.sql)
    columns = list(zip(unique(found.columns), map(str, found.types), strict=True))
    places = [f"column_{n}" for n in range(len(columns))]
    told = [
        place if asked.raw else f"{as_text(place, kind)} as {place}"
        for place, (_, kind) in zip(places, columns, strict=True)
    ]
    query = f"select {', '.join(told)} from answer as answer ({', '.join(places)})"  # noqa: S608
    answer = found.query("answer", query)
    assert answer is not None
    return columns, answer.to_arrow_reader(BATCH_ROWS)


def _parts(batch: Any) -> Iterator[Any]:
    """A batch in pieces that a reader can hold."""
    rows = max(1, batch.num_rows * BATCH_BYTES // max(1, batch.nbytes))
    for first in range(0, batch.num_rows, rows):
        yield batch.slice(first, rows)


def _leave(word: dict[str, Any]) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.write(json.dumps(word) + "\n")
    sys.stderr.flush()
    sys.exit(0)


if __name__ == "__main__":
    main()
