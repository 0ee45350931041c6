"""The records of the embedded log: any stream from its newest, its oldest or an offset."""

import io
import json
from pathlib import Path
from typing import Any, NamedTuple

from ingest.doors import redrive
from ingest.doors.redrive import FiledLetter
from ingest.local.log import LocalLog
from ingest.parse import framing
from schemas import codec

STREAMS = ("events", "dlq", "findings", "reviews", "cases", "access", "checkpoints")
PAGE = 50
MOST_LETTERS = 500  # dead letters of one list
HEX = 512  # bytes of a record that are shown as hex


class StreamRecord(NamedTuple):
    """One record, decoded, beside its bytes."""

    offset: int
    schema: str
    size: int
    decoded: str
    hex: str


class StreamPage(NamedTuple):
    """Some records of a partition, and where it begins and ends."""

    records: list[StreamRecord]
    start: int
    end: int
    first: int


def partitions(home: Path) -> dict[str, tuple[str, ...]]:
    """The partitions of each stream that has any."""
    log = LocalLog(home / "log")
    found = {stream: log.partitions(stream) for stream in STREAMS}
    return {stream: names for stream, names in found.items() if names}


def letters(home: Path) -> list[FiledLetter]:
    """The newest dead letters, the newest first, each with its state."""
    return redrive.filed(redrive.read(LocalLog(home / "log")))[::-1][:MOST_LETTERS]


def page(home: Path, stream: str, partition: str, first: int | None) -> StreamPage:
    """A page from an offset on; the newest where none is named."""
    log = LocalLog(home / "log")
    start, end = log.start(stream, partition), log.end(stream, partition)
    begin = max(start, end - PAGE) if first is None else min(max(first, start), end)
    records: list[StreamRecord] = []
    for record in log.read(stream, partition, begin):
        if len(records) == PAGE:
            break
        records.append(
            StreamRecord(
                record.offset,
                record.schema,
                len(record.body),
                _decoded(record.body, record.schema),
                _hex(record.body),
            )
        )
    return StreamPage(records, start, end, begin)


def _decoded(body: bytes, schema: str) -> str:
    """A record as JSON, by the schema that it was written with."""
    try:
        value = codec.read(io.BytesIO(body), framing.schema_of(schema))
    except (ValueError, KeyError, LookupError) as error:
        return f"{type(error).__name__}: {error}"
    return json.dumps(_plain(value), indent=1, ensure_ascii=False, sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


def _hex(body: bytes) -> str:
    lines = []
    for at in range(0, min(len(body), HEX), 16):
        part = body[at : at + 16]
        text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        lines.append(f"{at:06x}  {part.hex(' '):<47}  {text}")
    if len(body) > HEX:
        lines.append(f"… {len(body) - HEX:,} bytes more")
    return "\n".join(lines)
