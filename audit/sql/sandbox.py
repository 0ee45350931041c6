"""Read-only SQL over the DuckDB file, in a process of its own that can do nothing else.

SQL is code. The worker process opens the database read-only, with access to anything outside it
disabled, and then gives up the right to open files and connections before the query begins: the
limits hold the process, whatever the statement says. The worker writes its answer to an unnamed
file; this side reads a few rows at a time, so no process ever holds a large answer whole.
"""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import pyarrow as pa

from audit.cli.errors import AGAIN, Code, Stopped

WORKER = "audit.sql.sandbox_worker"
GRACE_S = 5.0  # for the worker to start and to end, beyond the time its query may take
LESS = "select fewer rows or columns, or add a limit to the query"
MEGABYTE = 1_000_000

# The worker's names for an attempt to do more than read the tables.
FORBIDDEN = ("PermissionException", "IOException", "not a query")


class QueryLimits(NamedTuple):
    """What one query may use."""

    seconds: float = 60.0
    memory: str = "1GB"
    threads: int = 2
    megabytes: float = 1_000  # of its answer


class AnswerColumn(NamedTuple):
    """A column of an answer: its unique name, and its SQL type."""

    name: str
    kind: str


class Answer(NamedTuple):
    """The rows of a query; `counted` includes rows beyond the limit, as far as it went."""

    columns: tuple[AnswerColumn, ...]
    counted: int
    whole: bool  # whether the count went to the end
    limit: int | None
    spool: IO[bytes]

    @property
    def sent(self) -> int:
        """The number of rows in this answer."""
        return self.counted if self.limit is None else min(self.limit, self.counted)

    @property
    def total(self) -> int | None:
        """The number of all rows; None if the count stopped before the end."""
        return self.counted if self.whole else None

    @property
    def more(self) -> bool:
        """Whether the query has rows that are not in this answer."""
        return not self.whole or self.sent < self.counted

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    def rows(self) -> Iterator[tuple[str | None, ...]]:
        """The rows one by one, each value as text."""
        for batch in self.batches():
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)

    def batches(self) -> Iterator[Any]:
        """The rows as Arrow, a few at a time."""
        self.spool.seek(0)
        with pa.ipc.open_stream(self.spool) as stream:
            for batch in stream:
                yield batch.rename_columns(self.names)

    def schema(self) -> Any:
        """The columns as an Arrow schema."""
        self.spool.seek(0)
        with pa.ipc.open_stream(self.spool) as stream:
            return pa.schema(
                [
                    field.with_name(name)
                    for field, name in zip(stream.schema, self.names, strict=True)
                ]
            )


class QueryRefused(Stopped):
    """A query that is forbidden, is wrong, or exceeds its limits."""


@contextmanager
def ask(
    path: Path,
    sql: str,
    limit: int | None = None,
    limits: QueryLimits = QueryLimits(),  # noqa: B008
    *,
    raw: bool = False,
    values: Mapping[str, str] | None = None,
) -> Iterator[Answer]:
    """The answer to one query, at most `limit` rows; values as text, or with `raw` as they are.

    `values` are those of the query's named parameters (`$table`); they are never part of its text.
    """
    request: dict[str, Any] = {"path": str(path.resolve()), "sql": sql, "limit": limit, "raw": raw}
    request["values"] = dict(values or {})
    request |= {"most_bytes": int(limits.megabytes * MEGABYTE), **limits._asdict()}
    with tempfile.TemporaryFile(prefix="roundproof-sql-") as spool:
        result = _run(request, spool, limits)
        if "error" in result:
            raise _refused(path, result, limits)
        columns = tuple(AnswerColumn(*column) for column in result["columns"])
        yield Answer(columns, result["total"], result["whole"], limit, spool)


def _run(request: dict[str, Any], spool: IO[bytes], limits: QueryLimits) -> dict[str, Any]:
    """Run the worker and return its result; the rows are in the spool."""
    with _worker(spool) as worker:
        try:
            _, stderr = worker.communicate(json.dumps(request).encode(), limits.seconds + GRACE_S)
        except subprocess.TimeoutExpired as error:
            raise _too_long(limits) from error
    result = _result(stderr)
    if "error" in result or (worker.returncode == 0 and "total" in result):
        return result
    if worker.returncode == -signal.SIGXCPU:
        raise _too_long(limits)
    if worker.returncode == -signal.SIGKILL:
        what = "the query needs more memory than this machine has"
        raise QueryRefused(what, LESS, Code.TOO_LARGE)
    what = f"the query's process ended with {worker.returncode} without an answer"
    raise QueryRefused(what, LESS, Code.UNREACHABLE)


@contextmanager
def _worker(spool: IO[bytes]) -> Iterator["subprocess.Popen[bytes]"]:
    """A process with an empty folder and an empty environment of its own."""
    root = Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory(prefix="roundproof-sql-") as folder:
        process = subprocess.Popen(  # noqa: S603  (our own interpreter and module)
            [sys.executable, "-B", "-m", WORKER],  # -B: it writes no compiled modules either
            stdin=subprocess.PIPE,
            stdout=spool,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={"PYTHONPATH": str(root), "HOME": folder, "TZ": "UTC"},
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def _result(stderr: bytes) -> dict[str, Any]:
    """The last line of the worker's stderr that is a JSON object; empty if none is."""
    for line in reversed(stderr.decode("utf-8", "replace").splitlines()):
        try:
            result = json.loads(line)
        except ValueError:
            continue
        if isinstance(result, dict):
            return result
    return {}


def _refused(path: Path, result: dict[str, Any], limits: QueryLimits) -> Stopped:
    from audit.sql.database import unreadable

    kind, text = result["error"], _one_line(result["message"])
    if kind == "changed":
        return Stopped(text, AGAIN, Code.UNVERIFIED)
    if kind == "opening":
        return unreadable(path, RuntimeError(text))
    if kind == "InterruptException":
        return _too_long(limits)
    if kind == "OutOfMemoryException":
        what = f"the query needs more than {limits.memory} of memory"
        return QueryRefused(what, LESS, Code.TOO_LARGE)
    if kind == "too large":
        what = f"the answer has more than {limits.megabytes:,g} MB"
        step = "select fewer rows or columns, or allow more with --megabytes"
        return QueryRefused(what, step, Code.TOO_LARGE)
    if kind in FORBIDDEN or "read-only" in text or "locked" in text:
        step = "a query may only read these tables: roundproof sql .tables"
        return QueryRefused(text, step, Code.NOT_ALLOWED)
    return QueryRefused(text, "roundproof sql '.describe TABLE' lists its columns", Code.USAGE)


def _one_line(message: str) -> str:
    """DuckDB's message without the excerpt of the query under it."""
    return " ".join(message.partition("\nLINE ")[0].split())


def _too_long(limits: QueryLimits) -> QueryRefused:
    what = f"the query took longer than {limits.seconds:g} s and was stopped"
    step = "select fewer rows, or allow more time with --seconds"
    return QueryRefused(what, step, Code.TOO_SLOW)
