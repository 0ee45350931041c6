"""Read-only SQL over the house's file, in a process of its own that can do nothing else.

SQL is code. The database is opened read-only with everything outside it shut off, and the
process that runs the query can open no file and no connection once it has begun; the fence is
around the process, never around the statement. Its answer lies in a file of no name and is read
from there a few rows at a time: however large it is, nobody holds it whole.
"""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import pyarrow as pa

from audit.cli.errors import Code, Stopped

WORKER = "audit.sql.sandbox_worker"
GRACE_S = 5.0  # for the worker to start and to end, beyond the time its query may take
LESS = "ask for less at once, or add a limit"
MEGABYTE = 1_000_000

# What the worker calls an attempt to do more than ask.
OUTSIDE = ("PermissionException", "IOException", "not a query")


class Fence(NamedTuple):
    """What one query may use."""

    seconds: float = 60.0
    memory: str = "1GB"
    threads: int = 2
    megabytes: float = 1_000  # of its answer


class Column(NamedTuple):
    """A column of an answer: its name, which no other has, and its SQL type."""

    name: str
    kind: str


class Answer(NamedTuple):
    """The rows of a query; `counted` is how many there are, sent or not, as far as it went."""

    columns: tuple[Column, ...]
    counted: int
    whole: bool  # whether all of them were counted
    limit: int | None
    spool: IO[bytes]

    @property
    def sent(self) -> int:
        """The rows that are here."""
        return self.counted if self.limit is None else min(self.limit, self.counted)

    @property
    def total(self) -> int | None:
        """All rows of the answer; None where nobody counted them to the end."""
        return self.counted if self.whole else None

    @property
    def more(self) -> bool:
        """Whether the answer has rows that are not here."""
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
        """The columns as Arrow has them."""
        self.spool.seek(0)
        with pa.ipc.open_stream(self.spool) as stream:
            return pa.schema(
                [
                    field.with_name(name)
                    for field, name in zip(stream.schema, self.names, strict=True)
                ]
            )


class QueryRefused(Stopped):
    """A query that may not run, cannot run, or took too much."""


@contextmanager
def ask(
    path: Path,
    sql: str,
    limit: int | None = None,
    fence: Fence = Fence(),  # noqa: B008
    *,
    raw: bool = False,
) -> Iterator[Answer]:
    """The answer to one query, at most `limit` rows of it; values as text, or as they are."""
    request = {"path": str(path.resolve()), "sql": sql, "limit": limit, "raw": raw}
    request |= {"most": int(fence.megabytes * MEGABYTE), **fence._asdict()}
    with tempfile.TemporaryFile(prefix="roundproof-sql-") as spool:
        word = _asked(request, spool, fence)
        if "error" in word:
            raise _refused(path, word, fence)
        columns = tuple(Column(*column) for column in word["columns"])
        yield Answer(columns, word["total"], word["whole"], limit, spool)


def _asked(request: dict[str, Any], spool: IO[bytes], fence: Fence) -> dict[str, Any]:
    """The worker's last word; its rows are in the spool."""
    with _worker(spool) as worker:
        try:
            _, said = worker.communicate(json.dumps(request).encode(), fence.seconds + GRACE_S)
        except subprocess.TimeoutExpired as error:
            raise _too_long(fence) from error
    word = _last_word(said)
    if "error" in word or (worker.returncode == 0 and "total" in word):
        return word
    if worker.returncode == -signal.SIGXCPU:
        raise _too_long(fence)
    if worker.returncode == -signal.SIGKILL:
        what = "the query needs more memory than this machine has to give"
        raise QueryRefused(what, LESS, Code.TOO_LARGE)
    what = f"the query's process ended with {worker.returncode} before it answered"
    raise QueryRefused(what, LESS, Code.UNREACHABLE)


@contextmanager
def _worker(spool: IO[bytes]) -> Iterator["subprocess.Popen[bytes]"]:
    """A process with an empty folder and an empty environment of its own."""
    root = Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory(prefix="roundproof-sql-") as folder:
        process = subprocess.Popen(  # noqa: S603  (our own interpreter and module)
            [sys.executable, "-B", "-m", WORKER],  # it writes nothing, compiled modules neither
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
    from audit.sql.database import unreadable

    kind, text = word["error"], _one_line(word["message"])
    if kind == "opening":
        return unreadable(path, RuntimeError(text))
    if kind == "InterruptException":
        return _too_long(fence)
    if kind == "OutOfMemoryException":
        what = f"the query needs more than {fence.memory} of memory"
        return QueryRefused(what, LESS, Code.TOO_LARGE)
    if kind == "too large":
        what = f"the answer has more than {fence.megabytes:,g} MB"
        step = "ask for less at once, or allow more with --megabytes"
        return QueryRefused(what, step, Code.TOO_LARGE)
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
    return QueryRefused(what, step, Code.TOO_SLOW)
