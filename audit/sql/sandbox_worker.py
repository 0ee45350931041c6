"""The process that runs one query: request on stdin, rows as Arrow on stdout, result on stderr."""

import errno
import json
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import duckdb
import pyarrow as pa

from audit.checks import views
from audit.sql.value_text import as_text, unique
from replay.tables import proven_file

BATCH_ROWS = 2_048
BATCH_BYTES = 4_000_000  # largest batch that the reader must hold, unless a single row is larger
COUNTED_ROWS = 1_000_000  # the count of rows beyond the limit stops here
HEADROOM_BYTES = 1_000_000  # what the Arrow stream adds to its rows

# Statements that only read. A SELECT may still hide a DELETE, but the file is open read-only.
READING = (
    duckdb.StatementType.SELECT,
    duckdb.StatementType.EXPLAIN,
    duckdb.StatementType.MULTI,  # pivot
)


class NotAQuery(ValueError):
    """A statement that does more than read."""


class NotOneStatement(ValueError):
    """No statement, or several."""


class TooLarge(ValueError):
    """An answer of more bytes than the request allows."""


class Request(NamedTuple):
    """A query, and how much of its answer to send."""

    sql: str
    raw: bool  # values as they are, not as text
    limit: int | None  # rows
    most_bytes: int
    values: dict[str, Any]  # of the query's named parameters


def main() -> None:
    """Answer one request."""
    document = json.load(sys.stdin)
    request = Request(*(document[name] for name in Request._fields))
    try:
        connection = _connect(document, request.most_bytes)
    except proven_file.FileChanged as error:
        _leave({"error": "changed", "message": str(error)})
    except (duckdb.Error, OSError) as error:
        _leave({"error": "opening", "message": str(error)})
    try:
        _leave(_answer(connection, request))
    except NotAQuery as error:
        _leave({"error": "not a query", "message": str(error)})
    except NotOneStatement as error:
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


def _connect(request: dict[str, Any], most_bytes: int) -> duckdb.DuckDBPyConnection:
    connection = proven_file.connected(
        Path(request["path"]),
        {
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
    _give_up_rights(int(request["seconds"]), most_bytes)
    return connection


def _give_up_rights(seconds: int, most_bytes: int) -> None:
    """From here on this process opens no file, and writes no more than its answer."""
    cpu = 4 * max(seconds, 1)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 * most_bytes + HEADROOM_BYTES,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def _answer(connection: duckdb.DuckDBPyConnection, request: Request) -> dict[str, Any]:
    """Send the rows up to the limit, count the others, and return the result."""
    columns, reader = _reader(connection, request)
    total = sent = 0
    whole = True
    with pa.ipc.new_stream(sys.stdout.buffer, reader.schema) as out:
        for batch in reader:
            room = batch.num_rows if request.limit is None else max(0, request.limit - total)
            total += batch.num_rows
            for part in _parts(batch.slice(0, room)):
                sent += part.nbytes
                if sent > request.most_bytes:
                    raise TooLarge
                out.write_batch(part)
            counted = max(COUNTED_ROWS, request.limit or 0)
            if not room and total > counted:
                total, whole = counted, False
                break
    return {"total": total, "whole": whole, "columns": columns}


def _reader(
    connection: duckdb.DuckDBPyConnection, request: Request
) -> tuple[list[tuple[str, str]], Any]:
    """The columns of a query with their types, and a reader of its rows."""
    statements = connection.extract_statements(request.sql)
    if len(statements) != 1:
        raise NotOneStatement(f"one query at a time expected, {len(statements)} found")
    if statements[0].type not in READING:
        kind = statements[0].type.name.lower()
        raise NotAQuery(f"a query such as `select` expected, a statement of type {kind} found")
    relation = connection.sql(request.sql, params=request.values or None)
    columns = list(zip(unique(relation.columns), map(str, relation.types), strict=True))
    places = [f"column_{n}" for n in range(len(columns))]
    values = [
        place if request.raw else f"{as_text(place, kind)} as {place}"
        for place, (_, kind) in zip(places, columns, strict=True)
    ]
    query = f"select {', '.join(values)} from answer as answer ({', '.join(places)})"  # noqa: S608
    answer = relation.query("answer", query)
    assert answer is not None
    return columns, answer.to_arrow_reader(BATCH_ROWS)


def _parts(batch: Any) -> Iterator[Any]:
    """A batch in pieces that a reader can hold."""
    rows = max(1, batch.num_rows * BATCH_BYTES // max(1, batch.nbytes))
    for first in range(0, batch.num_rows, rows):
        yield batch.slice(first, rows)


def _leave(result: dict[str, Any]) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.write(json.dumps(result) + "\n")
    sys.stderr.flush()
    sys.exit(0)


if __name__ == "__main__":
    main()
