"""The state a camera keeps over a restart, in one small file that is replaced atomically.

It holds the last sequence number, the last frame of each source, the cards and the throw that were
reported, and the readings that the gateway has not taken yet.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest.parse import reading as parse_reading
from schemas import codec
from schemas.events import Reading
from schemas.shape import Refused
from vision.camera.observe import ReportedCard
from vision.recognise.detections import Guess
from vision.track.throws import ReportedThrow

FORMAT_VERSION = 1
MAX_WAITING = 100_000  # readings
MAX_SOURCES = 1_000


class BadCameraState(ValueError):
    """The file does not hold the state of this camera."""


class CameraStateLocked(Exception):
    """Another process uses the same state file."""


class TooManyWaiting(Exception):
    """More readings wait for the gateway than may be kept."""


@dataclass(slots=True)
class CameraState:
    """The state of one camera over one table."""

    table_id: str
    device_id: str
    seq: int = 0
    said_us: int = 0  # time of the last reading
    source: str = ""
    frame: int = -1  # the last frame that was read
    frame_us: int = 0
    cards: tuple[ReportedCard, ...] = ()
    throw: ReportedThrow | None = None
    waiting: list[Reading] = field(default_factory=list)
    watched: dict[str, int] = field(default_factory=dict)  # source to its last frame

    def reached(self, frame: int, at_us: int) -> None:
        """Note the last frame of the source; keep only the latest sources."""
        self.frame, self.frame_us = frame, at_us
        self.watched.pop(self.source, None)
        self.watched[self.source] = frame
        while len(self.watched) > MAX_SOURCES:
            del self.watched[next(iter(self.watched))]


@contextmanager
def held(path: Path, table_id: str, device_id: str) -> Iterator[CameraState]:
    """Lock and load a camera's state until the block ends; empty if there is no file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(path.name + ".lock").open("w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CameraStateLocked(f"{path}: another process watches with it") from error
        yield load(path, table_id, device_id)


def load(path: Path, table_id: str, device_id: str) -> CameraState:
    """Load a state file, which must belong to this camera and table."""
    if not path.exists():
        return CameraState(table_id, device_id)
    try:
        found = _memory(json.loads(path.read_text("utf-8")))
    except (ValueError, TypeError, KeyError, Refused) as error:
        raise BadCameraState(f"{path}: a camera's memory expected; {error}") from error
    if (found.table_id, found.device_id) != (table_id, device_id):
        expected, other = f"{device_id} at {table_id}", f"{found.device_id} at {found.table_id}"
        raise BadCameraState(f"{path}: the memory of {expected} expected, that of {other} found")
    return found


def save(memory: CameraState, path: Path) -> None:
    """Write the state atomically; it is on disk when this returns."""
    if len(memory.waiting) > MAX_WAITING:
        raise TooManyWaiting(f"at most {MAX_WAITING:,} readings may wait, more do")
    beside = path.with_name(path.name + ".new")
    with beside.open("w", encoding="utf-8") as file:
        json.dump(_document(memory), file, separators=(",", ":"), sort_keys=True)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def _document(memory: CameraState) -> dict[str, Any]:
    return {
        "memory": FORMAT_VERSION,
        "table": memory.table_id,
        "device": memory.device_id,
        "seq": memory.seq,
        "said_us": memory.said_us,
        "source": memory.source,
        "frame": memory.frame,
        "frame_us": memory.frame_us,
        "cards": [list(card) for card in memory.cards],
        "throw": memory.throw and list(memory.throw),
        "watched": list(memory.watched.items()),
        "waiting": [codec.dump_line(reading) for reading in memory.waiting],
    }


def _memory(found: dict[str, Any]) -> CameraState:
    if found["memory"] != FORMAT_VERSION:
        raise ValueError(f"form {FORMAT_VERSION} expected, {found['memory']!r} found")
    throw = found["throw"]
    return CameraState(
        str(found["table"]),
        str(found["device"]),
        int(found["seq"]),
        int(found["said_us"]),
        str(found["source"]),
        int(found["frame"]),
        int(found["frame_us"]),
        tuple(_card(row) for row in found["cards"]),
        ReportedThrow(tuple((x, y) for x, y in throw[0]), throw[1] and Guess(*throw[1]))
        if throw
        else None,
        [parse_reading.json_reading(line.encode()) for line in found["waiting"]],
        _watched(found),
    )


def _watched(found: dict[str, Any]) -> dict[str, int]:
    """Every source with its last frame; older files hold only the latest source."""
    latest = [(found["source"], found["frame"])] if found["frame"] >= 0 else []
    return {str(source): int(frame) for source, frame in found.get("watched", latest)}


def _card(row: Any) -> ReportedCard:
    track, zone, slot, (x, y), turn, told = row
    return ReportedCard(
        int(track), str(zone), int(slot), (float(x), float(y)), float(turn), Guess(*told)
    )
