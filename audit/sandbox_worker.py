"""The process that runs one query: request on stdin, Arrow on stdout, a last word on stderr."""

import json
import resource
import sys
from typing import Any, NoReturn

import duckdb
import pyarrow as pa

from audit.run_checks import prepare

BATCH_ROWS = 2_048
COUNTED = 1_000_000  # rows beyond the limit are counted so far and no further

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


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    try:
        connection = _connect(request)
    except duckdb.Error as error:
        _leave({"error": "opening", "message": str(error)})
    try:
        total, more = _answer(connection, request["sql"], request["limit"])
        _leave({"total": total, "more": more})
    except NotAQuery as error:
        _leave({"error": "not a query", "message": str(error)})
    except NotOne as error:
        _leave({"error": "not one", "message": str(error)})
    except duckdb.Error as error:
        _leave({"error": type(error).__name__, "message": str(error)})
    except MemoryError:
        _leave({"error": "OutOfMemoryException", "message": "out of memory"})


def _connect(request: dict[str, Any]) -> duckdb.DuckDBPyConnection:
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
    prepare(connection)
    connection.execute("set enable_external_access = false")
    connection.execute(f"set max_execution_time = {int(request['seconds'] * 1000)}")
    connection.execute("set lock_configuration = true")
    _shut_the_door(int(request["seconds"]))
    return connection


def _shut_the_door(seconds: int) -> None:
    """From here on this process opens nothing: no file, no socket, and it writes no file."""
    cpu = 4 * max(seconds, 1)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def _answer(connection: duckdb.DuckDBPyConnection, sql: str, limit: int | None) -> tuple[int, bool]:
    """Send the rows, at most `limit` of them, and count them; whether there are still more."""
    statements = connection.extract_statements(sql)
    if len(statements) != 1:
        raise NotOne(f"one query at a time expected, {len(statements)} found")
    if statements[0].type not in ASKING:
        kind = statements[0].type.name.lower()
        raise NotAQuery(f"a query such as `select` expected, a statement of type {kind} found")
    reader = connection.sql(sql).to_arrow_reader(BATCH_ROWS)
    total = 0
    with pa.ipc.new_stream(sys.stdout.buffer, reader.schema) as out:
        for batch in reader:
            room = batch.num_rows if limit is None else max(0, limit - total)
            total += batch.num_rows
            if room:
                out.write_batch(batch.slice(0, room))
            elif total > COUNTED:
                return COUNTED, True
    return total, False


def _leave(word: dict[str, Any]) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.write(json.dumps(word) + "\n")
    sys.stderr.flush()
    sys.exit(0)


if __name__ == "__main__":
    main()
