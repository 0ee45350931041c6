"""The access stream of the log: who asked to see what, each record chained to the one before.

One partition a house. A record is on disk before anything is shown, so a killed command may leave a
record of something that nobody saw, and never the reverse. Many commands write it at the same time:
each waits for the others, holds the lock for one append and lets go of it.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ingest.local.log import LocalLog
from ingest.log import LogCorrupt, LogReader
from schemas import case_codec, codec
from schemas.codec import UNREADABLE
from schemas.events import AccessRecorded

STREAM, PARTITION = "access", "house"
SEGMENT_BYTES = 1024 * 1024  # small: every command reads the last segment to find its end
LONGEST = 64 * 1024  # characters of a question that a record keeps


class Viewer(NamedTuple):
    """Who asks: the identity that is set, and the user of the operating system."""

    person_id: str
    rank: str
    user: str


class AccessRequest(NamedTuple):
    """What somebody asks to see or do."""

    action: str  # view, query, export, verify, change or refused
    command: str
    kind: str  # round, case, finding, clip, pack, rows …
    subjects: tuple[str, ...] = ()
    question: str = ""
    parameters: Mapping[str, str] = {}  # never written


class AccessOutcome(NamedTuple):
    """What came of a request: how many rows were shown, or why nothing was."""

    answer_to: int  # number of the request's own record; 0 where it has none
    rows: int | None = None
    refusal: str = ""


def record(
    home: Path,
    viewer: Viewer,
    request: AccessRequest,
    clock: Callable[[], int],
    outcome: AccessOutcome | None = None,
) -> AccessRecorded:
    """Append a request, or what came of it; on disk when this returns."""
    with LocalLog(home / "log", (STREAM,), segment_bytes=SEGMENT_BYTES, waits=True) as log:
        number, before = _end(log)
        made = AccessRecorded(
            number=number + 1,
            prev_hash=before,
            recorded_at=clock(),  # under the lock: the numbers and the times run together
            person_id=viewer.person_id,
            rank=viewer.rank,
            user=viewer.user,
            action=request.action,
            command=request.command,
            kind=request.kind,
            subjects=request.subjects,
            question=request.question[:LONGEST],
            parameters=request.parameters,
            answer_to=(outcome.answer_to or None) if outcome else None,
            rows=outcome.rows if outcome else None,
            refusal=outcome.refusal if outcome else "",
        )
        log.append(STREAM, PARTITION, [case_codec.encode(made)])
    return made


def records(home: Path) -> Iterator[AccessRecorded]:
    """Every access record in order; LogCorrupt where the chain breaks."""
    return records_from(LocalLog(home / "log"))


def records_from(log: LogReader) -> Iterator[AccessRecorded]:
    """The same of any log that holds the stream."""
    before = codec.NO_HASH
    for found in log.read(STREAM, PARTITION):
        where = f"access records offset {found.offset}"
        try:
            made = case_codec.decode_access(found.body, found.schema)
        except UNREADABLE as error:
            raise LogCorrupt(f"{where}: an access record expected, {error!r} found") from error
        if (made.number, made.prev_hash) != (found.offset + 1, before):
            what = f"record {found.offset + 1} after {before.hex()[:8]}… expected, another found"
            raise LogCorrupt(f"{where}: {what}")
        before = hashlib.sha256(found.body).digest()
        yield made


def _end(log: LogReader) -> tuple[int, bytes]:
    """How many records there are, and the hash of the last."""
    end = log.end(STREAM, PARTITION)
    if end == 0:
        return 0, codec.NO_HASH
    (last,) = log.read(STREAM, PARTITION, end - 1)
    return end, hashlib.sha256(last.body).digest()
