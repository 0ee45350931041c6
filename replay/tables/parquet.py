"""What a replay derived, on disk: Parquet files a table-day, under a manifest that seals them.

The same rows give the same bytes. A table-day is written aside and renamed into place, so it is
there whole or not at all; nothing is read back before its SHA-256 was compared.
"""

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.disk import FILE_MODE, FOLDER_MODE
from ingest.log import LogLocked
from replay.tables import dictionary
from replay.tables.rows import Rows, day_of

MANIFEST, FAILED, VERSION = "manifest.json", "failed", "version"
LATER = (FAILED, VERSION)  # keys that a manifest may lack
ASIDE = ".aside"  # where table-days are written before they get their name

KINDS = {
    "varchar": pa.string(),
    "varchar[]": pa.list_(pa.string()),
    "bigint": pa.int64(),
    "integer": pa.int32(),
    "integer[]": pa.list_(pa.int32()),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "double": pa.float64(),
    "timestamp": pa.timestamp("us"),
}


class DerivedCorrupt(Exception):
    """A derived file that is not what the replay wrote."""


class Manifest(NamedTuple):
    """What a table-day's folder holds and which part of the log it came from."""

    table_id: str
    gaming_day: str
    start: int  # offset of its first event
    end: int  # offset after its last event
    last_hash: str  # SHA-256 of its last event
    maker: str  # hash of the code and the rules that derived it
    rounds: int
    digest: str
    files: Mapping[str, str]  # file name to SHA-256
    failed: str = ""  # why nothing could be derived of the table-day
    version: int = 1  # of the digest; a manifest of the first version does not say it


def parquet(rows: Rows) -> dict[str, bytes]:
    """A table-day's rows as files: name to bytes."""
    return {
        f"{table}.parquet": _parquet(table, part) for table, part in sorted(rows.items()) if part
    }


def write(root: Path, name: str, parts: Mapping[str, bytes], manifest: Manifest) -> Manifest:
    """Put a table-day's files on disk; the manifest with their hashes in it."""
    aside = root / ASIDE / f"{os.getpid()}-{manifest.table_id}-{name}"
    make_folder(aside)
    sums = {}
    for file, body in parts.items():
        _put(aside / file, body)
        sums[file] = hashlib.sha256(body).hexdigest()
    sealed = manifest._replace(files=sums)
    _put(aside / MANIFEST, _sealed(sealed))
    _into_place(aside, root / manifest.table_id / name)
    return sealed


def manifest(folder: Path) -> Manifest:
    """The manifest of a table-day's folder, proven whole by its own seal."""
    path = folder / MANIFEST
    try:
        body = path.read_bytes()
    except FileNotFoundError:
        raise DerivedCorrupt(f"{path}: a sealed manifest expected, no file found") from None
    except OSError as error:
        what = f"a sealed manifest expected, {error.strerror} found"
        raise DerivedCorrupt(f"{path}: {what}") from error
    try:
        values = json.loads(body)
        needed = (name for name in Manifest._fields if name not in LATER or name in values)
        found = Manifest(**{name: values[name] for name in needed})
    except (ValueError, KeyError, TypeError) as error:
        raise DerivedCorrupt(f"{path}: a sealed manifest expected, {error} found") from error
    if _sealed(found) != body:
        raise DerivedCorrupt(f"{path}: its seal does not fit what it says")
    return found


def days(
    root: Path, table: str = "*", *, sound_only: bool = False
) -> Iterator[tuple[Path, Manifest]]:
    """Every finished table-day, or those of one table, by table and then in the table's order.

    A damaged manifest is refused, or passed over where only sound ones are asked for.
    """
    by_table: dict[str, list[Path]] = {}
    for folder in folders(root, table):
        by_table.setdefault(folder.parent.name, []).append(folder)
    for name in sorted(by_table):
        found = []
        for folder in by_table[name]:
            try:
                found.append((folder, manifest(folder)))
            except DerivedCorrupt:
                if not sound_only:
                    raise
        yield from sorted(found, key=lambda pair: pair[1].start)


def folders(root: Path, table: str = "*") -> list[Path]:
    """The folders of the table-days, whatever they hold."""
    there = (path for path in sorted(root.glob(f"{table}/*")) if path.parent.name != ASIDE)
    return [path for path in there if path.is_dir()]


def read(folder: Path, known: Manifest, table: str) -> Any:
    """One table of a table-day as Arrow, from the very bytes whose hash was compared."""
    name = f"{table}.parquet"
    if name not in known.files:
        return schema(table).empty_table()
    body = verified(folder / name, known.files[name])
    try:
        return _read(body, schema(table))
    except (
        pa.ArrowInvalid,
        pa.ArrowNotImplementedError,
    ) as error:  # such as an older version wrote it
        what = f"the columns of this version expected, {error} found: replay derives it anew"
        raise DerivedCorrupt(f"{folder / name}: {what}") from error


