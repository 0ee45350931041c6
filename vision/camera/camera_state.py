"""The state a camera keeps over a restart, in one small file that is replaced atomically.

It holds the last sequence number, the last frame of each source, the cards and the throw that were
reported, and the readings that the gateway has not taken yet.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

from ingest.disk import FILE_MODE, Disk
from ingest.parse import reading as parse_reading
from schemas import codec
from schemas.events import Guess, Reading
from schemas.shape import Refused
from vision.camera.observe import ReportedCard
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
def locked_state(path: Path, table_id: str, device_id: str) -> Iterator[CameraState]:
    """Lock and load a camera's state until the block ends; empty if there is no file."""
    Disk().make_folder(path.parent)
    place = path.with_name(path.name + ".lock")
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    with os.fdopen(handle, "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CameraStateLocked(f"{path}: another process uses it") from error
        yield load(path, table_id, device_id)


def load(path: Path, table_id: str, device_id: str) -> CameraState:
    """Load a state file, which must belong to this camera and table."""
    if not path.exists():
        return CameraState(table_id, device_id)
    try:
        state = _state(json.loads(path.read_text("utf-8")))
    except (ValueError, TypeError, KeyError, Refused) as error:
        raise BadCameraState(f"{path}: the state of a camera expected; {error}") from error
    if (state.table_id, state.device_id) != (table_id, device_id):
        expected, found = f"{device_id} at {table_id}", f"{state.device_id} at {state.table_id}"
        raise BadCameraState(f"{path}: the state of {expected} expected, that of {found} found")
    return state


def save(state: CameraState, path: Path) -> None:
    """Write the state atomically; it is on disk when this returns."""
    if len(state.waiting) > MAX_WAITING:
        raise TooManyWaiting(f"at most {MAX_WAITING:,} readings may wait, more do")
    text = json.dumps(_document(state), separators=(",", ":"), sort_keys=True)
    Disk().create(path, text.encode())


def _document(state: CameraState) -> dict[str, Any]:
    return {
        "memory": FORMAT_VERSION,
        "table": state.table_id,
        "device": state.device_id,
        "seq": state.seq,
        "said_us": state.said_us,
        "source": state.source,
        "frame": state.frame,
        "frame_us": state.frame_us,
        "cards": [[*card[:-1], astuple(card.best)] for card in state.cards],
        "throw": state.throw and [state.throw.places, _row(state.throw.best)],
        "watched": list(state.watched.items()),
        "waiting": [codec.dump_line(reading) for reading in state.waiting],
    }


def _state(document: dict[str, Any]) -> CameraState:
    if document["memory"] != FORMAT_VERSION:
        raise ValueError(f"form {FORMAT_VERSION} expected, {document['memory']!r} found")
    return CameraState(
        str(document["table"]),
        str(document["device"]),
        int(document["seq"]),
        int(document["said_us"]),
        str(document["source"]),
        int(document["frame"]),
        int(document["frame_us"]),
        tuple(_card(row) for row in document["cards"]),
        _throw(throw) if (throw := document["throw"]) else None,
        [parse_reading.json_reading(line.encode()) for line in document["waiting"]],
        _watched(document),
    )


def _watched(document: dict[str, Any]) -> dict[str, int]:
    """Every source with its last frame; older files hold only the latest source."""
    latest = [(document["source"], document["frame"])] if document["frame"] >= 0 else []
    return {str(source): int(frame) for source, frame in document.get("watched", latest)}


def _row(guess: Guess | None) -> tuple[Any, ...] | None:
    return None if guess is None else astuple(guess)


def _throw(row: Any) -> ReportedThrow:
    places, best = row
    return ReportedThrow(tuple((x, y) for x, y in places), best and Guess(*best))


def _card(row: Any) -> ReportedCard:
    track, zone, slot, (x, y), turn, best = row
    return ReportedCard(
        int(track), str(zone), int(slot), (float(x), float(y)), float(turn), Guess(*best)
    )
