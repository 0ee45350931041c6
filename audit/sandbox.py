"""Read-only SQL over the house's file, in a process of its own that can do nothing else.

SQL is code. The database is opened read-only with everything outside it shut off, and the
process that runs the query can open no file and no connection once it has begun; the fence is
around the process, never around the statement.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from audit.errors import Code, Stopped

WORKER = "audit.sandbox_worker"
GRACE_S = 5.0  # for the worker to start and to end, beyond the time its query may take
LESS = "ask for less at once, or add a limit"

# What the worker calls an attempt to do more than ask.
OUTSIDE = ("PermissionException", "IOException", "not a query")


class Fence(NamedTuple):
    """What one query may use."""

    seconds: float = 60.0
    memory: str = "1GB"
    threads: int = 2


class Answer(NamedTuple):
    """The rows of a query, as batches; `total` counts them, sent or not, as far as it went."""

    batches: list[Any]
    schema: Any
    total: int
    more: bool = False  # whether there are more than were counted

    @property
    def sent(self) -> int:
        """The rows that are here."""
        return sum(batch.num_rows for batch in self.batches)

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows one by one."""
        for batch in self.batches:
            yield from batch.to_pylist()


class QueryRefused(Stopped):
    """A query that may not run, cannot run, or took too much."""


def ask(path: Path, sql: str, limit: int | None = None, fence: Fence = Fence()) -> Answer:  # noqa: B008
    """The answer to one query; at most `limit` rows of it where given."""
    request = {"path": str(path.resolve()), "sql": sql, "limit": limit, **fence._asdict()}
    with _worker() as worker:
        try:
            sent, said = worker.communicate(json.dumps(request).encode(), fence.seconds + GRACE_S)
        except subprocess.TimeoutExpired as error:
            worker.kill()
            raise _too_long(fence) from error
    word = _last_word(said)
    if "error" in word:
        raise _refused(path, word, fence)
    if worker.returncode != 0 or "total" not in word:
        what = f"the query's process ended with {worker.returncode} before it answered"
        raise QueryRefused(what, LESS, Code.UNREACHABLE)
    with pa.ipc.open_stream(sent) as stream:
        return Answer(list(stream), stream.schema, word["total"], word["more"])


@contextmanager
def _worker() -> Iterator["subprocess.Popen[bytes]"]:
    """A process with an empty folder and an empty environment of its own."""
    root = Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory(prefix="roundproof-sql-") as folder:
        process = subprocess.Popen(  # noqa: S603  (our own interpreter and module)
            [sys.executable, "-B", "-m", WORKER],  # it writes nothing, compiled modules neither
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={"PYTHONPATH": str(root), "HOME": folder, "TZ": "UTC"},
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def _last_word(said: bytes) -> dict[str, Any]:
    for line in reversed(said.decode("utf-8", "replace").splitlines()):
        try:
            word = json.loads(line)
        except ValueError:
            continue
        if isinstance(word, dict):
            return word
    return {}


def _refused(path: Path, word: dict[str, Any], fence: Fence) -> Stopped:
    from audit.database import unreadable

    kind, text = word["error"], _one_line(word["message"])
    if kind == "opening":
        return unreadable(path, RuntimeError(text))
    if kind == "InterruptException":
        return _too_long(fence)
    if kind == "OutOfMemoryException":
        what = f"the query needs more than {fence.memory} of memory"
        return QueryRefused(what, LESS, Code.UNREACHABLE)
    if kind in OUTSIDE or "read-only" in text or "locked" in text:
        step = "this door only reads the tables of the house: roundproof sql .tables"
        return QueryRefused(text, step, Code.NOT_ALLOWED)
    return QueryRefused(text, "roundproof sql '.describe TABLE' lists its columns", Code.USAGE)


def _one_line(message: str) -> str:
    """DuckDB's message without the picture of the query under it."""
    told = message.partition("\nLINE ")[0]
    return " ".join(told.split())


def _too_long(fence: Fence) -> QueryRefused:
    what = f"the query took longer than {fence.seconds:g} s and was stopped"
    step = "ask for less at once, or allow more with --seconds"
    return QueryRefused(what, step, Code.UNREACHABLE)
