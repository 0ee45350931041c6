"""The note that a trim leaves of a table: enough to recognise an old reading, not to read it."""

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

from ingest.disk import Disk
from ingest.local.log import TRIMMED, LocalLog
from ingest.log import EVENTS, LogCorrupt
from ingest.order import OrderMemory

SHA256 = "sha256"  # over the other keys; a note of an earlier version does not have it
KEYS = {"alarms", "devices", "open_round"}


class TrimNote(NamedTuple):
    """The state of a table before the first event that is kept."""

    base: int  # the offset of that event
    alarms: int  # how many alarms the gateway had raised
    memory: OrderMemory


def load(log: LocalLog, table_id: str) -> TrimNote | None:
    """The note of a table; None where nothing was trimmed."""
    base = log.start(EVENTS, table_id)
    if not base:
        return None
    path = _path(log, table_id, base)
    try:
        said = json.loads(path.read_bytes())
        if said.pop(SHA256, None) not in (None, _sha256(said)) or set(said) != KEYS:
            raise ValueError("other bytes than were written")
        devices = {name: (int(last), int(clock)) for name, (last, clock) in said["devices"].items()}
        return TrimNote(base, int(said["alarms"]), OrderMemory(devices, said["open_round"]))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise LogCorrupt(f"{path}: the note of a trim expected, {error!r} found") from error


def save(log: LocalLog, table_id: str, note: TrimNote) -> None:
    """Write the note; from now on the log begins at its base."""
    said = {
        "alarms": note.alarms,
        "devices": {name: list(known) for name, known in note.memory.devices.items()},
        "open_round": note.memory.open_round,
    }
    text = json.dumps(said | {SHA256: _sha256(said)}, indent=1, sort_keys=True) + "\n"
    Disk().create(_path(log, table_id, note.base), text.encode())


def _sha256(said: object) -> str:
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _path(log: LocalLog, table_id: str, base: int) -> Path:
    return log.folder(EVENTS, table_id) / f"{base:08d}{TRIMMED}"
