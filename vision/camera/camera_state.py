"""What a camera must know after a restart, in one small file that is always whole.

Its last number, how far it watched, the cards it told of, and the readings that nobody took yet.
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
    """A file that is no memory of this camera."""


class CameraStateLocked(Exception):
    """Another process watches with the same memory."""


class TooManyWaiting(Exception):
    """More readings wait than may be kept."""


@dataclass(slots=True)
class CameraState:
    """What one camera at one table remembers."""

    table_id: str
    device_id: str
    seq: int = 0
    said_us: int = 0  # time of the last reading
    source: str = ""
    frame: int = -1  # the last one that was watched
    frame_us: int = 0
    cards: tuple[ReportedCard, ...] = ()
    throw: ReportedThrow | None = None
    waiting: list[Reading] = field(default_factory=list)
    watched: dict[str, int] = field(default_factory=dict)  # source to its last frame

    def reached(self, frame: int, at_us: int) -> None:
        """Keep how far the source was watched; of many sources the latest ones."""
        self.frame, self.frame_us = frame, at_us
        self.watched.pop(self.source, None)
        self.watched[self.source] = frame
        while len(self.watched) > MAX_SOURCES:
            del self.watched[next(iter(self.watched))]


@contextmanager
def held(path: Path, table_id: str, device_id: str) -> Iterator[CameraState]:
    """A camera's memory, which is ours alone until the block ends; empty where there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(path.name + ".lock").open("w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CameraStateLocked(f"{path}: another process watches with it") from error
        yield load(path, table_id, device_id)


def load(path: Path, table_id: str, device_id: str) -> CameraState:
    """The memory in a file, which must be of this camera at this table."""
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
    """Write a memory; durable when this returns, and never half of it."""
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
    """Every source with its last frame; an older file knows only the latest one."""
    latest = [(found["source"], found["frame"])] if found["frame"] >= 0 else []
    return {str(source): int(frame) for source, frame in found.get("watched", latest)}


def _card(row: Any) -> ReportedCard:
    track, zone, slot, (x, y), turn, told = row
    return ReportedCard(
        int(track), str(zone), int(slot), (float(x), float(y)), float(turn), Guess(*told)
    )
