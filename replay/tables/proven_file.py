"""Proves a derived file by its SHA-256 before anybody opens it (decision 21).

    audit.duckdb            the file
    audit.duckdb.sha256     its hash, in a line as sha256sum writes it

While a new file takes the place of an old one, `.sha256` has a line for each: wherever the writer
is killed, the file that is there is one of them.
"""

import hashlib
import os
import re
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from typing import Any

import duckdb

from ingest.disk import Disk
from replay.tables import file_stamps
from replay.tables.file_stamps import Stamp
from replay.tables.parquet import DerivedCorrupt


class FileChanged(DerivedCorrupt):
    """A derived file that is not the one whose hash was written down."""


# Where DuckDB and SQLite keep changes to a file: whoever opens the file would read them with it.
CHANGES = (".wal", "-journal", "-wal")
LINE = re.compile(r"([0-9a-f]{64})  (.+)")

# What this process proved: a service opens the same file for every request.
_proven: dict[Path, tuple[Stamp, bytes]] = {}


def note(path: Path, *sums: str) -> None:
    """Write down the hash of a file, or the hashes it may have."""
    Disk().create(_beside(path), "".join(f"{each}  {path.name}\n" for each in sums).encode())


def noted(path: Path) -> tuple[str, ...]:
    """The hashes that were written down of a file; none where nothing was."""
    with suppress(FileChanged):
        return _sums(path, _read(path))
    return ()


def sha256(path: Path) -> str:
    """The hash of a file as it is."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fault(path: Path) -> FileChanged | None:
    """What is wrong with a file; None where it is whole. FileNotFoundError where there is none."""
    while True:
        with path.open("rb") as file:
            found = _fault(path, file)
            if found is None or _is_at(file, path):
                return found


def require(path: Path) -> None:
    """Raise FileChanged where a file is not the one that was written."""
    if found := fault(path):
        raise found


def connected(path: Path, config: dict[str, Any] | None = None) -> duckdb.DuckDBPyConnection:
    """A proven DuckDB file, open for reading; FileChanged where it is not as it was written."""
    while True:
        with path.open("rb") as file:
            found = _fault(path, file)
            connection = (
                None if found else duckdb.connect(path, read_only=True, config=config or {})
            )
            if _is_at(file, path):
                if connection is None:
                    assert found
                    raise found
                return connection
            if connection:  # a writer put another file in its place meanwhile
                connection.close()


def _fault(path: Path, file: BufferedReader) -> FileChanged | None:
    stamp = file_stamps.of_status(os.fstat(file.fileno()))
    try:
        _require_alone(path)
        body = _read(path)
        known = _sums(path, body)
    except FileChanged as error:
        return error
    if stamp and _proven.get(path) == (stamp, body):
        return None
    found = hashlib.file_digest(file, "sha256").hexdigest()
    if found not in known:
        return FileChanged(f"{path}: SHA-256 {known[-1][:16]}… expected, {found[:16]}… found")
    if stamp:
        _proven[path] = stamp, body
    return None


def _require_alone(path: Path) -> None:
    for end in CHANGES:
        beside = path.with_name(path.name + end)
        if beside.exists():
            raise FileChanged(f"{beside}: no file expected, changes to {path.name} found")


def _read(path: Path) -> bytes:
    try:
        return _beside(path).read_bytes()
    except FileNotFoundError:
        what = f"the SHA-256 of {path.name} expected, no file found"
        raise FileChanged(f"{_beside(path)}: {what}") from None


def _sums(path: Path, body: bytes) -> tuple[str, ...]:
    lines = [LINE.fullmatch(line) for line in body.decode("ascii", "replace").splitlines()]
    sums = tuple(line[1] for line in lines if line and line[2] == path.name)
    if not sums or len(sums) != len(lines):
        what = f"a line with a SHA-256 and {path.name} expected, others found"
        raise FileChanged(f"{_beside(path)}: {what}")
    return sums


def _is_at(file: BufferedReader, path: Path) -> bool:
    """Whether an open file is still the one of that name."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")