def verified(path: Path, sha256: str) -> bytes:
    """A file's bytes, refused where they are not the ones that were written."""
    try:
        body = path.read_bytes()
    except FileNotFoundError:
        raise DerivedCorrupt(f"{path}: SHA-256 {sha256[:16]}… expected, no file found") from None
    except OSError as error:
        what = f"SHA-256 {sha256[:16]}… expected, {error.strerror} found"
        raise DerivedCorrupt(f"{path}: {what}") from error
    found = hashlib.sha256(body).hexdigest()
    if found != sha256:
        raise DerivedCorrupt(f"{path}: SHA-256 {sha256[:16]}… expected, {found[:16]}… found")
    return body


def faults(folder: Path) -> list[DerivedCorrupt]:
    """Every file of a table-day that is not as the replay wrote it."""
    try:
        return file_faults(folder, manifest(folder))
    except DerivedCorrupt as error:
        return [error]


def file_faults(folder: Path, known: Manifest) -> list[DerivedCorrupt]:
    """Every file that a table-day's manifest names and that is not as the replay wrote it."""
    found = []
    for name, sha256 in sorted(known.files.items()):
        try:
            verified(folder / name, sha256)
        except DerivedCorrupt as error:
            found.append(error)
    return found


@contextmanager
def alone(root: Path) -> Iterator[None]:
    """One writer at a time in a house; the lock falls with the process that holds it."""
    make_folder(root)
    handle = os.open(root / ".lock", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LogLocked(f"{root}: another replay is at work here") from error
        yield
    finally:
        os.close(handle)


def clear(root: Path) -> None:
    """Remove what a killed replay left unfinished."""
    if (root / ASIDE).is_dir():
        shutil.rmtree(root / ASIDE)


@cache
def schema(table: str) -> Any:
    """The Arrow schema of a table as it is stored: without the columns in words."""
    columns = dictionary.dictionary()[table].stored
    return pa.schema([(column.name, KINDS[column.kind]) for column in columns])


def arrow(table: str, rows: Sequence[tuple[Any, ...]]) -> Any:
    """Rows of a table as Arrow, as they are stored."""
    shape = schema(table)
    if not rows:
        return shape.empty_table()
    columns = [
        pa.array(list(map(day_of, values)) if kind == KINDS["date"] else values, kind)
        for values, kind in zip(zip(*rows, strict=True), shape.types, strict=True)
    ]
    return pa.Table.from_arrays(columns, schema=shape)


def _read(body: bytes, shape: Any) -> Any:
    """The columns of this version out of a Parquet file; nulls for one that it does not have.

    One thread reads: `pq.read_table` goes by Arrow's pools even without `use_threads`, and a
    thread of theirs that still runs when the interpreter ends aborts the process.
    """
    with pq.ParquetFile(pa.BufferReader(body), pre_buffer=False) as file:
        found = file.read(use_threads=False)
    columns = [
        found.column(field.name).cast(field.type)
        if field.name in found.column_names
        else pa.nulls(found.num_rows, field.type)
        for field in shape
    ]
    return pa.Table.from_arrays(columns, schema=shape)


def _parquet(table: str, rows: list[tuple[Any, ...]]) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(
        arrow(table, rows),
        sink,
        row_group_size=1 << 20,
        compression="zstd",
        compression_level=1,
        version="2.6",
        data_page_version="1.0",
        write_page_checksum=True,
        store_schema=False,
    )
    body: bytes = sink.getvalue().to_pybytes()
    return body


def _sealed(manifest: Manifest) -> bytes:
    body = manifest._asdict() | {"files": dict(sorted(manifest.files.items()))}
    if not manifest.failed:  # as a manifest was before there were such words
        del body[FAILED]
    if manifest.version == 1:
        del body[VERSION]
    plain = json.dumps(body, sort_keys=True, separators=(",", ":"))
    body["seal"] = hashlib.sha256(plain.encode()).hexdigest()
    return (json.dumps(body, sort_keys=True, indent=1) + "\n").encode()


def make_folder(path: Path) -> None:
    """Make a folder and those above it, closed to others."""
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(FOLDER_MODE, exist_ok=True)


def _put(path: Path, body: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
    with os.fdopen(handle, "wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())


def _into_place(aside: Path, place: Path) -> None:
    """Rename over what was there; between the two renames the table-day is merely missing."""
    make_folder(place.parent)
    if place.exists():
        old = aside.with_name(aside.name + ".old")
        place.rename(old)
        aside.rename(place)
        shutil.rmtree(old)
    else:
        aside.rename(place)
